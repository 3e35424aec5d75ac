import { watching } from '../watch/watching.ts'
import { rememberingClusters } from '../watch/with-memory.ts'
import { answering } from '../worker/answering.ts'
import { AT_ONCE } from './open-clusters.ts'
import type { Parts, Surroundings } from './parts.ts'

/** Starts to work on the queue, and to watch the clusters where that is wanted. */
export const startWorker = ({ config, clusters, log, stops }: Surroundings, parts: Parts): void => {
  const { engine, poster, alerts, metrics, isAllowed } = parts
  const { store, later } = engine
  const remembering = config.watch ? rememberingClusters(clusters, store) : clusters
  const readyMs = config.recoveredAfterMs
  engine.work(answering({ clusters: remembering, poster, alerts, store, later, metrics, log, isAllowed, readyMs }), {
    // So that one of several clusters cannot have all of them.
    concurrency: clusters.names.length > 1 ? 2 * AT_ONCE : AT_ONCE,
  })
  if (!config.watch) return
  const { opened = [] } = clusters
  const watch = watching({ clusters: opened, store, namespaces: config.namespaces, metrics: metrics.watch, log })
  stops.push(() => watch.close())
}
