import { createRequire } from 'node:module'
import { expect, test } from 'vitest'

test('the profiler switched off is the one secretlint uses: another copy would keep every mark for ever', () => {
  const own = createRequire(import.meta.url)
  const secretlint = createRequire(own.resolve('@secretlint/core'))
  expect(secretlint.resolve('@secretlint/profiler')).toBe(own.resolve('@secretlint/profiler'))
})
