import { diagnose } from '../diagnosis/diagnose.ts'
import { event as eventShape } from '../diagnosis/kubernetes.ts'
import { pod as podShape } from '../diagnosis/kubernetes-pod.ts'
import type { JsonObject, PodSnapshot } from '../diagnosis/snapshot.ts'
import { metadataOf } from './metadata.ts'
import { isAbout } from './pod-events.ts'

/** Ready, or done, as far as its own status says. */
const looksFine = (json: JsonObject): boolean => {
  const pod = podShape(json)
  if (!pod || pod.metadata?.deletionTimestamp !== undefined) return false
  const { phase, conditions = [], containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {}
  if (phase === 'Succeeded') return containerStatuses.every(({ state }) => state?.terminated?.exitCode === 0)
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
  // Sidecars are running, init containers over.
  const steps = initContainerStatuses.every(({ state, ready }) => ready === true || state?.terminated?.exitCode === 0)
  return phase === 'Running' && isReady && steps && containerStatuses.every(({ ready }) => ready === true)
}

const hasRestarted = (json: JsonObject): boolean => {
  const { containerStatuses = [], initContainerStatuses = [] } = podShape(json)?.status ?? {}
  return [...containerStatuses, ...initContainerStatuses].some(({ restartCount = 0 }) => restartCount > 0)
}

const eventsByPod = (events: readonly JsonObject[]): ReadonlyMap<string, readonly JsonObject[]> => {
  const byPod = new Map<string, JsonObject[]>()
  for (const event of events) {
    const { kind, name = '' } = eventShape(event)?.involvedObject ?? {}
    if (kind === 'Pod') byPod.set(name, [...(byPod.get(name) ?? []), event])
  }
  return byPod
}

const isWarning = (event: JsonObject): boolean => eventShape(event)?.type === 'Warning'

/**
 * The pods that are not well: those that are neither ready nor done, and of the ready ones those of which a restart or a
 * warning says that they will not stay so.
 * @param head what the snapshots of all these pods have in common
 */
export const findUnwell = (
  pods: readonly JsonObject[],
  events: readonly JsonObject[],
  head: Pick<PodSnapshot, 'namespace' | 'takenAt' | 'server'>,
): readonly JsonObject[] => {
  const byPod = eventsByPod(events)
  return pods.filter(pod => {
    if (!looksFine(pod)) return true
    const target = metadataOf(pod).name ?? ''
    const own = (byPod.get(target) ?? []).filter(isAbout(pod))
    if (!hasRestarted(pod) && !own.some(isWarning)) return false
    const alone = { ...head, target, pod: { kind: 'Pod', ...pod }, events: own, logs: {}, related: {}, unread: [] }
    return !diagnose({ kind: 'PodSnapshot', ...alone }).diagnosis.healthy
  })
}
