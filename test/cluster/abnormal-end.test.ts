import { describe, expect, it } from 'vitest'
import { firstAbnormalEnds, type Sight } from '../../src/cluster/abnormal-end.ts'
import type { JsonObject } from '../../src/diagnosis/snapshot.ts'
import { appPod, appStatus, crashedPod, running, secondsAgo, terminated } from './crashing-pods.ts'
import { testPod } from './open-test-cluster.ts'

const watched: Sight = { from: 'watch' }
const listed = (): Sight => ({ from: 'list', at: secondsAgo(0) })
const ends = (pod: JsonObject, sight: Sight = watched) =>
  firstAbnormalEnds(pod, sight).map(({ container, restart, exitCode, isReplaced }) => ({
    ...{ container, restart, exitCode, isReplaced },
  }))
const first = { container: 'app', restart: 0, exitCode: 1, isReplaced: false }
const long = { startedAt: secondsAgo(900), finishedAt: secondsAgo(10) }

describe('a first abnormal end', () => {
  it.each<[string, JsonObject, object]>([
    ['a run that has just ended', crashedPod('web'), first],
    [
      'one that waits to be run again',
      appPod('web', { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: terminated(1) }),
      first,
    ],
    [
      'one that runs again already',
      appPod('web', { lastState: terminated(1), restartCount: 1 }),
      { ...first, isReplaced: true },
    ],
    [
      'one whose next run has ended as well',
      appPod('web', { state: terminated(1), lastState: terminated(3), restartCount: 1 }),
      { ...first, exitCode: 3, isReplaced: true },
    ],
    ['a kill for memory with exit code 0', crashedPod('web', 0, { reason: 'OOMKilled' }), { ...first, exitCode: 0 }],
    [
      'a container that never started',
      crashedPod('web', 128, { reason: 'StartError', startedAt: '1970-01-01T00:00:00Z' }),
      { ...first, exitCode: 128 },
    ],
    [
      'an end after a quarter of an hour, whatever came before',
      appPod('web', { state: terminated(1, long), restartCount: 7 }),
      { ...first, restart: 7 },
    ],
    [
      'an end after a good one',
      appPod('web', { state: terminated(1), lastState: terminated(0), restartCount: 1 }),
      { ...first, restart: 1 },
    ],
  ])('%s', (_, pod, expected) => {
    expect(ends(pod)).toEqual([expected])
  })

  it('is one of init containers and of several containers', () => {
    const pod = testPod('web', {
      status: {
        phase: 'Pending',
        initContainerStatuses: [appStatus({ name: 'migrate', state: terminated(1) })],
        containerStatuses: [appStatus({ name: 'a', state: terminated(2) }), appStatus({ name: 'b' })],
      },
    })
    expect(ends(pod).map(({ container }) => container)).toEqual(['migrate', 'a'])
  })

  it('has no start where it never ran', () => {
    const pod = crashedPod('web', 128, { startedAt: '1970-01-01T00:00:00Z' })
    expect(firstAbnormalEnds(pod, watched)[0]?.startedAt).toBeNull()
  })
})

describe('no first abnormal end', () => {
  it.each<[string, JsonObject]>([
    ['a run', appPod('web', {})],
    ['a good end', crashedPod('web', 0)],
    ['a third failure in a row', appPod('web', { state: terminated(1), lastState: terminated(1), restartCount: 2 })],
    ['the run after it', appPod('web', { lastState: terminated(1), restartCount: 2 })],
    [
      'a sidecar stopped when its pod was done',
      testPod('web', { status: { phase: 'Succeeded', containerStatuses: [appStatus({ state: terminated(143) })] } }),
    ],
    [
      'what a deletion asked for',
      appPod('web', { state: terminated(137) }, { metadata: { deletionTimestamp: secondsAgo(-5) } }),
    ],
    ['a status without times', appPod('web', { state: { terminated: { exitCode: 1 } } })],
  ])('%s', (_, pod) => {
    expect(ends(pod)).toEqual([])
  })

  it('in a list: what happened longer ago, and what is not the first run', () => {
    const old = { startedAt: secondsAgo(1300), finishedAt: secondsAgo(1200) }
    expect(ends(appPod('web', { lastState: terminated(1, old), restartCount: 1 }), listed())).toEqual([])
    expect(ends(appPod('web', { state: terminated(1, long), restartCount: 7 }), listed())).toEqual([])
  })
})

it('a crash that a list shows right now is one, and so is one of the last ten minutes', () => {
  expect(ends(crashedPod('web'), listed())).toEqual([first])
  expect(ends(appPod('web', { lastState: terminated(1), state: running(), restartCount: 1 }), listed())).toHaveLength(1)
})

it('an end before the deletion is none of its doing', () => {
  const metadata = { deletionTimestamp: secondsAgo(-5) }
  const pod = appPod('web', { state: terminated(1, { finishedAt: secondsAgo(120) }) }, { metadata })
  expect(ends(pod)).toHaveLength(1)
})
