import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { asForm, commandPayload, postSigned, SIGNING_SECRET } from '../fakes/slack-request.ts'

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

/** The whole suite may be starting services on few cores. */
const START_MS = 60_000

/** What a test sets beside the environment that every service has. */
export type Environment = Readonly<Record<string, string>>

/** How a process ended: its exit code, or the signal that ended it. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** One running `podwhy serve`. */
export interface Service {
  readonly pid: number
  /** Where it listens. */
  readonly url: string
  /** What it has written to stderr: its log, one JSON object a line. */
  stderr(): string
  /** Posts `/podwhy TEXT`, signed, as Slack does. */
  ask(text: string, fields?: Readonly<Record<string, string>>): Promise<{ status: number; body: string; ms: number }>
  /** How many jobs the queue has in one of these states. */
  jobs(...states: readonly string[]): Promise<number>
  /** Waits until nothing is left to do: what was to be written to Slack then is. */
  idle(timeoutMs?: number): Promise<void>
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended>
}

/** Runs `podwhy serve` with exactly this environment, and gives what it printed when it ended by itself. */
export const run = (args: readonly string[], env: Environment) => {
  const child = spawn(process.execPath, [main, 'serve', ...args], {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text
  })
  // 'close', not 'exit': by then all that it wrote has been read.
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }))
  return { child, said, ended }
}

const portIn = (log: string): number | undefined => {
  const line = log.split('\n').find(each => each.includes('"podwhy serves"'))
  return line === undefined ? undefined : (JSON.parse(line) as { port: number }).port
}

/** Starts the service on a free port and waits until it serves; fails with what it said if it ends before. */
export const startService = async (args: readonly string[], env: Environment): Promise<Service> => {
  const { child, said, ended } = run(args, { PORT: '0', ...env })
  const pid = child.pid
  if (pid === undefined) throw new Error('the service did not start')
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  const port = await vi
    .waitUntil(
      () => {
        if (isOver) throw new Error(`the service ended: ${said.err}`)
        return portIn(said.err)
      },
      { timeout: START_MS, interval: 20 },
    )
    .catch(error => {
      child.kill('SIGKILL')
      throw error
    })
  const url = `http://127.0.0.1:${port}`

  const jobs = async (...states: readonly string[]): Promise<number> => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    const counts = [...metrics.matchAll(/^bullmq_job_count\{queue="questions", state="(\w+)"\} (\d+)$/gm)]
    if (counts.length === 0) throw new Error('the queue does not say what it holds')
    return counts.filter(([, state]) => states.includes(state ?? '')).reduce((sum, [, , n]) => sum + Number(n), 0)
  }

  return {
    pid,
    url,
    stderr: () => said.err,
    ask: (text, fields = {}) =>
      postSigned(`${url}/slack/events`, asForm(commandPayload(text, fields)), { secret: SIGNING_SECRET }),
    jobs,
    idle: (timeout = 40_000) =>
      vi.waitFor(
        async () => {
          const left = await jobs('waiting', 'active', 'delayed', 'prioritized')
          if (left > 0) throw new Error(`${left} jobs are left`)
        },
        { timeout, interval: 50 },
      ),
    end: async signal => {
      child.kill(signal)
      return ended
    },
  }
}
