import { describe, expect, it } from 'vitest'
import { containersOf } from '../../src/diagnosis/containers.ts'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import { pod as podShape } from '../../src/diagnosis/kubernetes-pod.ts'
import { momentOf } from '../../src/diagnosis/moment.ts'
import type { JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { View } from '../../src/diagnosis/view.ts'
import {
  aContainer,
  aDoneStep,
  ago,
  aLog,
  anEvent,
  aPod,
  aSnapshot,
  aWaitingContainer,
  crashLoop,
  current,
  ended,
  previous,
  running,
  waiting,
} from './builders.ts'

const answer = (snapshot: PodSnapshot) => diagnose(snapshot).diagnosis

/** The moment of the container `api` of a pod. */
const momentIn = (pod: JsonObject, overrides: Partial<PodSnapshot> = {}) => {
  const view = new View(aSnapshot({ pod, ...overrides }))
  const container = containersOf(podShape(pod) ?? {}).find(({ name }) => name === 'api')
  return container && momentOf(view, container)
}

const withApi = (status: JsonObject, spec: JsonObject = {}) =>
  aPod({ containers: [aContainer({ name: 'api', ready: false, ...status })], spec })

describe('a container', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    ['runs', { state: running() }, {}, 'running'],
    ['waits for its sandbox', { state: waiting('ContainerCreating') }, {}, 'starting'],
    ['has no state yet', { state: {} }, {}, 'starting'],
    ['cannot be created', { state: waiting('CreateContainerConfigError', 'no') }, {}, 'blocked'],
    ['waits for a reason of a later release', { state: waiting('QuantumFluxError') }, {}, 'blocked'],
    ['ended with 1 under Always', { state: ended(1) }, {}, 'looping'],
    ['ended with 0 under Always', { state: ended(0) }, {}, 'looping'],
    ['ended with 0 under OnFailure', { state: ended(0) }, { restartPolicy: 'OnFailure' }, 'done'],
    ['ended with 1 under OnFailure', { state: ended(1) }, { restartPolicy: 'OnFailure' }, 'looping'],
    ['ended with 1 under Never', { state: ended(1) }, { restartPolicy: 'Never' }, 'failed'],
    ['ended with 0 under Never', { state: ended(0) }, { restartPolicy: 'Never' }, 'done'],
    ['waits in CrashLoopBackOff', crashLoop(1), {}, 'looping'],
    [
      'is restarted with all others in place',
      { state: waiting('RestartingAllContainers'), lastState: ended(137, { reason: 'RestartingAllContainers' }) },
      {},
      'looping',
    ],
  ])('that %s is where it should be', (_, status, spec, moment) => {
    expect(momentIn(withApi(status, spec))).toBe(moment)
  })

  it('with a restart rule of its own loops although the pod says Never', () => {
    const rule = { action: 'Restart', exitCodes: { operator: 'In', values: [42] } }
    const api = (code: number) =>
      aPod({
        containers: [
          aContainer({ state: ended(code), spec: { restartPolicy: 'Never', restartPolicyRules: [rule] as never } }),
        ],
        spec: { restartPolicy: 'Never' },
      })
    expect(momentIn(api(42))).toBe('looping')
    expect(momentIn(api(43))).toBe('failed')
  })

  it('of the init list that was killed for memory is run again although it exited with 0', () => {
    const killed = aContainer({ name: 'api', state: ended(0, { reason: 'OOMKilled' }) })
    expect(momentIn(aPod({ init: [killed], containers: [aWaitingContainer('web')] }))).toBe('looping')
    const over = aContainer({ name: 'api', state: ended(0) })
    expect(momentIn(aPod({ init: [over], containers: [aWaitingContainer('web')] }))).toBe('done')
  })
})

describe('a crash loop', () => {
  const log = aLog(['starting', 'FATAL: cannot parse setting QUEUE_DEPTH'])
  const end = { startedAt: ago(25), finishedAt: ago(20) }
  const moments: readonly [string, JsonObject, PodSnapshot['logs']][] = [
    ['Error', { state: ended(1, end), restartCount: 3 }, { api: current(log) }],
    [
      'CrashLoopBackOff',
      { state: waiting('CrashLoopBackOff', 'back-off 40s'), lastState: ended(1, end), restartCount: 3 },
      { api: current(log) },
    ],
    ['the run in between', { state: running(3), lastState: ended(1, end), restartCount: 4 }, { api: previous(log) }],
  ]
  it.each([34, 35, 36])('gets the same answer at each of its moments on a 1.%i server', minor => {
    const answers = moments.map(([, status, logs]) => {
      const { cause, container, exit, log: excerpt } = answer(aSnapshot({ pod: withApi(status), logs, minor }))
      return { id: cause.id, summary: cause.summary, container: container?.name, exit, lines: excerpt?.lines }
    })
    expect(answers[0]).toMatchObject({ container: 'api', exit: { code: 1 } })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  it('of an init container is one in the run between two failures', () => {
    const migrate = aContainer({
      name: 'migrate',
      state: running(2),
      lastState: ended(1),
      restartCount: 2,
      ready: false,
    })
    const { container, exit } = answer(
      aSnapshot({
        pod: aPod({ init: [migrate], containers: [aWaitingContainer()] }),
        logs: { migrate: previous(log) },
      }),
    )
    expect(container).toMatchObject({ name: 'migrate', kind: 'init', position: 1, of: 1 })
    expect(exit?.code).toBe(1)
  })
})

describe('what is over', () => {
  it('is history on a ready pod: an old crash is told, not blamed', () => {
    const api = aContainer({
      state: running(7200),
      lastState: ended(1, { startedAt: ago(7300), finishedAt: ago(7205) }),
      restartCount: 1,
    })
    const { cause, healthy, container } = answer(aSnapshot({ pod: aPod({ containers: [api] }) }))
    expect({ id: cause.id, healthy, container }).toEqual({ id: 'healthy', healthy: true, container: null })
    expect(cause.summary).toContain('restarted once, 120m ago (exit code 1, Error)')
  })

  it('is history after a single crash of a moment ago, too', () => {
    const api = aContainer({ state: running(15), lastState: ended(1), restartCount: 1 })
    expect(answer(aSnapshot({ pod: aPod({ containers: [api] }) })).healthy).toBe(true)
  })

  it('is history where the runtime lost the container and it came back', () => {
    const api = aContainer({
      state: running(25),
      lastState: ended(255, { startedAt: ago(160), finishedAt: ago(36) }),
      restartCount: 2,
    })
    const snapshot = aSnapshot({
      pod: aPod({ init: [aDoneStep('fetch')], containers: [api], initialized: true }),
      events: [anEvent('SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.', { secondsAgo: 35 })],
    })
    expect(answer(snapshot)).toMatchObject({ healthy: true, cause: { id: 'healthy' } })
    expect(answer(snapshot).cause.summary).toContain('lost by the container runtime')
  })

  it('is not over where a probe has killed twice within the hour', () => {
    const api = aContainer({
      state: running(400),
      lastState: ended(137, { startedAt: ago(900), finishedAt: ago(405) }),
      restartCount: 2,
      spec: { livenessProbe: { httpGet: { path: '/healthz', port: 8080 } } },
    })
    const killing = anEvent('Killing', 'Container api failed liveness probe, will be restarted', {
      container: 'api',
      secondsAgo: 436,
      firstSecondsAgo: 930,
      count: 2,
      type: 'Normal',
    })
    const { healthy, container, cause } = answer(aSnapshot({ pod: aPod({ containers: [api] }), events: [killing] }))
    expect(healthy).toBe(false)
    expect(container?.name).toBe('api')
    expect(cause.id).toMatch(/^probe\./)
  })
})
