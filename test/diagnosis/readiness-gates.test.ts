import { expect, test } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { JsonObject } from '../../src/diagnosis/snapshot.ts'
import { aPod, aSnapshot } from './builders.ts'

const GATE = 'target-health.example.com/web'
const cause = (gate: readonly JsonObject[], spec: JsonObject = { readinessGates: [{ conditionType: GATE }] }) =>
  diagnose(
    aSnapshot({
      pod: aPod({
        spec,
        status: {
          conditions: [
            { type: 'Initialized', status: 'True' },
            { type: 'ContainersReady', status: 'True' },
            { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady' },
            { type: 'PodScheduled', status: 'True' },
            ...gate,
          ],
        },
      }),
    }),
  ).diagnosis.cause

test('a readiness gate that is not met is told with the words of its condition', () => {
  const { id, summary } = cause([{ type: GATE, status: 'False', message: 'Target registration is in progress' }])
  expect(id).toBe('probe.other')
  expect(summary).toContain(GATE)
  expect(summary).toContain('Target registration is in progress')
})

test('a gate whose condition was never set is told, too', () => {
  expect(cause([]).summary).toContain('was never set')
})

test('a running pod that is not ready for no reason that was read has started', () => {
  const { summary } = cause([], {})
  expect(summary).toContain('runs but is not ready')
  expect(summary).not.toContain('has not started')
})
