import { describe, expect, it } from 'vitest'
import { worstPod } from '../../src/cluster/worst-pod.ts'
import type { JsonObject } from '../../src/diagnosis/snapshot.ts'
import { testPod } from './open-test-cluster.ts'

const at = (hour: number, metadata: object = {}) => ({
  metadata: { creationTimestamp: `2026-05-04T${String(hour).padStart(2, '0')}:00:00Z`, ...metadata },
})
const isReady = (status: 'True' | 'False') => [{ type: 'Ready', status }]
const container = (state: object, rest: object = {}) => ({ containerStatuses: [{ name: 'app', state, ...rest }] })

const healthy = (name: string, hour: number) =>
  testPod(name, { ...at(hour), status: { phase: 'Running', conditions: isReady('True') } })
const unready = (name: string, hour: number) =>
  testPod(name, { ...at(hour), status: { phase: 'Running', conditions: isReady('False') } })
const starting = (name: string, hour: number) =>
  testPod(name, {
    ...at(hour),
    status: { phase: 'Pending', ...container({ waiting: { reason: 'ContainerCreating' } }) },
  })
const crashing = (name: string, hour: number) =>
  testPod(name, {
    ...at(hour),
    status: { phase: 'Running', ...container({ running: {} }, { lastState: { terminated: { exitCode: 1 } } }) },
  })
const unpullable = (name: string, hour: number) =>
  testPod(name, { ...at(hour), status: { phase: 'Pending', ...container({ waiting: { reason: 'ErrImagePull' } }) } })
const failed = (name: string, hour: number, restartPolicy: string) =>
  testPod(name, { ...at(hour), spec: { restartPolicy, containers: [] }, status: { phase: 'Failed' } })
const succeeded = (name: string, hour: number) => testPod(name, { ...at(hour), status: { phase: 'Succeeded' } })
const terminating = (name: string, hour: number) =>
  testPod(name, at(hour, { deletionTimestamp: '2026-05-04T12:00:00Z' }))

const worst = (...pods: JsonObject[]) => (worstPod(pods)?.['metadata'] as JsonObject | undefined)?.['name']

describe('the pod worth explaining is', () => {
  it.each([
    ['a crashing one before one that is only not ready', [unready('a', 1), crashing('b', 2)], 'b'],
    ['the oldest of the crashing', [crashing('a', 3), unpullable('b', 2), healthy('c', 1)], 'b'],
    ['the oldest of the unready', [starting('a', 3), unready('b', 2), healthy('c', 1)], 'b'],
    ['the newest of the healthy', [healthy('a', 1), healthy('b', 2)], 'b'],
    ['not what an eviction left behind', [failed('a', 1, 'Always'), healthy('b', 2)], 'b'],
    ['what an eviction left behind where there is nothing else', [failed('a', 1, 'Always')], 'a'],
    ["a Job's last failed pod", [failed('a', 1, 'Never'), failed('b', 2, 'Never')], 'b'],
    ["a Job's success after its failures", [failed('a', 1, 'Never'), succeeded('b', 2)], 'b'],
    ["a Job's failure after an earlier success", [succeeded('a', 1), failed('b', 2, 'Never')], 'b'],
    ['not one on its way out', [terminating('a', 1), healthy('b', 2)], 'b'],
  ])('%s', (_, pods, expected) => {
    expect(worst(...pods)).toBe(expected)
    expect(worst(...pods.toReversed())).toBe(expected)
  })
})

it('there is none without pods', () => {
  expect(worstPod([])).toBeNull()
})
