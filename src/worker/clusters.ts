import type { Cluster } from '../cluster/cluster.ts'
import { ClusterError } from '../cluster/cluster-error.ts'
import type { FullLog, LogOf } from '../cluster/full-log.ts'
import type { NamespaceSnapshot } from '../diagnosis/namespace-snapshot.ts'
import type { PodSnapshot } from '../diagnosis/snapshot.ts'
import type { Target } from '../queue/job.ts'

/** What an answer needs of a cluster; the demo's recordings fit as well. */
export interface AnyCluster {
  readonly name: string
  read(target: Target, options?: { readonly signal?: AbortSignal | undefined }): Promise<PodSnapshot>
  triage(namespace: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<NamespaceSnapshot>
  /** The pod, its owner, its node and their events, without any log. */
  about(target: Target, options?: { readonly signal?: AbortSignal | undefined }): Promise<PodSnapshot>
  /** One log instance, its newest `maxBytes`. */
  log(of: LogOf, options: { readonly maxBytes: number; readonly signal?: AbortSignal | undefined }): Promise<FullLog>
}

/** The clusters that may be asked about. */
export interface Clusters {
  /** Their names, the default one first. */
  readonly names: readonly string[]
  /** The one a target names; without a name the default. Throws where it is not configured (any more). */
  of(target: Target): AnyCluster
  /** Whether each answered when it was last asked; null: it has not been asked. Not there: none is ever away. */
  up?(): readonly { readonly cluster: string; readonly isUp: boolean | null }[]
  /** Those that can be watched. Not there: none, they are recordings or only names. */
  readonly opened?: readonly Pick<Cluster, 'name' | 'watch'>[]
  close(): Promise<void>
}

/** Names alone, for a process that reads no cluster. */
export const namedClusters = (names: readonly string[]): Clusters => ({
  names,
  of: () => {
    throw new Error('this process reads no cluster')
  },
  close: async () => {},
})

/** A cluster name in a job that this process does not know: the configuration has changed since it was asked. */
export class UnknownCluster extends ClusterError {
  override name = 'UnknownCluster'
  constructor(cluster: string, names: readonly string[]) {
    super(`there is no cluster "${cluster}" here; known are ${names.join(', ')}`)
  }
}

/** Opened clusters by their names, the default one first. */
export const toClusters = (opened: readonly (AnyCluster & { close?(): Promise<void> })[]): Clusters => {
  const names = opened.map(({ name }) => name)
  return {
    names,
    of: ({ cluster }) => {
      const found = cluster === null ? opened[0] : opened.find(({ name }) => name === cluster)
      if (!found) throw new UnknownCluster(cluster ?? 'default', names)
      return found
    },
    close: async () => void (await Promise.all(opened.map(({ close }) => close?.()))),
  }
}
