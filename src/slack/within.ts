import { setTimeout as sleep } from 'node:timers/promises'

/** What `work` gives, or `late` once `ms` have passed; `work` itself goes on. */
export async function within<Result, Late>(ms: number, work: Promise<Result>, late: Late): Promise<Result | Late> {
  const timer = new AbortController()
  try {
    return await Promise.race([work, sleep(ms, late, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}
