import { expect, it } from 'vitest'
import { workloadOf } from '../../src/cluster/workload-of.ts'
import { testPod } from './open-test-cluster.ts'

const owned = (kind: string, name: string, labels: Record<string, string> = {}) =>
  testPod('web', { metadata: { labels, ownerReferences: [{ kind, name, uid: 'u', controller: true }] } })

it.each([
  [
    'a Deployment, whatever the ReplicaSet',
    owned('ReplicaSet', 'web-5d4f', { 'pod-template-hash': '5d4f' }),
    'Deployment/web',
  ],
  ['a ReplicaSet of its own', owned('ReplicaSet', 'web'), 'ReplicaSet/web'],
  ['a StatefulSet', owned('StatefulSet', 'db'), 'StatefulSet/db'],
  ['a CronJob, whatever the Job', owned('Job', 'nightly-29876543'), 'CronJob/nightly'],
  ['a Job', owned('Job', 'migrate-2'), 'Job/migrate-2'],
  ['nothing, for a bare pod', testPod('web'), null],
  ['nothing, for a static pod', owned('Node', 'node-1'), null],
])('a pod belongs to %s', (_, pod, workload) => {
  expect(workloadOf(pod)).toBe(workload)
})
