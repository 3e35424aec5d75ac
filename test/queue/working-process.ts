import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A process that works on a queue, to be killed. */
export interface WorkingProcess {
  /** Waits for a line that starts so, and gives the rest of it. */
  line(start: string): Promise<string>
  /** Ends it with SIGKILL and waits until it is gone. */
  kill(): Promise<void>
}

/** Runs `worker-process.ts`; see there for what it can be told. */
export const startProcess = (...args: string[]): WorkingProcess => {
  const script = fileURLToPath(new URL('./worker-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const seen: string[] = []
  lines.on('line', line => seen.push(line))
  const exited = once(child, 'exit')

  return {
    line: async start => {
      const ended = exited.then(() => Promise.reject(new Error(`the process ended without printing ${start}`)))
      for (;;) {
        const found = seen.find(line => line.startsWith(start))
        if (found !== undefined) return found.slice(start.length).trim()
        await Promise.race([once(lines, 'line'), ended])
      }
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
