import { list, map, object, text, values } from '../diagnosis/shape.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'
import { type Listed, maxItems } from './calls.ts'
import { controllerOf, metadataOf } from './metadata.ts'
import type { Reader } from './reader.ts'
import { nameOf, type Resource, resourceOfList } from './resources.ts'
import type { Part } from './snapshot-draft.ts'
import { whyUnread } from './why-unread.ts'
import { worstPod } from './worst-pod.ts'

/** What a target turned out to be. */
export interface Found {
  /** Null: the owner has no pods. */
  readonly pod: JsonObject | null
  /** A snapshot's `target`. */
  readonly target: string
  /** When it was read, by the server's clock. */
  readonly at: string | null
  /** The pod's events where they were read along; null: not yet. */
  readonly events: Part | null
  /** What else was read on the way. */
  readonly parts: readonly Part[]
}

const selectorShape = object({
  spec: object({
    selector: object({
      matchLabels: map(text),
      matchExpressions: list(object({ key: text, operator: text, values: values(text) })),
    }),
  }),
})

/** `spec.selector` as the labelSelector of a query. */
export const labelSelectorOf = (workload: JsonObject): string => {
  const { matchLabels, matchExpressions = [] } = selectorShape(workload)?.spec?.selector ?? {}
  const equal = Object.entries(matchLabels ?? {}).map(([key, value]) => `${key}=${value}`)
  const expressions = matchExpressions.map(({ key = '', operator, values: among = [] }) => {
    if (operator === 'In' || operator === 'NotIn') return `${key} ${operator.toLowerCase()} (${among.join(',')})`
    return operator === 'DoesNotExist' ? `!${key}` : key
  })
  return [...equal, ...expressions].join(',')
}

const newestFirst = (objects: readonly JsonObject[]) =>
  objects.toSorted((a, b) =>
    (metadataOf(b).creationTimestamp ?? '').localeCompare(metadataOf(a).creationTimestamp ?? ''),
  )

const ownedBy = (objects: readonly JsonObject[], owners: readonly JsonObject[]) => {
  const uids = new Set(owners.map(owner => metadataOf(owner).uid))
  return objects.filter(item => uids.has(controllerOf(item)?.uid))
}

/** The objects between a workload and its pods – a Deployment's ReplicaSets, a CronJob's Jobs – and the pods. */
interface Descent {
  readonly between: readonly JsonObject[]
  readonly pods: readonly JsonObject[]
  readonly parts: readonly Part[]
  readonly at: string | null
  /** How many pods were read where the server had more; null: all were. */
  readonly cutAt: number | null
}

const cutAtOf = ({ truncated, items }: Listed) => (truncated ? items.length : null)

const ofDeployment = async (reader: Reader, namespace: string, owner: JsonObject): Promise<Descent> => {
  const labelSelector = labelSelectorOf(owner)
  const [pods, sets] = await Promise.all([
    reader.listAll(resourceOfList('pods'), namespace, { labelSelector }),
    reader
      .listAll(resourceOfList('replicaSets'), namespace, { labelSelector })
      .catch((error: unknown) => whyUnread(error)),
  ])
  if (typeof sets === 'string')
    return {
      between: [],
      pods: pods.items,
      parts: [draft => draft.addUnread('replicasets', sets)],
      at: pods.at,
      cutAt: cutAtOf(pods),
    }
  const between = ownedBy(sets.items, [owner])
  return {
    between: newestFirst(between),
    pods: ownedBy(pods.items, between),
    parts: [draft => draft.addRelated('replicaSets', between, labelSelector)],
    at: pods.at,
    cutAt: cutAtOf(pods),
  }
}

const ofPodsOwner = async (reader: Reader, namespace: string, owner: JsonObject): Promise<Descent> => {
  const pods = await reader.listAll(resourceOfList('pods'), namespace, { labelSelector: labelSelectorOf(owner) })
  return { between: [], pods: ownedBy(pods.items, [owner]), parts: [], at: pods.at, cutAt: cutAtOf(pods) }
}

const ofCronJob = async (reader: Reader, namespace: string, owner: JsonObject): Promise<Descent> => {
  const jobs = await reader.listAll(resourceOfList('jobs'), namespace)
  const between = newestFirst(ownedBy(jobs.items, [owner]))
  const part: Part = draft => {
    draft.addRelated('jobs', between, 'only those asked for')
    if (jobs.truncated) draft.addUnread(`jobs in ${namespace}`, `only the first ${jobs.items.length} were read`)
  }
  const [newest] = between
  if (!newest) return { between, pods: [], parts: [part], at: jobs.at, cutAt: null }
  return { ...(await ofPodsOwner(reader, namespace, newest)), between, parts: [part] }
}

/**
 * From a workload that was read to its worst pod, or to itself and its events where it has none. Throws as Reader where its
 * pods cannot be listed.
 */
export const findWorkload = async (
  reader: Reader,
  { kind, list: key }: Resource,
  namespace: string,
  owner: JsonObject,
): Promise<Found> => {
  const name = metadataOf(owner).name ?? ''
  const descend = kind === 'Deployment' ? ofDeployment : kind === 'CronJob' ? ofCronJob : ofPodsOwner
  const { between, pods, parts, at, cutAt } = await descend(reader, namespace, owner)
  const read: Part[] = [draft => draft.addRelated(key, [owner], 'only those asked for'), ...parts]
  if (cutAt !== null) {
    const what = `pods of ${nameOf(kind, namespace, name)}`
    read.push(draft => draft.addUnread(what, `only the first ${cutAt} were read`))
  }
  reader.firstTime(nameOf(kind, namespace, name))
  for (const object of between)
    reader.firstTime(nameOf(kind === 'CronJob' ? 'Job' : 'ReplicaSet', namespace, metadataOf(object).name ?? ''))

  const pod = worstPod(pods)
  if (pod) {
    const selector = kind === 'CronJob' ? 'only those asked for' : labelSelectorOf(owner)
    // The worst is chosen among all; the snapshot carries as many as of any list.
    const carried = pods.slice(0, maxItems)
    const isCut = cutAt !== null || carried.length < pods.length
    reader.firstTime('siblings')
    return {
      // Items of a list do not repeat what they are.
      pod: { apiVersion: 'v1', kind: 'Pod', ...pod },
      target: metadataOf(pod).name ?? '',
      at,
      events: null,
      parts: [
        ...read,
        draft => draft.addRelated('pods', carried, isCut ? `${selector}, the first ${carried.length}` : selector),
      ],
    }
  }
  const [newest] = between
  const owners = [
    { kind, name },
    ...(newest ? [{ kind: kind === 'CronJob' ? 'Job' : 'ReplicaSet', name: metadataOf(newest).name ?? '' }] : []),
  ]
  const events = await Promise.all(
    owners.map(each => {
      reader.firstTime(`events of ${nameOf(each.kind, namespace, each.name)}`)
      return reader.eventsPart(each.kind, namespace, each.name)
    }),
  )
  return { pod: null, target: `${kind}/${name}`, at, events: null, parts: [...read, ...events] }
}
