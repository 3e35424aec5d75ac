import { type ContainerStatus, pod as podShape } from '../diagnosis/kubernetes-pod.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'
import { controllerOf, metadataOf } from './metadata.ts'

/** How a container fails, the same at every moment of its back-off. */
const failureOf = ({ name, state, lastState, ready }: ContainerStatus): string => {
  if (ready) return `${name} ready`
  const ended = state?.terminated ?? lastState?.terminated
  const waiting = state?.waiting?.reason ?? ''
  const isBetweenRuns = ended !== undefined && (waiting === '' || waiting === 'CrashLoopBackOff')
  if (isBetweenRuns) return `${name} ${ended.exitCode} ${ended.reason}`
  return `${name} ${state?.running ? 'running' : /^(ErrImagePull|ImagePullBackOff)$/.test(waiting) ? 'image' : waiting}`
}

/** Pods with the same value fail alike: they have one controller and one template, and their containers are in the same state. */
const likenessOf = (json: JsonObject): string => {
  const { status } = podShape(json) ?? {}
  const { uid, name, deletionTimestamp, labels = {} } = metadataOf(json)
  const template = labels['pod-template-hash'] ?? labels['controller-revision-hash'] ?? ''
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  const controller = controllerOf(json)?.uid ?? uid ?? name ?? ''
  const leaving = deletionTimestamp === undefined ? '' : 'leaving'
  return [controller, template, status?.phase, status?.reason, leaving, ...statuses.map(failureOf)].join('\n')
}

/** A pod to look into, and those that are taken to fail as it does. */
export interface Chosen {
  readonly pod: JsonObject
  readonly alike: readonly JsonObject[]
}

/**
 * Which pods to look into: of each sort of failure the oldest, then the second of each, and so on, at most `max`; the rest
 * of a sort is counted with its first. Sorts beyond `max` are `left`.
 */
export const choosePods = (
  pods: readonly JsonObject[],
  max: number,
): { readonly chosen: readonly Chosen[]; readonly left: readonly JsonObject[] } => {
  const sorts = new Map<string, JsonObject[]>()
  const oldestFirst = pods.toSorted((a, b) =>
    (metadataOf(a).creationTimestamp ?? '').localeCompare(metadataOf(b).creationTimestamp ?? ''),
  )
  for (const pod of oldestFirst) {
    const likeness = likenessOf(pod)
    sorts.set(likeness, [...(sorts.get(likeness) ?? []), pod])
  }
  const largestFirst = [...sorts.values()].toSorted((a, b) => b.length - a.length)
  const looked = largestFirst.map(() => 0)
  let room = max
  for (let turn = 0; room > 0 && largestFirst.some(sort => sort.length > turn); turn++) {
    for (const [index, sort] of largestFirst.entries()) {
      if (room === 0 || sort.length <= turn) continue
      looked[index] = turn + 1
      room--
    }
  }
  const chosen = largestFirst.flatMap((sort, index) =>
    sort
      .slice(0, looked[index])
      .map((pod, place): Chosen => ({ pod, alike: place === 0 ? sort.slice(looked[index]) : [] })),
  )
  return { chosen, left: largestFirst.flatMap((sort, index) => (looked[index] === 0 ? sort : [])) }
}
