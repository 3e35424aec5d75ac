import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { textAnswer } from '../../src/answer/text-answer.ts'
import { bare, examples } from './diagnoses.ts'
import { hostile } from './hostile-diagnoses.ts'

const example = (name: string) => ({ ...bare(), ...examples[name] })
const render = (name: string, options = {}) => textAnswer({ ...example(name) }, { color: false, ...options })

describe.each(Object.keys(examples))('the terminal answer to %s', name => {
  it('reads like this', async () => {
    await expect(render(name)).toMatchFileSnapshot(`answers/${name}.terminal.txt`)
  })

  it('says the same in colour', () => {
    const colored = textAnswer(example(name), { color: true, width: 10_000 })
    expect(colored).toContain('\u001B[1m')
    expect(stripVTControlCharacters(colored)).toBe(render(name, { width: 10_000 }).replaceAll('`', ''))
  })

  it('has no line of prose wider than the terminal', () => {
    for (const line of render(name, { width: 80 }).split('\n')) {
      if (!/^ {2}kubectl|^ {4}/.test(line)) expect(line.length).toBeLessThanOrEqual(80)
    }
  })
})

describe('times', () => {
  it('are told relative to when the snapshot was taken', () => {
    expect(render('sidecar-down')).toContain('since 21:36:48 UTC (42s ago)')
    expect(render('sidecar-down')).toContain('tries again at 21:37:50 UTC (in 20s)')
  })

  it('are told relative to another moment where one is given', () => {
    expect(render('sidecar-down', { now: '2026-05-05T01:36:48Z' })).toMatch(
      /since 2026-05-04 21:36:48\s+UTC \(4h ago\)/,
    )
  })

  it('are absolute where nobody knows when the snapshot was taken', () => {
    const text = textAnswer({ ...example('sidecar-down'), takenAt: null }, { color: false })
    expect(text).toContain('2026-05-04 21:36:48')
    expect(text).not.toMatch(/ ago\)|\(in \d/)
  })
})

describe('commands', () => {
  it('are one line each, whatever the width', () => {
    expect(render('unknown-exit', { width: 40 })).toContain(
      "\n  kubectl -n edge debug edge-proxy-5c9d7f6b88-mmx2p -it --copy-to=edge-proxy-debug --container=proxy -- sh -c 'echo '\\''hi'\\''; exec sh'\n",
    )
  })

  it('that change something say so', () => {
    expect(render('init-wait')).toContain('# Correct the host – changes the cluster\n')
  })
})

describe.each(Object.entries(hostile))('of %s', (_, diagnosis) => {
  it('nothing but text reaches the terminal', () => {
    const text = textAnswer(diagnosis, { color: false })
    expect(text).not.toMatch(/(?![\t\n])\p{Cc}|[\u202A-\u202E\u2066-\u2069\u200E\u200F]/u)
    expect(text.isWellFormed()).toBe(true)
    expect(text).not.toMatch(/undefined|NaN|Invalid/)
  })
})

it('keeps the newest 50 of 2,000 log lines', () => {
  const lines = textAnswer({ ...bare(), ...hostile['2,000 log lines'] }, { color: false }).match(/^ {4}line \d+$/gm)
  expect(lines).toEqual(Array.from({ length: 50 }, (_, i) => `    line ${1950 + i}`))
})
