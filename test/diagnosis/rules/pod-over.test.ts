import { expect, test } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { JsonObject } from '../../../src/diagnosis/snapshot.ts'
import { aContainer, anEvent, aPod, aSnapshot, ended } from '../builders.ts'
import { aNode } from './node-builders.ts'

const over = (
  reason: string,
  message: string,
  containers = [aContainer({ state: ended(137) })],
  spec: JsonObject = {},
) => aPod({ containers, spec, status: { phase: 'Failed', reason, message } })
const answer = (pod: JsonObject, ...events: readonly JsonObject[]) =>
  diagnose(aSnapshot({ pod, events, related: { nodes: [aNode()], events: [], pods: [] } })).diagnosis
const two = [aContainer({ state: ended(137) }), aContainer({ name: 'cache', state: ended(137) })]

test.each([
  [
    'The node was low on resource: memory. Threshold quantity: 100Mi, available: 90Mi. Container api was using 2Gi, request is 64Mi, has larger consumption of memory. ',
    'evict.node-memory',
    'api',
  ],
  [
    'The node was low on resource: memory. Container api was using 80Mi, which exceeds its request of 64Mi. Container cache was using 2Gi, which exceeds its request of 0. ',
    'evict.node-memory',
    'cache',
  ],
  [
    'The node was low on resource: ephemeral-storage. Container cache was using 5Gi, request is 0, has larger consumption of ephemeral-storage. ',
    'evict.node-disk',
    'cache',
  ],
  ['The node was low on resource: inodes. ', 'evict.node-disk', null],
  ['The node was low on resource: pids. ', 'evict.other', null],
  ['Container cache exceeded its local ephemeral storage limit "1Gi". ', 'evict.pod-storage-limit', 'cache'],
  ['Pod ephemeral local storage usage exceeds the total limit of containers 2Gi. ', 'evict.pod-storage-limit', null],
  ['The node was low on resource: [DiskPressure].', 'evict.node-disk', null],
  ['Pod was rejected: The node had condition: [MemoryPressure]. ', 'evict.node-memory', null],
  ['Pod was rejected: The node had condition: [DiskPressure]. ', 'evict.node-disk', null],
])('evicted: %s', (message, id, container) => {
  const diagnosis = answer(over('Evicted', message, two))
  expect(diagnosis.cause.id).toBe(id)
  expect(diagnosis.container?.name ?? null).toBe(container)
})

test('an emptyDir over its limit blames the container that mounts it', () => {
  const containers = [
    aContainer({ state: ended(137) }),
    aContainer({ name: 'cache', state: ended(137), spec: { volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] } }),
  ]
  const diagnosis = answer(over('Evicted', 'Usage of EmptyDir volume "tmp" exceeds the limit "100Mi". ', containers))
  expect(diagnosis.cause.id).toBe('evict.pod-storage-limit')
  expect(diagnosis.container?.name).toBe('cache')
  expect(diagnosis.cause.fix[0]).toContain('`emptyDir.sizeLimit`')
})

test('who used next to nothing is called a victim, who used much is not', () => {
  const low = (used: string) =>
    `The node was low on resource: ephemeral-storage. Container api was using ${used}, request is 0, has larger consumption of ephemeral-storage. `
  expect(answer(over('Evicted', low('4Ki'))).cause.summary).toContain('victim')
  expect(answer(over('Evicted', low('40Gi'))).cause.summary).not.toContain('victim')
})

test('a container that exits 137 in a pod that was not evicted is none of these', () => {
  expect(
    answer(aPod({ containers: [aContainer({ state: ended(137) })], status: { phase: 'Failed' } })).cause.id,
  ).not.toMatch(/^evict/)
})

test('room for a critical pod is a preemption', () => {
  expect(answer(over('Preempting', 'Preempted in order to admit critical pod')).cause.id).toBe('evict.other')
})

test("a pod's own deadline is told with its seconds", () => {
  const said = 'Pod was active on the node longer than the specified deadline'
  const { cause, container } = answer(over('DeadlineExceeded', said, undefined, { activeDeadlineSeconds: 15 }))
  expect(cause.id).toBe('pod.deadline-exceeded')
  expect(cause.summary).toContain('`activeDeadlineSeconds: 15`')
  expect(container).toBeNull()
})

test('a deadline that has not run out is no cause', () => {
  expect(answer(aPod({ spec: { activeDeadlineSeconds: 900 } })).cause.id).toBe('healthy')
})

const unborn = [{ ...aContainer(), status: null }]

test.each([
  [
    'OutOfcpu',
    "Pod was rejected: Node didn't have enough resource: cpu, requested: 6000, used: 40, capacity: 2000 ",
    '6 CPUs requested',
  ],
  [
    'OutOfpods',
    "Pod was rejected: Node didn't have enough resource: pods, requested: 1, used: 110, capacity: 110",
    'as many pods as it may (110)',
  ],
  [
    'OutOfnvidia.com/gpu',
    "Pod Node didn't have enough resource: nvidia.com/gpu, requested: 2, used: 0, capacity: 1",
    '2 requested',
  ],
  ['NodeAffinity', 'Pod was rejected: Predicate NodeAffinity failed', 'do not match'],
  ['SysctlForbidden', 'Pod was rejected: forbidden sysctl: "kernel.msgmax" not allowlisted', '`kernel.msgmax`'],
  [
    'UnexpectedAdmissionError',
    'Pod was rejected: Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0, which is unexpected',
    'devices',
  ],
  [
    'TopologyAffinityError',
    'Pod was rejected: Resources cannot be allocated with Topology locality',
    'topology manager',
  ],
  ['SomethingNew', 'Pod was rejected: the moon is full', 'the moon is full'],
])('rejected by its node: %s', (reason, message, words) => {
  const { cause, container } = answer(over(reason, message, unborn as never), anEvent(reason, message))
  expect(cause.id).toBe('admission.rejected-by-kubelet')
  expect(cause.summary).toContain(words)
  expect(container).toBeNull()
})

test('a failed pod with a reason of its own controller is not a rejection', () => {
  expect(answer(over('CustomReason', 'my controller says so', [aContainer({ state: ended(3) })])).cause.id).not.toMatch(
    /^admission/,
  )
})
