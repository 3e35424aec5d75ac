import { readFileSync } from 'node:fs'
import type { JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'

/** A Deployment whose pods all fail in the same way. */
export interface FailingOwner {
  readonly namespace: string
  readonly name: string
  /** What is wrong with its pods. */
  readonly trouble: string
  readonly container: string
  readonly pods: readonly string[]
}

/** A cluster in which much fails at once. */
export interface FailingCluster {
  readonly owners: readonly FailingOwner[]
  readonly recordings: PodSnapshot[]
}

/** Recorded pods of Deployments, one for each way to fail. */
const troubles = [
  { trouble: 'image not found', file: 'gateway-migrator-image/back-off' },
  { trouble: 'out of memory', file: 'geo-index-loader/crash-loop' },
  { trouble: 'missing ConfigMap', file: 'orders-migrate-config/stuck' },
  { trouble: 'dependency out of reach', file: 'search-proxy-node/crash-loop' },
  { trouble: 'killed by its probe', file: 'queue-consumer-heartbeat/crash-loop' },
  { trouble: 'no node with room', file: 'analytics-engine/pending' },
] as const

const namespaces = ['shop', 'payments', 'media', 'platform']
/** None is the beginning of another. */
const names = [
  ...['cart', 'ledger', 'thumbnails', 'gatekeeper', 'catalogue', 'invoices', 'transcoder', 'scheduler'],
  ...['wishlist', 'refunds', 'uploads', 'registrar', 'reviews', 'payouts', 'captions', 'mailer'],
  ...['vouchers', 'fraud', 'playlists', 'auditor'],
]

/** All recorded times move, so that the cluster has one clock. */
const TAKEN_AT = Date.parse('2026-11-30T12:00:00Z')
const atOneClock = (text: string, takenAt: string | null): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, time => {
    const moved = new Date(Date.parse(time) + TAKEN_AT - Date.parse(takenAt ?? '')).toISOString()
    return time.includes('.') ? moved : moved.replace(/\.\d+Z$/, 'Z')
  })

interface Named {
  readonly metadata: { readonly name: string; readonly uid: string }
}
const named = (object: JsonObject | null | undefined): Named => {
  if (!object) throw new Error('a recording without a pod, a ReplicaSet or a Deployment')
  return object as unknown as Named
}

/** The characters of generated names. */
const letters = 'bcdfghjklmnpqrstvwxz2456789'
const suffix = (index: number): string =>
  `zk${[27 * 27, 27, 1].map(unit => letters[Math.floor(index / unit) % 27]).join('')}`

const uid = (owner: number, pod: number, what: number): string =>
  `00000000-0000-4000-8000-${[owner, pod, what].map(n => String(n).padStart(4, '0')).join('')}`

/** How many replicas there are, in the objects that count them. */
const counting = (object: JsonObject, replicas: number): JsonObject => ({
  ...object,
  spec: { ...(object['spec'] as JsonObject), replicas },
  status: { ...(object['status'] as JsonObject), replicas, updatedReplicas: replicas, unavailableReplicas: replicas },
})

const copies = (file: string, owner: number, name: string, namespace: string, podCount: number): PodSnapshot[] => {
  const text = readFileSync(new URL(`../recordings/${file}.json`, import.meta.url), 'utf8')
  const recorded: PodSnapshot = JSON.parse(text)
  const pod = named(recorded.pod)
  const replicaSet = named(recorded.related.replicaSets?.[0])
  const deployment = named(recorded.related.deployments?.[0])
  const hash = replicaSet.metadata.name.slice(deployment.metadata.name.length + 1)
  const moved = atOneClock(text, recorded.takenAt)
    .replaceAll(recorded.namespace, namespace)
    .replaceAll(replicaSet.metadata.uid, uid(owner, 0, 1))
    .replaceAll(deployment.metadata.uid, uid(owner, 0, 2))
  return Array.from({ length: podCount }, (_, index) => {
    const copy: PodSnapshot = JSON.parse(
      moved
        .replaceAll(pod.metadata.name, `${name}-${hash}-${suffix(index)}`)
        .replaceAll(pod.metadata.uid, uid(owner, index + 1, 3))
        .replaceAll(replicaSet.metadata.name, `${name}-${hash}`)
        .replaceAll(deployment.metadata.name, name),
    )
    // What belongs to the owner or the cluster is there once.
    if (index > 0) return { ...copy, related: {} }
    const { pods: _pods, replicaSets = [], deployments = [], ...related } = copy.related
    const own = {
      replicaSets: replicaSets.map(each => counting(each, podCount)),
      deployments: deployments.map(each => counting(each, podCount)),
    }
    return { ...copy, related: { ...related, ...own } }
  })
}

const containerOf = ({ pod }: PodSnapshot): string => {
  const { spec, status } = pod as unknown as {
    spec: { containers: { name: string }[] }
    status: { initContainerStatuses?: { name: string; ready: boolean }[] }
  }
  return status.initContainerStatuses?.find(({ ready }) => !ready)?.name ?? spec.containers[0]?.name ?? ''
}

/** So many Deployments, in turn over namespaces and troubles, each with so many failing pods. */
export const failingCluster = ({ owners, podsEach }: { owners: number; podsEach: number }): FailingCluster => {
  if (owners > names.length) throw new Error(`at most ${names.length} owners have a name`)
  const made = names.slice(0, owners).map((name, index) => {
    const { trouble, file } = troubles[index % troubles.length] as (typeof troubles)[number]
    const namespace = namespaces[index % namespaces.length] as string
    const recordings = copies(file, index + 1, name, namespace, podsEach)
    const container = containerOf(recordings[0] as PodSnapshot)
    const pods = recordings.map(({ pod }) => named(pod).metadata.name)
    return { owner: { namespace, name, trouble, container, pods }, recordings }
  })
  return { owners: made.map(({ owner }) => owner), recordings: made.flatMap(({ recordings }) => recordings) }
}
