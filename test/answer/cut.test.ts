import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutLine, cutMiddle } from '../../src/answer/cut.ts'
import { type Inline, sentence, visibleText } from '../../src/answer/inline.ts'

const cut = (text: string, length: number) => visibleText(cutLine(sentence(text), length))

describe('a line', () => {
  it('that fits is left alone', () => {
    const line = sentence('short')
    expect(cutLine(line, 5)).toBe(line)
  })

  it('ends at a sentence where one ends late enough', () => {
    expect(cut('First thing. Second thing. Third thing is long.', 30)).toBe('First thing. Second thing. …')
  })

  it('ends at a word otherwise', () => {
    expect(cut('One. Two three four five six seven', 24)).toBe('One. Two three four…')
  })

  it('never ends within code', () => {
    expect(cutLine(sentence('set `a value with spaces` in there and elsewhere'), 16)).not.toContainEqual({
      style: 'code',
      text: 'a value with',
    })
    expect(cut('please set `some value` now', 20)).toBe('please set…')
  })

  it('keeps both ends of code that alone fills it', () => {
    expect(cut(`\`${'a'.repeat(200)}${'z'.repeat(200)}\` fails to start, again and again`, 60)).toMatch(
      /^a+…z+ fails to start/,
    )
  })

  it('is never longer than asked, never with half a character, and begins as it did', () => {
    const piece = fc.record({
      style: fc.constantFrom('plain', 'code', 'bold'),
      text: fc.string({ unit: 'binary', minLength: 1, maxLength: 120 }),
    }) as fc.Arbitrary<Inline>
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 25, max: 300 }), (line, length) => {
        const text = visibleText(cutLine(line, length))
        expect(text.length).toBeLessThanOrEqual(length)
        expect(text.isWellFormed()).toBe(true)
        expect(text === '').toBe(visibleText(line) === '')
      }),
    )
  })
})

it('the middle is left out of a long name, the ends stay', () => {
  expect(cutMiddle('orders-api-664c9d84c7-q84wv', 15)).toBe('orders-ap…q84wv')
  expect(cutMiddle(`${'😀'.repeat(20)}`, 10).isWellFormed()).toBe(true)
})
