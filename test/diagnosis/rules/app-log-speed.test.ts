import { describe, expect, test } from 'vitest'
import { addressIn } from '../../../src/diagnosis/addresses.ts'
import { entriesAt } from '../../../src/diagnosis/log-entries.ts'
import { appFamilies } from '../../../src/diagnosis/rules/app-logs.ts'
import { ownErrors } from '../../../src/diagnosis/rules/app-own-errors.ts'
import { crashed } from './crashed-app.ts'

/** The longest text a row is given, filled with what its pattern is made of. */
const LONGEST = 4_000
const SEEDS =
  'a|E|/|A_|A1_B2 |a.|a:|1:|-|"|\'|=|(|[|.so|x |not |set |config |config: |env |bind |missing |must |version |failed |could not |error |timed out|inotify|port |host=|lookup a|tcp://|http://a|Caused by: |User system:serviceaccount:a:b cannot |credentials |no space left on device |\\"|File "x", line 1 |Could not find '.split(
    '|',
  )
const texts = SEEDS.map(seed => `error ${seed.repeat(Math.floor(LONGEST / seed.length))}`.slice(0, LONGEST))

const slowest = (run: (text: string) => unknown): number =>
  Math.max(
    ...texts.map(text => {
      const tries = [0, 1, 2].map(() => {
        const start = performance.now()
        run(text)
        return performance.now() - start
      })
      return Math.min(...tries)
    }),
  )

describe('hostile lines', () => {
  const families = [...appFamilies, ownErrors]
  for (const [index, { id, hint, rows }] of families.entries()) {
    test(`cannot slow down ${id} (${index})`, () => {
      for (const pattern of [hint, ...rows.map(row => row.pattern)]) {
        expect(
          slowest(text => pattern.exec(text)),
          String(pattern),
        ).toBeLessThan(10)
      }
    })
  }

  test('cannot slow down reading addresses, levels and traces', () => {
    expect(slowest(addressIn)).toBeLessThan(20)
    expect(slowest(text => entriesAt([{ at: null, text }], 0))).toBeLessThan(20)
  })
})

test('half a megabyte of distinct errors is read in a blink', () => {
  const lines = Array.from(
    { length: 5_000 },
    (_, index) =>
      `2026-05-04T11:59:00Z ERROR worker-${(index * 7919).toString(36)} cannot reach ledger-db:5432: connection refused`,
  )
  const run = () => crashed({ log: `${lines.join('\n')}\n` })
  run()
  const start = performance.now()
  expect(run().cause.id).toBe('app.dependency-unreachable')
  expect(performance.now() - start).toBeLessThan(250)
})
