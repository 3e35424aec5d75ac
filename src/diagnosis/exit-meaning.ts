import type { ContainerKind } from './diagnosis.ts'
import { conventions, signalOf, usualSignalCause, windowsMeaning } from './exit-codes.ts'
import { humanDuration } from './human-duration.ts'
import { type ProgramHints, programMeaning, programOf } from './program-exit-codes.ts'

/** What else is known about the instance that ended; everything may be missing. */
export interface ExitContext extends ProgramHints {
  readonly kind?: ContainerKind | null | undefined
  /** The probe because of which the kubelet stopped this very instance, as its Killing event says. */
  readonly killedByProbe?: 'liveness' | 'startup' | null | undefined
  readonly gracePeriodSeconds?: number | null | undefined
  /** True where this instance ended because its pod was being deleted. */
  readonly deleting?: boolean | undefined
  /** The container's own memory limit, as its spec has it. */
  readonly memoryLimit?: string | null | undefined
  /** The policy that counts for this container: its own, else the pod's. */
  readonly restartPolicy?: string | null | undefined
}

export interface EndedInstance {
  readonly code: number
  /** `state.terminated.reason`. */
  readonly reason: string | null | undefined
  /** Seconds it ran; null: unknown. */
  readonly ranSeconds?: number | null | undefined
  readonly context?: ExitContext | undefined
}

export interface ExitMeaning {
  /** `SIGKILL` …; null where no signal ended it. */
  readonly signal: string | null
  /** One or two plain sentences. */
  readonly meaning: string
}

/**
 * What an exit code means, together with its reason and with what else is known. It claims no more than that: a bare 137
 * is a SIGKILL, and out of memory only where the reason is OOMKilled.
 */
export const exitMeaning = ({ code, reason, ranSeconds = null, context = {} }: EndedInstance): ExitMeaning => {
  const invented = inventedCodes.get(reason ?? '')
  if (invented !== undefined) return { signal: null, meaning: invented }
  const signal = signalOf(code)
  const program = programOf(context)
  const meaning =
    memoryMeaning(code, reason, context.memoryLimit) ??
    seccompMeaning(reason) ??
    stopMeaning(code, signal, context) ??
    successMeaning(code, ranSeconds, context) ??
    programMeaning(program, code) ??
    signalMeaning(code, signal, program) ??
    windowsMeaning(code) ??
    ownCodeMeaning(code, ranSeconds, program)
  return { signal, meaning }
}

/** Reasons under which the code is not the program's: the runtime or the kubelet made it up. */
const inventedCodes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    StartError: 'It never ran: the container runtime could not start it, and its message says why.',
    ContainerCannotRun: 'It never ran: the container runtime could not start it, and its message says why.',
    ContainerStatusUnknown:
      'The kubelet lost the container and made up this code; how it ended is unknown. That happens when a node restarts, a runtime is wiped or a pod is evicted.',
    Unknown:
      'The container runtime lost the state of the container, as by a restart of its own, and made up this code; how it ended is unknown.',
    RestartingAllContainers:
      'The kubelet removed it on purpose and made up this code: a restart rule restarts all containers of the pod in place.',
  }),
)

const memoryMeaning = (
  code: number,
  reason: string | null | undefined,
  limit: string | null | undefined,
): string | null => {
  if (reason !== 'OOMKilled') return null
  if (code === 137 && limit)
    return `The kernel killed it for memory with SIGKILL (128 + 9), at its memory limit of ${limit}.`
  if (code === 137)
    return 'The kernel killed it for memory with SIGKILL (128 + 9): at the memory limit of the container or its pod, or because the node ran out.'
  return `The kernel killed a process of the container for memory; the main process outlived it and then ended with code ${code}.`
}

const seccompMeaning = (reason: string | null | undefined): string | null =>
  reason === 'seccomp killed' ? 'It was killed for a system call that its seccomp profile forbids.' : null

/** An end that the kubelet is known to have asked for. */
const stopMeaning = (code: number, signal: string | null, context: ExitContext): string | null => {
  const { killedByProbe, deleting, gracePeriodSeconds } = context
  if (!killedByProbe && !deleting) return null
  const why = killedByProbe ? `because its ${killedByProbe} probe failed` : 'because the pod is being deleted'
  if (code === 137) {
    const grace = gracePeriodSeconds == null ? '' : ` of ${gracePeriodSeconds} s`
    return `The kubelet stopped it ${why}, and killed it with SIGKILL (128 + 9) when it had not ended within its grace period${grace}. That is no out-of-memory kill.`
  }
  if (code === 143) return `The kubelet stopped it ${why}, and it ended on SIGTERM (128 + 15) as asked.`
  if (code === 0) return `The kubelet stopped it ${why}, and it ended cleanly.`
  return `The kubelet stopped it ${why}; it then ended with code ${code}${signal === null ? '' : ` (${signal})`}.`
}

const successMeaning = (code: number, ranSeconds: number | null, context: ExitContext): string | null => {
  if (code !== 0) return null
  const finished = `It ended without an error${ranSeconds === null || ranSeconds < 0 ? '' : ` after ${humanDuration(ranSeconds)}`}`
  if (context.kind === 'init') return `${finished}, as an init container should.`
  if (context.kind === 'sidecar') return `${finished}, but a sidecar has to keep running.`
  if (context.restartPolicy === 'Always')
    return `${finished}, but under restartPolicy Always it has to keep running, so it is started again.`
  return `${finished}.`
}

const signalMeaning = (code: number, signal: string | null, program: string | null): string | null => {
  if (signal === null) return null
  // A shell returns 128 + n for a command of its as well.
  const it = program === 'shell' ? 'The shell, or a command whose code it passed on, was' : 'It was'
  const by = `(128 + ${code - 128})`
  if (signal === 'SIGKILL')
    return `${it} killed with SIGKILL ${by}. The runtime reports no out-of-memory kill, which would be reason OOMKilled; the events tell who sent the signal.`
  if (signal === 'SIGTERM')
    return `${it} asked to stop with SIGTERM ${by}, as by a deletion, an eviction, a rollout or a failed probe; the events tell which.`
  const usual = usualSignalCause(code)
  return `${it} ended by ${signal} ${by}.${usual === null ? '' : ` ${usual}`}`
}

const ownCodeMeaning = (code: number, ranSeconds: number | null, program: string | null): string => {
  if (code === -1) return 'The container runtime found no exit code; how it ended is unknown.'
  const meaning =
    conventions[code] ??
    (program === 'shell'
      ? 'The script ended with this code: its own exit, or the code of its last command; the log says which.'
      : 'The program chose this code itself; its log or its documentation tells what it means by it.')
  const isQuick = ranSeconds !== null && ranSeconds >= 0 && ranSeconds < 10
  return isQuick ? `${meaning} It had run for ${ranSeconds < 1 ? 'less than 1s' : humanDuration(ranSeconds)}.` : meaning
}
