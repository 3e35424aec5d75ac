import type { JsonObject, PodSnapshot, RelatedList } from '../../src/diagnosis/snapshot.ts'

/** A path of the Kubernetes API, taken apart. */
export interface ApiPath {
  /** '' for core. */
  readonly group: string
  /** '' for cluster-wide resources. */
  readonly namespace: string
  readonly resource: string
  /** Null: the list. */
  readonly name: string | null
  readonly subresource: string | null
}

const lists: Readonly<Record<string, RelatedList>> = {
  services: 'services',
  endpointslices: 'endpointSlices',
  nodes: 'nodes',
  persistentvolumeclaims: 'persistentVolumeClaims',
  replicasets: 'replicaSets',
  deployments: 'deployments',
  statefulsets: 'statefulSets',
  daemonsets: 'daemonSets',
  jobs: 'jobs',
  cronjobs: 'cronJobs',
  configmaps: 'configMaps',
  serviceaccounts: 'serviceAccounts',
  resourcequotas: 'resourceQuotas',
  limitranges: 'limitRanges',
  pods: 'pods',
  namespaces: 'namespaces',
  events: 'events',
}

/** Null: not a path of a resource. */
export const apiPathOf = (pathname: string): ApiPath | null => {
  const match =
    /^\/(?:api|apis\/(?<group>[^/]+))\/v1(?:\/namespaces\/(?<namespace>[^/]+)(?=\/))?\/(?<resource>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<subresource>[^/]+))?$/.exec(
      pathname,
    )
  if (!match?.groups) return null
  const { group = '', namespace = '', resource = '', name, subresource } = match.groups
  return { group, namespace, resource, name: name ?? null, subresource: subresource ?? null }
}

interface Named {
  readonly metadata: { readonly name?: string; readonly namespace?: string; readonly labels?: Record<string, string> }
  readonly involvedObject?: Readonly<Record<string, string>>
}
const named = (object: JsonObject) => object as unknown as Named

const objectsOf = (recordings: readonly PodSnapshot[], { resource, namespace }: ApiPath): JsonObject[] => {
  const list = lists[resource]
  if (!list) return []
  const all = recordings.flatMap(recording => [
    ...(recording.related[list] ?? []),
    ...(list === 'events' ? recording.events : []),
    ...(list === 'pods' && recording.pod ? [recording.pod] : []),
  ])
  const inScope = all.filter(object => (named(object).metadata.namespace ?? '') === namespace)
  // A recording has its pod twice: by itself, which is newer, and among the pods.
  return [...new Map(inScope.map(object => [named(object).metadata.name, object])).values()]
}

// As every object of a live server has; readers drop it.
const withManagedFields = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...(object['metadata'] as JsonObject), managedFields: [{ manager: 'kubelet', operation: 'Update' }] },
})

/** One object; undefined: not found. */
export const objectOf = (recordings: readonly PodSnapshot[], path: ApiPath): JsonObject | undefined => {
  const found = objectsOf(recordings, path).find(object => named(object).metadata.name === path.name)
  return found && withManagedFields(found)
}

const matchesLabel = (labels: Record<string, string>, requirement: string): boolean => {
  const among = /^(\S+) (in|notin) \((.*)\)$/.exec(requirement)
  if (among) return (among[3] ?? '').split(',').includes(labels[among[1] ?? ''] ?? '') === (among[2] === 'in')
  if (requirement.startsWith('!')) return !(requirement.slice(1) in labels)
  const [key = '', value] = requirement.split('=')
  return value === undefined ? key in labels : labels[key] === value
}

const matchesField = (object: Named, requirement: string): boolean => {
  const [field = '', value] = requirement.split('=')
  if (field === 'metadata.name') return object.metadata.name === value
  return (object.involvedObject?.[field.replace('involvedObject.', '')] ?? '') === value
}

/** A list, by `labelSelector`, `fieldSelector`, `limit` and `continue`; like the real one, its items do not say their kind. */
export const itemsOf = (recordings: readonly PodSnapshot[], path: ApiPath, query: URLSearchParams): object => {
  const labels = (query.get('labelSelector') ?? '').split(/,(?![^(]*\))/).filter(Boolean)
  const fields = (query.get('fieldSelector') ?? '').split(',').filter(Boolean)
  const limit = Number(query.get('limit') ?? Infinity)
  const matching = objectsOf(recordings, path)
    .filter(object => labels.every(requirement => matchesLabel(named(object).metadata.labels ?? {}, requirement)))
    .filter(object => fields.every(requirement => matchesField(named(object), requirement)))
  const from = Number(query.get('continue') ?? 0)
  const items = matching.slice(from, from + limit).map(object => {
    const { kind: _kind, apiVersion: _apiVersion, ...item } = withManagedFields(object)
    return item
  })
  return { kind: 'List', metadata: matching.length > from + limit ? { continue: String(from + limit) } : {}, items }
}

const is200InSpiteOfAll = (error: string) => error.startsWith('unable to retrieve container logs')

/** A container's log, or the error a server gives for it. */
export const logOf = (
  recordings: readonly PodSnapshot[],
  path: ApiPath,
  query: URLSearchParams,
): { readonly text: string } | { readonly status: number; readonly message: string } => {
  const pods = { ...path, subresource: null }
  const recording = recordings.find(each => objectOf([each], pods) !== undefined)
  if (!recording) return { status: 404, message: `pods "${path.name}" not found` }
  const container = query.get('container') ?? ''
  const instance = query.get('previous') === 'true' ? 'previous' : 'current'
  const text = recording.logs[container]?.[instance] ?? null
  if (text !== null) return { text }
  const error = recording.logErrors?.[container]?.[instance] ?? null
  if (error !== null && is200InSpiteOfAll(error)) return { text: error }
  const waiting = `container "${container}" in pod "${path.name}" is waiting to start: PodInitializing`
  return { status: 400, message: error ?? waiting }
}
