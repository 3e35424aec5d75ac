import { ClusterBusy, type Lanes } from '../cluster/lanes.ts'
import { RetryLater } from '../queue/retry-later.ts'

/** Does the work where a lane is free, else throws RetryLater: its job comes again when its turn is likely. */
export const inLane = async <T>(lanes: Lanes, work: () => Promise<T>): Promise<T> => {
  try {
    return await lanes.take(work)
  } catch (error) {
    if (error instanceof ClusterBusy) throw new RetryLater(error.retryAfterMs, { cause: error })
    throw error
  }
}
