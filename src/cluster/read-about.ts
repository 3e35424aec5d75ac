import type { JsonObject, PodSnapshot, Request } from '../diagnosis/snapshot.ts'
import { findTarget } from './find-target.ts'
import { controllerOf, metadataOf } from './metadata.ts'
import { type Reading, readFound } from './read-snapshot.ts'
import type { ReadTarget } from './read-target.ts'
import { resourceOfKind } from './resources.ts'

/** The pod's owner, and that one's owner where it was read. */
const ownersOf = ({ pod, related }: PodSnapshot): { kind: string; name: string }[] => {
  const owner = controllerOf(pod)
  if (!owner?.kind || !owner.name) return []
  const resource = resourceOfKind(owner.kind)
  const parents: readonly JsonObject[] = (resource && related[resource.list]) ?? []
  const parent = controllerOf(parents.find(each => metadataOf(each).uid === owner.uid))
  const above = parent?.kind && parent.name ? [{ kind: parent.kind, name: parent.name }] : []
  return [{ kind: owner.kind, name: owner.name }, ...above]
}

const eventsOfOwners = (snapshot: PodSnapshot): { requests: readonly Request[] } => ({
  requests: ownersOf(snapshot).map(owner => ({ read: 'events', namespace: snapshot.namespace, ...owner })),
})

/**
 * Reads what there is to tell about one target without explaining it: the pod, its owner, its node, and the events of the
 * first two; no log. Throws as findTarget.
 */
export const readAbout = async (reading: Omit<Reading, 'diagnose'>, target: ReadTarget): Promise<PodSnapshot> => {
  const found = await findTarget(reading.reader, reading.api, target)
  return readFound({ ...reading, diagnose: eventsOfOwners }, target.namespace, found, { rounds: 1, logs: 0 })
}
