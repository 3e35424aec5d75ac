import { describe, expect, it } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { JsonObject, PodSnapshot } from '../../../src/diagnosis/snapshot.ts'
import {
  aContainer,
  aLog,
  anEvent,
  aPod,
  aSnapshot,
  aWaitingContainer,
  crashLoop,
  current,
  ended,
} from '../builders.ts'

const limited = { resources: { limits: { memory: '96Mi' } } }
const oom = (code: number) => crashLoop(code, { reason: 'OOMKilled' })
const cause = (status: JsonObject, overrides: Partial<PodSnapshot> = {}) =>
  diagnose(aSnapshot({ pod: aPod({ containers: [aContainer({ name: 'api', ...status })] }), ...overrides })).diagnosis
    .cause
const inInit = (status: JsonObject) =>
  diagnose(
    aSnapshot({
      pod: aPod({ init: [aContainer({ name: 'fill', spec: limited, ...status })], containers: [aWaitingContainer()] }),
    }),
  ).diagnosis

describe('killed for memory', () => {
  it('at its own limit, which is named', () => {
    const found = cause({ ...oom(137), spec: limited })
    expect(found).toMatchObject({ id: 'oom.container-limit', confidence: 'certain' })
    expect(found.summary).toContain('`96Mi`')
  })

  it('without a limit is the node, likely', () => {
    expect(cause(oom(137))).toMatchObject({ id: 'oom.node', confidence: 'likely' })
  })

  it.each([0, 1, 3])('a child was, where the main process ended with %i of its own', code => {
    const logs = { api: current(aLog(['worker 7 exited with -9', 'no workers left'])) }
    expect(cause({ ...oom(code), spec: limited }, { logs }).id).toBe('oom.child-process')
  })

  it('is misreported where the process was asked to stop', () => {
    const events = [anEvent('Killing', 'Container api failed liveness probe, will be restarted', { container: 'api' })]
    expect(cause({ ...oom(143), spec: limited }, { events })).toMatchObject({
      id: 'oom.misreported',
      confidence: 'certain',
    })
    expect(cause({ ...oom(143), spec: limited })).toMatchObject({ id: 'oom.misreported', confidence: 'likely' })
  })

  it.each([137, 0])('an init container with exit code %i is init.oom', code => {
    const { cause: found, container } = inInit({ state: ended(code, { reason: 'OOMKilled' }) })
    expect(found.id).toBe('init.oom')
    expect(container?.name).toBe('fill')
  })

  it('is not what a bare 137 means', () => {
    expect(
      cause({ ...crashLoop(137), spec: limited }, { logs: { api: current(aLog(['Killed worker of queue "oom"'])) } })
        .id,
    ).not.toMatch(/^oom\./)
  })
})
