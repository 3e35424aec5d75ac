/** What has to be written to. */
export interface WritableStore {
  put(key: string, value: string, ttlMs: number): Promise<void>
}

const FRESH_MS = 10_000

/**
 * Whether the store takes what is written to it: a full disk, or a Redis without memory, reads well and takes nothing. Writes
 * one key every ten seconds at most, and after a failure whenever it is asked. `now`: Unix milliseconds.
 */
export const writable = (store: WritableStore, now: () => number = Date.now): (() => Promise<boolean>) => {
  let writtenAt = Number.NEGATIVE_INFINITY
  let writing: Promise<boolean> | null = null
  const write = async (): Promise<boolean> => {
    try {
      await store.put('readyz', new Date(now()).toISOString(), FRESH_MS)
      writtenAt = now()
      return true
    } catch {
      return false
    } finally {
      writing = null
    }
  }
  return async () => {
    if (now() - writtenAt < FRESH_MS) return true
    writing ??= write()
    return writing
  }
}
