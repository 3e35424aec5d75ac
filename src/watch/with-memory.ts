import { metadataOf } from '../cluster/metadata.ts'
import { workloadOf } from '../cluster/workload-of.ts'
import { type ContainerStatus, pod as podShape } from '../diagnosis/kubernetes-pod.ts'
import type { UnwellCase } from '../diagnosis/namespace-snapshot.ts'
import type { JsonObject, PodSnapshot, RememberedCrash } from '../diagnosis/snapshot.ts'
import type { Clusters } from '../worker/clusters.ts'
import { crashKey, firstOfOwnerKey } from './crash-keys.ts'

/** A pod of many broken containers is explained by the first ones. */
const MAX_CONTAINERS = 8

const hasFailed = ({ state, lastState, restartCount = 0 }: ContainerStatus): boolean =>
  restartCount > 0 || (state?.terminated ?? lastState?.terminated)?.exitCode !== undefined

const containersOf = (pod: JsonObject): readonly string[] => {
  const { status } = podShape(pod) ?? {}
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
    .filter(each => hasFailed(each) && !(each.state?.terminated?.exitCode === 0 && each.restartCount === 0))
    .flatMap(({ name }) => name ?? [])
    .slice(0, MAX_CONTAINERS)
}

/** A snapshot with the first crashes that are kept of its pod's containers; as it is where none are, or the store is away. */
export const withMemory = async (
  snapshot: PodSnapshot,
  store: { get(key: string): Promise<string | null> },
): Promise<PodSnapshot> => {
  const { pod, cluster } = snapshot
  if (pod === null || !cluster) return snapshot
  const { namespace = snapshot.namespace, uid = '' } = metadataOf(pod)
  const workload = workloadOf(pod)
  const keysOf = async (container: string): Promise<readonly string[]> => {
    const own = crashKey(cluster, namespace, uid, container)
    const owners = workload && (await store.get(firstOfOwnerKey(cluster, namespace, workload, container)))
    return owners && owners !== own ? [own, owners] : [own]
  }
  try {
    const keys = (await Promise.all(containersOf(pod).map(keysOf))).flat()
    const kept = (await Promise.all(keys.map(key => store.get(key)))).filter(text => text !== null)
    if (kept.length === 0) return snapshot
    return { ...snapshot, remembered: kept.map(text => JSON.parse(text) as RememberedCrash) }
  } catch {
    // What was remembered adds to an answer; it is no reason to give none.
    return snapshot
  }
}

/** The same clusters, whose snapshots have the first crashes that are kept. */
export const rememberingClusters = (
  clusters: Clusters,
  store: { get(key: string): Promise<string | null> },
): Clusters => ({
  ...clusters,
  of: target => {
    const cluster = clusters.of(target)
    return {
      ...cluster,
      read: async (of, options) => withMemory(await cluster.read(of, options), store),
      triage: async (namespace, options) => {
        const read = await cluster.triage(namespace, options)
        const remember = async (each: UnwellCase) => ({ ...each, snapshot: await withMemory(each.snapshot, store) })
        return { ...read, cases: await Promise.all(read.cases.map(remember)) }
      },
    }
  },
})
