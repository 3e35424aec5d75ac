import type { Container } from './containers.ts'
import type { LogLine } from './log-lines.ts'
import { type Moment, momentOf } from './moment.ts'
import { newestEvent, type PodEvent } from './pod-events.ts'
import type { Log, View } from './view.ts'

/** How a probe ended an instance: the kubelet's Killing event, and what the probe had said before. */
export interface ProbeKill {
  readonly probe: 'liveness' | 'startup'
  readonly killing: PodEvent
  /** The newest `Unhealthy` event of that probe; null: expired or not recorded. */
  readonly unhealthy: PodEvent | null
}

/** One container in its pod, with what rules ask of it again and again. */
export class Subject {
  readonly view: View
  readonly container: Container
  readonly moment: Moment
  #log: Log | undefined

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

  get lines(): readonly LogLine[] {
    return this.log.lines ?? []
  }

  /** Events about this container, oldest first. */
  get events(): readonly PodEvent[] {
    return this.view.events.filter(({ container }) => container === this.name)
  }

  newest(reasons: readonly string[], message?: RegExp): PodEvent | undefined {
    return newestEvent(this.events, reasons, message)
  }

  /** The probe whose failures made the kubelet end the explained instance, told by its events. */
  get probeKill(): ProbeKill | null {
    const killing = this.newest(['Killing'], /failed (?:liveness|startup) probe/)
    if (!killing || !this.container.ended) return null
    const probe = killing.message.includes('failed startup probe') ? 'startup' : 'liveness'
    const said = probe === 'startup' ? /^Startup probe/ : /^Liveness probe/
    // The kill comes at most a grace period before the end it caused; an older one explains another instance.
    const finished = Date.parse(this.container.ended.terminated.finishedAt ?? '')
    const killed = Date.parse(killing.lastAt ?? '')
    const graceMs = ((this.view.pod?.spec?.terminationGracePeriodSeconds ?? 30) + 15) * 1000
    if (!Number.isNaN(finished) && !Number.isNaN(killed) && finished - killed > graceMs) return null
    return { probe, killing, unhealthy: this.newest(['Unhealthy'], said) ?? null }
  }
}
