import { describe, expect, it } from 'vitest'
import { jsonAnswer } from '../../src/answer/json-answer.ts'
import { bare, examples } from './diagnoses.ts'
import { hostile } from './hostile-diagnoses.ts'

const keys = [
  'schema',
  'cluster',
  'namespace',
  'pod',
  'owner',
  'uid',
  'takenAt',
  'status',
  'ready',
  'restarts',
  'since',
  'healthy',
  'container',
  'exit',
  'cause',
  'others',
  'log',
  'nextRestart',
  'commands',
  'unread',
]

describe.each(Object.entries({ ...examples, ...hostile }))('the JSON answer to %s', (_, diagnosis) => {
  it('has every key of podwhy/v1, in this order', () => {
    const answer = jsonAnswer(diagnosis)
    expect(Object.keys(answer)).toEqual(keys)
    expect(Object.keys(answer.cause)).toEqual([
      'id',
      'confidence',
      'container',
      'summary',
      'evidence',
      'fix',
      'avoid',
      'verify',
    ])
    if (answer.exit !== null) expect(Object.keys(answer.exit)).toEqual(['code', 'signal', 'reason', 'meaning'])
    if (answer.log !== null) {
      expect(Object.keys(answer.log)).toEqual([
        'container',
        'instance',
        'restart',
        'lines',
        'omitted',
        'redacted',
        'missing',
      ])
    }
  })

  it('is whole, and survives a round trip', () => {
    const answer = jsonAnswer(diagnosis)
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer)
    expect(answer.cause.evidence).toEqual(diagnosis.cause.evidence)
    expect(answer.log?.lines).toEqual(diagnosis.log?.lines)
    expect(answer.commands).toHaveLength(diagnosis.commands.length)
  })
})

it('has the same bytes whatever order the diagnosis has its keys in', () => {
  const example = { ...bare(), ...examples['sidecar-down'] }
  const { log } = example
  const reversed = {
    ...Object.fromEntries(Object.entries(example).reverse()),
    log: log === null ? null : Object.fromEntries(Object.entries(log).reverse()),
  } as typeof example
  expect(Object.keys(reversed)[0]).toBe('unread')
  expect(JSON.stringify(jsonAnswer(reversed))).toBe(JSON.stringify(jsonAnswer(example)))
})

it('gives commands quoted for a shell', () => {
  const [command] = jsonAnswer({ ...bare(), ...examples['unknown-exit'] }).commands
  expect(command?.command).toMatch(/^kubectl -n edge debug .* -- sh -c 'echo '\\''hi'\\''; exec sh'$/)
  expect(command?.changes).toBe(true)
})

it('reads like this', async () => {
  const answer = jsonAnswer({ ...bare(), ...examples['liveness-kill'] })
  await expect(`${JSON.stringify(answer, null, 2)}\n`).toMatchFileSnapshot('answers/liveness-kill.json')
})
