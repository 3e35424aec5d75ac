import type { RelatedList } from '../diagnosis/snapshot.ts'

/** A kind that podwhy may read, where it stands in the API, and the verbs it is read with. */
export interface Resource {
  readonly kind: string
  /** Its list in a snapshot's `related`. */
  readonly list: RelatedList
  /** API group; '' for core. */
  readonly group: string
  /** Name in paths and roles. */
  readonly plural: string
  readonly namespaced: boolean
  readonly verbs: readonly ('get' | 'list')[]
}

const resource = (
  kind: string,
  list: RelatedList,
  group: string,
  plural: string,
  verbs: Resource['verbs'] = ['get', 'list'],
  namespaced = true,
): Resource => ({ kind, list, group, plural, namespaced, verbs })

/** Everything that is ever read; nothing else is, and Secrets never are. */
export const resources: readonly Resource[] = [
  resource('Pod', 'pods', '', 'pods'),
  resource('Event', 'events', '', 'events', ['list']),
  resource('Service', 'services', '', 'services'),
  resource('EndpointSlice', 'endpointSlices', 'discovery.k8s.io', 'endpointslices'),
  resource('Node', 'nodes', '', 'nodes', ['get', 'list'], false),
  resource('PersistentVolumeClaim', 'persistentVolumeClaims', '', 'persistentvolumeclaims'),
  resource('ConfigMap', 'configMaps', '', 'configmaps'),
  resource('ServiceAccount', 'serviceAccounts', '', 'serviceaccounts'),
  resource('ResourceQuota', 'resourceQuotas', '', 'resourcequotas'),
  resource('LimitRange', 'limitRanges', '', 'limitranges'),
  resource('Namespace', 'namespaces', '', 'namespaces', ['get'], false),
  resource('ReplicaSet', 'replicaSets', 'apps', 'replicasets'),
  resource('Deployment', 'deployments', 'apps', 'deployments'),
  resource('StatefulSet', 'statefulSets', 'apps', 'statefulsets'),
  resource('DaemonSet', 'daemonSets', 'apps', 'daemonsets'),
  resource('Job', 'jobs', 'batch', 'jobs'),
  resource('CronJob', 'cronJobs', 'batch', 'cronjobs', ['get']),
]

/** A verb on a resource, as roles and access reviews name it. */
export interface Right {
  readonly verb: string
  readonly group: string
  /** Plural, with `/subresource` where one is meant. */
  readonly resource: string
}

/** Every right podwhy uses, one verb each: what its role must grant, no more. */
export const usedRights: readonly Right[] = [
  ...resources.flatMap(({ verbs, group, plural }) => verbs.map(verb => ({ verb, group, resource: plural }))),
  { verb: 'get', group: '', resource: 'pods/log' },
]

/** The one right more that watching uses (PODWHY_WATCH). */
export const watchRight: Right = { verb: 'watch', group: '', resource: 'pods' }

/** The resource of a kind; undefined for kinds that podwhy does not read. */
export const resourceOfKind = (kind: string): Resource | undefined => resources.find(known => known.kind === kind)

/** The resource whose list a snapshot carries under that key. */
export const resourceOfList = (list: RelatedList): Resource => {
  const found = resources.find(known => known.list === list)
  if (!found) throw new Error(`no resource for list ${list}`)
  return found
}

/** Path of a list, or with `name` of one object. */
export const pathOf = (resource: Resource, namespace: string, name?: string): string => {
  const root = resource.group === '' ? '/api/v1' : `/apis/${resource.group}/v1`
  const scope = resource.namespaced ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${root}${scope}/${resource.plural}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`
}

/** `Service shop/orders`, `Node node-1`: how a snapshot names single objects. */
export const nameOf = (kind: string, namespace: string, name: string): string =>
  resourceOfKind(kind)?.namespaced === false || namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`
