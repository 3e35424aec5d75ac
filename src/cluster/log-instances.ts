import { type ContainerSpec, type ContainerStatus, pod as podShape } from '../diagnosis/kubernetes-pod.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'
import type { Run } from './replaced-instance.ts'

/** One of the two instances of a container whose log the kubelet can serve. */
export interface LogInstance {
  readonly container: string
  readonly instance: 'current' | 'previous'
  /** The run that is meant, where it has ended. */
  readonly ended?: Run | undefined
}

/** Reading more at once than this is left to what the rules ask for. */
const maxInstances = 6

/**
 * Which instances of an unready container tell why. In `terminated`, and in `waiting` after a run, `current` is the run that
 * just ended; while it runs again, the failure is in `previous` (kubelet's validateContainerLogStatus).
 */
const instancesOf = ({ state, lastState, restartCount = 0 }: ContainerStatus): readonly LogInstance['instance'][] => {
  if (state?.terminated) return ['current']
  if (state?.waiting) return lastState?.terminated ? ['current'] : []
  if (state?.running) return restartCount > 0 ? ['previous', 'current'] : ['current']
  return []
}

/** The run behind `current` of a container that runs no more. */
const endedRun = ({ state, lastState }: ContainerStatus): Run | undefined => {
  const { startedAt, finishedAt } = state?.terminated ?? (state?.waiting && lastState?.terminated) ?? {}
  return startedAt && finishedAt ? { startedAt, finishedAt } : undefined
}

/**
 * The logs worth reading together with everything else, before any rule has asked: of init containers that have not
 * finished and of app containers and sidecars that are not ready.
 */
export const logInstances = (pod: JsonObject): readonly LogInstance[] => {
  const { spec, status } = podShape(pod) ?? {}
  if (status?.phase === 'Succeeded') return []
  const sidecars = new Set((spec?.initContainers ?? []).filter(isSidecar).map(container => container.name))
  const unfinished = (status?.initContainerStatuses ?? []).filter(
    init => !(sidecars.has(init.name) ? init.ready : init.state?.terminated?.exitCode === 0),
  )
  const unready = (status?.containerStatuses ?? []).filter(app => !app.ready)
  return [...unfinished, ...unready]
    .flatMap(status =>
      instancesOf(status).map(instance => ({ container: status.name ?? '', instance, ended: endedRun(status) })),
    )
    .filter(({ container }) => container !== '')
    .slice(0, maxInstances)
}

const isSidecar = (container: ContainerSpec) => container.restartPolicy === 'Always'
