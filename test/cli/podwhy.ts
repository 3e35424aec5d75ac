import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../../bin/podwhy', import.meta.url))

/** What a run of the command printed and how it ended. */
export interface Ran {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

/** Runs `podwhy` as a process of its own, with nothing of this process's environment but PATH and HOME. */
export const podwhy = async (
  args: readonly string[],
  { input = '', env = {} }: { input?: string | Uint8Array; env?: Record<string, string> } = {},
): Promise<Ran> => {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...env },
  })
  // A child that ends without reading its input is no error here.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { status, out, err }
}
