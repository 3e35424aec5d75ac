/** Segments by which consoles name a kind in their addresses. */
const kinds: Readonly<Record<string, string>> = {
  pod: 'pod',
  deployment: 'deployment',
  statefulset: 'statefulset',
  daemonset: 'daemonset',
  replicaset: 'replicaset',
  job: 'job',
  cronjob: 'cronjob',
}
const kindOf = (segment: string): string | null => {
  const singular = segment
    .toLowerCase()
    .replace(/^(?:apps|batch)\./, '')
    .replace(/s$/, '')
  return Object.hasOwn(kinds, singular) ? (kinds[singular] ?? null) : null
}
const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const objectName = /^[a-z0-9][-a-z0-9.]{0,252}$/

const written = (namespace = '', kind: string | null, name = ''): string | null =>
  kind !== null && namespaceName.test(namespace) && objectName.test(name) ? `${namespace}/${kind}/${name}` : null

/** `…/pods/shop/web-1` and `…/ns/shop/pods/web-1`, also `…/namespaces/shop/pods/web-1`. */
const inSegments = (path: string): string | null => {
  const segments = path.split('/').filter(Boolean)
  for (const [at, segment] of segments.entries()) {
    const [before, kind, after, then] = [
      segments.slice(at - 2, at),
      kindOf(segment),
      segments[at + 1],
      segments[at + 2],
    ]
    if (kind === null) continue
    const found = /^(?:ns|namespaces?)$/.test(before[0] ?? '')
      ? written(before[1], kind, after)
      : written(after, kind, then)
    if (found !== null) return found
  }
  return null
}

/** GKE's console has the cluster's place and name before the namespace: `/kubernetes/pod/europe-west1/prod/shop/web-1/…`. */
const inGoogleConsole = ({ hostname, pathname }: URL): string | null => {
  const [, kind = '', namespace, name] = /^\/kubernetes\/(\w+)\/[^/]+\/[^/]+\/([^/]+)\/([^/]+)/.exec(pathname) ?? []
  return hostname === 'console.cloud.google.com' ? written(namespace, kindOf(kind), name) : null
}

/** The Azure portal has the object itself in its address, as JSON. */
const inAzurePortal = ({ hash }: URL): string | null => {
  const [, json = ''] = /\/resource~?\/([^/]*)/.exec(hash) ?? []
  try {
    const { kind, metadata } = JSON.parse(decodeURIComponent(json))
    return written(String(metadata.namespace), kindOf(String(kind)), String(metadata.name))
  } catch {
    return null
  }
}

/** Names of a parameter, as consoles spell them: `var-` is Grafana's. */
const paramOf = (query: URLSearchParams, names: readonly string[]): string | undefined =>
  names.flatMap(name => [query.get(name), query.get(`var-${name}`)]).find(value => value) ?? undefined
const namespaceIn = (query: URLSearchParams): string | undefined =>
  paramOf(query, ['namespace', 'ns', 'namespaceName', 'kube_namespace', 'kube_namespace_name'])
const podNames = ['pod', 'podName', 'pod_name', 'kube_pod_name']

/** `…/pods/web-1` at the end of a path, with the namespace in the query: EKS' console. */
const atEnd = (path: string, query: URLSearchParams): string | null => {
  const [kind = '', name] = path.split('/').filter(Boolean).slice(-2)
  return written(namespaceIn(query), kindOf(kind), name)
}

/** `namespace` and `pod`, or another kind, or `kind` and `name`. */
const inQuery = (query: URLSearchParams): string | null => {
  const namespace = namespaceIn(query)
  const pod = written(namespace, 'pod', paramOf(query, podNames))
  if (pod !== null) return pod
  for (const kind of Object.keys(kinds)) {
    const found = written(namespace, kind, paramOf(query, [kind]))
    if (found !== null) return found
  }
  const kind = paramOf(query, ['kind', 'resourceKind', 'workloadKind']) ?? ''
  return written(namespace, kindOf(kind), paramOf(query, ['name', 'resourceName', 'workloadName']))
}

/** A selector in a query's expression: `{namespace="shop", pod="web-1"}`, perhaps as text in JSON. */
const inSelector = (query: URLSearchParams): string | null => {
  for (const value of query.values()) {
    const of = (label: string) => new RegExp(`\\b${label}=~?\\\\*"([a-z0-9][a-z0-9.-]*)\\\\*"`).exec(value)?.[1]
    const found = written(of('namespace'), 'pod', of('pod'))
    if (found !== null) return found
  }
  return null
}

/**
 * The target that an address shows, as `NAMESPACE/KIND/NAME`: a pod or workload in the consoles of Rancher, OpenShift,
 * Headlamp, the Kubernetes dashboard, Argo CD, GKE, EKS or AKS, in Lens (`lens://`, `kube-details=`), or by parameters such
 * as `namespace` and `pod`, also in the queries of Grafana and Prometheus. Null: none. The cluster is not read: consoles
 * have names of their own for it.
 */
export const linkTarget = (link: string): string | null => {
  const url = URL.parse(link)
  if (url === null || !/^(?:https?|lens):$/.test(url.protocol)) return null
  if (url.hostname === 'console.cloud.google.com') return inGoogleConsole(url)
  if (url.hostname === 'portal.azure.com') return inAzurePortal(url)
  const [hashPath = '', hashSearch = ''] = url.hash.replace(/^#!?/, '').split('?')
  const hashQuery = new URLSearchParams(hashSearch)
  const query = url.searchParams
  // Lens has an object's path in `kube-details`, Argo CD `GROUP/KIND/NAMESPACE/NAME` in `node`.
  const paths = [query.get('kube-details') ?? '', query.get('node') ?? '', url.pathname, hashPath]
  return (
    paths.map(inSegments).find(found => found !== null) ??
    atEnd(url.pathname, query) ??
    atEnd(hashPath, hashQuery) ??
    inQuery(query) ??
    inQuery(hashQuery) ??
    inSelector(query)
  )
}
