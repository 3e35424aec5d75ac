import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'

const bin = fileURLToPath(new URL('../../bin/podwhy', import.meta.url))
const LINE_MS = 30_000
const STOP_MS = 20_000

/** A line of podwhy's log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string; readonly level: number }

/** pino's numbers. */
export const WARN = 40

/** A running `podwhy serve`. */
export interface ServeProcess {
  /** Its log so far. */
  readonly log: readonly LogLine[]
  /** Waits for a line of the log. */
  line(isWanted: (line: LogLine) => boolean): Promise<LogLine>
  signal(name: NodeJS.Signals): void
  /** Ends it with SIGTERM; gives its exit status. */
  stop(): Promise<number | null>
}

/** Starts `podwhy serve` with nothing of this process's environment but the PATH, and waits until it serves. */
export const startServe = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ServeProcess & { readonly port: number }> => {
  const child = spawn(process.execPath, [bin, 'serve', ...args], {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', PORT: '0', ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const log: LogLine[] = []
  const unreadable: string[] = []
  createInterface({ input: child.stderr }).on('line', line => {
    if (line.startsWith('{')) log.push(JSON.parse(line))
    else unreadable.push(line)
  })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const line = (isWanted: (line: LogLine) => boolean) =>
    vi.waitFor(
      () => {
        const found = log.find(isWanted)
        if (!found)
          throw new Error(`no such line in the log: ${[...log.map(({ msg }) => msg), ...unreadable].join('\n')}`)
        return found
      },
      { timeout: LINE_MS, interval: 10 },
    )
  const stop = async () => {
    if (hasEnded()) return child.exitCode
    const killer = AbortSignal.timeout(STOP_MS)
    killer.addEventListener('abort', () => child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
    return child.exitCode
  }
  try {
    const { port } = await line(({ msg }) => msg === 'podwhy serves')
    return { log, line, stop, signal: name => void child.kill(name), port: Number(port) }
  } catch (error) {
    await stop()
    throw error
  }
}
