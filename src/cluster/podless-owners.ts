import { job as jobShape, workload as workloadShape } from '../diagnosis/kubernetes.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'
import { controllerOf, metadataOf } from './metadata.ts'
import { type Resource, resourceOfKind } from './resources.ts'

/** Kinds whose pods may fail to appear. */
export const ownerKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'] as const

/** An owner as it was listed. */
export interface Owner {
  readonly resource: Resource
  readonly object: JsonObject
}

const wantsPods = ({ resource: { kind }, object }: Owner): boolean => {
  if (metadataOf(object).deletionTimestamp !== undefined) return false
  if (kind === 'Job') {
    const { spec, status } = jobShape(object) ?? {}
    const isOver = status?.conditions?.some(
      ({ type, status }) => /^(Complete|Failed)$/.test(type ?? '') && status === 'True',
    )
    return spec?.suspend !== true && !isOver
  }
  const { spec, status } = workloadShape(object) ?? {}
  return (kind === 'DaemonSet' ? (status?.desiredNumberScheduled ?? 0) : (spec?.replicas ?? 1)) > 0
}

/**
 * Owners that want pods and have none. Of a Deployment and its ReplicaSets only the Deployment is named.
 * @param lists what was listed, by kind; a kind that is missing could not be read
 */
export const podlessOwners = (
  lists: ReadonlyMap<string, readonly JsonObject[]>,
  pods: readonly JsonObject[],
): readonly Owner[] => {
  const owned = new Set(pods.map(pod => controllerOf(pod)?.uid))
  const sets = lists.get('ReplicaSet')
  for (const set of sets ?? []) if (owned.has(metadataOf(set).uid)) owned.add(controllerOf(set)?.uid)
  return ownerKinds.flatMap(kind => {
    const resource = resourceOfKind(kind)
    // Whose pods are whose, the ReplicaSets tell.
    if (!resource || (kind === 'Deployment' && sets === undefined)) return []
    return (lists.get(kind) ?? [])
      .map((object): Owner => ({ resource, object }))
      .filter(owner => !owned.has(metadataOf(owner.object).uid) && wantsPods(owner))
      .filter(({ object }) => kind !== 'ReplicaSet' || controllerOf(object) === undefined)
  })
}
