import type { AlertClusters } from '../alerts/alert-clusters.ts'
import type { ClusterOptions } from '../cluster/cluster.ts'
import { type Config, ConfigError } from '../config.ts'

type ClusterConfig = Pick<Config, 'kubeconfig' | 'inCluster' | 'cluster' | 'contexts' | 'kubeconfigs'>

/**
 * Where each configured cluster is, the default one first: the contexts, else the current one or the pod's own cluster; then those
 * with a kubeconfig of their own. Beside these the current context counts only where PODWHY_CLUSTER names it.
 */
export const clusterSources = (config: ClusterConfig): readonly ClusterOptions[] => {
  const { kubeconfig, inCluster, cluster: name, contexts, kubeconfigs } = config
  const own = (): readonly ClusterOptions[] => {
    // PODWHY_CLUSTER names the first one; the others carry their context's names.
    if (contexts.length > 0)
      return contexts.map((context, index) => ({
        kubeconfig,
        inCluster,
        context,
        name: index === 0 ? name : undefined,
      }))
    return kubeconfigs.length > 0 && name === undefined ? [] : [{ kubeconfig, inCluster, name }]
  }
  return [...own(), ...kubeconfigs.map(([named, path]) => ({ kubeconfig: path, name: named }))]
}

/** Throws ConfigError where two clusters have one name. */
export const assertDistinct = (names: readonly string[]): void => {
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice === undefined) return
  throw new ConfigError([
    `PODWHY_KUBECONFIGS: two clusters are called "${twice}"; give each a name of its own (the others are named by PODWHY_CLUSTER and PODWHY_CONTEXTS)`,
  ])
}

/** The clusters' names, as far as they are known without opening a kubeconfig; null: not all are. Throws ConfigError. */
export const namesWithoutOpening = (config: ClusterConfig): readonly string[] | null => {
  const names = clusterSources(config).map(({ name, context }) => name ?? context)
  if (!names.every(name => name !== undefined)) return null
  assertDistinct(names)
  return names
}

/** How alerts name the clusters. Throws ConfigError where a label is to mean a cluster that is not configured. */
export const alertClusters = (
  { clusterLabel, clusterLabels }: Pick<Config, 'clusterLabel' | 'clusterLabels'>,
  names: readonly string[],
): AlertClusters => {
  const unknown = clusterLabels.find(([, cluster]) => !names.includes(cluster))
  if (unknown !== undefined) {
    const known = names.map(name => `"${name}"`).join(', ')
    throw new ConfigError([
      `PODWHY_CLUSTER_LABELS: "${unknown[0]}" is to mean "${unknown[1]}", which is no configured cluster; there is ${known}`,
    ])
  }
  return { names, labels: clusterLabel, byValue: Object.fromEntries(clusterLabels) }
}
