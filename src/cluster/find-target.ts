import type { JsonObject } from '../diagnosis/snapshot.ts'
import type { Api } from './api.ts'
import type { Listed } from './calls.ts'
import { ClusterError } from './cluster-error.ts'
import { type Found, findWorkload } from './find-workload.ts'
import { controllerOf, metadataOf } from './metadata.ts'
import { nearNames } from './near-names.ts'
import { AmbiguousTarget, didYouMean, lastEventOf, NoSuchPod } from './no-such-pod.ts'
import { readPodEvents } from './pod-events.ts'
import type { Reader } from './reader.ts'
import { refusalOf } from './refusal.ts'
import { nameOf, resourceOfKind, resourceOfList } from './resources.ts'
import { isNotFound, whyUnread } from './why-unread.ts'
import { worstPod } from './worst-pod.ts'

/** What to explain, after parsing. */
export interface ReadTarget {
  readonly namespace: string
  /** Kubernetes kind in its own spelling; null: not said, then a pod is meant first. */
  readonly kind: string | null
  readonly name: string
}

/** Kinds that a name without a kind may be, in the order they are tried. */
const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'ReplicaSet'] as const

const found = (pod: JsonObject, at: string | null, events: Found['events'] = null): Found => ({
  pod: { apiVersion: 'v1', kind: 'Pod', ...pod },
  target: metadataOf(pod).name ?? '',
  at,
  events,
  parts: [],
})

/** Whether all belong to one owner; the ReplicaSets of a Deployment count as one. */
const haveOneOwner = (pods: readonly JsonObject[]): boolean =>
  new Set(
    pods.map(pod => {
      const owner = controllerOf(pod)
      const hash = metadataOf(pod).labels?.['pod-template-hash']
      const name = owner?.name ?? metadataOf(pod).name ?? ''
      return hash && name.endsWith(`-${hash}`) ? name.slice(0, -hash.length - 1) : name
    }),
  ).size === 1

const byPrefix = (pods: Listed | undefined, namespace: string, name: string): Found | undefined => {
  const matching = pods?.items.filter(pod => metadataOf(pod).name?.startsWith(name)) ?? []
  const pod = worstPod(matching)
  if (!pods || !pod || pods.truncated) return undefined
  if (haveOneOwner(matching)) return found(pod, pods.at)
  const names = nearNames(
    name,
    matching.map(each => metadataOf(each).name ?? ''),
  )
  throw new AmbiguousTarget(
    `${matching.length} pods in namespace "${namespace}" begin with "${name}"${didYouMean(names)}`,
    names,
  )
}

const notAPod = async (reader: Reader, api: Api, target: ReadTarget, events: readonly JsonObject[]): Promise<Found> => {
  const { namespace, name, kind } = target
  const candidates = kind === null ? workloadKinds.flatMap(known => resourceOfKind(known) ?? []) : []
  const [pods, ...workloads] = await Promise.all([
    reader.list(resourceOfList('pods'), namespace).catch((error: unknown) => void whyUnread(error)),
    ...candidates.map(async resource => {
      const answer = await reader.get(resource, namespace, name).catch((error: unknown) => void whyUnread(error))
      return answer ? { resource, body: answer.body } : undefined
    }),
  ])
  const existing = workloads.filter(each => each !== undefined)
  if (existing.length > 1) {
    const names = existing.map(({ resource }) => `${resource.kind}/${name}`)
    throw new AmbiguousTarget(`"${name}" in namespace "${namespace}" is ${names.join(' and ')}; name the kind`, names)
  }
  if (existing[0]) return findWorkload(reader, existing[0].resource, namespace, existing[0].body)
  const prefixed = kind === null ? byPrefix(pods, namespace, name) : undefined
  if (prefixed) return prefixed

  const names = pods?.items.map(pod => metadataOf(pod).name ?? '') ?? []
  if (pods && names.length === 0) {
    const missing = await reader.get(resourceOfList('namespaces'), '', namespace).then(() => false, isNotFound)
    if (missing) throw new NoSuchPod(`there is no namespace "${namespace}" in ${api.label}`)
  }
  const near = nearNames(name, names)
  const what = kind === null ? 'no pod or workload' : 'no pod'
  throw new NoSuchPod(
    `${what} "${name}" in namespace "${namespace}" of ${api.label}${lastEventOf(events)}${didYouMean(near)}`,
    near,
  )
}

const findPod = async (reader: Reader, api: Api, target: ReadTarget): Promise<Found> => {
  const { namespace, name } = target
  const [answer, events] = await Promise.all([
    reader.get(resourceOfList('pods'), namespace, name).catch((error: unknown) => {
      if (isNotFound(error)) return null
      throw error
    }),
    readPodEvents(reader, namespace, name),
  ])
  if (!answer) return notAPod(reader, api, target, events.items)
  return found(answer.body, answer.at, events.partFor(answer.body))
}

/**
 * Finds the pod that a target means: by name; without a kind also the worst pod of the one workload of that name, or the
 * pod whose name begins so. Throws NoSuchPod, AmbiguousTarget, Forbidden, Unauthorized, ClusterUnreachable.
 */
export const findTarget = async (reader: Reader, api: Api, target: ReadTarget): Promise<Found> => {
  const { namespace, kind, name } = target
  const resource = resourceOfKind(kind ?? 'Pod')
  if (!resource || !(kind === null || kind === 'Pod' || workloadKinds.some(known => known === kind)))
    throw new ClusterError(`podwhy does not explain objects of kind "${kind}"`)
  try {
    if (resource.kind === 'Pod') return await findPod(reader, api, target)
    const { body } = await reader.get(resource, namespace, name)
    return await findWorkload(reader, resource, namespace, body)
  } catch (error) {
    if (isNotFound(error) && resource.kind !== 'Pod')
      throw new NoSuchPod(`no ${nameOf(resource.kind, namespace, name)} in ${api.label}`)
    throw refusalOf(error, api, { verb: 'get', resource: resource.plural, namespace })
  }
}
