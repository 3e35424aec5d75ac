import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { vi } from 'vitest'

/** A pod as `kubectl get pod` prints it. */
export interface Row {
  readonly pod: string
  readonly ready: string
  readonly status: string
  readonly restarts: number
}

/** All that `kubectl get pods --watch` prints of a namespace. */
export interface PodWatch {
  /** Every row so far, in order. */
  readonly rows: readonly Row[]
  /** Waits until some pod's newest row is as wanted, and gives it. */
  until(isWanted: (row: Row) => boolean, timeoutMs: number): Promise<Row>
  end(): Promise<void>
}

const toRow = (line: string): Row[] => {
  const [, pod, ready, status, restarts] = /^(\S+)\s+(\d+\/\d+)\s+(\S+)\s+(\d+)/.exec(line) ?? []
  return pod && ready && status ? [{ pod, ready, status, restarts: Number(restarts) }] : []
}

/** Watches the pods of a namespace. A pod's STATUS changes only with the pod, so no change is missed. */
export const watchPods = (namespace: string): PodWatch => {
  const kubectl = spawn('kubectl', ['get', 'pods', '-n', namespace, '--watch', '--no-headers'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const rows: Row[] = []
  createInterface({ input: kubectl.stdout }).on('line', line => rows.push(...toRow(line)))
  const newest = (): Row[] => [...new Map(rows.map(row => [row.pod, row])).values()]

  return {
    rows,
    until: (isWanted, timeout) =>
      vi.waitFor(
        () => {
          const row = newest().find(isWanted)
          if (!row)
            throw new Error(`no pod of ${namespace} became as wanted; seen: ${rows.map(r => r.status).join(', ')}`)
          return row
        },
        { timeout, interval: 20 },
      ),
    end: async () => {
      if (kubectl.exitCode !== null || kubectl.signalCode !== null) return
      const exited = once(kubectl, 'exit')
      kubectl.kill()
      await exited
    },
  }
}
