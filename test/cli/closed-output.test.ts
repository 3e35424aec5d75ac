import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { crashingPod } from './pods.ts'

test('a reader that stops reading ends podwhy without a word', async () => {
  const bin = fileURLToPath(new URL('../../bin/podwhy', import.meta.url))
  const child = spawn(process.execPath, [bin, 'explain', '-f', '-', '-o', 'json'])
  child.stdin.on('error', () => {})
  child.stdin.end(`${JSON.stringify(crashingPod('b'))}\n`.repeat(500))
  const said = text(child.stderr)
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  expect(await ended).toEqual([0, null])
  expect(await said).toBe('')
})
