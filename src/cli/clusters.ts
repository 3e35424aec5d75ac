import type { Logger } from 'pino'
import type { Cluster } from '../cluster/cluster.ts'
import { ClusterError } from '../cluster/cluster-error.ts'
import type { Config } from '../config.ts'
import type { NamespaceSnapshot } from '../diagnosis/namespace-snapshot.ts'
import type { PodSnapshot } from '../diagnosis/snapshot.ts'
import type { Target } from '../queue/job.ts'
import { rightsLines } from './check.ts'

/** What an answer needs of a cluster; the demo's recordings fit as well. */
export interface AnyCluster {
  readonly name: string
  read(target: Target, options?: { readonly signal?: AbortSignal | undefined }): Promise<PodSnapshot>
  triage(namespace: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<NamespaceSnapshot>
}

/** The clusters that may be asked about. */
export interface Clusters {
  /** Their names, the default one first. */
  readonly names: readonly string[]
  /** The one a target names; without a name the default. Throws where it is not configured (any more). */
  of(target: Target): AnyCluster
  close(): Promise<void>
}

/** A cluster name in a job that this process does not know: the configuration has changed since it was asked. */
export class UnknownCluster extends ClusterError {
  override name = 'UnknownCluster'
  constructor(cluster: string, names: readonly string[]) {
    super(`there is no cluster "${cluster}" here; known are ${names.join(', ')}`)
  }
}

const toClusters = (opened: readonly (AnyCluster & { close?(): Promise<void> })[]): Clusters => {
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

/** Opens the configured contexts, or the current one. Throws KubeconfigError; makes no call yet. */
export const openClusters = async (config: Config): Promise<Clusters & { readonly opened: readonly Cluster[] }> => {
  const { openCluster } = await import('../cluster/cluster.ts')
  const { kubeconfig, inCluster, cluster: name, contexts } = config
  const opened =
    contexts.length > 0
      ? await Promise.all(
          // PODWHY_CLUSTER names the first one; the others carry their context's names.
          contexts.map((context, index) =>
            openCluster({ kubeconfig, inCluster, context, name: index === 0 ? name : undefined }),
          ),
        )
      : [await openCluster({ kubeconfig, inCluster, name })]
  return { ...toClusters(opened), opened }
}

/** The demo: recordings in place of a cluster. */
export const demoClusters = async () => {
  const { demoCluster } = await import('../local/demo-cluster.ts')
  const demo = demoCluster()
  return { clusters: toClusters([demo]), examples: demo.examples, name: demo.name }
}

/** Says at start what the credentials may do, and warns of rights that podwhy should not have. */
export const proveRights = async (opened: readonly Cluster[], log: Logger): Promise<void> => {
  await Promise.all(
    opened.map(async cluster => {
      const rights = await cluster.rights()
      const level = rights.warnings.length > 0 || rights.denied.length > 0 || rights.unknown !== null ? 'warn' : 'info'
      for (const line of rightsLines(rights)) log[level]({ cluster: cluster.name }, line)
    }),
  )
}
