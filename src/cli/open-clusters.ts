import type { Logger } from 'pino'
import type { Cluster } from '../cluster/cluster.ts'
import { ClusterError } from '../cluster/cluster-error.ts'
import { type Config, ConfigError } from '../config.ts'
import { type Clusters, toClusters } from '../worker/clusters.ts'
import { type GuardedCluster, guardedCluster } from '../worker/guarded-cluster.ts'
import { namespacesToCheck, rightsLines } from './check.ts'
import { assertDistinct, clusterSources } from './cluster-sources.ts'

/** Questions about one cluster that are read at the same time. */
export const AT_ONCE = 8

/** The opened clusters; one that is away does not keep the others. */
export interface OpenClusters extends Clusters {
  readonly opened: readonly Cluster[]
  /**
   * Says in the log what the credentials may do, and warns of rights that podwhy should not have. Waits two seconds at most;
   * a cluster that cannot be reached is asked again every minute.
   */
  prove(): Promise<void>
}

const START_MS = 2_000
const AGAIN_MS = 60_000

const openAll = async (config: Config): Promise<readonly Cluster[]> => {
  const { openCluster } = await import('../cluster/cluster.ts')
  const own = new Map(config.kubeconfigs)
  return Promise.all(
    clusterSources(config).map(async source => {
      try {
        return await openCluster(source)
      } catch (error) {
        const { name } = source
        if (!(error instanceof ClusterError) || name === undefined || own.get(name) !== source.kubeconfig) throw error
        throw new ConfigError([`PODWHY_KUBECONFIGS: ${name}: ${error.message.replace(/; set KUBECONFIG$/, '')}`])
      }
    }),
  )
}

const proving = (clusters: readonly GuardedCluster[], config: Pick<Config, 'namespaces' | 'watch'>, log: Logger) => {
  const namespaces = namespacesToCheck(config.namespaces)
  const timers = new Set<NodeJS.Timeout>()
  let isClosed = false

  const again = (cluster: GuardedCluster): void => {
    if (isClosed) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      void proveOne(cluster, false)
    }, AGAIN_MS).unref()
    timers.add(timer)
  }

  const proveOne = async (cluster: GuardedCluster, isFirst: boolean): Promise<void> => {
    const fields = { cluster: cluster.name }
    try {
      await cluster.ping()
      for (const namespace of namespaces) {
        const rights = await cluster.rights({ namespace: namespace ?? undefined, watches: config.watch })
        const isWell = rights.warnings.length === 0 && rights.denied.length === 0 && rights.unknown === null
        for (const line of rightsLines(rights)) log[isWell ? 'info' : 'warn'](fields, line)
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (isFirst)
        log.warn({ ...fields, reason }, `cluster ${cluster.name}: its rights could not be found out; asked again later`)
      again(cluster)
    }
  }

  return {
    async prove(): Promise<void> {
      let limit: NodeJS.Timeout | undefined
      const late = new Promise<void>(resolve => {
        limit = setTimeout(resolve, START_MS)
      })
      await Promise.race([Promise.all(clusters.map(cluster => proveOne(cluster, true))), late])
      clearTimeout(limit)
    },
    stop(): void {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** Opens the configured clusters. Throws KubeconfigError and ConfigError; makes no call yet. */
export const openClusters = async (config: Config, log: Logger): Promise<OpenClusters> => {
  const opened = await openAll(config)
  assertDistinct(opened.map(({ name }) => name))
  // One cluster needs no lanes of its own: it has all of the worker's.
  const atOnce = opened.length > 1 ? AT_ONCE : Number.POSITIVE_INFINITY
  const guarded = opened.map(cluster => guardedCluster(cluster, { atOnce, log }))
  const { prove, stop } = proving(guarded, config, log)
  const clusters = toClusters(guarded)
  return {
    ...clusters,
    opened,
    prove,
    up: () => guarded.map(cluster => ({ cluster: cluster.name, isUp: cluster.isUp() })),
    close: async () => {
      stop()
      await clusters.close()
    },
  }
}
