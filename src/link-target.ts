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
const kindOf = (segment: string): string | null =>
  kinds[
    segment
      .toLowerCase()
      .replace(/^(?:apps|batch)\./, '')
      .replace(/s$/, '')
  ] ?? null
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

const inQuery = (query: URLSearchParams): string | null => {
  const value = (name: string) => query.get(name) ?? query.get(`var-${name}`) ?? undefined
  return written(value('namespace'), 'pod', value('pod'))
}

/**
 * The target that an address shows, as `NAMESPACE/KIND/NAME`: a pod or workload in the consoles of Rancher, OpenShift,
 * Headlamp, the Kubernetes dashboard or GKE, in Lens (`lens://`, `kube-details=`), or by the parameters `namespace` and
 * `pod`. Null: none. The cluster is not read: consoles have names of their own for it.
 */
export const linkTarget = (link: string): string | null => {
  const url = URL.parse(link)
  if (url === null || !/^(?:https?|lens):$/.test(url.protocol)) return null
  if (url.hostname === 'console.cloud.google.com') return inGoogleConsole(url)
  const [hashPath = '', hashQuery = ''] = url.hash.replace(/^#!?/, '').split('?')
  const details = url.searchParams.get('kube-details') ?? ''
  return (
    inSegments(url.pathname) ??
    inSegments(hashPath) ??
    inSegments(details) ??
    inQuery(url.searchParams) ??
    inQuery(new URLSearchParams(hashQuery))
  )
}
