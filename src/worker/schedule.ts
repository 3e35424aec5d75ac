import { hashOf, type Incident } from '../incidents/incident.ts'
import { checkOffsetMs } from '../incidents/recovery.ts'
import type { Task } from '../queue/job.ts'

/** Edits of one message are gathered for so long: Slack takes some 50 edits a minute of all messages together. */
const REDRAW_MS = 6_000
const DIGEST_MS = 5_000

type Later = (task: Task, options: { readonly id: string; readonly delayMs: number }) => Promise<void>

export type Schedule = ReturnType<typeof scheduling>

/**
 * Puts tasks on the queue, each once. What gathers changes is due at the end of the span of time in which it was asked for,
 * under a name made of that span: whoever asks within it is served by the same run, which begins after all of them.
 */
export const scheduling = (later: Later, now: () => number = Date.now) => {
  const gathered = (task: Task, what: string, everyMs: number) => {
    const span = Math.floor(now() / everyMs) + 1
    return later(task, { id: hashOf(task.do, what, span), delayMs: span * everyMs - now() })
  }
  return {
    /** Brings what tells of an incident up to date soon: its answer, or the digest it stands in. */
    redraw: ({ key, digest, channelId }: Incident): Promise<void> =>
      digest === null
        ? gathered({ do: 'redraw', incident: key }, key, REDRAW_MS)
        : gathered({ do: 'digest', channelId, digest }, digest, DIGEST_MS),

    /** The check of that number, where there is one. */
    async recheck({ key, watchedFrom }: Incident, check: number): Promise<void> {
      const offsetMs = checkOffsetMs(check)
      if (offsetMs === null) return
      const delayMs = Date.parse(watchedFrom) + offsetMs - now()
      await later({ do: 'recheck', incident: key, check }, { id: hashOf('recheck', key, watchedFrom, check), delayMs })
    },

    /** One check more, at a moment; `why` and the second tell it from others. */
    async recheckAt({ key }: Incident, atMs: number, why: string): Promise<void> {
      const second = Math.floor(atMs / 1_000)
      const task = { do: 'recheck', incident: key, check: 0 } as const
      await later(task, { id: hashOf('recheck', key, why, second), delayMs: atMs - now() })
    },

    /** One check more when pods that are Ready could count as recovered: in so many milliseconds, `atMs` by the server's clock. */
    async settled({ key }: Incident, { atMs, inMs }: { atMs: number; inMs: number }): Promise<void> {
      const task = { do: 'recheck', incident: key, check: 0 } as const
      await later(task, { id: hashOf('recheck', key, 'settled', atMs), delayMs: inMs + 1_000 })
    },

    /** Brings an answer up to date at a moment: something it says is over then. */
    async redrawAt({ key }: Incident, atMs: number): Promise<void> {
      await later({ do: 'redraw', incident: key }, { id: hashOf('redraw', key, atMs), delayMs: atMs - now() })
    },
  }
}
