import { expect, test } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { JsonObject, PodSnapshot } from '../../../src/diagnosis/snapshot.ts'
import { aContainer, ago, anEvent, aPod, aSnapshot, crashLoop, ended, previous, running, waiting } from '../builders.ts'
import { aNode, NO_NETWORK, STOPPED } from './node-builders.ts'

const answer = (pod: JsonObject, nodes: readonly JsonObject[], overrides: Partial<PodSnapshot> = {}) =>
  diagnose(aSnapshot({ pod, related: { nodes, pods: [], events: [] }, ...overrides })).diagnosis

const notReady = aPod({
  status: {
    conditions: [
      { type: 'Ready', status: 'False', lastTransitionTime: ago(60) },
      { type: 'ContainersReady', status: 'True' },
    ],
  },
})
const unborn = aPod({
  containers: [{ ...aContainer(), status: null }],
  status: { phase: 'Pending', conditions: [], containerStatuses: [] },
})

test('a node that stopped reporting is the cause, whatever the containers last said', () => {
  expect(answer(notReady, [aNode({ ready: STOPPED })]).cause.id).toBe('node.lost')
  const looping = aPod({ containers: [aContainer(crashLoop(1))] })
  expect(answer(looping, [aNode({ ready: STOPPED })]).cause.id).toBe('node.lost')
})

test('a node that is ready again is not blamed for an old event', () => {
  const events = [anEvent('NodeNotReady', 'Node is not ready', { secondsAgo: 600 })]
  expect(answer(aPod(), [aNode()], { events }).cause.id).toBe('healthy')
})

test('a node that does not exist never starts the pod', () => {
  const { cause } = answer(unborn, [aNode({ name: 'another' })])
  expect(cause.id).toBe('node.unknown')
  expect(cause.fix[0]).toContain('`spec.nodeName`')
  expect(answer(notReady, [aNode({ name: 'another' })]).cause.id).toBe('node.lost')
})

test('a node that was not read is not called missing', () => {
  const { cause } = diagnose(aSnapshot({ pod: unborn })).diagnosis
  expect(cause.id).not.toMatch(/^node/)
})

test('a node that could not be read is likely lost where the pod was marked so while its containers run', () => {
  const events = [anEvent('NodeNotReady', 'Node is not ready')]
  expect(diagnose(aSnapshot({ pod: notReady, events })).diagnosis.cause).toMatchObject({
    id: 'node.lost',
    confidence: 'likely',
  })
  const looping = aPod({ containers: [aContainer(crashLoop(1))] })
  expect(diagnose(aSnapshot({ pod: looping, events })).diagnosis.cause.id).not.toBe('node.lost')
})

test('a runtime that does not answer is told also while the pod goes on running', () => {
  expect(answer(aPod(), [aNode({ ready: ['False', 'container runtime is down'] })]).cause.id).toBe('node.runtime-down')
  expect(
    answer(unborn, [aNode({ ready: ['False', 'PLEG is not healthy: pleg was last seen active 4m ago'] })]).cause.id,
  ).toBe('node.runtime-down')
})

test('a node without network holds up what has no sandbox, not what runs', () => {
  const node = aNode({ ready: NO_NETWORK })
  const creating = aPod({
    containers: [aContainer({ state: waiting('ContainerCreating') })],
    status: { phase: 'Pending', conditions: [{ type: 'PodReadyToStartContainers', status: 'False' }] },
  })
  expect(answer(creating, [node]).cause.id).toBe('node.network-not-ready')
  expect(answer(aPod(), [node]).cause.id).toBe('healthy')
})

test('a node that is NotReady for a moment does not make a ready pod unwell', () => {
  const node = aNode({ ready: ['False', '[container runtime status check may not have completed yet]'] })
  expect(answer(aPod(), [node]).cause.id).toBe('healthy')
  expect(answer(notReady, [node]).cause).toMatchObject({ id: 'node.lost', confidence: 'likely' })
})

test.each([
  [
    'ended by it',
    { phase: 'Failed', reason: 'Terminated', message: 'Pod was terminated in response to imminent node shutdown.' },
    'api',
  ],
  [
    'refused by it',
    { phase: 'Failed', reason: 'NodeShutdown', message: 'Pod was rejected as the node is shutting down.' },
    null,
  ],
])('a pod %s is explained by the shutdown', (_, status, container) => {
  const pod = aPod({ containers: [aContainer({ state: ended(container ? 137 : 0) })], status })
  const diagnosis = answer(pod, [aNode()])
  expect(diagnosis.cause.id).toBe('node.shutdown')
  expect(diagnosis.container?.name ?? null).toBe(container)
})

test('a pod that ended with 0 in a shutdown tells it by its condition only', () => {
  const pod = aPod({
    containers: [aContainer({ state: ended(0) })],
    status: {
      phase: 'Succeeded',
      conditions: [
        {
          type: 'DisruptionTarget',
          status: 'True',
          reason: 'TerminationByKubelet',
          message: 'Pod was terminated in response to imminent node shutdown.',
        },
      ],
    },
  })
  expect(answer(pod, [aNode()]).cause.id).toBe('node.shutdown')
  const plain = aPod({ containers: [aContainer({ state: ended(0) })], status: { phase: 'Succeeded' } })
  expect(answer(plain, [aNode()]).cause.id).toBe('completed')
})

test('a network daemon without a pod range is explained by its log', () => {
  const pod = aPod({ containers: [aContainer({ name: 'kube-flannel', ...crashLoop(1) })] })
  const log = 'Error registering network: failed to acquire lease: node "node-a" pod cidr not assigned'
  const logs = { 'kube-flannel': { current: log, previous: null } }
  const diagnosis = answer(pod, [aNode()], { logs })
  expect(diagnosis.cause.id).toBe('node.pod-cidr-missing')
  expect(diagnosis.container?.name).toBe('kube-flannel')
  const other = { 'kube-flannel': previous('Error registering network: no such host') }
  expect(answer(pod, [aNode()], { logs: other }).cause.id).not.toBe('node.pod-cidr-missing')
})

test('a shutdown is told while the pod still runs', () => {
  const pod = aPod({ containers: [aContainer({ state: running(60) })] })
  expect(answer(pod, [aNode({ ready: ['False', 'node is shutting down'] })]).cause.id).toBe('node.shutdown')
})
