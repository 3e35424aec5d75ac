import { describe, expect, it } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { readMaterial } from '../accuracy/material.ts'
import {
  aContainer,
  ago,
  aLog,
  anEvent,
  aPod,
  aSnapshot,
  aWaitingContainer,
  crashLoop,
  current,
  ended,
  running,
  waiting,
} from './builders.ts'

const answer = (snapshot: PodSnapshot) => diagnose(snapshot).diagnosis
const bytes = (snapshot: PodSnapshot) => JSON.stringify(answer(snapshot))
const recordings = readMaterial('test/recordings')

const looping = (overrides: Partial<PodSnapshot> = {}) =>
  aSnapshot({
    pod: aPod({ containers: [aContainer({ ...crashLoop(1) })] }),
    logs: { api: current(aLog(['boom'])) },
    ...overrides,
  })

describe('an answer', () => {
  it.each(recordings)('about $name is the same bytes every time', ({ snapshot }) => {
    expect(bytes(structuredClone(snapshot))).toBe(bytes(snapshot))
  })

  it('does not depend on the order of events, nor of fields', () => {
    const events = [
      anEvent('BackOff', 'Back-off restarting failed container', { container: 'api', secondsAgo: 5, count: 4 }),
      anEvent('Pulled', 'Container image already present on machine', { container: 'api', secondsAgo: 40 }),
      anEvent('Started', 'Container started', { container: 'api', secondsAgo: 39 }),
    ]
    const turned = Object.fromEntries(Object.entries(aPod({ containers: [aContainer(crashLoop(1))] })).toReversed())
    expect(bytes(looping({ events: events.toReversed(), pod: turned }))).toBe(bytes(looping({ events })))
  })

  it('names what could not be read, as it was told', () => {
    const unread = [{ what: 'nodes', why: 'forbidden' }]
    expect(answer(looping({ unread })).unread).toEqual(unread)
  })

  it('without a time tells no relative one and still judges the state', () => {
    const { takenAt, cause, restarts } = answer(looping({ takenAt: null }))
    expect({ takenAt, id: cause.id, restarts }).toEqual({ takenAt: null, id: 'app.crash', restarts: '2' })
    expect(cause.summary).not.toMatch(/ago|NaN|invalid/)
  })

  it('that no rule knows names the container, its exit and its last words, and is only possible', () => {
    const { cause, exit, log } = answer(looping({ logs: { api: current(aLog(['tuning strings', 'out of ideas'])) } }))
    expect(cause).toMatchObject({ id: 'app.crash', confidence: 'possible', container: 'api' })
    expect(cause.summary).toContain('`out of ideas`')
    expect(exit).toMatchObject({ code: 1, reason: 'Error' })
    expect(log?.lines).toEqual(['tuning strings', 'out of ideas'])
  })
})

describe('the next restart', () => {
  it("is the end of the wait that the kubelet's message names", () => {
    // Ended 20 s before, and the wait is 20 s.
    expect(answer(looping()).nextRestart).toBe(ago(0))
  })

  it('is computed where the terminated state stands in for CrashLoopBackOff', () => {
    const pod = aPod({ containers: [aContainer({ state: ended(1), restartCount: 3, ready: false })] })
    expect(answer(looping({ pod })).nextRestart).toBe(ago(-20))
  })

  it.each<[string, ReturnType<typeof aPod>]>([
    [
      'runs',
      aPod({ containers: [aContainer({ state: running(5), lastState: ended(1), restartCount: 4, ready: false })] }),
    ],
    ['is never restarted', aPod({ containers: [aContainer({ state: ended(1) })], spec: { restartPolicy: 'Never' } })],
    ['waits for its image', aPod({ containers: [aContainer({ state: waiting('ImagePullBackOff', 'no') })] })],
  ])('is not told of a container that %s', (_, pod) => {
    expect(answer(looping({ pod })).nextRestart).toBeNull()
  })
})

describe('since', () => {
  it('a loop is the first trace that is left of it', () => {
    const events = [
      anEvent('BackOff', 'Back-off restarting failed container', {
        container: 'api',
        secondsAgo: 5,
        firstSecondsAgo: 900,
      }),
    ]
    expect(answer(looping({ events })).since).toBe(ago(900))
  })

  it('a loop without events is its newest end', () => {
    expect(answer(looping()).since).toBe(ago(20))
  })

  it('a failed container is its end', () => {
    const pod = aPod({ containers: [aContainer({ state: ended(1) })], spec: { restartPolicy: 'Never' } })
    expect(answer(looping({ pod })).since).toBe(ago(20))
  })

  it('a running container is its start', () => {
    const pod = aPod({
      init: [aContainer({ name: 'wait', state: running(240), ready: false })],
      containers: [aWaitingContainer()],
    })
    expect(answer(aSnapshot({ pod, logs: { wait: current('') } })).since).toBe(ago(240))
  })
})

describe('commands', () => {
  it('are complete argument vectors, each once, with the namespace of what is in one', () => {
    for (const { snapshot } of recordings) {
      const { commands, namespace } = answer(snapshot)
      const lines = commands.map(({ argv }) => argv.join(' '))
      expect(new Set(lines).size).toBe(lines.length)
      expect(commands.every(({ argv }) => argv[0] === 'kubectl' && argv.every(word => word !== ''))).toBe(true)
      const elsewhere = commands.filter(({ argv }) => !argv.includes('-n'))
      expect(elsewhere.filter(({ argv }) => argv.includes(snapshot.target))).toEqual([])
      expect(lines.join('\n')).toContain(namespace)
    }
  })

  it('offer no log of a container that never wrote one', () => {
    const pod = aPod({ containers: [aContainer({ state: waiting('ErrImagePull', 'not found') })] })
    const { commands } = answer(aSnapshot({ pod }))
    expect(commands.filter(({ argv }) => argv.includes('logs'))).toEqual([])
  })
})
