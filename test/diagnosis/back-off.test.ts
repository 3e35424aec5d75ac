import { describe, expect, test } from 'vitest'
import {
  atOf,
  type NextRestartQuestion,
  nextRestart,
  parseGoDuration,
  type RestartQuestion,
  restartsAgain,
} from '../../src/diagnosis/back-off.ts'

describe('a container that ended', () => {
  const restart = (values: number[], operator = 'In') => [{ action: 'Restart', exitCodes: { operator, values } }]

  test.each<[string, RestartQuestion, boolean]>([
    ['app, Always, 0: again', { kind: 'app', podRestartPolicy: 'Always', exitCode: 0 }, true],
    ['app, Always, 1: again', { kind: 'app', podRestartPolicy: 'Always', exitCode: 1 }, true],
    ['app, no policy stated, 0: again', { kind: 'app', exitCode: 0 }, true],
    ['app, OnFailure, 0: done', { kind: 'app', podRestartPolicy: 'OnFailure', exitCode: 0 }, false],
    ['app, OnFailure, 1: again', { kind: 'app', podRestartPolicy: 'OnFailure', exitCode: 1 }, true],
    ['app, Never, 1: not', { kind: 'app', podRestartPolicy: 'Never', exitCode: 1 }, false],
    ['init, Always, 0: done', { kind: 'init', podRestartPolicy: 'Always', exitCode: 0 }, false],
    ['init, Always, 1: again', { kind: 'init', podRestartPolicy: 'Always', exitCode: 1 }, true],
    ['init, OnFailure, 1: again', { kind: 'init', podRestartPolicy: 'OnFailure', exitCode: 1 }, true],
    ['init, Never, 1: not', { kind: 'init', podRestartPolicy: 'Never', exitCode: 1 }, false],
    ['init, Always, 0 but out of memory: again', { kind: 'init', exitCode: 0, reason: 'OOMKilled' }, true],
    ['sidecar, Never, 0: again', { kind: 'sidecar', podRestartPolicy: 'Never', exitCode: 0 }, true],
    ['sidecar, Never, 1: again', { kind: 'sidecar', podRestartPolicy: 'Never', exitCode: 1 }, true],
    ['ephemeral, Always, 1: not', { kind: 'ephemeral', podRestartPolicy: 'Always', exitCode: 1 }, false],
    [
      "its own Never beats the pod's Always",
      { kind: 'app', podRestartPolicy: 'Always', containerRestartPolicy: 'Never', exitCode: 1 },
      false,
    ],
    [
      "its own OnFailure beats the pod's Never",
      { kind: 'init', podRestartPolicy: 'Never', containerRestartPolicy: 'OnFailure', exitCode: 1 },
      true,
    ],
    [
      'a matching rule beats its own Never',
      { kind: 'app', containerRestartPolicy: 'Never', rules: restart([42]), exitCode: 42 },
      true,
    ],
    [
      'a rule for another exit code leaves it to the policy',
      { kind: 'app', containerRestartPolicy: 'Never', rules: restart([42]), exitCode: 1 },
      false,
    ],
    [
      'NotIn matches an exit code that is not listed',
      { kind: 'app', containerRestartPolicy: 'Never', rules: restart([0], 'NotIn'), exitCode: 3 },
      true,
    ],
    [
      'NotIn does not match one that is',
      { kind: 'app', containerRestartPolicy: 'Never', rules: restart([0], 'NotIn'), exitCode: 0 },
      false,
    ],
    [
      'RestartAllContainers starts it again too',
      {
        kind: 'app',
        podRestartPolicy: 'Never',
        rules: [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [88] } }],
        exitCode: 88,
      },
      true,
    ],
    [
      'a rule without exit codes matches nothing',
      { kind: 'app', podRestartPolicy: 'Never', rules: [{}], exitCode: 1 },
      false,
    ],
  ])('%s', (_, question, expected) => {
    expect(restartsAgain(question)).toBe(expected)
  })
})

describe('the next restart of a container in CrashLoopBackOff', () => {
  const message = 'back-off 2m40s restarting failed container=api pod=web-0_shop(6b1f)'
  const waiting = (changes: Partial<NextRestartQuestion> = {}): NextRestartQuestion => ({
    kind: 'app',
    podRestartPolicy: 'Always',
    state: { waiting: { reason: 'CrashLoopBackOff', message } },
    lastState: { terminated: { exitCode: 1, finishedAt: '2026-05-04T12:00:00Z' } },
    restartCount: 5,
    minor: 34,
    ...changes,
  })

  test('comes the time after the last end that the message names', () => {
    expect(nextRestart(waiting({ restartCount: 9 }))).toEqual({
      at: '2026-05-04T12:02:40Z',
      waitSeconds: 160,
      basis: 'message',
      willRetry: true,
      lateBySeconds: 15,
    })
  })

  test('prefers a text given for it to the one in the state', () => {
    const question = waiting({ message: 'back-off 40s restarting failed container=api pod=web-0_shop(6b1f)' })
    expect(nextRestart(question)).toMatchObject({ at: '2026-05-04T12:00:40Z', basis: 'message' })
  })

  test.each([
    [1, 10],
    [2, 20],
    [3, 40],
    [4, 80],
    [5, 160],
    [6, 300],
    [60, 300],
    [5000, 300],
  ])('without a message, with %d restarts, comes after %d s', (restartCount, waitSeconds) => {
    const question = waiting({ restartCount, state: { waiting: { reason: 'CrashLoopBackOff' } } })
    expect(nextRestart(question)).toMatchObject({ waitSeconds, basis: 'formula', willRetry: true })
  })

  test('cannot be dated where nothing tells when the container ended', () => {
    expect(nextRestart(waiting({ lastState: {} }))).toMatchObject({ at: null, waitSeconds: 160, willRetry: true })
    expect(nextRestart(waiting({ lastState: null }))).toMatchObject({ at: null, waitSeconds: 160 })
  })

  test('may be later by more since 1.35', () => {
    expect(nextRestart(waiting({ minor: 35 })).lateBySeconds).toBe(30)
    expect(nextRestart(waiting({ minor: null })).lateBySeconds).toBe(30)
  })
})

describe('the next restart of a container that stands there as it ended', () => {
  const ended = (changes: Partial<NextRestartQuestion> = {}, terminated: object = {}): NextRestartQuestion => ({
    kind: 'app',
    podRestartPolicy: 'Always',
    state: {
      terminated: {
        exitCode: 1,
        reason: 'Error',
        startedAt: '2026-05-04T11:59:58Z',
        finishedAt: '2026-05-04T12:00:00Z',
        ...terminated,
      },
    },
    lastState: { terminated: { exitCode: 1, finishedAt: '2026-05-04T11:59:00Z' } },
    restartCount: 3,
    minor: 36,
    ...changes,
  })

  test('counts from the end of that instance', () => {
    expect(nextRestart(ended())).toEqual({
      at: '2026-05-04T12:00:40Z',
      waitSeconds: 40,
      basis: 'formula',
      willRetry: true,
      lateBySeconds: 30,
    })
  })

  test('is at once after the first crash', () => {
    expect(nextRestart(ended({ restartCount: 0 }))).toMatchObject({ at: '2026-05-04T12:00:00Z', waitSeconds: 0 })
  })

  test('is at once after a run of more than ten minutes', () => {
    const question = ended({ restartCount: 7 }, { startedAt: '2026-05-04T11:49:59Z' })
    expect(nextRestart(question)).toMatchObject({ waitSeconds: 0, basis: 'formula' })
  })

  test('takes the time of a container that never started for no run', () => {
    const question = ended({ restartCount: 7 }, { reason: 'StartError', startedAt: '1970-01-01T00:00:00Z' })
    expect(nextRestart(question)).toMatchObject({ waitSeconds: 300 })
  })

  test('takes a wait that another text names', () => {
    const question = ended({ message: 'back-off 10s restarting failed container=api pod=web-0_shop(6b1f)' })
    expect(nextRestart(question)).toMatchObject({ at: '2026-05-04T12:00:10Z', basis: 'message' })
  })

  test('does not come under Never', () => {
    expect(nextRestart(ended({ podRestartPolicy: 'Never' }))).toMatchObject({
      at: null,
      waitSeconds: null,
      basis: null,
      willRetry: false,
    })
  })

  test('does not come for an init container that is done', () => {
    expect(nextRestart(ended({ kind: 'init' }, { exitCode: 0, reason: 'Completed' })).willRetry).toBe(false)
  })

  test('comes for an init container under OnFailure, and where a rule says so', () => {
    expect(nextRestart(ended({ kind: 'init', podRestartPolicy: 'OnFailure' })).willRetry).toBe(true)
    const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }]
    expect(nextRestart(ended({ podRestartPolicy: 'Never', rules })).willRetry).toBe(true)
  })
})

test.each([
  ['running', { running: {} }, false],
  ['waiting for its image', { waiting: { reason: 'ImagePullBackOff' } }, true],
  ['without a state', {}, false],
  ['without a status', null, false],
])('a container %s has no next restart', (_, state, willRetry) => {
  const question: NextRestartQuestion = { kind: 'app', state, lastState: null, restartCount: 4, minor: 36 }
  expect(nextRestart(question)).toMatchObject({ at: null, waitSeconds: null, basis: null, willRetry })
})

test.each([
  ['10s', 10],
  ['1m20s', 80],
  ['2m40s', 160],
  ['5m0s', 300],
  ['1h0m0.5s', 3600.5],
  ['500ms', 0.5],
  ['0s', 0],
  ['', null],
  ['10', null],
  ['m10s', null],
  ['-5s', null],
  ['5 m', null],
])('Go duration %j is %s seconds', (written, seconds) => {
  expect(parseGoDuration(written)).toBe(seconds)
})

test.each([
  ['2026-05-04T12:00:00Z', 10, '2026-05-04T12:00:10Z'],
  ['2026-05-04T12:00:00.900000Z', 0, '2026-05-04T12:00:00Z'],
  ['2026-12-31T23:59:59Z', 1, '2027-01-01T00:00:00Z'],
  ['2026-05-04T14:00:00+02:00', 0, '2026-05-04T12:00:00Z'],
  ['2026-05-04T12:00:00Z', Number.POSITIVE_INFINITY, null],
  ['soon', 10, null],
  [null, 10, null],
])('%s and %d seconds is %s', (time, seconds, at) => {
  expect(atOf(time, seconds)).toBe(at)
})
