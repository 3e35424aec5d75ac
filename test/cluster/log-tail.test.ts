import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openLogTail } from '../../src/cluster/log-tail.ts'

const tailOf = (maxBytes: number, ...chunks: (string | Uint8Array)[]) => {
  const tail = openLogTail(maxBytes)
  for (const chunk of chunks) tail.push(Buffer.from(chunk as string))
  return tail.end()
}

it('what fits is kept as it is', () => {
  expect(tailOf(10, 'ab\n', 'cd')).toEqual({ text: 'ab\ncd', omittedBytes: 0 })
})

it('of what does not fit the newest whole lines are kept', () => {
  expect(tailOf(8, 'first\nsecond\nthird\n')).toEqual({ text: 'third\n', omittedBytes: 13 })
})

it('a last line longer than all that fits is kept as far as it goes', () => {
  expect(tailOf(4, 'abcdefgh')).toEqual({ text: 'efgh', omittedBytes: 4 })
  expect(tailOf(4, 'abcdefg\n')).toEqual({ text: 'efg\n', omittedBytes: 4 })
})

it('a character cut in two is left out whole', () => {
  expect(tailOf(3, 'aé€')).toEqual({ text: '€', omittedBytes: 3 })
  expect(tailOf(2, 'aé€b')).toEqual({ text: 'b', omittedBytes: 6 })
})

it('however it is cut into chunks, it is the end of the whole, and nothing is lost count of', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.integer({ min: 1, max: 50 }), (chunks, maxBytes) => {
      const whole = Buffer.concat(chunks)
      const inPieces = tailOf(maxBytes, ...chunks)
      expect(inPieces).toEqual(tailOf(maxBytes, whole))
      expect(inPieces.text).toBe(whole.subarray(inPieces.omittedBytes).toString('utf8'))
      expect(whole.length - inPieces.omittedBytes).toBeLessThanOrEqual(maxBytes)
    }),
  )
})
