import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { readMaterial } from '../accuracy/material.ts'

const SEED = 20260504
const RUNS = 12_000

const snapshots = ['test/recordings', 'test/cases', 'test/authored']
  .flatMap(readMaterial)
  .map(({ snapshot }) => snapshot)

/** Text that breaks patterns, markup, look-ups and arithmetic. */
const hostile = fc.constantFrom<unknown>(
  '',
  '\u0000',
  '`$1` $& $` $<x>',
  '__proto__',
  'constructor',
  '$(rm -rf /)',
  '<!channel> *bold* `code`',
  '\ud800',
  '👩‍👩‍👧'.repeat(20),
  'a'.repeat(5_000),
  '(((((((((('.repeat(50),
  '1970-01-01T00:00:00Z',
  '9999-99-99T99:99:99Z',
  '-1',
  'CrashLoopBackOff',
  'back-off 99999999999999h restarting failed container',
  'exec: "": executable file not found in $PATH',
  '[rpc error: , failed to , rpc error: ]',
)
const strange = fc.oneof(
  hostile,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, Number.MAX_SAFE_INTEGER, 2 ** 31, 0.5),
  fc.constantFrom<unknown>([], {}, [null], [[]], { x: 1 }, ['a', 1, null], { name: null, state: 5 }),
)

/** One change somewhere in a snapshot: `at` picks the place by descending with these numbers. */
interface Mutation {
  readonly at: readonly number[]
  readonly how: 'remove' | 'replace' | 'add' | 'double' | 'reverse'
  readonly value: unknown
}
const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 9 }),
  how: fc.constantFrom('remove', 'replace', 'replace', 'add', 'double', 'reverse'),
  value: strange,
})

type Branch = Record<string, unknown> | unknown[]
const isBranch = (value: unknown): value is Branch => typeof value === 'object' && value !== null

/** A copy of a tree with the change; everything off its path is shared. */
const mutated = (branch: Branch, { at: [step = 0, ...rest], how, value }: Mutation): Branch => {
  const keys = Object.keys(branch)
  const key = keys[step % keys.length]
  if (key === undefined) return branch
  const copy: Branch = Array.isArray(branch) ? [...branch] : { ...branch }
  const holder = copy as Record<string, unknown>
  const child = holder[key]
  if (rest.length > 0 && isBranch(child)) holder[key] = mutated(child, { at: rest, how, value })
  else if (how === 'remove') Array.isArray(copy) ? copy.splice(Number(key), 1) : delete holder[key]
  else if (how === 'add') holder[`future${step}`] = value
  else if (Array.isArray(child) && how !== 'replace')
    holder[key] = how === 'double' ? [...child, ...child] : child.toReversed()
  else holder[key] = value
  return copy
}

const CERTAINTIES = ['certain', 'likely', 'possible']

/** What is wrong with the answer to a snapshot. */
const problems = (snapshot: PodSnapshot): string[] => {
  const { diagnosis, requests } = diagnose(snapshot)
  const size = JSON.stringify({ diagnosis, requests }).length
  const { cause, others, commands, healthy, container, exit } = diagnosis
  const ofFindings = [cause, ...others].flatMap(({ id, confidence, summary, evidence, fix }) => {
    const said = `${summary} ${fix.join(' ')}`
    return [
      /^(?:healthy|completed|gone|[a-z]+\.[a-z-]+)$/.test(id) ? '' : `id ${id}`,
      CERTAINTIES.includes(confidence) ? '' : `confidence ${confidence}`,
      summary.trim() === '' || fix.length === 0 ? `${id}: nothing said` : '',
      evidence.length > 0 && evidence.every(({ source }) => source !== '') ? '' : `${id}: a claim without evidence`,
      /\bNaN\b|\[object |\bundefined\b(?!`)|<invalid>/.test(said) ? `${id}: ${said}` : '',
    ]
  })
  const times = [diagnosis.takenAt, diagnosis.since, diagnosis.nextRestart, exit?.startedAt, exit?.finishedAt]
  return [
    ...ofFindings,
    ...times.map(time => (time == null || !Number.isNaN(Date.parse(time)) ? '' : `time ${time}`)),
    healthy === (cause.id === 'healthy' || cause.id === 'completed') ? '' : `healthy ${healthy} with ${cause.id}`,
    container && container.position > container.of ? `container ${container.position} of ${container.of}` : '',
    commands.every(({ argv }) => argv.every(word => typeof word === 'string')) ? '' : 'a command that is none',
    size < 200_000 ? '' : `${size} characters`,
  ].filter(problem => problem !== '')
}

/** Three of four changes hit the pod itself. */
const damaged = (snapshot: Branch, change: Mutation): Branch => {
  const pod = (snapshot as Record<string, unknown>)['pod']
  const isInPod = isBranch(pod) && change.how !== 'add' && (change.at[0] ?? 0) % 4 !== 0
  return isInPod ? { ...snapshot, pod: mutated(pod, change) } : mutated(snapshot, change)
}

describe('a damaged snapshot', () => {
  it(`never makes the diagnosis throw, claim without evidence or leave its shape (${RUNS} mutations)`, () => {
    const changes = fc.array(mutation, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.nat(snapshots.length - 1), changes, (index, mutations) => {
        const snapshot = mutations.reduce(damaged, snapshots[index] as unknown as Branch)
        expect(problems(snapshot as unknown as PodSnapshot)).toEqual([])
      }),
      { seed: SEED, numRuns: RUNS },
    )
  }, 60_000)

  it.each<[string, unknown]>([
    ['nothing in it', {}],
    ['only wrong types', { pod: 'x', events: {}, logs: [], related: 4, unread: 'no', partial: [], absent: {} }],
    ['events and logs of null', { pod: {}, events: [null, 7], logs: { api: null }, related: { pods: [null, 1] } }],
  ])('with %s still gets a verdict', (_, snapshot) => {
    const whole = { kind: 'PodSnapshot', namespace: 'shop', target: 'web', takenAt: null, ...(snapshot as object) }
    expect(problems(whole as PodSnapshot)).toEqual([])
  })
})
