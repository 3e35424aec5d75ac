import { expect, it } from 'vitest'
import { metadataOf } from '../../src/cluster/metadata.ts'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { crashKey } from '../../src/watch/crash-keys.ts'
import { rememberingClusters } from '../../src/watch/with-memory.ts'
import type { AnyCluster } from '../../src/worker/clusters.ts'
import { crashing } from '../end-to-end/crashing.ts'

it('what is kept of first crashes comes with a pod, alone and in its namespace', async () => {
  const snapshot: PodSnapshot = { ...crashing(), cluster: 'test' }
  const { namespace } = snapshot
  const { uid = '' } = metadataOf(snapshot.pod)
  const kept = { [crashKey('test', namespace, uid, 'nginx')]: '{"container":"nginx"}' }
  const counts = { pods: 1, fine: 0, unread: [] }
  const head = { kind: 'NamespaceSnapshot', cluster: 'test', namespace, takenAt: null } as const
  const cluster: Pick<AnyCluster, 'name' | 'read' | 'triage'> = {
    name: 'test',
    read: async () => snapshot,
    triage: async () => ({ ...head, ...counts, cases: [{ snapshot, alike: [] }] }),
  }
  const clusters = { names: ['test'], of: () => cluster as AnyCluster, close: async () => {} }
  const target = { cluster: null, namespace, kind: 'Pod', name: snapshot.target }
  const remembering = rememberingClusters(clusters, { get: async key => kept[key] ?? null }).of(target)

  const alone = await remembering.read(target)
  expect(alone.remembered).toEqual([{ container: 'nginx' }])
  expect((await remembering.triage(namespace)).cases).toEqual([{ snapshot: alone, alike: [] }])
})
