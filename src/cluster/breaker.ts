import { ClusterUnreachable } from './api.ts'
import { ClusterError } from './cluster-error.ts'

/** A cluster that is known to be out of reach, and was not asked. */
export class ClusterDown extends ClusterError {
  override name = 'ClusterDown'
  /** False where it has been so for a while: waiting a few seconds more would only keep people waiting. */
  override readonly temporary: boolean
  constructor(message: string, temporary: boolean) {
    super(message)
    this.temporary = temporary
  }
}

export interface BreakerOptions {
  /** The cluster's, for messages. */
  readonly name: string
  /** A cheap call that the server answers if it can be reached; throws where it cannot. */
  readonly ping: () => Promise<unknown>
  /** Told when the cluster is found out of reach, with why, and when it is back. */
  readonly onChange?: (change: { readonly up: boolean; readonly message: string }) => void
  /** How often a cluster that is down is pinged; 5,000 ms. */
  readonly pingEveryMs?: number
  /** Unix milliseconds. */
  readonly now?: () => number
}

/** Keeps questions from waiting, one after the other, for a cluster that does not answer. */
export interface Breaker {
  /**
   * Does `work`, unless the cluster is known to be down: then throws ClusterDown at once. `signal`: the caller's; what
   * fails by it says nothing about the cluster.
   */
  attempt<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Throws ClusterDown where the cluster is known to be down; for work whose end does not say whether it was reached. */
  refuse(): void
  /** Whether the cluster answered when it was last asked; null: it has not been asked. */
  isUp(): boolean | null
  close(): void
}

/** Failures in a row after which the cluster counts as down; one may be a single lost connection. */
const FAILURES = 2
/** A cluster that has been down for less may be back at the next attempt, as after a restart of its API server. */
const HOPE_MS = 10_000

const clock = (at: number): string => `${new Date(at).toISOString().slice(11, 19)} UTC`

/**
 * Closed: all work is done. After two failures to reach the cluster in a row it is open: work fails at once, and the cluster is
 * pinged. Once it answers, a single piece of work is tried; if that reaches it, the breaker is closed again.
 */
export const openBreaker = (options: BreakerOptions): Breaker => {
  const { name, ping, onChange = () => {}, pingEveryMs = 5_000, now = Date.now } = options
  let failures = 0
  let down: { since: number; why: string } | null = null
  let lastReached: number | null = null
  let answersPing = false
  let isTrying = false
  let begun = 0
  let timer: NodeJS.Timeout | undefined

  const isOpen = () => failures >= FAILURES
  const sentence = ({ since, why }: { since: number; why: string }) =>
    `cluster ${name} cannot be reached since ${clock(since)} (${why})`

  const watch = (): void => {
    answersPing = false
    clearTimeout(timer)
    timer = setTimeout(async () => {
      const answers = await ping().then(
        () => true,
        () => false,
      )
      if (!isOpen()) return
      if (answers) answersPing = true
      else watch()
    }, pingEveryMs).unref()
  }

  const reached = (): void => {
    const wasDown = isOpen()
    lastReached = begun
    failures = 0
    down = null
    clearTimeout(timer)
    if (wasDown) onChange({ up: true, message: `cluster ${name} can be reached again` })
  }

  const failed = (why: string, start: number): void => {
    // It has answered somebody who asked later.
    if (lastReached !== null && start <= lastReached) return
    failures += 1
    down ??= { since: now(), why }
    if (!isOpen()) return
    watch()
    if (failures === FAILURES) onChange({ up: false, message: sentence(down) })
  }

  const refuse = (): void => {
    if (isOpen() && down !== null) throw new ClusterDown(sentence(down), now() - down.since < HOPE_MS)
  }

  return {
    async attempt(work, signal) {
      const isTrial = isOpen()
      if (!answersPing || isTrying) refuse()
      if (isTrial) isTrying = true
      const start = ++begun
      try {
        const result = await work()
        reached()
        return result
      } catch (error) {
        if (error instanceof ClusterUnreachable) failed(error.why, start)
        else if (!signal?.aborted) reached()
        throw error
      } finally {
        if (isTrial) isTrying = false
      }
    },
    refuse,
    isUp: () => (failures > 0 ? false : lastReached === null ? null : true),
    close: () => {
      clearTimeout(timer)
      failures = 0
    },
  }
}
