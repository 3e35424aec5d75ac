/** Too much is being read of one cluster already; `retryAfterMs`: when it is likely to be this one's turn. */
export class ClusterBusy extends Error {
  override name = 'ClusterBusy'
  readonly retryAfterMs: number
  constructor(retryAfterMs: number) {
    super(`enough is being read of this cluster; its turn comes in about ${retryAfterMs} ms`)
    this.retryAfterMs = retryAfterMs
  }
}

/** Lets so many at once, and tells the others when to come again. */
export interface Lanes {
  /** Does `work` where a lane is free, else throws ClusterBusy at once. */
  take<T>(work: () => Promise<T>): Promise<T>
}

const FIRST_GUESS_MS = 500
/** A question may be put off fifty times at most, a read takes 15 s at most. */
const SHORTEST_MS = 500
const LONGEST_MS = 60_000

/**
 * Lanes for one cluster. Who finds none free is given a turn of its own, as far apart as work has lately taken: what waits
 * comes back at the pace at which it can be done. `now`: Unix milliseconds.
 */
export const openLanes = (atOnce: number, now: () => number = Date.now): Lanes => {
  let taken = 0
  let meanMs = FIRST_GUESS_MS
  let lastTurnAt = 0

  const nextTurn = (): number => {
    lastTurnAt = Math.max(lastTurnAt, now()) + meanMs / atOnce
    return Math.min(LONGEST_MS, Math.ceil(Math.max(lastTurnAt - now(), SHORTEST_MS)))
  }

  return {
    async take(work) {
      if (taken >= atOnce) throw new ClusterBusy(nextTurn())
      taken += 1
      const start = now()
      try {
        return await work()
      } finally {
        taken -= 1
        meanMs += (now() - start - meanMs) / 8
      }
    },
  }
}
