import { expect, it } from 'vitest'
import { safeJson } from '../../src/cli/safe-json.ts'

it('what steers a terminal or turns text round is escaped, and the value stays the same', () => {
  const value = { line: 'a\u009b31mred\u0085 \u202Eevil\u2066 \u007f\u2028 \ufeff ü 🔴 \u001b[0m' }
  const json = safeJson(value)
  expect(json).not.toMatch(/[\p{Cc}\u202e\u2066\u2028\ufeff]/u)
  expect(json).toContain('a\\u009b31mred\\u0085 \\u202eevil')
  expect(json).toContain('ü 🔴')
  expect(JSON.parse(json)).toEqual(value)
})
