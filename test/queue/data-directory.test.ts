import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unusable } from '../../src/queue/data-directory.ts'
import { openEngine } from '../../src/queue/engine.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'podwhy-directory-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const refusal = (dataDir: string) =>
  openEngine({ url: null, dataDir, log }).then(
    () => 'opened',
    (error: Error) => error.message,
  )

describe('a data directory', () => {
  it('that is a file, or lies in one, is called that', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(await refusal(file)).toBe(
      `the data directory ${file} is no directory; move what is there away, or set PODWHY_DATA_DIR to another directory`,
    )
    expect(await refusal(join(file, 'data'))).toMatch(/file\/data is no directory, or lies in what is none; set PODWHY/)
  })

  it('whose database is damaged is to be moved away, and is free for whoever mends it', async () => {
    const engine = await openEngine({ url: null, dataDir: folder, log })
    await engine.close()
    truncateSync(join(folder, 'pg', 'global', 'pg_control'), 0)
    const told =
      /^the data directory (\S+) holds a database that cannot be opened \([^\n]+\); move \1 away – .* or set PODWHY/
    expect(await refusal(folder)).toMatch(told)
    expect(readdirSync(folder).filter(name => name.startsWith('lock'))).toEqual([])
    expect(readdirSync(join(folder, 'pg'))).toContain('PG_VERSION')
  })

  it('in whose database’s place a file stands is called that too', async () => {
    writeFileSync(join(folder, 'pg'), '')
    expect(await refusal(folder)).toMatch(/is no directory, or lies in what is none; set PODWHY_DATA_DIR/)
  })
})

describe('what opening it fails with', () => {
  const code = (name: string) => Object.assign(new Error(`${name}: some words`), { code: name })
  it.each([
    [
      'no rights',
      code('EACCES'),
      /^the data directory \/data may not be written by this user; give it the right to, or set/,
    ],
    [
      'a read-only file system',
      code('EROFS'),
      /^the data directory \/data is on a read-only file system; set PODWHY_DATA_DIR/,
    ],
    [
      'a full disk',
      code('ENOSPC'),
      /^the data directory \/data is on a disk that is full; make room there, or set PODWHY/,
    ],
    ['a full disk as the database says it', { name: 'ErrnoError', errno: 51 }, /is on a disk that is full; make room/],
    [
      'something without a message',
      { name: 'ErrnoError', errno: 7 },
      /cannot be opened \(\{"name":"ErrnoError","errno":7\}\); move \/data away/,
    ],
  ])('is told of %s', (_, error, expected) => {
    expect(unusable('/data', error, Number.POSITIVE_INFINITY).message).toMatch(expected)
  })

  it('is told of a full disk where the database just gave up on one', () => {
    expect(unusable('/data', new Error('Aborted()'), 1024).message).toMatch(/is on a disk that is full/)
    expect(unusable('/data', new Error('Aborted()'), 1e9).message).toMatch(/cannot be opened \(Aborted\(\)\)/)
  })
})
