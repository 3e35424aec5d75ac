import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { type ClusterOptions, openCluster } from '../../src/cluster/cluster.ts'
import type { JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { type KubeApiServerOptions, startKubeApiServer } from '../fakes/kube-api-server.ts'

/** A recording of `test/cluster/recordings`, fresh: it may be changed. */
export const recording = (name: string): PodSnapshot =>
  JSON.parse(readFileSync(new URL(`recordings/${name}.json`, import.meta.url), 'utf8'))

/** A pod for tests about many of them. */
export const testPod = (name: string, rest: Record<string, unknown> = {}): JsonObject => {
  const { metadata, ...others } = rest as { metadata?: object }
  return {
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-of-${name}`,
      creationTimestamp: '2026-05-04T10:00:00Z',
      ...metadata,
    },
    spec: { containers: [{ name: 'app' }], restartPolicy: 'Always' },
    ...others,
  } as unknown as JsonObject
}

/** A namespace `shop` that holds only what a test puts there. */
export const shop = (related: PodSnapshot['related'], rest: Partial<PodSnapshot> = {}): PodSnapshot => ({
  kind: 'PodSnapshot',
  takenAt: '2026-05-04T12:00:00Z',
  server: { major: '1', minor: '36', gitVersion: 'v1.36.3' },
  namespace: 'shop',
  target: '',
  pod: null,
  events: [],
  logs: {},
  related: { namespaces: [{ metadata: { name: 'shop' } }], ...related },
  unread: [],
  ...rest,
})

/** A server with these recordings and a cluster opened on it; both end with the test. Rules ask for nothing unless `diagnose` does. */
export const openTestCluster = async (
  server: KubeApiServerOptions,
  options: ClusterOptions & { readonly user?: Record<string, unknown> } = {},
) => {
  const kube = await startKubeApiServer(server)
  const { user, ...clusterOptions } = options
  const cluster = await openCluster({
    kubeconfig: kube.kubeconfig(user),
    diagnose: () => ({ requests: [] }),
    ...clusterOptions,
  })
  onTestFinished(async () => {
    await cluster.close()
    await kube.close()
  })
  return { kube, cluster }
}
