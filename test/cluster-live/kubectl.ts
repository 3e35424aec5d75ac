import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** How a command ended; `status` null: it was still running at the deadline and was ended. */
export interface Ran {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

/** Runs a program to its end, or to a deadline. */
export const run = async (
  program: string,
  args: readonly string[],
  {
    input = '',
    env = {},
    deadlineMs = 60_000,
  }: { input?: string; env?: Record<string, string>; deadlineMs?: number } = {},
): Promise<Ran> => {
  const child = spawn(program, args, { env: { ...process.env, ...env }, timeout: deadlineMs, killSignal: 'SIGKILL' })
  child.stdin.on('error', () => {}) // it may end without reading
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { status, out, err }
}

/** Runs kubectl with the credentials of `KUBECONFIG`; gives what it prints. Throws what it says when it fails. */
export const kubectl = async (args: readonly string[], input = ''): Promise<string> => {
  const { status, out, err } = await run('kubectl', args, { input })
  if (status !== 0) throw new Error(`kubectl ${args.join(' ')}: ${err.trim() || `ended with ${status}`}`)
  return out
}
