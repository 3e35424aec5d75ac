import { describe, expect, it } from 'vitest'
import type { OwnerHealth, PodHealth } from '../../src/diagnosis/owner-health.ts'
import { checkOffsetMs, READY_MS, recovery } from '../../src/incidents/recovery.ts'
import { minute } from './a-sighting.ts'

const pod = (fields: Partial<PodHealth> = {}): PodHealth => ({
  name: 'web-1',
  isDone: false,
  isLeaving: false,
  readySince: minute(0),
  lastEndAt: null,
  ...fields,
})
const health = (fields: Partial<OwnerHealth>): OwnerHealth => ({
  at: minute(60),
  wanted: null,
  runsToEnd: false,
  isComplete: false,
  pods: [pod()],
  ...fields,
})
const stateOf = (fields: Partial<OwnerHealth>) => recovery(health(fields)).state

describe('an owner', () => {
  it('has recovered when all its pods are Ready for ten minutes', () => {
    expect(stateOf({ at: minute(10), pods: [pod(), pod({ name: 'web-2' })] })).toBe('recovered')
  })

  it('settles before that, and says when it could have', () => {
    const pods = [pod(), pod({ name: 'web-2', readySince: minute(3) })]
    expect(recovery(health({ at: minute(9), pods }))).toEqual({ state: 'settling', atMs: Date.parse(minute(13)) })
  })

  it('has not recovered between two crashes: Ready long ago, ended lately', () => {
    const pods = [pod({ lastEndAt: minute(58) })]
    expect(recovery(health({ pods }))).toEqual({ state: 'settling', atMs: Date.parse(minute(58)) + READY_MS })
    expect(stateOf({ pods: [pod({ lastEndAt: minute(50) })] })).toBe('recovered')
  })

  it('fails while one pod is not Ready', () => {
    expect(stateOf({ pods: [pod(), pod({ readySince: null })] })).toBe('failing')
  })

  it('has recovered when its pods were replaced by Ready ones', () => {
    const old = { readySince: null, lastEndAt: minute(59) }
    const pods = [pod({ ...old, isLeaving: true }), pod({ ...old, isDone: true }), pod({ name: 'web-2' })]
    expect(stateOf({ pods })).toBe('recovered')
  })

  it('fails while nothing stands in for what is leaving', () => {
    expect(stateOf({ pods: [pod({ isLeaving: true })] })).toBe('failing')
    expect(stateOf({ pods: [] })).toBe('failing')
  })

  it('fails while it has fewer pods than it wants, however Ready they are', () => {
    expect(stateOf({ wanted: 3, pods: [pod(), pod()] })).toBe('failing')
    expect(stateOf({ wanted: 2, pods: [pod(), pod()] })).toBe('recovered')
  })

  it('that is to end has not recovered while it runs, however long', () => {
    expect(stateOf({ runsToEnd: true })).toBe('failing')
    expect(stateOf({ runsToEnd: true, isComplete: true })).toBe('recovered')
  })

  it('has recovered when its work is done', () => {
    expect(stateOf({ isComplete: true, pods: [pod({ readySince: null, isDone: true })] })).toBe('recovered')
  })

  it('is gone when it was scaled to zero', () => {
    expect(stateOf({ wanted: 0, pods: [] })).toBe('gone')
    expect(stateOf({ wanted: 0, pods: [pod({ isLeaving: true })] })).toBe('gone')
  })

  it('is not said to have recovered at an unknown time', () => {
    expect(stateOf({ at: null })).toBe('failing')
  })
})

it('is looked at after 1, 2, 5, 10, then every 10 minutes for 6 h, and no more', () => {
  const minutes: number[] = []
  for (let check = 1; ; check++) {
    const offset = checkOffsetMs(check)
    if (offset === null) break
    minutes.push(offset / 60_000)
  }
  expect(minutes).toEqual([1, 2, 5, ...Array.from({ length: 36 }, (_, at) => (at + 1) * 10)])
  expect([0, -1, minutes.length + 1, 1_000].map(checkOffsetMs)).toEqual([null, null, null, null])
})
