import { describe, expect, it } from 'vitest'
import { readSnapshots } from '../../src/cli/snapshot-file.ts'

const good = (name: string) => JSON.stringify({ kind: 'Pod', metadata: { name }, spec: {} })
const read = async (...lines: string[]) => {
  const source = (async function* () {
    yield Buffer.from(`${lines.join('\n')}\n`)
  })()
  const entries = []
  for await (const entry of readSnapshots(source)) entries.push('error' in entry ? entry.error : entry.snapshot.target)
  return entries
}
const isError = expect.stringMatching(/not JSON|nothing where|no object|too deeply|without metadata/)

describe('one bad entry takes no good one with it', () => {
  it.each([
    ['garbage first', ['garbage', good('a'), good('b')], [isError, 'a', 'b']],
    ['null first', ['null', good('a'), good('b')], [isError, 'a', 'b']],
    ['nested too deeply', [good('a'), '['.repeat(20_000) + ']'.repeat(20_000), good('b')], ['a', isError, 'b']],
    [
      'a bad item of a List',
      [`{"kind":"List","items":[${good('a')},{"kind":"Pod","metadata":{}},null,${good('b')}]}`],
      ['a', isError, isError, 'b'],
    ],
  ])('%s', async (_, lines, expected) => {
    expect(await read(...lines)).toEqual(expected)
  })

  it('a YAML document may still hold flow objects on lines of their own', async () => {
    expect(await read('---', good('a'))).toEqual(['a'])
    expect(await read('[', good('a'), ']')).toEqual(['a'])
  })
})
