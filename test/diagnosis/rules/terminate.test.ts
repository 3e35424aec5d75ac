import { expect, test } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { JsonObject, PodSnapshot } from '../../../src/diagnosis/snapshot.ts'
import { aContainer, ago, anEvent, aPod, aSnapshot, ended, type PodParts, running } from '../builders.ts'
import { aNode, STOPPED } from './node-builders.ts'

/** Deleted so many seconds ago with a grace period of 30 s. */
const deleted = (secondsAgo: number, parts: PodParts = {}, grace = 30): JsonObject =>
  aPod({
    ...parts,
    metadata: { deletionTimestamp: ago(secondsAgo - grace), deletionGracePeriodSeconds: grace, ...parts.metadata },
  })
const answer = (pod: JsonObject, overrides: Partial<PodSnapshot> = {}) =>
  diagnose(aSnapshot({ pod, related: { nodes: [aNode()], pods: [], events: [], jobs: [] }, ...overrides })).diagnosis
const because = (reason: string, message: string): PodParts => ({
  status: { conditions: [{ type: 'DisruptionTarget', status: 'True', reason, message }] },
})

test('a pod that was deleted a moment ago has nothing wrong with it', () => {
  const { cause, since } = answer(deleted(3))
  expect(cause.id).toBe('terminate.finalizer-or-grace')
  expect(cause.summary).toContain('asked for 3s ago')
  expect(cause.summary).toContain('Nothing is wrong')
  expect(since).toBe(ago(3))
})

test('a finalizer holds a pod whose containers have ended', () => {
  const pod = deleted(3600, {
    metadata: { finalizers: ['example.com/archive'] },
    containers: [aContainer({ state: ended(137) })],
    status: { phase: 'Failed' },
  })
  const { cause } = answer(pod)
  expect(cause.id).toBe('terminate.finalizer-or-grace')
  expect(cause.summary).toContain('`example.com/archive`')
  expect(cause.avoid.join()).toContain('does not touch finalizers')
})

test('a finalizer is not blamed while containers still run in their grace period', () => {
  const { cause } = answer(deleted(60, { metadata: { finalizers: ['example.com/archive'] } }, 600))
  expect(cause.summary).toContain('grace period of 600 s (10m)')
  expect(cause.summary).toContain('`api` has not exited yet')
})

test('a node that stopped reporting cannot confirm the end', () => {
  const related = { nodes: [aNode({ ready: STOPPED })], pods: [], events: [] }
  expect(answer(deleted(90), { related }).cause.id).toBe('terminate.node-gone')
  expect(answer(deleted(90), { related: { ...related, nodes: [aNode({ name: 'another' })] } }).cause.id).toBe(
    'terminate.node-gone',
  )
})

test.each([
  [
    'error killing pod: failed to "KillPodSandbox" … plugin type="calico" failed (delete): error getting ClusterInformation',
    'CNI',
  ],
  ['error killing pod: rpc error: … unlinkat /run/x: device or resource busy', 'holds the mount'],
])('a kubelet that cannot stop it says why: %s', (message, words) => {
  const { cause } = answer(deleted(300), { events: [anEvent('FailedKillPod', message, { secondsAgo: 10 })] })
  expect(cause.id).toBe('terminate.runtime-stuck')
  expect(cause.fix[0]).toContain(words)
})

test('a failed kill of before the deletion is not the reason', () => {
  const events = [anEvent('FailedKillPod', 'error killing pod: x', { secondsAgo: 900 })]
  expect(answer(deleted(5), { events }).cause.id).toBe('terminate.finalizer-or-grace')
})

test('long past its grace period on a node that is well, the runtime is the likely reason', () => {
  expect(answer(deleted(600)).cause).toMatchObject({ id: 'terminate.runtime-stuck', confidence: 'likely' })
  expect(answer(deleted(40)).cause.id).toBe('terminate.finalizer-or-grace')
})

test.each([
  [
    'PreemptionByScheduler',
    'default-scheduler: preempting to accommodate a higher priority pod',
    'evict.other',
    'higher priority',
  ],
  ['DeletionByTaintManager', 'Taint manager: deleting due to NoExecute taint', 'evict.other', 'NoExecute'],
  ['EvictionByEvictionAPI', 'Eviction API: evicting', 'terminate.finalizer-or-grace', 'drain'],
])('who asked for it is told: %s', (reason, message, id, words) => {
  const { cause } = answer(deleted(5, because(reason, message)))
  expect(cause.id).toBe(id)
  expect(cause.summary).toContain(words)
})

test("a Job's deadline deletes its pods", () => {
  const pod = deleted(5, {
    metadata: { ownerReferences: [{ kind: 'Job', name: 'report', uid: 'j1', controller: true }] },
  })
  const job = {
    metadata: { name: 'report', namespace: 'shop', uid: 'j1' },
    spec: { activeDeadlineSeconds: 60 },
    status: {
      conditions: [
        {
          type: 'FailureTarget',
          status: 'True',
          reason: 'DeadlineExceeded',
          message: 'Job was active longer than specified deadline',
        },
      ],
    },
  }
  const related = { nodes: [aNode()], jobs: [job], events: [], pods: [] }
  expect(answer(pod, { related }).cause.id).toBe('job.deadline-exceeded')
  expect(answer(pod).cause.id).toBe('terminate.finalizer-or-grace')
})

test('the pod itself tells of a lost node that could not be read', () => {
  const pod = deleted(600, { status: { phase: 'Running', reason: 'NodeLost' } })
  expect(answer(pod, { related: { events: [] } }).cause).toMatchObject({
    id: 'terminate.node-gone',
    confidence: 'likely',
  })
})

test('without the node the answer is careful', () => {
  const { cause } = answer(deleted(600, { containers: [aContainer({ state: running(900) })] }), {
    related: { events: [] },
  })
  expect(cause).toMatchObject({ id: 'terminate.finalizer-or-grace', confidence: 'likely' })
})
