import { describe, expect, it } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { PodSnapshot, RememberedCrash } from '../../src/diagnosis/snapshot.ts'
import { judge } from '../accuracy/judge.ts'
import { readMaterial } from '../accuracy/material.ts'
import { aContainer, ago, aLog, aPod, aSnapshot, aWaitingContainer, crashLoop, current } from './builders.ts'

const UID = '3f6c0d8e-0000-4000-8000-000000000001'

const aCrash = (overrides: Partial<RememberedCrash> = {}): RememberedCrash => ({
  pod: 'web-5d4f-x2x9k',
  uid: UID,
  container: 'migrate',
  restart: 0,
  startedAt: ago(320),
  finishedAt: ago(300),
  exitCode: 137,
  reason: 'OOMKilled',
  message: null,
  log: aLog(['creating table orders'], 301),
  events: [],
  watchedAt: ago(299),
  ...overrides,
})

const mounts = (kind: 'emptyDir' | 'claim') => ({
  spec: { volumeMounts: [{ name: 'data', mountPath: '/data' }], resources: { limits: { memory: '64Mi' } } },
  volume: { name: 'data', ...(kind === 'claim' ? { persistentVolumeClaim: { claimName: 'data' } } : { emptyDir: {} }) },
})

/** An init container in a crash loop whose newest run said `line`. */
const aStep = (
  line: string,
  remembered: readonly RememberedCrash[],
  kind: 'emptyDir' | 'claim' = 'claim',
): PodSnapshot => {
  const { spec, volume } = mounts(kind)
  const step = aContainer({ name: 'migrate', spec, ...crashLoop(1) })
  return aSnapshot({
    pod: aPod({ init: [step], containers: [aWaitingContainer()], initialized: false, spec: { volumes: [volume] } }),
    logs: { migrate: current(aLog([line])) },
    remembered,
  })
}

const LEFTOVER = 'ERROR: relation "orders" already exists'
const FILE_LEFT = "mkdir: can't create directory '/data/current': File exists"

/** An app container in a crash loop. */
const anApp = (lines: readonly string[], remembered: readonly RememberedCrash[], exitCode = 1): PodSnapshot =>
  aSnapshot({
    pod: aPod({ containers: [aContainer({ name: 'api', ...crashLoop(exitCode) })] }),
    logs: { api: current(aLog(lines)) },
    remembered,
  })

const headline = (snapshot: PodSnapshot) => diagnose(snapshot).diagnosis.cause

describe('a step that fails on its own leftovers', () => {
  it.each(readMaterial('test/diagnosis/remembered'))('$name: is explained by the run that broke', material => {
    expect(judge(material.name, material.snapshot, material.expected).misses).toEqual([])
  })

  it('is told as the after-effect of its first run, with evidence that says so', () => {
    const { id, confidence, summary, evidence, fix } = headline(aStep(LEFTOVER, [aCrash()]))
    expect({ id, confidence }).toEqual({ id: 'init.oom', confidence: 'certain' })
    expect(summary).toContain(
      'The first run of init container `migrate`, which ended at 11:55 UTC, is what broke: it was',
    )
    expect(summary).toContain(`\`${LEFTOVER}\` is only the after-effect`)
    const sources = evidence.map(({ source }) => source)
    expect(sources).toContain(`state of migrate (first run, ended ${ago(300)}; remembered)`)
    expect(evidence).toContainEqual({
      source: `log of migrate (first run, ended ${ago(300)}; remembered) at ${ago(301)}`,
      text: 'at the end it wrote `creating table orders`',
    })
    expect(sources).toContainEqual(expect.stringMatching(/^log of migrate \(current\)/))
    expect(fix[0]).toMatch(/^Raise `resources.limits.memory`/)
    expect(fix[1]).toMatch(/^Then remove by hand/)
  })

  it('is explained by the last words of its first run, where no rule knows more', () => {
    const log = aLog(['unpacking', "tar: can't open '/in/a.tar': No such file or directory"], 301)
    const { id, summary, evidence, fix } = headline(
      aStep(FILE_LEFT, [aCrash({ exitCode: 1, reason: 'Error', log })], 'emptyDir'),
    )
    expect(id).toBe('init.not-idempotent')
    expect(summary).toContain("its log says `tar: can't open '/in/a.tar': No such file or directory`")
    expect(evidence.map(({ source }) => source)).toContain(
      `log of migrate (first run, ended ${ago(300)}; remembered) at ${ago(301)}`,
    )
    expect(fix[0]).toContain("Mend what `tar: can't open")
    expect(fix[1]).toContain('`/data/current` lies in emptyDir volume `data`')
  })

  it('is explained by a first run that ended in the same second as this one', () => {
    expect(headline(aStep(LEFTOVER, [aCrash({ startedAt: ago(20), finishedAt: ago(20) })])).id).toBe('init.oom')
  })

  it('is explained by an earlier pod of its owner, named, where what it left outlives pods', () => {
    const { id, confidence, summary } = headline(aStep(FILE_LEFT, [aCrash({ pod: 'web-5d4f-first', uid: 'another' })]))
    expect({ id, confidence }).toEqual({ id: 'init.oom', confidence: 'likely' })
    expect(summary).toContain('first run of init container `migrate` in pod `web-5d4f-first`')
  })

  it('goes back from its own leftovers in this pod to the run that broke in an earlier one', () => {
    const own = aCrash({ exitCode: 1, reason: 'Error', log: aLog([LEFTOVER], 301) })
    const before = aCrash({ pod: 'web-5d4f-first', uid: 'another', startedAt: ago(720), finishedAt: ago(700) })
    expect(headline(aStep(LEFTOVER, [own, before])).id).toBe('init.oom')
  })

  it('explains an app container that migrates at its start as well', () => {
    const log = aLog(['migrating', 'dial tcp 10.0.0.5:5432: connect: connection refused'], 301)
    const crash = aCrash({ container: 'api', exitCode: 1, reason: 'Error', log })
    const { id, summary, fix } = headline(anApp(['pq: relation "orders" already exists'], [crash]))
    expect(fix.join('\n')).not.toContain('that line names')
    expect(id).toBe('app.dependency-unreachable')
    expect(summary).toContain('is only the after-effect')
  })
})

describe('a crash that says little', () => {
  const log = aLog(['FATAL: password authentication failed for user "shop"'], 301)
  const first = aCrash({ container: 'api', exitCode: 1, reason: 'Error', log })

  it('is explained by what the first run said, as likely where both ended alike', () => {
    const { id, confidence, summary } = headline(anApp([], [first]))
    expect({ id, confidence }).toEqual({ id: 'app.dependency-auth', confidence: 'likely' })
    expect(summary).toContain('in the same way, said more: it failed (exit code 1): ')
  })

  it('is only possibly explained by a run that ended otherwise', () => {
    expect(headline(anApp([], [first], 2)).confidence).toBe('possible')
  })
})

describe('nothing is added', () => {
  const same = (snapshot: PodSnapshot) => {
    const { remembered: _, ...rest } = snapshot
    expect(diagnose(snapshot).diagnosis).toEqual(diagnose(rest).diagnosis)
  }

  it.each<[string, PodSnapshot]>([
    ['by a first run that wrote nothing', aStep(LEFTOVER, [aCrash({ exitCode: 1, reason: 'Error', log: '' })])],
    [
      'by a first run whose log could not be read',
      aStep(LEFTOVER, [aCrash({ exitCode: 1, reason: 'Error', log: null })]),
    ],
    [
      'by a first run that fell over leftovers itself',
      aStep(LEFTOVER, [aCrash({ exitCode: 1, reason: 'Error', log: aLog([LEFTOVER], 301) })]),
    ],
    ['by the run that is explained itself', aStep(LEFTOVER, [aCrash({ restart: 2, finishedAt: ago(20) })])],
    ['by a later run', aStep(LEFTOVER, [aCrash({ finishedAt: ago(5) })])],
    ['by another container', aStep(LEFTOVER, [aCrash({ container: 'other' })])],
    ['by an earlier pod, where its leftovers went with it', aStep(FILE_LEFT, [aCrash({ uid: 'another' })], 'emptyDir')],
    [
      'to a crash that explains itself',
      anApp(['FATAL: password authentication failed for user "shop"'], [aCrash({ container: 'api' })]),
    ],
    ['to a pod that is well', aSnapshot({ remembered: [aCrash({ container: 'api' })] })],
  ])('%s', (_, snapshot) => same(snapshot))

  it('by entries that are none', () => {
    same(aStep(LEFTOVER, [null, 4, { container: 'migrate' }, { ...aCrash(), finishedAt: 'soon' }] as never))
    same(aStep(LEFTOVER, 'all of them' as never))
  })
})
