import { describe, expect, it } from 'vitest'
import { sentence, time, visibleText } from '../../src/answer/inline.ts'

const shown = (text: string) => sentence(text).map(piece => [piece.style, 'text' in piece ? piece.text : ''])

describe('a sentence', () => {
  it.each<[string, string[][]]>([
    ['no code', [['plain', 'no code']]],
    ['', []],
    ['`a`', [['code', 'a']]],
    [
      'see `a b`, then `c`.',
      [
        ['plain', 'see '],
        ['code', 'a b'],
        ['plain', ', then '],
        ['code', 'c'],
        ['plain', '.'],
      ],
    ],
    ['an open ` stays', [['plain', 'an open ` stays']]],
    [
      '`a` and an open `b',
      [
        ['code', 'a'],
        ['plain', ' and an open `b'],
      ],
    ],
    [
      '`` a ` b `` holds one',
      [
        ['code', 'a ` b'],
        ['plain', ' holds one'],
      ],
    ],
    ['``x` y', [['plain', '``x` y']]],
    ['`two\nlines`', [['code', 'two lines']]],
  ])('%j becomes its pieces', (text, pieces) => {
    expect(shown(text)).toEqual(pieces)
  })

  it('loses no text', () => {
    const text = '`` ` ``` a ` b `` c ` ``````'
    expect(visibleText(sentence(text)).replaceAll(/[`\s]/g, '')).toBe('abc')
  })
})

describe('a time', () => {
  it('is nothing where there is none or it cannot be read', () => {
    expect([time(null, 'day'), time('', 'day'), time('yesterday-ish', 'clock')]).toEqual([[], [], []])
  })

  it('reads as UTC where nobody knows the viewer', () => {
    expect(visibleText(time('2026-05-04T23:30:00.123456+02:00', 'day'))).toBe('2026-05-04 21:30:00 UTC')
  })
})
