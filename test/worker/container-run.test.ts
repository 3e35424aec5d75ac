import { describe, expect, it } from 'vitest'
import { type Container, containersOf } from '../../src/diagnosis/containers.ts'
import { pod as podShape } from '../../src/diagnosis/kubernetes-pod.ts'
import { containerRun, explainedRun } from '../../src/worker/container-run.ts'

const end = (exitCode: number, minute: number) => ({
  terminated: { exitCode, startedAt: `2026-05-04T12:0${minute}:00Z`, finishedAt: `2026-05-04T12:0${minute}:30Z` },
})
const container = (state: object, lastState: object = {}, restartCount = 4): Container => {
  const status = { containerStatuses: [{ name: 'app', state, lastState, restartCount }] }
  const [found] = containersOf(podShape({ spec: { containers: [{ name: 'app' }] }, status }) ?? {})
  if (!found) throw new Error('no container')
  return found
}
const running = container({ running: { startedAt: '2026-05-04T12:05:00Z' } }, end(3, 3))
const waiting = container({ waiting: { reason: 'CrashLoopBackOff' } }, end(4, 4))
const terminated = container(end(4, 4), end(3, 3))

describe('the run of a container', () => {
  it.each([
    ['that runs', running, null, undefined],
    ['that waits for the next', waiting, 4, '2026-05-04T12:04:30Z'],
    ['that has just ended', terminated, 4, '2026-05-04T12:04:30Z'],
  ])('%s is the current one, with its end where it has one', (_, of, exitCode, finishedAt) => {
    const run = containerRun(of, 4)
    expect(run?.instance).toBe('current')
    expect(run?.terminated?.exitCode ?? null).toBe(exitCode)
    expect(run?.ended?.finishedAt).toBe(finishedAt)
  })

  it.each([
    ['runs', running, 3],
    // What is in its last state is the end of the newest run.
    ['waits', waiting, null],
    ['has just ended', terminated, 3],
  ])('before the newest is the previous one while that %s', (_, of, exitCode) => {
    expect(containerRun(of, 3)).toMatchObject({ instance: 'previous' })
    expect(containerRun(of, 3)?.terminated?.exitCode ?? null).toBe(exitCode)
  })

  it('that is older, or has not begun, or never was, cannot be had', () => {
    expect([2, 5, -1].map(restart => containerRun(running, restart))).toEqual([null, null, null])
    expect(containerRun(container({ running: {} }, {}, 0), -1)).toBeNull()
  })
})

it('what explains a container is the newest run that ended, else the one that runs', () => {
  expect([running, waiting, terminated].map(explainedRun)).toEqual([3, 4, 4])
  expect(explainedRun(container({ running: {} }, {}, 0))).toBe(0)
})
