import { workload } from './kubernetes.ts'
import { type Pod, pod as podShape } from './kubernetes-pod.ts'
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
  /** Whether it is to have pods at all: not where it was scaled to zero. */
  readonly isWanted: boolean
  /** Whether its newest pod has done its work: of a Job nothing more is to come. */
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

/** The `spec.replicas` of the owner that was read by itself; null: it has none. */
const replicasOf = ({ related }: PodSnapshot, { kind, name }: { kind: string; name: string }): number | null => {
  const list = ownersLists.find(key => key.toLowerCase() === `${kind.toLowerCase()}s`)
  const owners = list === undefined ? [] : (related[list] ?? [])
  return owners.map(owner => workload(owner)).find(owner => owner?.metadata?.name === name)?.spec?.replicas ?? null
}

/**
 * How the pods of an owner are, from a snapshot that was read for it (its target was the owner, or a pod of its own:
 * `owner` null).
 */
export const ownerHealth = (snapshot: PodSnapshot, owner: { kind: string; name: string } | null): OwnerHealth => {
  const own: readonly JsonObject[] = snapshot.pod === null ? [] : [snapshot.pod]
  const all = owner === null ? own : (snapshot.related.pods ?? own)
  const pods = all.flatMap(each => podShape(each) ?? [])
  const byAge = pods.toSorted((a, b) =>
    (a.metadata?.creationTimestamp ?? '').localeCompare(b.metadata?.creationTimestamp ?? ''),
  )
  return {
    at: snapshot.takenAt,
    isWanted: pods.length > 0 || owner === null || replicasOf(snapshot, owner) !== 0,
    isComplete: byAge.at(-1)?.status?.phase === 'Succeeded',
    pods: pods.map(healthOf),
  }
}
