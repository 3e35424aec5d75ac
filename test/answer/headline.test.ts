import { describe, expect, it } from 'vitest'
import { cause, head, nextTry, remedy, state, withoutProof } from '../../src/answer/headline.ts'
import { visibleText } from '../../src/answer/inline.ts'
import type { BlamedContainer, Diagnosis, Finding } from '../../src/diagnosis/diagnosis.ts'
import { bare, examples } from './diagnoses.ts'

const container = (over: Partial<BlamedContainer>): BlamedContainer => ({
  name: 'migrate',
  kind: 'init',
  position: 2,
  of: 3,
  image: 'x',
  restartCount: 0,
  ...over,
})
const withCause = (over: Partial<Finding>, blamed = container({})): Diagnosis =>
  bare({
    container: blamed,
    cause: { ...bare().cause, id: 'app.config', confidence: 'certain', container: blamed.name, ...over },
  })
const causeText = (diagnosis: Diagnosis) => visibleText(cause(diagnosis))

describe('the state', () => {
  it.each([
    ['init-wait', 'degraded'],
    ['sidecar-down', 'degraded'],
    ['liveness-kill', 'broken'],
    ['child-out-of-memory', 'broken'],
    ['unknown-exit', 'broken'],
    ['healthy', 'fine'],
    ['no-pod', 'broken'],
  ])('of %s is %s', (name, expected) => {
    expect(state({ ...bare(), ...examples[name] })).toBe(expected)
  })

  it('of an init container between two crashes is broken, though its STATUS is the one of a wait', () => {
    const exit = { code: 1, signal: null, reason: 'Error', meaning: '', startedAt: null, finishedAt: null }
    expect(state(bare({ status: 'Init:0/2', exit }))).toBe('broken')
    expect(state(bare({ status: 'Init:0/2' }))).toBe('degraded')
  })
})

describe('the container', () => {
  it('is bold where the summary names it, and has its position behind it', () => {
    const pieces = cause(withCause({ summary: 'Init container `migrate` exits with 1.' }))
    expect(pieces).toContainEqual({ style: 'bold', text: 'migrate' })
    expect(visibleText(pieces)).toBe('Init container migrate (2 of 3) exits with 1.')
  })

  it.each([
    ['`migrate` exits with 1.', 'migrate (init container 2 of 3) exits with 1.'],
    ['Init container `migrate` (2 of 3) exits.', 'Init container migrate (2 of 3) exits.'],
    ["`migrate`'s image is missing.", "migrate's image is missing."],
    ['The image is missing.', 'migrate (init container 2 of 3): The image is missing.'],
    ['`migrate-2` is missing.', 'migrate (init container 2 of 3): migrate-2 is missing.'],
  ])('of %j reads %j', (summary, text) => {
    expect(causeText(withCause({ summary }))).toBe(text)
  })

  it('of kind sidecar is called one', () => {
    const sidecar = container({ name: 'agent', kind: 'sidecar' })
    expect(causeText(withCause({ summary: '`agent` crash-loops.' }, sidecar))).toBe('agent (sidecar) crash-loops.')
    expect(causeText(withCause({ summary: 'Sidecar `agent` crash-loops.' }, sidecar))).toBe(
      'Sidecar agent crash-loops.',
    )
  })

  it('is not named where the finding is about the pod', () => {
    expect(causeText(withCause({ container: null, summary: 'No node fits.' }))).toBe('No node fits.')
  })
})

describe('what is not certain', () => {
  it.each<[Finding['confidence'], string]>([
    ['certain', 'The name is wrong.'],
    ['likely', 'Likely: The name is wrong.'],
    ['possible', 'Possibly: The name is wrong.'],
  ])('%s reads %j', (confidence, text) => {
    expect(causeText(withCause({ confidence, container: null, summary: 'The name is wrong.' }))).toBe(text)
  })

  it('is not said twice', () => {
    const summary = 'The name is likely wrong.'
    expect(causeText(withCause({ confidence: 'likely', container: null, summary }))).toBe(summary)
  })

  it('is a next step, not a cure, where no rule knows the cause; the facts stay facts', () => {
    const unknown = { ...bare(), ...examples['unknown-exit'] }
    expect(remedy(unknown)?.label).toBe('Next:')
    expect(causeText(unknown)).toMatch(/^proxy ends itself/)
  })
})

describe('the first line', () => {
  it('has no restarts, time or cluster where there are none', () => {
    expect(visibleText(head(bare({ pod: 'web', status: 'Pending', ready: '0/1', restarts: '0' })))).toBe(
      'web · shop · Pending, 0/1 ready',
    )
  })

  it('leaves the relative part out of RESTARTS: a minute later it would be wrong', () => {
    expect(visibleText(head(bare({ pod: 'web', status: 'Running', restarts: '1 (65s ago)' })))).toBe(
      'web · shop · Running, 1 restart',
    )
  })
})

describe('the next try', () => {
  it('that was due when the pod was read comes any moment', () => {
    const times = { takenAt: '2026-05-04T12:00:00Z' }
    const text = (nextRestart: string) => visibleText(nextTry(bare({ ...times, nextRestart })))
    expect(text('2026-05-04T11:59:58Z')).toBe('The kubelet tries again any moment.')
    expect(text('2026-05-04T12:00:20Z')).toMatch(/^The kubelet tries again at .*\.$/)
  })
})

describe('a log line quoted at the end of the cause', () => {
  const quoted = (evidence: string) =>
    withCause({
      summary: '`migrate` fails. Its log says `no such table`.',
      evidence: [{ source: 'log', text: evidence }],
    })

  it('can be left out where the evidence has it', () => {
    const diagnosis = quoted('`no such table`')
    expect(visibleText(withoutProof(cause(diagnosis), diagnosis))).toBe('migrate (init container 2 of 3) fails.')
  })

  it('stays where nothing else shows it', () => {
    const diagnosis = quoted('`exit code 1`')
    expect(withoutProof(cause(diagnosis), diagnosis)).toEqual(cause(diagnosis))
  })
})
