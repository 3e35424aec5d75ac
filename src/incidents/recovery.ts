import type { OwnerHealth } from '../diagnosis/owner-health.ts'

/**
 * `recovered`: since when, null where that does not show. `settling`: all are Ready, but not for long enough; `atMs` is when
 * that could be. Unix milliseconds.
 */
export type Recovery =
  | { state: 'failing' | 'gone' }
  | { state: 'recovered'; sinceMs: number | null }
  | { state: 'settling'; atMs: number }

/** So long Ready without a restart counts as recovered: a crash loop is `Running` between crashes. */
export const READY_MS = 10 * 60_000

/**
 * Whether an owner has recovered: its work is done, or, where it is to run for good, as many pods as it wants are Ready,
 * and have been for `readyMs` without a new restart. Pods that were replaced do not count, those that replaced them do.
 */
export const recovery = ({ at, wanted, runsToEnd, isComplete, pods }: OwnerHealth, readyMs = READY_MS): Recovery => {
  if (isComplete) return { state: 'recovered', sinceMs: null }
  const current = pods.filter(({ isDone, isLeaving }) => !isDone && !isLeaving)
  if (current.length === 0 && wanted === 0) return { state: 'gone' }
  if (runsToEnd || current.length === 0 || current.length < (wanted ?? 0) || at === null) return { state: 'failing' }
  const steadySince = current.map(({ readySince, lastEndAt }) =>
    readySince === null ? null : Math.max(Date.parse(readySince), Date.parse(lastEndAt ?? readySince)),
  )
  if (steadySince.some(since => since === null)) return { state: 'failing' }
  const atMs = Math.max(...steadySince.map(since => since ?? 0)) + readyMs
  return atMs <= Date.parse(at) ? { state: 'recovered', sinceMs: atMs - readyMs } : { state: 'settling', atMs }
}

const MINUTE_MS = 60_000
const FIRST_CHECKS = [1, 2, 5, 10]
/** How long recovery is looked for. */
export const WATCHED_MS = 6 * 60 * MINUTE_MS

/** When a check is due, in milliseconds after the watch began: 1, 2, 5, 10, then every 10 minutes for 6 h. Null: no more. */
export const checkOffsetMs = (check: number): number | null => {
  const minutes = FIRST_CHECKS[check - 1] ?? (check - FIRST_CHECKS.length + 1) * 10
  return check > 0 && minutes * MINUTE_MS <= WATCHED_MS ? minutes * MINUTE_MS : null
}
