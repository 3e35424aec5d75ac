import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildPage, pageFiles } from '../../src/local/page-files.ts'

test('a package is built with the very files that a clone bundles at start, without imports', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'podwhy-built-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await buildPage(directory)
  const { script, style } = await pageFiles()
  expect(await readFile(join(directory, 'page.js'), 'utf8')).toBe(script)
  expect(await readFile(join(directory, 'page.css'), 'utf8')).toBe(style)
  expect(script).not.toMatch(/^import\b|\bimport\(/m)
  expect(style).not.toMatch(/@import|url\(\s*['"]?https?:/)
})
