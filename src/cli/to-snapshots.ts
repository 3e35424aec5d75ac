import type { InstanceTexts, Json, JsonObject, PodSnapshot, RelatedList } from '../diagnosis/snapshot.ts'
import { flatRelated, newestTime } from './flat-related.ts'

/** Something of a file that cannot be explained; `message` says what it is and what is expected. */
export class NotExplainable extends Error {
  override name = 'NotExplainable'
}

const EXPECTED = 'a recording, a Pod or a List of Pods is expected'
const LISTS: readonly RelatedList[] = [
  'services',
  'endpointSlices',
  'nodes',
  'persistentVolumeClaims',
  'replicaSets',
  'deployments',
  'statefulSets',
  'daemonSets',
  'jobs',
  'configMaps',
  'serviceAccounts',
  'resourceQuotas',
  'limitRanges',
  'pods',
  'namespaces',
  'events',
]

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const objectAt = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})
const textAt = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)
const objectsAt = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

const instancesAt = (value: Json | undefined): Record<string, InstanceTexts> =>
  Object.fromEntries(
    Object.entries(objectAt(value)).map(([container, texts]) => {
      const { current, previous } = typeof texts === 'string' ? { current: texts, previous: null } : objectAt(texts)
      return [
        container,
        {
          current: typeof current === 'string' ? current : null,
          previous: typeof previous === 'string' ? previous : null,
        },
      ]
    }),
  )

const podOf = (value: JsonObject): JsonObject => {
  if (!isObject(value['metadata']) || (!isObject(value['spec']) && !isObject(value['status']))) {
    throw new NotExplainable('a Pod without metadata, spec or status')
  }
  if (textAt(value['metadata']['name']) === null) throw new NotExplainable('a Pod without metadata.name')
  return { ...value, apiVersion: value['apiVersion'] ?? 'v1', kind: 'Pod' }
}

/** Without a pod its owner is the target: the object that the events are about. */
const ownerOf = (events: readonly JsonObject[]): { target: string | null; namespace: string | null } => {
  const about = objectAt(events[0]?.['involvedObject'])
  const [kind, name] = [textAt(about['kind']), textAt(about['name'])]
  return { target: kind && name && `${kind}/${name}`, namespace: textAt(about['namespace']) }
}

const recording = (value: JsonObject): PodSnapshot => {
  const pod = value['pod']
  if (pod !== null && pod !== undefined && !isObject(pod))
    throw new NotExplainable('a recording whose pod is no object')
  for (const list of ['events', 'unread'] as const) {
    if (value[list] !== undefined && !Array.isArray(value[list]))
      throw new NotExplainable(`a recording whose ${list} are no list`)
  }
  const metadata = objectAt(isObject(pod) ? pod['metadata'] : undefined)
  const owner = ownerOf(objectsAt(value['events']))
  const target = textAt(value['target']) ?? textAt(metadata['name']) ?? owner.target
  if (target === null) throw new NotExplainable('a recording without a pod and without a target')
  const namespace = textAt(value['namespace']) ?? textAt(metadata['namespace']) ?? owner.namespace ?? 'default'
  // Without a kind it was written by hand: flat lists, no time of its own.
  const isByHand = value['kind'] === undefined
  const related = isByHand ? flatRelated(objectAt(value['related']), namespace) : objectAt(value['related'])
  // Events about an owner, where there is no pod, are not the pod's.
  const ownersEvents = isByHand && !isObject(pod) ? { events: objectsAt(value['events']) } : {}
  const optional = Object.fromEntries(
    ['cluster', 'partial', 'logOmittedBytes', 'absent', 'remembered'].flatMap(key =>
      value[key] == null ? [] : [[key, value[key]]],
    ),
  )
  return {
    kind: 'PodSnapshot',
    takenAt: textAt(value['takenAt']) ?? (isByHand ? newestTime(pod, value['events'], value['logs']) : null),
    server: isObject(value['server']) ? value['server'] : null,
    namespace,
    target,
    pod: isObject(pod) ? podOf(pod) : null,
    events: objectsAt(value['events']),
    logs: instancesAt(value['logs']),
    logErrors: instancesAt(value['logErrors']),
    related: {
      ...Object.fromEntries(
        LISTS.flatMap(list => (Array.isArray(related[list]) ? [[list, objectsAt(related[list])]] : [])),
      ),
      ...ownersEvents,
    },
    unread: objectsAt(value['unread']).map(({ what, why }) => ({ what: String(what), why: String(why) })),
    ...optional,
  }
}

const barePod = (value: JsonObject, events: readonly JsonObject[]): PodSnapshot => {
  const pod = podOf(value)
  const { name, namespace, uid } = objectAt(pod['metadata'])
  const own = events.filter(event => {
    const about = objectAt(event['involvedObject'] ?? event['regarding'])
    return about['uid'] === undefined || uid === undefined
      ? about['name'] === name && (about['namespace'] ?? namespace) === namespace
      : about['uid'] === uid
  })
  return {
    kind: 'PodSnapshot',
    takenAt: null,
    server: null,
    namespace: textAt(namespace) ?? 'default',
    target: String(name),
    pod,
    events: own,
    logs: {},
    related: {},
    unread: [
      ...(own.length === 0 ? [{ what: 'events', why: 'not in the file' }] : []),
      { what: 'logs', why: 'not in the file' },
    ],
  }
}

/** A snapshot, or why there is none in its place. */
type Entry = PodSnapshot | NotExplainable

const entry = (read: () => PodSnapshot): Entry => {
  try {
    return read()
  } catch (error) {
    if (error instanceof NotExplainable) return error
    throw error
  }
}

const listed = (value: JsonObject): Entry[] => {
  const items = Array.isArray(value['items']) ? value['items'] : []
  const inList =
    value['kind'] === 'PodList' ? items.map(item => (isObject(item) ? { kind: 'Pod', ...item } : item)) : items
  const events = inList.filter(isObject).filter(({ kind }) => kind === 'Event')
  const entries = inList.flatMap((item): Entry[] => {
    if (!isObject(item)) return [new NotExplainable(`an item that is no object; ${EXPECTED}`)]
    if (item['kind'] === 'Pod') return [entry(() => barePod(item, events))]
    return item['kind'] === 'PodSnapshot' ? [entry(() => recording(item))] : []
  })
  if (entries.length === 0) throw new NotExplainable(`a ${String(value['kind'])} without a Pod; ${EXPECTED}`)
  return entries
}

const readValue = (value: unknown): Entry[] => {
  if (Array.isArray(value)) return value.flatMap(toEntries)
  if (!isObject(value))
    throw new NotExplainable(`${value === null ? 'nothing' : `a ${typeof value}`} where ${EXPECTED}`)
  const { kind } = value
  if (kind === 'PodSnapshot' || (kind === undefined && 'pod' in value)) return [recording(value)]
  if (kind === 'Pod') return [barePod(value, [])]
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(value['items'])) return listed(value)
  throw new NotExplainable(
    kind === undefined ? `an object without kind; ${EXPECTED}` : `a ${oneWord(kind)}; ${EXPECTED}`,
  )
}

/**
 * What a value of a file says about pods: a recording, a Pod, a List (with the Events in it), or an array of these. What
 * cannot be explained stands in its place.
 */
export const toEntries = (value: unknown): readonly Entry[] => {
  try {
    return readValue(value)
  } catch (error) {
    if (error instanceof NotExplainable) return [error]
    throw error
  }
}

/** The same where everything must be explainable. Throws NotExplainable. */
export const toSnapshots = (value: unknown): PodSnapshot[] =>
  toEntries(value).map(each => {
    if (each instanceof NotExplainable) throw each
    return each
  })

const oneWord = (kind: Json): string =>
  typeof kind === 'string' ? kind.slice(0, 60) : `kind ${JSON.stringify(kind).slice(0, 60)}`
