import { humanDuration } from './human-duration.ts'
import type { ContainerSpec, ContainerStatus, Pod, Terminated } from './kubernetes-pod.ts'
import { epochMs } from './rfc3339.ts'
import type { StatusRules } from './server-version.ts'

/** Three columns of `kubectl get pods`. */
export interface PodStatus {
  readonly status: string
  /** `1/2`. */
  readonly ready: string
  /** `3 (2m15s ago)`. */
  readonly restarts: string
}

/**
 * STATUS, READY and RESTARTS as an API server of that release prints them (printPod in
 * pkg/printers/internalversion/printers.go; lines below are those of 1.36.3). Without `takenAt` the `(… ago)` is left out.
 */
export const podStatus = (pod: Pod, rules: StatusRules, takenAt: string | null): PodStatus => {
  const { containers = [], initContainers = [] } = pod.spec ?? {}
  const sidecars = rules === 'a' ? [] : initContainers.filter(isSidecar)
  const sidecarNames = new Set(sidecars.map(sidecar => sidecar.name))

  const init = initWalk(pod.status?.initContainerStatuses ?? [], initContainers.length, sidecarNames)
  let reason = init.reason ?? startReason(pod)
  let { ready, restarts } = init
  if (init.reason === null || (rules !== 'a' && isInitialized(pod))) {
    const apps = appWalk(pod.status?.containerStatuses ?? [], reason)
    reason = apps.reason === 'Completed' ? completedReason(apps, isReady(pod), rules) : apps.reason
    ready += apps.ready
    // From here the restarts of plain init containers are forgotten; up to 1.27 their date is not.
    const remembered = rules === 'a' ? init.restarts.lastMs : init.sidecarRestarts.lastMs
    restarts = sum({ count: init.sidecarRestarts.count, lastMs: remembered }, apps.restarts)
  }
  return {
    status: deletionReason(pod, rules) ?? reason,
    ready: `${ready}/${containers.length + sidecars.length}`,
    restarts: restartsText(restarts, rules, takenAt),
  }
}

interface Restarts {
  readonly count: number
  /** When an instance last finished before a restart. */
  readonly lastMs: number
}

// Go's zero time: what a missing finishedAt is to the API server, older than any other.
const never = Date.parse('0001-01-01T00:00:00Z')
const noRestarts: Restarts = { count: 0, lastMs: never }

const sum = (a: Restarts, b: Restarts): Restarts => ({
  count: a.count + b.count,
  lastMs: Math.max(a.lastMs, b.lastMs),
})

const restartsOf = (container: ContainerStatus): Restarts => ({
  count: container.restartCount ?? 0,
  lastMs: epochMs(container.lastState?.terminated?.finishedAt) ?? never,
})

const isSidecar = (container: ContainerSpec): boolean => container.restartPolicy === 'Always'

// Where a condition stands twice, the first Initialized counts (printers.go:3536) but any Ready.
const isInitialized = ({ status }: Pod): boolean =>
  status?.conditions?.find(condition => condition.type === 'Initialized')?.status === 'True'

const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(condition => condition.type === 'Ready' && condition.status === 'True') ?? false

const startReason = (pod: Pod): string => {
  // Whatever the condition's status is (printers.go:938-942).
  const gated = pod.status?.conditions?.some(c => c.type === 'PodScheduled' && c.reason === 'SchedulingGated')
  return gated ? 'SchedulingGated' : pod.status?.reason || pod.status?.phase || ''
}

const terminatedReason = ({ reason, signal, exitCode }: Terminated): string =>
  reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`)

interface InitWalk {
  /** `Init:…` of the first container that is not done; null where initialisation is over. */
  readonly reason: string | null
  readonly ready: number
  readonly restarts: Restarts
  readonly sidecarRestarts: Restarts
}

/** Stops at the first container that is not done: later ones, healthy sidecars too, count in no column (965-1012). */
const initWalk = (
  statuses: readonly ContainerStatus[],
  ofSpec: number,
  sidecarNames: ReadonlySet<string | undefined>,
): InitWalk => {
  let ready = 0
  let restarts = noRestarts
  let sidecarRestarts = noRestarts
  for (const [index, container] of statuses.entries()) {
    const isOfSidecar = sidecarNames.has(container.name)
    const own = restartsOf(container)
    restarts = sum(restarts, own)
    if (isOfSidecar) sidecarRestarts = sum(sidecarRestarts, own)

    // A sidecar that exited 0 is done as well, but not ready.
    if (hasSucceeded(container)) continue
    if (isOfSidecar && container.started) {
      if (container.ready) ready++
      continue
    }
    // The place among the statuses, of the number in the spec.
    const reason = `Init:${initProblem(container) ?? `${index}/${ofSpec}`}`
    return { reason, ready, restarts, sidecarRestarts }
  }
  return { reason: null, ready, restarts, sidecarRestarts }
}

const hasSucceeded = ({ state }: ContainerStatus): boolean =>
  state?.terminated !== undefined && (state.terminated.exitCode ?? 0) === 0

const initProblem = ({ state }: ContainerStatus): string | null => {
  if (state?.terminated) return terminatedReason(state.terminated)
  const waiting = state?.waiting?.reason
  return waiting && waiting !== 'PodInitializing' ? waiting : null
}

interface AppWalk {
  readonly reason: string
  /** The reason of the first container that failed; '' where none did. */
  readonly errorReason: string
  readonly hasRunning: boolean
  readonly ready: number
  readonly restarts: Restarts
}

/** From the last container to the first, so that the first one that waits or has ended gives the reason (1014-1048). */
const appWalk = (statuses: readonly ContainerStatus[], startReason: string): AppWalk => {
  let reason = startReason
  let errorReason = ''
  let ready = 0
  let restarts = noRestarts
  for (const container of statuses.toReversed()) {
    const { waiting, terminated, running } = container.state ?? {}
    restarts = sum(restarts, restartsOf(container))
    if (waiting?.reason) {
      reason = waiting.reason
    } else if (terminated) {
      reason = terminatedReason(terminated)
      if (terminated.exitCode) errorReason = reason
    } else if (running && container.ready) {
      ready++
    }
  }
  return { reason, errorReason, hasRunning: ready > 0, ready, restarts }
}

/** A pod is not `Completed` while something runs or, from 1.35, has failed (1049-1059). */
const completedReason = ({ hasRunning, errorReason }: AppWalk, ready: boolean, rules: StatusRules): string => {
  if (hasRunning && ready) return 'Running'
  if (rules === 'd' && errorReason) return errorReason
  return hasRunning ? 'NotReady' : 'Completed'
}

const deletionReason = ({ metadata, status }: Pod, rules: StatusRules): string | null => {
  if (!metadata?.deletionTimestamp) return null
  if (status?.reason === 'NodeLost') return 'Unknown'
  const isFinished = status?.phase === 'Succeeded' || status?.phase === 'Failed'
  return isFinished && (rules === 'c' || rules === 'd') ? null : 'Terminating'
}

const restartsText = ({ count, lastMs }: Restarts, rules: StatusRules, takenAt: string | null): string => {
  const nowMs = epochMs(takenAt)
  if (nowMs === null || lastMs === never || (count === 0 && rules !== 'a')) return String(count)
  return `${count} (${humanDuration((nowMs - lastMs) / 1000)} ago)`
}
