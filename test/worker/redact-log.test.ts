import { performance } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { redactLog } from '../../src/worker/redact-log.ts'

const pod = { spec: { containers: [{ name: 'app', env: [{ name: 'DB_PASSWORD', value: 'q7Xk29vTzR4mWp8L' }] }] } }
const clean = (text: string) => redactLog(text, { pod, namespace: 'shop' })
const line = (at: number, more = '') =>
  `2026-05-04T12:00:00.${String(at).padStart(9, '0')}Z request ${at} served${more}\n`
const manyLines = (bytes: number, more: (at: number) => string = () => '') => {
  const lines: string[] = []
  for (let size = 0; size < bytes; size += lines.at(-1)?.length ?? 0) lines.push(line(lines.length, more(lines.length)))
  return lines.join('')
}

it('a log without credentials stays as it is, to the byte', async () => {
  const text = `${manyLines(600_000)}without an end`
  expect(await clean(text)).toEqual({ text, redacted: 0 })
})

it('credentials are removed and counted wherever they stand', async () => {
  const isMarked = (at: number) => at % 1_000 === 7
  const text = manyLines(900_000, at => (isMarked(at) ? ` password=hunter2${at}hunter2` : ''))
  const marked = text.match(/hunter2\d+/g)?.length
  const { text: left, redacted } = await clean(text)
  expect(left).not.toMatch(/hunter2/)
  expect(redacted).toBe(marked)
  expect(left.split('\n')).toHaveLength(text.split('\n').length)
})

it('the values that the pod gives away are removed too', async () => {
  expect((await clean('it is q7Xk29vTzR4mWp8L\n')).text).toBe('it is [redacted]\n')
})

it('a private key that begins at the end of a piece is removed whole', async () => {
  const body = Array.from({ length: 60 }, (_, at) => `2026-05-04T12:00:00Z ${`MIIEow${at}`.padEnd(64, 'AbC+/9')}\n`)
  const begin = '2026-05-04T12:00:00Z -----BEGIN RSA PRIVATE KEY-----\n'
  const key = `${begin}${body.join('')}2026-05-04T12:00:00Z -----END RSA PRIVATE KEY-----\n`
  for (const before of [255, 256, 257, 254, 253].map(KiB => KiB * 1024 - begin.length)) {
    const { text } = await clean(`${manyLines(before)}${key}${manyLines(1_000)}`)
    expect(text).not.toContain('MIIEow')
  }
})

it('one line of megabytes without a break is taken in its stride', async () => {
  const text = 'x'.repeat(3 * 1024 * 1024)
  expect((await clean(text)).text).toBe(text)
})

it('a credential in a very long line is not cut in two', async () => {
  for (const before of [256 * 1024 - 12, 256 * 1024 - 4, 256 * 1024]) {
    const { text } = await clean(`${'word '.repeat(before / 5)}password=hunter2hunter2 ${'word '.repeat(100_000)}\n`)
    expect(text).not.toContain('hunter2')
  }
})

it('10 MiB let other work in between', async () => {
  const text = manyLines(10 * 1024 * 1024)
  let turns = 0
  const timer = setInterval(() => turns++, 5)
  const start = performance.now()
  await clean(text)
  clearInterval(timer)
  console.info(`10 MiB redacted in ${((performance.now() - start) / 1000).toFixed(1)} s, ${turns} other turns`)
  expect(turns).toBeGreaterThan(20)
})
