import { describe, expect, it } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import {
  aContainer,
  aDoneStep,
  aLog,
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
const blamed = (pod: PodSnapshot['pod'], logs: PodSnapshot['logs'] = {}) =>
  answer(aSnapshot({ pod, logs })).container?.name ?? null

const failing = (name: string) => aContainer({ name, ...crashLoop(1) })
const pending = (name: string) => aContainer({ name, state: waiting('PodInitializing') })

describe('while a pod initialises', () => {
  it('the first unfinished init container is blamed, by its position in the spec', () => {
    const init = [aDoneStep('fetch'), failing('migrate'), pending('seed')]
    const { container, others } = answer(aSnapshot({ pod: aPod({ init, containers: [aWaitingContainer()] }) }))
    expect(container).toMatchObject({ name: 'migrate', kind: 'init', position: 2, of: 3, restartCount: 2 })
    expect(others).toEqual([])
  })

  it('the order of the status list does not matter', () => {
    const init = [aDoneStep('fetch'), failing('migrate'), pending('seed')]
    const pod = aPod({ init, containers: [aWaitingContainer()] })
    const status = pod['status'] as { initContainerStatuses: unknown[] }
    const shuffled = { ...pod, status: { ...status, initContainerStatuses: status.initContainerStatuses.toReversed() } }
    expect(blamed(shuffled as PodSnapshot['pod'])).toBe('migrate')
    const { cause } = answer(aSnapshot({ pod: shuffled as PodSnapshot['pod'] }))
    expect(cause.evidence.map(({ source }) => source).join()).toContain('status.initContainerStatuses[1].lastState')
  })

  it('an app container that waits for its turn is never blamed', () => {
    const init = [aContainer({ name: 'wait', state: running(), ready: false })]
    expect(blamed(aPod({ init, containers: [aWaitingContainer('api'), aWaitingContainer('web')] }))).toBe('wait')
  })

  it('a sidecar that has not started yet blocks what comes after it', () => {
    const proxy = aContainer({
      name: 'proxy',
      state: running(),
      started: false,
      ready: false,
      spec: { restartPolicy: 'Always', startupProbe: { tcpSocket: { port: 9901 } } },
    })
    const { container } = answer(
      aSnapshot({ pod: aPod({ init: [proxy, pending('migrate')], containers: [aWaitingContainer()] }) }),
    )
    expect(container).toMatchObject({ name: 'proxy', kind: 'sidecar', position: 1, of: 2 })
  })

  it('a sidecar that runs is passed over for the init container that fails', () => {
    const proxy = aContainer({ name: 'proxy', spec: { restartPolicy: 'Always' } })
    const pod = aPod({ init: [proxy, failing('migrate')], containers: [aWaitingContainer()], initialized: false })
    expect(blamed(pod)).toBe('migrate')
  })
})

describe('on an initialised pod', () => {
  it('a sidecar that crashes is named as one, and the app is said to run', () => {
    const agent = aContainer({ name: 'agent', ...crashLoop(1), spec: { restartPolicy: 'Always' } })
    const { container, cause, status } = answer(
      aSnapshot({
        pod: aPod({ init: [agent], containers: [aContainer({ name: 'web' })], initialized: true }),
        logs: { agent: current(aLog(['exporter stopped: no sink'])) },
      }),
    )
    expect(container).toMatchObject({ name: 'agent', kind: 'sidecar' })
    expect(status).toBe('Init:CrashLoopBackOff')
    expect(cause.summary).toMatch(/^Sidecar `agent`/)
    expect(cause.summary).toContain('`web` still runs')
  })

  it('the crashing app is blamed, not the healthy one, not the finished init container', () => {
    const containers = [aContainer({ name: 'web' }), failing('api')]
    expect(blamed(aPod({ init: [aDoneStep('fetch')], containers, initialized: true }))).toBe('api')
  })

  it('a container that crashes comes before one that is only not ready', () => {
    const containers = [aContainer({ name: 'web', ready: false }), failing('api')]
    expect(blamed(aPod({ containers }))).toBe('api')
  })

  it.each([
    ['follower first', ['api', 'cache']],
    ['follower last', ['cache', 'api']],
  ])('of two that crash, the one that only follows on 127.0.0.1 never leads (%s)', (_, names) => {
    const logs = {
      api: current(aLog(['cache at 127.0.0.1:6379: [Errno 111] Connection refused'])),
      cache: current(aLog(['Bad directive or wrong number of arguments', 'loading done', 'out of ideas'])),
    }
    const { cause, others } = answer(aSnapshot({ pod: aPod({ containers: names.map(failing) }), logs }))
    expect(cause.container).toBe('cache')
    expect(others.map(({ container }) => container)).toEqual(['api'])
  })

  it('an ephemeral container is nobody to blame', () => {
    const pod = aPod()
    const status = pod['status'] as object
    const debug = { ephemeralContainers: [{ name: 'debugger', image: 'busybox' }] }
    const over = { ephemeralContainerStatuses: [{ name: 'debugger', state: ended(1), ready: false, restartCount: 0 }] }
    const { healthy, container } = answer(
      aSnapshot({ pod: { ...pod, spec: { ...(pod['spec'] as object), ...debug }, status: { ...status, ...over } } }),
    )
    expect({ healthy, container }).toEqual({ healthy: true, container: null })
  })

  it('nobody is blamed on a finished pod whose sidecar was killed', () => {
    const agent = aContainer({ name: 'agent', state: ended(137), spec: { restartPolicy: 'Always' } })
    const pod = aPod({
      init: [agent],
      containers: [aContainer({ state: ended(0), ready: false })],
      spec: { restartPolicy: 'Never' },
      status: { phase: 'Succeeded' },
      initialized: true,
    })
    expect(answer(aSnapshot({ pod }))).toMatchObject({ healthy: true, container: null, cause: { id: 'completed' } })
  })
})
