import type { ContainerKind } from './diagnosis.ts'
import type { ContainerSpec, ContainerState } from './kubernetes-pod.ts'
import { epochMs } from './rfc3339.ts'

// The kubelet's constants (kubelet.go, client-go util/flowcontrol/backoff.go).
const FIRST_WAIT_SECONDS = 10
const LONGEST_WAIT_SECONDS = 300
/** A run that lasts longer makes the kubelet forget the back-off. */
export const FORGIVEN_AFTER_SECONDS = 600

/** What decides whether an ended container is started again. */
export interface RestartQuestion {
  readonly kind: ContainerKind
  /** The pod's; missing: Always, Kubernetes' default. */
  readonly podRestartPolicy?: string | null | undefined
  /** The container's own, where it has one. */
  readonly containerRestartPolicy?: string | null | undefined
  readonly rules?: ContainerSpec['restartPolicyRules'] | null | undefined
  readonly exitCode: number
  /** An init container with reason OOMKilled runs again even after exit code 0. */
  readonly reason?: string | null | undefined
}

/**
 * Whether the kubelet starts an ended container again: a matching rule of the container decides first, then its own
 * policy, then the pod's (pkg/api/v1/pod/util.go:419). An init container never runs again once it has succeeded.
 */
export const restartsAgain = (question: RestartQuestion): boolean => {
  const { kind, podRestartPolicy, containerRestartPolicy, rules, exitCode, reason } = question
  if (kind === 'ephemeral') return false
  if (kind === 'sidecar') return true
  const hasFailed = exitCode !== 0 || (kind === 'init' && reason === 'OOMKilled')
  if (kind === 'init' && !hasFailed) return false
  if (rules?.some(rule => isMatch(rule, exitCode))) return true
  const policy = containerRestartPolicy ?? podRestartPolicy ?? 'Always'
  return policy === 'Always' || (policy === 'OnFailure' && hasFailed)
}

type RestartRule = NonNullable<ContainerSpec['restartPolicyRules']>[number]

// Both actions there are, Restart and RestartAllContainers, start this container again.
const isMatch = ({ exitCodes }: RestartRule, exitCode: number): boolean => {
  const isListed = exitCodes?.values?.includes(exitCode) ?? false
  return exitCodes?.operator === 'In' ? isListed : exitCodes?.operator === 'NotIn' && !isListed
}

export interface NextRestartQuestion extends Omit<RestartQuestion, 'exitCode' | 'reason'> {
  readonly state: ContainerState | null | undefined
  readonly lastState: ContainerState | null | undefined
  readonly restartCount: number
  /** The text that names the wait, where it is not `state.waiting.message`. */
  readonly message?: string | null | undefined
  /** The server's minor version; null: unknown. */
  readonly minor: number | null
}

/** When the kubelet starts a container that is down the next time. */
export interface NextRestart {
  /** RFC 3339, not before this; null where nothing waits or it cannot be told. */
  readonly at: string | null
  /** The whole wait since the container ended; null as above. */
  readonly waitSeconds: number | null
  /**
   * `message`: the kubelet named the wait. `formula`: computed from the restarts, thus an upper bound – a long run, a
   * restarted kubelet or a configured maximum makes it shorter. Null: no wait.
   */
  readonly basis: 'message' | 'formula' | null
  /** True where it is started without anybody's help; of a running container false, for nothing has to be. */
  readonly willRetry: boolean
  /** How much later than `at` the kubelet may come to it. */
  readonly lateBySeconds: number
}

/**
 * The end of the back-off of a container that waits in CrashLoopBackOff or, as servers since 1.35 mostly show it, stands
 * there as it ended. A wait for an image or a missing object is no back-off of the container: no time.
 */
export const nextRestart = (question: NextRestartQuestion): NextRestart => {
  const { state, lastState, restartCount, minor } = question
  // Until 1.34 a failed sync is repeated after 10 to 15 s, since then at the end of the wait, stretched up to 1.5 times.
  const lateBySeconds = minor !== null && minor < 35 ? 15 : 30
  const wait = (from: string | undefined, message: string | null | undefined, computed: number): NextRestart => {
    const worded = wordedWait(message)
    const waitSeconds = worded ?? computed
    const basis = worded === null ? 'formula' : 'message'
    return { at: atOf(from, waitSeconds), waitSeconds, basis, willRetry: true, lateBySeconds }
  }
  const noWait = { at: null, waitSeconds: null, basis: null, lateBySeconds }

  if (state?.terminated) {
    const { exitCode = 0, reason, startedAt, finishedAt } = state.terminated
    if (!restartsAgain({ ...question, exitCode, reason })) return { ...noWait, willRetry: false }
    return wait(finishedAt, question.message, wasForgiven(startedAt, finishedAt) ? 0 : waitAfter(restartCount))
  }
  if (state?.waiting?.reason === 'CrashLoopBackOff') {
    const message = question.message ?? state.waiting.message
    return wait(lastState?.terminated?.finishedAt, message, waitAfter(restartCount))
  }
  return { ...noWait, willRetry: state?.waiting !== undefined }
}

/** Seconds in `back-off 2m40s restarting failed container=…`; null where the text names none. */
const wordedWait = (message: string | null | undefined): number | null =>
  parseGoDuration(/back-off (\S+) restarting/.exec(message ?? '')?.[1] ?? '')

/** The first restart is immediate, then the wait doubles up to five minutes. */
const waitAfter = (restartCount: number): number =>
  restartCount <= 0 ? 0 : Math.min(FIRST_WAIT_SECONDS * 2 ** (restartCount - 1), LONGEST_WAIT_SECONDS)

const wasForgiven = (startedAt: string | undefined, finishedAt: string | undefined): boolean => {
  const started = epochMs(startedAt)
  const finished = epochMs(finishedAt)
  // A container that never started has startedAt 1970.
  return started !== null && started > 0 && finished !== null && finished - started > FORGIVEN_AFTER_SECONDS * 1000
}

const secondsOf: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 }

/** Seconds of a duration as Go prints it, `2m40s`, `1h0m0.5s`; null for anything else. */
export const parseGoDuration = (written: string): number | null => {
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|µs|ns))+$/.test(written)) return null
  let seconds = 0
  for (const [, amount, unit] of written.matchAll(/([\d.]+)(h|ms|m|s|us|µs|ns)/g))
    seconds += Number(amount) * (secondsOf[unit ?? ''] ?? 0)
  return seconds
}

/** So many seconds after an RFC 3339 time, as `2026-05-04T12:00:10Z`, fractions cut; null where that is no time. */
export const atOf = (time: string | null | undefined, seconds: number): string | null => {
  const start = epochMs(time)
  if (start === null) return null
  const at = new Date(start + seconds * 1000)
  return Number.isNaN(at.getTime()) ? null : `${at.toISOString().slice(0, -5)}Z`
}
