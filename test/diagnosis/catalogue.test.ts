import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../../src/diagnosis/catalogue.ts'
import { judge } from '../accuracy/judge.ts'
import { readMaterial } from '../accuracy/material.ts'
import { causesPage } from '../docs/causes-page.ts'

const VERDICTS = ['healthy', 'completed', 'gone']
const entries = catalogue.flatMap(({ causes }) => Object.entries(causes))
const ids = entries.map(([id]) => id)
const groups = [...new Set(ids.filter(id => id.includes('.')).map(id => id.split('.')[0]))]

/** What a rule can say stands in its source as a literal of its own. */
const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'catalogue' ? [] : sources(path)
    return entry.name.endsWith('.ts') ? [readFileSync(path, 'utf8')] : []
  })
const text = sources('src/diagnosis').join('\n')
const said = new Set([
  ...[...text.matchAll(new RegExp(`'((?:${groups.join('|')})\\.[a-z]+(?:-[a-z]+)*)'`, 'g'))].map(([, id]) => id),
  ...VERDICTS.filter(id => new RegExp(`\\bid: '${id}'`).test(text)),
])

const judged = ['test/recordings', 'test/cases', 'test/authored']
  .flatMap(readMaterial)
  .map(({ name, snapshot, expected }) => judge(name, snapshot, expected))
const byName = new Map(judged.map(judgement => [judgement.name, judgement]))
const nearMisses: Record<string, Record<string, string>> = JSON.parse(
  readFileSync('test/authored/near-misses.json', 'utf8'),
)

describe('the catalogue', () => {
  test('has every id that a rule can say, and no other, each once', () => {
    expect([...said].sort()).toEqual([...ids].sort())
  })

  test('is what docs/causes.md shows: `npm run docs` writes it', () => {
    expect(readFileSync('docs/causes.md', 'utf8')).toBe(causesPage())
  })

  test.each(entries)('%s is told in plain sentences', (_, { what, looksAt, todo }) => {
    expect([what, todo].filter(sentence => !/^[A-Z`*].*[^.]\.$/.test(sentence))).toEqual([])
    expect(looksAt).not.toMatch(/\.$/)
  })
})

describe('each cause', () => {
  test.each(ids)('%s is the headline of a recorded case that expects it', id => {
    expect(
      judged.filter(({ diagnosis, cause }) => cause && diagnosis.cause.id === id).map(({ name }) => name),
    ).not.toEqual([])
  })

  test.each(ids)('%s is not said of a case that looks alike', id => {
    const alike = Object.keys(nearMisses[id] ?? {})
    expect(alike).not.toEqual([])
    for (const name of alike) {
      const diagnosis = byName.get(name)?.diagnosis
      expect(diagnosis, `${name} is no recording, case or authored one`).toBeDefined()
      expect([diagnosis?.cause, ...(diagnosis?.others ?? [])].map(finding => finding?.id)).not.toContain(id)
    }
  })

  test('of the near misses is one of the catalogue', () => {
    expect(Object.keys(nearMisses).filter(id => !ids.includes(id))).toEqual([])
  })
})

test('authored cases say that they are', () => {
  const folders = readdirSync('test/authored', { withFileTypes: true }).filter(entry => entry.isDirectory())
  const unmarked = folders.filter(
    ({ name }) => JSON.parse(readFileSync(join('test/authored', name, 'expected.json'), 'utf8')).authored !== true,
  )
  expect(unmarked.map(({ name }) => name)).toEqual([])
})
