import type { JsonObject } from '../diagnosis/snapshot.ts'
import type { Api } from './api.ts'
import type { Listed } from './calls.ts'
import { ClusterError } from './cluster-error.ts'
import { findAmongPods, isAmongPods } from './find-among-pods.ts'
import { type Found, findWorkload } from './find-workload.ts'
import { controllerOf, metadataOf } from './metadata.ts'
import { nearNames } from './near-names.ts'
import { noSuchNamespace } from './no-such-namespace.ts'
import { AmbiguousTarget, didYouMean, lastEventOf, NoSuchPod } from './no-such-pod.ts'
import { readPodEvents } from './pod-events.ts'
import type { ReadTarget } from './read-target.ts'
import type { Reader } from './reader.ts'
import { refusalOf } from './refusal.ts'
import { nameOf, resourceOfKind, resourceOfList } from './resources.ts'
import { isNotFound, whyUnread } from './why-unread.ts'
import { worstPod } from './worst-pod.ts'

/** Kinds that a name without a kind may be, in the order they are tried. */
const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'ReplicaSet'] as const

/** Of these, those that a workload's name may be the beginning of. */
const listedKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'] as const

const found = (pod: JsonObject, at: string | null, events: Found['events'] = null): Found => ({
  pod: { apiVersion: 'v1', kind: 'Pod', ...pod },
  target: metadataOf(pod).name ?? '',
  at,
  events,
  parts: [],
})

/** The pods of each owner; the ReplicaSets of a Deployment count as one. */
const byOwner = (pods: readonly JsonObject[]): readonly (readonly JsonObject[])[] => {
  const groups = new Map<string, JsonObject[]>()
  for (const pod of pods) {
    const owner = controllerOf(pod)
    const hash = metadataOf(pod).labels?.['pod-template-hash']
    const name = owner?.name ?? metadataOf(pod).name ?? ''
    const key = hash && name.endsWith(`-${hash}`) ? name.slice(0, -hash.length - 1) : name
    groups.set(key, [...(groups.get(key) ?? []), pod])
  }
  return [...groups.values()]
}

const targetOf = (kind: string, namespace: string, object: JsonObject): ReadTarget => ({
  namespace,
  kind,
  name: metadataOf(object).name ?? '',
})

/** The pod whose name begins so; of several owners' pods, the worst of each is to choose from. */
const podByPrefix = (pods: Listed | undefined, namespace: string, name: string): Found | undefined => {
  const matching = pods?.items.filter(pod => metadataOf(pod).name?.startsWith(name)) ?? []
  const pod = worstPod(matching)
  if (!pods || !pod || pods.truncated) return undefined
  const owners = byOwner(matching)
  if (owners.length === 1) return found(pod, pods.at)
  const choices = owners.map(own => targetOf('Pod', namespace, worstPod(own) ?? {}))
  const near = nearNames(
    name,
    choices.map(choice => choice.name),
  )
  throw new AmbiguousTarget(
    `${matching.length} pods of ${owners.length} owners in namespace "${namespace}" begin with "${name}"${didYouMean(near)}`,
    choices,
  )
}

/** Owners of pods that can be listed, and their names. */
const listWorkloads = async (reader: Reader, namespace: string, kinds: readonly string[]) => {
  const lists = await Promise.all(
    kinds.map(async kind => {
      const resource = resourceOfKind(kind)
      if (!resource?.verbs.includes('list')) return []
      const { items } = await reader.list(resource, namespace).catch((error: unknown) => {
        whyUnread(error)
        return { items: [] }
      })
      return items.map(object => ({ resource, object, target: targetOf(kind, namespace, object) }))
    }),
  )
  return lists.flat()
}
type Workload = Awaited<ReturnType<typeof listWorkloads>>[number]

const workloadByPrefix = (matching: readonly Workload[], { namespace, name }: ReadTarget): Workload | undefined => {
  if (matching.length <= 1) return matching[0]
  const shown = matching.slice(0, 5).map(({ target }) => `${target.kind}/${target.name}`)
  throw new AmbiguousTarget(
    `${matching.length} workloads in namespace "${namespace}" begin with "${name}"${didYouMean(shown)}`,
    matching.map(({ target }) => target),
  )
}

const notAPod = async (reader: Reader, api: Api, target: ReadTarget, events: readonly JsonObject[]): Promise<Found> => {
  const { namespace, name, kind } = target
  const candidates = kind === null ? workloadKinds.flatMap(known => resourceOfKind(known) ?? []) : []
  const [pods, ...workloads] = await Promise.all([
    reader.listAll(resourceOfList('pods'), namespace).catch((error: unknown) => void whyUnread(error)),
    ...candidates.map(async resource => {
      const answer = await reader.get(resource, namespace, name).catch((error: unknown) => void whyUnread(error))
      return answer ? { resource, body: answer.body } : undefined
    }),
  ])
  const existing = workloads.filter(each => each !== undefined)
  if (existing.length > 1) {
    const names = existing.map(({ resource }) => `${resource.kind}/${name}`)
    throw new AmbiguousTarget(
      `"${name}" in namespace "${namespace}" is ${names.join(' and ')}; name the kind`,
      existing.map(({ resource, body }) => targetOf(resource.kind, namespace, body)),
    )
  }
  if (existing[0]) return findWorkload(reader, existing[0].resource, namespace, existing[0].body)
  const prefixed = kind === null ? podByPrefix(pods, namespace, name) : undefined
  if (prefixed) return prefixed
  const others = kind === null ? await listWorkloads(reader, namespace, listedKinds) : []
  const begun = workloadByPrefix(
    others.filter(other => other.target.name.startsWith(name)),
    target,
  )
  if (begun) return findWorkload(reader, begun.resource, namespace, begun.object)

  if (pods?.items.length === 0 && others.length === 0) await noSuchNamespace(reader, api, namespace)
  const nearPods = nearOf(name, pods?.items.map(pod => targetOf('Pod', namespace, pod)) ?? [])
  const nearOthers = nearOf(
    name,
    others.map(each => each.target),
  ).filter(other => !nearPods.some(pod => pod.name.startsWith(`${other.name}-`)))
  const near = [...nearPods, ...nearOthers].slice(0, 3)
  const what = kind === null ? 'no pod or workload' : 'no pod'
  throw new NoSuchPod(
    `${what} "${name}" in namespace "${namespace}" of ${api.label}${lastEventOf(events)}${didYouMean(near.map(each => each.name))}`,
    near,
  )
}

/** Those among the choices that a name may have meant. */
const nearOf = (name: string, choices: readonly ReadTarget[]): readonly ReadTarget[] =>
  nearNames(
    name,
    choices.map(choice => choice.name),
  ).flatMap(near => choices.find(choice => choice.name === near) ?? [])

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
 * pod or workload whose name begins so; the worst that uses a claim; the worst unhealthy one of a namespace, or of those
 * with a container of that name. Throws NoSuchPod, AmbiguousTarget, Forbidden, Unauthorized, ClusterUnreachable.
 */
export const findTarget = async (reader: Reader, api: Api, target: ReadTarget): Promise<Found> => {
  const { namespace, kind, name } = target
  if (isAmongPods(kind)) {
    return findAmongPods(reader, api, target).catch((error: unknown) => {
      throw refusalOf(error, api, { verb: 'list', resource: 'pods', namespace })
    })
  }
  const resource = resourceOfKind(kind ?? 'Pod')
  if (!resource || !(kind === null || kind === 'Pod' || workloadKinds.some(known => known === kind)))
    throw new ClusterError(`podwhy does not explain objects of kind "${kind}"`)
  try {
    if (resource.kind === 'Pod') return await findPod(reader, api, target)
    const { body } = await reader.get(resource, namespace, name)
    return await findWorkload(reader, resource, namespace, body)
  } catch (error) {
    if (isNotFound(error) && resource.kind !== 'Pod') {
      const near = nearOf(
        name,
        (await listWorkloads(reader, namespace, [resource.kind])).map(each => each.target),
      )
      const hint = didYouMean(near.map(each => each.name))
      throw new NoSuchPod(`no ${nameOf(resource.kind, namespace, name)} in ${api.label}${hint}`, near)
    }
    throw refusalOf(error, api, { verb: 'get', resource: resource.plural, namespace })
  }
}
