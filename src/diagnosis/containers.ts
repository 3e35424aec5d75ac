import type { ContainerKind } from './diagnosis.ts'
import type { ContainerSpec, ContainerState, ContainerStatus, Pod, Terminated } from './kubernetes-pod.ts'
import { epochMs } from './rfc3339.ts'

/** An instance of a container that ended: the newest one the status tells of. */
export interface Ended {
  readonly terminated: Terminated
  /** Where it stands: `status.containerStatuses[0].lastState.terminated`. */
  readonly path: string
  /** Which log is its log (reference: kubelet's validateContainerLogStatus). */
  readonly logInstance: 'current' | 'previous'
  /** Seconds it ran; null where a time is missing or the container never started (StartError: 1970). */
  readonly ranSeconds: number | null
}

/** One container: its spec and status joined. Rules see containers through this view only. */
export interface Container {
  readonly name: string
  readonly kind: ContainerKind
  /** 1-based, in the list of the spec it stands in. */
  readonly position: number
  readonly of: number
  readonly spec: ContainerSpec
  /** `spec.initContainers[1]`. */
  readonly specPath: string
  readonly status: ContainerStatus | null
  /** `status.initContainerStatuses[1]`; where the status has no such entry, the list's path. */
  readonly statusPath: string
  readonly state: ContainerState
  readonly restartCount: number
  readonly ready: boolean
  readonly ended: Ended | null
}

/** Seconds from one RFC 3339 time to another; null where either is missing or unreadable. */
export const secondsBetween = (from: string | null | undefined, to: string | null | undefined): number | null => {
  const start = epochMs(from)
  const end = epochMs(to)
  return start === null || end === null ? null : (end - start) / 1000
}

const ranSeconds = ({ startedAt, finishedAt, reason }: Terminated): number | null => {
  // containerd reports a container that never started with startedAt 1970-01-01 (StartError).
  if (reason === 'StartError' || startedAt === undefined || startedAt.startsWith('1970-')) return null
  const seconds = secondsBetween(startedAt, finishedAt)
  return seconds === null || seconds < 0 ? null : seconds
}

const endedOf = (status: ContainerStatus | null, path: string): Ended | null => {
  const now = status?.state?.terminated
  if (now) {
    return { terminated: now, path: `${path}.state.terminated`, logInstance: 'current', ranSeconds: ranSeconds(now) }
  }
  const last = status?.lastState?.terminated
  if (!last) return null
  // While nothing runs, the kubelet serves the ended instance as the current one; `previous` would be the same or older.
  const logInstance = status?.state?.running ? 'previous' : 'current'
  return { terminated: last, path: `${path}.lastState.terminated`, logInstance, ranSeconds: ranSeconds(last) }
}

const joined = (
  specs: readonly ContainerSpec[] | undefined,
  statuses: readonly ContainerStatus[] | undefined,
  specList: string,
  statusList: string,
  kindOf: (spec: ContainerSpec) => ContainerKind,
): Container[] =>
  (specs ?? []).map((spec, index, all) => {
    const name = spec.name ?? ''
    const at = (statuses ?? []).findIndex(status => status.name === name)
    const status = statuses?.[at] ?? null
    const statusPath = at < 0 ? statusList : `${statusList}[${at}]`
    return {
      name,
      kind: kindOf(spec),
      position: index + 1,
      of: all.length,
      spec,
      specPath: `${specList}[${index}]`,
      status,
      statusPath,
      state: status?.state ?? {},
      restartCount: status?.restartCount ?? 0,
      ready: status?.ready ?? false,
      ended: endedOf(status, statusPath),
    }
  })

/** All containers of a pod in start order: init containers and sidecars, then app containers, then ephemeral ones. */
export const containersOf = ({ spec, status }: Pod): readonly Container[] => [
  ...joined(
    spec?.initContainers,
    status?.initContainerStatuses,
    'spec.initContainers',
    'status.initContainerStatuses',
    ({ restartPolicy }) => (restartPolicy === 'Always' ? 'sidecar' : 'init'),
  ),
  ...joined(spec?.containers, status?.containerStatuses, 'spec.containers', 'status.containerStatuses', () => 'app'),
  ...joined(
    spec?.ephemeralContainers,
    status?.ephemeralContainerStatuses,
    'spec.ephemeralContainers',
    'status.ephemeralContainerStatuses',
    () => 'ephemeral',
  ),
]
