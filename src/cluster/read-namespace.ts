import { pod as podShape } from '../diagnosis/kubernetes-pod.ts'
import type { AlikePod, NamespaceSnapshot, UnwellCase } from '../diagnosis/namespace-snapshot.ts'
import { podStatus } from '../diagnosis/pod-status.ts'
import { minorVersion, statusRules } from '../diagnosis/server-version.ts'
import type { JsonObject, Unread } from '../diagnosis/snapshot.ts'
import type { Calls } from './calls.ts'
import { choosePods } from './choose-pods.ts'
import { findUnwell } from './find-unwell.ts'
import { type Found, findWorkload } from './find-workload.ts'
import { inTurn } from './in-turn.ts'
import { metadataOf } from './metadata.ts'
import { noSuchNamespace } from './no-such-namespace.ts'
import { ownerKinds, podlessOwners } from './podless-owners.ts'
import { type Reading, readFound } from './read-snapshot.ts'
import { openReader } from './reader.ts'
import { refusalOf } from './refusal.ts'
import { resourceOfKind, resourceOfList } from './resources.ts'
import { shareCalls } from './shared-calls.ts'
import { whyUnread } from './why-unread.ts'

/** Pods that are looked into: each costs a log, and up to 30 are read. */
const maxCases = 30
/** Owners without pods that are looked into. */
const maxPodless = 20
/** Pods looked into at the same time. */
const atOnce = 8
/** Shared lists cost no calls: rules may ask once more than for one pod, of which all logs are read at once. */
const depth = { rounds: 3, logs: 1 }

/**
 * Reads all that is needed to explain every pod of a namespace that is not well: pods, events and owners are listed once,
 * and each pod's snapshot is made of the shared lists as it would be for the pod alone. Throws NoSuchPod for a namespace
 * that is not there, and what findTarget throws where pods cannot be listed.
 */
export const readNamespace = async (
  reading: Omit<Reading, 'reader'>,
  namespace: string,
  calls: Calls,
): Promise<NamespaceSnapshot> => {
  const { api, cluster, version } = reading
  const shared = shareCalls(calls, namespace, maxCases)
  const unread: Unread[] = []
  const listed = async (kind: string): Promise<[string, readonly JsonObject[]][]> => {
    const resource = resourceOfKind(kind)
    if (!resource) return []
    try {
      const { items, truncated } = await shared.whole(resource)
      if (truncated) unread.push({ what: resource.plural, why: `only the first ${items.length} were read` })
      return [[kind, items]]
    } catch (error) {
      unread.push({ what: resource.plural, why: whyUnread(error) })
      return []
    }
  }
  const [pods, server, [[, events = []] = []], ...owners] = await Promise.all([
    shared.whole(resourceOfList('pods')).catch((error: unknown) => {
      throw refusalOf(error, api, { verb: 'list', resource: 'pods', namespace })
    }),
    version,
    listed('Event'),
    ...ownerKinds.map(listed),
  ])
  if (pods.truncated) unread.push({ what: 'pods', why: `only the first ${pods.items.length} were read` })
  const release = typeof server === 'string' ? null : server
  const rules = statusRules(minorVersion(release))
  const rowOf = (json: JsonObject): AlikePod => ({
    name: metadataOf(json).name ?? '',
    ...podStatus(podShape(json) ?? {}, rules, pods.at),
  })

  const podless = podlessOwners(new Map(owners.flat()), pods.items)
  if (pods.items.length === 0 && podless.length === 0) await noSuchNamespace(calls, api, namespace)
  if (podless.length > maxPodless)
    unread.push({ what: `${podless.length - maxPodless} more owners without pods`, why: 'too many to look into' })

  const explain = async (found: Found, alike: readonly JsonObject[], reader = openReader(shared, namespace)) => ({
    snapshot: await readFound({ ...reading, reader }, namespace, found, depth),
    alike: alike.map(rowOf),
  })
  const unwell = findUnwell(pods.items, events, { namespace, takenAt: pods.at, server: release })
  const { chosen, left } = choosePods(unwell, maxCases)
  if (left.length > 0) unread.push({ what: `${left.length} more pods`, why: 'too many to look into' })
  const ofPods = await inTurn(chosen, atOnce, ({ pod, alike }) => explain({ ...foundPod(pod), at: pods.at }, alike))
  const ofOwners = await inTurn(podless.slice(0, maxPodless), atOnce, async ({ resource, object }) => {
    const reader = openReader(shared, namespace)
    return explain({ ...(await findWorkload(reader, resource, namespace, object)), at: pods.at }, [], reader)
  })
  const cases: readonly UnwellCase[] = [...ofPods, ...ofOwners]
  return {
    kind: 'NamespaceSnapshot',
    cluster,
    namespace,
    takenAt: pods.at,
    pods: pods.items.length,
    fine: pods.items.length - unwell.length,
    cases,
    unread,
  }
}

const foundPod = (pod: JsonObject): Found => ({
  // Items of a list do not repeat what they are.
  pod: { apiVersion: 'v1', kind: 'Pod', ...pod },
  target: metadataOf(pod).name ?? '',
  at: null,
  events: null,
  parts: [],
})
