import type { Container } from './containers.ts'
import { type LogLine, logLines } from './log-lines.ts'
import { type Moment, momentOf } from './moment.ts'
import { newestEvent, type PodEvent } from './pod-events.ts'
import { type ProbeKill, probeKillOf } from './probe-kill.ts'
import type { Log, View } from './view.ts'

/** One container in its pod, with what rules ask of it again and again. */
export class Subject {
  readonly view: View
  readonly container: Container
  readonly moment: Moment
  #log: Log | undefined
  #events: readonly PodEvent[] | undefined
  #probeKill: ProbeKill | null | undefined

  constructor(view: View, container: Container) {
    this.view = view
    this.container = container
    this.moment = momentOf(view, container)
  }

  get name(): string {
    return this.container.name
  }

  get exitCode(): number | null {
    return this.container.ended?.terminated.exitCode ?? null
  }

  get waitingReason(): string {
    return this.container.state.waiting?.reason ?? ''
  }

  get waitingMessage(): string {
    return this.container.state.waiting?.message ?? ''
  }

  get isInit(): boolean {
    return this.container.kind === 'init'
  }

  /** `Init container`, `Sidecar`, `Container`: how sentences begin. */
  get noun(): string {
    return this.isInit ? 'Init container' : this.container.kind === 'sidecar' ? 'Sidecar' : 'Container'
  }

  /** The log that explains this moment: of the instance that failed while one did, else of the running one. */
  get log(): Log {
    this.#log ??= this.#chooseLog()
    return this.#log
  }

  #chooseLog(): Log {
    const { view, name, container } = this
    const instance = this.moment !== 'running' && container.ended ? container.ended.logInstance : 'current'
    const chosen = view.log(name, instance)
    if (chosen.lines?.length) return chosen
    // While the container waits, both requests mean the same instance; one of the two may have been read only.
    const other = instance === 'current' ? 'previous' : 'current'
    const isSameInstance = container.state.waiting !== undefined && container.ended !== null
    if (isSameInstance && typeof view.snapshot.logs?.[name]?.[other] === 'string') {
      const same = view.log(name, other)
      if (same.lines?.length) return same
    }
    return chosen
  }

  /** What the instance wrote: its log, or where there is none its termination message, which needs no log. */
  get lines(): readonly LogLine[] {
    return this.log.lines?.length ? this.log.lines : this.#messageLines
  }

  /** Where `lines` come from, for evidence. */
  get linesSource(): string {
    return this.log.lines?.length || this.#messageLines.length === 0
      ? `log of ${this.name} (${this.log.instance})`
      : `${this.container.ended?.path}.message`
  }

  get #messageLines(): readonly LogLine[] {
    const { reason, message } = this.container.ended?.terminated ?? {}
    // Of a container that never started, or that was lost, the message is the runtime's or the kubelet's.
    if (message === undefined || (reason !== 'Error' && reason !== 'OOMKilled') || this.moment === 'running') return []
    return logLines(message)
  }

  /** Events about this container, oldest first. */
  get events(): readonly PodEvent[] {
    this.#events ??= this.view.events.filter(({ container }) => container === this.name)
    return this.#events
  }

  newest(reasons: readonly string[], message?: RegExp): PodEvent | undefined {
    return newestEvent(this.events, reasons, message)
  }

  /** The probe whose failures made the kubelet end the explained instance. */
  get probeKill(): ProbeKill | null {
    if (this.#probeKill === undefined) this.#probeKill = probeKillOf(this.view.events, this.container)
    return this.#probeKill
  }
}
