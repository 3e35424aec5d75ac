import { job, workload } from './kubernetes.ts'
import type { metadata as metadataShape } from './kubernetes-metadata.ts'
import { type Pod, pod as podShape } from './kubernetes-pod.ts'
import type { Of } from './shape.ts'
import type { JsonObject, PodSnapshot } from './snapshot.ts'

/** How one pod is, as far as recovery goes. Times are RFC 3339. */
export interface PodHealth {
  readonly name: string
  /** Ended as it should (`Succeeded`): it counts neither way. */
  readonly isDone: boolean
  /** Being deleted, evicted or rejected: others stand in for it. */
  readonly isLeaving: boolean
  /** Since when it is Ready; null: it is not. */
  readonly readySince: string | null
  /** When one of its containers last ended and was started again; null: never. */
  readonly lastEndAt: string | null
}

/** All pods of an owner at the moment of a snapshot. */
export interface OwnerHealth {
  /** When it was read; null: not known. */
  readonly at: string | null
  /** How many pods it is to have, 0 where it was scaled to zero; null: not known, or as many as there are nodes. */
  readonly wanted: number | null
  /** Whether it is to end some day, as a Job's pods are: that they are Ready says nothing yet. */
  readonly runsToEnd: boolean
  /** Whether its work is done, as a Job's is some day: nothing more is to come. */
  readonly isComplete: boolean
  readonly pods: readonly PodHealth[]
}

const isReplaceable = ({ spec, status }: Pod): boolean => status?.phase === 'Failed' && spec?.restartPolicy === 'Always'

const healthOf = (pod: Pod): PodHealth => {
  const { metadata, status } = pod
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  const ends = statuses.flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? [])
  return {
    name: metadata?.name ?? '',
    isDone: status?.phase === 'Succeeded',
    isLeaving: metadata?.deletionTimestamp !== undefined || isReplaceable(pod),
    readySince: ready?.status === 'True' ? (ready.lastTransitionTime ?? metadata?.creationTimestamp ?? null) : null,
    lastEndAt: ends.toSorted().at(-1) ?? null,
  }
}

const ownersLists = ['deployments', 'statefulSets', 'replicaSets'] as const

interface Owner {
  readonly kind: string
  readonly name: string
}

/** The `spec.replicas` of the owner that was read by itself; null: it has none. */
const replicasOf = ({ related }: PodSnapshot, { kind, name }: Owner): number | null => {
  const list = ownersLists.find(key => key.toLowerCase() === `${kind.toLowerCase()}s`)
  const owners = list === undefined ? [] : (related[list] ?? [])
  return owners.map(owner => workload(owner)).find(owner => owner?.metadata?.name === name)?.spec?.replicas ?? null
}

const controllerOf = (metadata: Of<typeof metadataShape> | undefined) =>
  metadata?.ownerReferences?.find(({ controller }) => controller)

/** Whether a pod is the owner's: a snapshot may carry others that a rule has asked for. */
const isOf = ({ related }: PodSnapshot, { kind, name }: Owner, { metadata }: Pod): boolean => {
  const parent = controllerOf(metadata)
  if (parent === undefined) return false
  if (parent.kind === kind && parent.name === name) return true
  const between = parent.kind === 'ReplicaSet' ? related.replicaSets : parent.kind === 'Job' ? related.jobs : []
  const found = between?.map(each => workload(each)).find(each => each?.metadata?.name === parent.name)
  if (found) {
    const grandparent = controllerOf(found.metadata)
    return grandparent?.kind === kind && grandparent.name === name
  }
  // What stands between could not be read: its name is the owner's and one part more.
  return parent.name?.slice(0, parent.name.lastIndexOf('-')) === name
}

/** Whether a Job says so itself; without it the newest pod does. Nothing that runs for good is ever done. */
const isDone = ({ related }: PodSnapshot, owner: Owner | null, newest: Pod | undefined): boolean => {
  const hasSucceeded = newest?.status?.phase === 'Succeeded'
  if (owner === null || owner.kind === 'CronJob') return hasSucceeded
  if (owner.kind !== 'Job') return false
  const read = related.jobs?.map(each => job(each)).find(each => each?.metadata?.name === owner.name)
  if (!read) return hasSucceeded
  return read.status?.conditions?.some(({ type, status }) => type === 'Complete' && status === 'True') ?? false
}

/**
 * How the pods of an owner are, from a snapshot that was read for it (its target was the owner, or a pod of its own:
 * `owner` null).
 */
export const ownerHealth = (snapshot: PodSnapshot, owner: Owner | null): OwnerHealth => {
  const own: readonly JsonObject[] = snapshot.pod === null ? [] : [snapshot.pod]
  const all = owner === null ? own : (snapshot.related.pods ?? own)
  const pods = all.flatMap(each => podShape(each) ?? []).filter(pod => owner === null || isOf(snapshot, owner, pod))
  const byAge = pods.toSorted((a, b) =>
    (a.metadata?.creationTimestamp ?? '').localeCompare(b.metadata?.creationTimestamp ?? ''),
  )
  // Of very many pods a snapshot has the first ones only.
  const isCut = snapshot.partial?.pods?.includes('the first') ?? false
  return {
    at: snapshot.takenAt,
    wanted: owner === null || isCut ? null : replicasOf(snapshot, owner),
    runsToEnd: owner?.kind === 'Job' || owner?.kind === 'CronJob',
    isComplete: isDone(snapshot, owner, byAge.at(-1)),
    pods: pods.map(healthOf),
  }
}
