import type { Logger } from 'pino'
import { openBreaker } from '../cluster/breaker.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { openLanes } from '../cluster/lanes.ts'
import { inLane } from './in-lane.ts'

/** A cluster whose trouble stays its own. */
export interface GuardedCluster extends Cluster {
  /** Whether it answered when it was last asked; null: it has not been asked. */
  isUp(): boolean | null
}

/**
 * Bounds how many questions read the cluster at once – those over it throw RetryLater – and fails at once, with
 * ClusterDown, while it cannot be reached. Changes of that go to the log.
 */
export const guardedCluster = (cluster: Cluster, options: { atOnce: number; log: Logger }): GuardedCluster => {
  const { atOnce, log } = options
  const lanes = openLanes(atOnce)
  const breaker = openBreaker({
    name: cluster.name,
    ping: () => cluster.ping(),
    onChange: ({ up, message }) => log[up ? 'info' : 'warn']({ cluster: cluster.name }, message),
  })
  const guarded = <T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
    inLane(lanes, () => breaker.attempt(work, signal))
  return {
    ...cluster,
    read: (target, { signal } = {}) => guarded(() => cluster.read(target, { signal }), signal),
    triage: (namespace, { signal } = {}) => guarded(() => cluster.triage(namespace, { signal }), signal),
    about: (target, { signal } = {}) => guarded(() => cluster.about(target, { signal }), signal),
    log: (of, options) =>
      inLane(lanes, async () => {
        // A log that could not be read is no error, so its end tells nothing.
        breaker.refuse()
        return cluster.log(of, options)
      }),
    ping: () => breaker.attempt(() => cluster.ping()),
    isUp: () => breaker.isUp(),
    close: async () => {
      breaker.close()
      await cluster.close()
    },
  }
}
