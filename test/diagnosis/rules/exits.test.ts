import { describe, expect, it } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { JsonObject, PodSnapshot } from '../../../src/diagnosis/snapshot.ts'
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
} from '../builders.ts'

const cause = (status: JsonObject, overrides: Partial<PodSnapshot> = {}, spec: JsonObject = {}) =>
  diagnose(aSnapshot({ pod: aPod({ containers: [aContainer({ name: 'api', ...status })], spec }), ...overrides }))
    .diagnosis.cause
const wrote = (...lines: string[]) => ({ logs: { api: current(aLog(lines)) } })

describe('an exit that no rule knows', () => {
  it('with a line that names an error is likely that', () => {
    const found = cause(crashLoop(4), wrote('warming up', 'ERROR ledger 7 does not balance'))
    expect(found).toMatchObject({ id: 'app.crash', confidence: 'likely' })
    expect(found.summary).toBe(
      'Container `api` crash-loops with exit code 4; its log says `ERROR ledger 7 does not balance`.',
    )
  })

  it('whose line breaks belong to Windows is read the same', () => {
    const log = aLog(['warming up\r', 'ERROR ledger 7 does not balance\r'])
    expect(cause(crashLoop(4), { logs: { api: current(log) } }).summary).toContain('`ERROR ledger 7 does not balance`')
  })

  it('without a word is said to be silent, and no cause is made up', () => {
    const found = cause(crashLoop(4), { logs: { api: current('') } })
    expect(found).toMatchObject({ id: 'app.silent-exit', confidence: 'possible' })
    expect(found.summary).toContain('Why is not visible from the cluster')
  })

  it('whose log could not be read says that, not that it wrote nothing', () => {
    const found = cause(crashLoop(4), { logErrors: { api: current('Unauthorized') } })
    expect(found).toMatchObject({ id: 'app.crash', confidence: 'possible' })
    expect(found.summary).toContain('could not be read')
  })

  it.each<[string, string, boolean]>([
    ['an init container', 'init.crash', false],
    ['a sidecar', 'init.sidecar-crash', true],
  ])('of %s keeps its kind', (_, id, isSidecar) => {
    const step = aContainer({ name: 'step', ...crashLoop(4), spec: isSidecar ? { restartPolicy: 'Always' } : {} })
    const containers = [isSidecar ? aContainer() : aWaitingContainer()]
    const pod = aPod({ init: [step], containers, initialized: isSidecar })
    const { diagnosis } = diagnose(aSnapshot({ pod, logs: { step: current(aLog(['ledger 7 is odd'])) } }))
    expect(diagnosis.cause.id).toBe(id)
  })
})

describe('an exit with 0', () => {
  it('under Always is a one-shot', () => {
    expect(cause(crashLoop(0), wrote('done')).id).toBe('app.one-shot')
  })

  it('of a pod that is not restarted is the end of its work', () => {
    const pod = aPod({
      containers: [aContainer({ name: 'api', state: ended(0) })],
      spec: { restartPolicy: 'Never' },
      status: { phase: 'Succeeded' },
    })
    expect(diagnose(aSnapshot({ pod })).diagnosis).toMatchObject({ healthy: true, cause: { id: 'completed' } })
  })

  it('that the kubelet asked for is the probe', () => {
    const events = [anEvent('Killing', 'Container api failed liveness probe, will be restarted', { container: 'api' })]
    expect(cause(crashLoop(0), { ...wrote('bye'), events }).id).toMatch(/^probe\./)
  })
})

describe('a container that its runtime lost', () => {
  it.each<[string, JsonObject]>([
    ['Unknown 255', { exitCode: 255, reason: 'Unknown' }],
    [
      'ContainerStatusUnknown 137',
      { exitCode: 137, reason: 'ContainerStatusUnknown', startedAt: null, finishedAt: null },
    ],
  ])('is no crash: %s', (_, terminated) => {
    expect(cause({ ...crashLoop(1), lastState: { terminated } })).toMatchObject({
      id: 'node.container-lost',
      confidence: 'certain',
    })
  })

  it('with its sandbox is likely', () => {
    const events = [
      anEvent('SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.', { secondsAgo: 19 }),
    ]
    expect(cause(crashLoop(255), { ...wrote('all fine'), events })).toMatchObject({
      id: 'node.container-lost',
      confidence: 'likely',
    })
  })

  it('is a crash of its own where the sandbox changed at another time', () => {
    const changed = anEvent('SandboxChanged', 'Pod sandbox changed', { secondsAgo: 900 })
    expect(cause(crashLoop(255, { finishedAt: ago(20) }), { ...wrote('ledger 7 is odd'), events: [changed] }).id).toBe(
      'app.crash',
    )
  })
})
