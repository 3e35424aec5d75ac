import { type ContainerStatus, pod as podShape } from '../diagnosis/kubernetes-pod.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'

const startsUp = new Set(['ContainerCreating', 'PodInitializing'])

const isCrashing = ({ state, lastState, ready }: ContainerStatus): boolean => {
  if (state?.waiting) return lastState?.terminated !== undefined || !startsUp.has(state.waiting.reason ?? '')
  const exitCode = state?.terminated?.exitCode ?? (ready ? 0 : lastState?.terminated?.exitCode)
  return exitCode !== undefined && exitCode !== 0
}

interface Ranked {
  readonly pod: JsonObject
  readonly rank: number
  /** RFC 3339. */
  readonly created: string
  readonly phase: string
}

const rankOf = (json: JsonObject): Ranked => {
  const { metadata, spec, status } = podShape(json) ?? {}
  const phase = status?.phase ?? ''
  const isReady = status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  const rank = () => {
    if (metadata?.deletionTimestamp !== undefined) return 5
    // What an eviction or a rejection left behind has long been replaced; a Job's failed pod is what the Job is about.
    if (phase === 'Failed') return spec?.restartPolicy === 'Always' ? 4 : 1
    if (phase === 'Succeeded' || isReady) return 3
    return containers.some(isCrashing) ? 0 : 2
  }
  return { pod: json, rank: rank(), created: metadata?.creationTimestamp ?? '', phase }
}

/**
 * The pod of a workload that is worth explaining: a crashing one, else a Job's last failed one, else one that is not ready –
 * each the oldest, as it has failed the longest; else the newest of the healthy ones. Null without pods.
 */
export const worstPod = (pods: readonly JsonObject[]): JsonObject | null => {
  const newestSuccess = pods.map(rankOf).findLast(({ phase }) => phase === 'Succeeded')?.created ?? ''
  const ranked = pods
    .map(rankOf)
    .map(entry => (entry.rank === 1 && entry.created < newestSuccess ? { ...entry, rank: 4 } : entry))
    .sort((a, b) => {
      if (a.rank !== b.rank) return a.rank - b.rank
      const byAge = a.created.localeCompare(b.created)
      return a.rank === 0 || a.rank === 2 ? byAge : -byAge
    })
  return ranked[0]?.pod ?? null
}
