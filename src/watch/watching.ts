import type { Logger } from 'pino'
import type { Cluster } from '../cluster/cluster.ts'
import type { Patience, Position } from '../cluster/pod-watch.ts'
import { namespacePolicy } from '../slack/namespace-policy.ts'
import { holdLease, type LeaseStore } from './cluster-lease.ts'
import { type CrashStore, openCrashMemory } from './crash-memory.ts'
import type { WatchMetrics } from './watch-metrics.ts'

export interface WatchingOptions {
  readonly clusters: readonly Pick<Cluster, 'name' | 'watch'>[]
  readonly store: CrashStore & LeaseStore
  /** Value of PODWHY_NAMESPACES. */
  readonly namespaces: readonly string[]
  readonly metrics: WatchMetrics
  readonly log: Logger
  readonly patience?: Patience
  readonly lease?: { readonly ttlMs: number; readonly everyMs: number }
  /** Crashes kept of a cluster at most. */
  readonly maxKept?: number
}

/** How far a watch has come is of use as long as the server remembers, which is minutes. */
const POSITION_MS = 24 * 60 * 60_000
/** Each namespace costs a watch of its own; more of them are seen through one of the whole cluster. */
const MAX_NAMESPACES = 20

const LITERAL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/

/** The namespaces to watch one by one, where PODWHY_NAMESPACES names each; null: all, by one watch. */
export const watchedNamespaces = (patterns: readonly string[]): readonly string[] | null => {
  const isAllowed = namespacePolicy(patterns)
  const names = patterns.filter(pattern => !pattern.startsWith('!'))
  const areNames = names.length > 0 && names.length <= MAX_NAMESPACES && names.every(name => LITERAL.test(name))
  return areNames ? [...new Set(names)].filter(isAllowed) : null
}

/** The namespaces that PODWHY_NAMESPACES forbids by name: the server need not tell of them. */
const forbiddenNames = (patterns: readonly string[]): readonly string[] =>
  patterns.flatMap(pattern => (pattern.startsWith('!') && LITERAL.test(pattern.slice(1)) ? pattern.slice(1) : []))

/** Watches every cluster for first crashes, each in one process at a time, until it is closed. */
export const watching = (options: WatchingOptions): { close(): Promise<void> } => {
  const { clusters, store, metrics, log } = options
  const namespaces = watchedNamespaces(options.namespaces)
  const isWanted = namespacePolicy(options.namespaces)
  const stop = new AbortController()

  const watchOne = async (cluster: Pick<Cluster, 'name' | 'watch'>, signal: AbortSignal): Promise<void> => {
    const { name } = cluster
    const { maxKept, patience } = options
    const memory = await openCrashMemory({ store, cluster: name, ...(maxKept === undefined ? {} : { maxKept }) })
    const say = (level: 'info' | 'warn', message: string) => log[level]({ cluster: name }, message)
    const quietly = (work: () => Promise<void>) =>
      work().catch((error: Error) => log.debug({ cluster: name, reason: error.message }, 'the watch missed its store'))
    const position = (scope: string): Position => {
      const key = `watch-position:${name}:${scope}`
      return { load: () => store.get(key), save: version => quietly(() => store.put(key, version, POSITION_MS)) }
    }
    metrics.active(name, true)
    say('info', `watching for first crashes in ${namespaces === null ? 'all namespaces' : namespaces.join(', ')}`)
    const watched = {
      ...{ namespaces, without: forbiddenNames(options.namespaces), isWanted, position, say },
      isKept: memory.isKept,
      keep: (seen: Parameters<typeof memory.keep>[0]) =>
        memory.keep(seen).then(
          () => metrics.kept(name),
          () => metrics.skipped(name, 'store'),
        ),
      onSteady: (...of: Parameters<typeof memory.onSteady>) => void quietly(() => memory.onSteady(...of)),
      count: (what: Parameters<WatchMetrics['count']>[1], number: number) => metrics.count(name, what, number),
      ...(patience ? { patience } : {}),
    }
    try {
      await cluster.watch(watched, signal)
    } finally {
      metrics.active(name, false)
    }
  }

  const running = clusters.map(cluster =>
    holdLease(
      { store, key: `watch:${cluster.name}`, ...options.lease },
      signal => watchOne(cluster, signal),
      stop.signal,
      error =>
        log.warn({ cluster: cluster.name, reason: (error as Error).message }, 'the watch ended; it is tried again'),
    ),
  )
  return {
    async close() {
      stop.abort()
      await Promise.all(running)
    },
  }
}
