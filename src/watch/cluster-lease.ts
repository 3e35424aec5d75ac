import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

/** Where all processes see who holds a lease. */
export interface LeaseStore {
  claim(key: string, value: string, ttlMs: number): Promise<string | null>
  replace(key: string, present: string, value: string, ttlMs: number): Promise<boolean>
}

export interface Lease {
  readonly store: LeaseStore
  readonly key: string
  /** After so long without a sign of its holder it is anybody's; 30,000 ms. */
  readonly ttlMs?: number
  /** How often it is renewed, or asked for; 10,000 ms. */
  readonly everyMs?: number
}

/**
 * Does `work` while this process, alone among all, holds the lease; again whenever it has it, until the signal. The work's own
 * signal ends it as soon as that is no longer sure: nobody else begins before. Never throws; `onError` hears what the work threw.
 */
export const holdLease = async (
  { store, key, ttlMs = 30_000, everyMs = 10_000 }: Lease,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> => {
  const holder = randomUUID()
  const pause = (signals: readonly AbortSignal[]) =>
    wait(everyMs, undefined, { signal: AbortSignal.any([...signals]) }).catch(() => {})

  /** Renews until it is lost, given up or the work is over. */
  const keep = async (held: AbortSignal, lose: () => void): Promise<void> => {
    let sureUntil = Date.now() + ttlMs
    while (!held.aborted) {
      await pause([held])
      if (held.aborted) return
      const askedAt = Date.now()
      const isMine = await store.replace(key, holder, holder, ttlMs).catch(() => null)
      if (isMine) sureUntil = askedAt + ttlMs
      // One more silence of the store, and it may have run out.
      if (isMine === false || Date.now() + everyMs >= sureUntil) lose()
    }
  }

  while (!signal.aborted) {
    const present = await store.claim(key, holder, ttlMs).catch(() => 'unknown')
    if (present === null) {
      const lost = new AbortController()
      const held = AbortSignal.any([signal, lost.signal])
      const lose = () => lost.abort()
      const keeping = keep(held, lose)
      await work(held).catch(onError)
      lose()
      await keeping
      await store.replace(key, holder, holder, 1).catch(() => {})
    }
    if (!signal.aborted) await pause([signal])
  }
}
