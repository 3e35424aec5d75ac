import { expect, it } from 'vitest'
import { logInstances } from '../../src/cluster/log-instances.ts'
import type { JsonObject } from '../../src/diagnosis/snapshot.ts'

const ended = (exitCode: number) => ({ terminated: { exitCode } })
const running = { running: {} }
const waiting = { waiting: { reason: 'CrashLoopBackOff' } }
const status = (state: object, rest: object = {}) => ({ name: 'c', ready: false, restartCount: 0, state, ...rest })

const instances = (app: object[], init: object[] = [], rest: object = {}) =>
  logInstances({
    spec: { initContainers: [{ name: 'side', restartPolicy: 'Always' }] },
    status: { containerStatuses: app, initContainerStatuses: init, ...rest },
  } as unknown as JsonObject).map(({ container, instance }) => `${container} ${instance}`)

it.each([
  ['ended', status(ended(1), { lastState: ended(1) }), ['c current']],
  ['waiting after a run', status(waiting, { lastState: ended(1) }), ['c current']],
  ['waiting and never ran', status(waiting), []],
  ['running again', status(running, { restartCount: 2 }), ['c previous', 'c current']],
  ['running for the first time, unready', status(running), ['c current']],
  ['running and ready', status(running, { ready: true, restartCount: 2 }), []],
])('an app container %s', (_, container, expected) => {
  expect(instances([container])).toEqual(expected)
})

it('init containers that finished have nothing to say; the running one and its failed run have', () => {
  const init = [status(ended(0), { name: 'done', ready: true }), status(running, { name: 'now', restartCount: 1 })]
  expect(instances([status({ waiting: { reason: 'PodInitializing' } })], init)).toEqual(['now previous', 'now current'])
})

it('a sidecar counts by its readiness, not by its exit code', () => {
  expect(instances([], [status(ended(0), { name: 'side' })])).toEqual(['side current'])
  expect(instances([], [status(running, { name: 'side', ready: true })])).toEqual([])
})

it('of a pod that succeeded nothing is read unasked', () => {
  expect(instances([status(ended(0))], [], { phase: 'Succeeded' })).toEqual([])
})

it('at most six are read unasked', () => {
  expect(instances(Array.from({ length: 9 }, (_, index) => status(ended(1), { name: `c${index}` })))).toHaveLength(6)
})
