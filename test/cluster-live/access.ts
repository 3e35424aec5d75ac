import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kubectl } from './kubectl.ts'
import { podwhyRole } from './podwhy-role.ts'
import { openTeam } from './team.ts'

/** Credentials of a ServiceAccount, and nothing more. */
export interface Access {
  /** Path of a kubeconfig whose one context is `test`. */
  readonly kubeconfig: string
  /** `system:serviceaccount:…` */
  readonly user: string
  /** URL and certificate authority of the API server, and the bearer token. */
  readonly server: { readonly url: string; readonly ca: string; readonly token: string }
  /** Takes the rights away and the kubeconfig with them. */
  remove(): Promise<void>
}

/** What the ServiceAccount may do: what podwhy's own role says, everything, or nothing. */
export type Grant = 'podwhy' | 'cluster-admin' | 'nothing'

/** A kubeconfig with one context, `test`. */
export const kubeconfigOf = (cluster: object, token: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  })

/** Makes a ServiceAccount with a token that lives for an hour, and lets it do what `grant` says in all namespaces. */
export const openAccess = async (grant: Grant): Promise<Access> => {
  const { namespace, remove } = await openTeam()
  const rbac = 'rbac.authorization.k8s.io'
  const account = { kind: 'ServiceAccount', name: 'podwhy', namespace }
  const role = grant === 'cluster-admin' ? 'cluster-admin' : namespace
  const objects = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account.name, namespace } },
    ...(grant === 'podwhy' ? [{ ...podwhyRole(), metadata: { name: role } }] : []),
    ...(grant === 'nothing'
      ? []
      : [
          {
            apiVersion: `${rbac}/v1`,
            kind: 'ClusterRoleBinding',
            metadata: { name: namespace },
            roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
            subjects: [account],
          },
        ]),
  ]
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects })
  await kubectl(['apply', '-f', '-'], list)
  const token = (await kubectl(['create', 'token', account.name, '-n', namespace, '--duration=1h'])).trim()
  const { clusters } = JSON.parse(await kubectl(['config', 'view', '--raw', '--minify', '--flatten', '-o', 'json']))
  const { cluster } = clusters[0]
  const directory = mkdtempSync(join(tmpdir(), 'podwhy-access-'))
  const kubeconfig = join(directory, 'kubeconfig')
  writeFileSync(kubeconfig, kubeconfigOf(cluster, token), { mode: 0o600 })
  return {
    kubeconfig,
    user: `system:serviceaccount:${namespace}:${account.name}`,
    server: { url: cluster.server, ca: Buffer.from(cluster['certificate-authority-data'], 'base64').toString(), token },
    remove: async () => {
      rmSync(directory, { recursive: true })
      await kubectl(['delete', 'clusterrole,clusterrolebinding', namespace, '--ignore-not-found'])
      await remove()
    },
  }
}
