import type { Labels } from './alert.ts'

/** How alerts name the configured clusters. */
export interface AlertClusters {
  /** Names of the configured clusters. */
  readonly names: readonly string[]
  /** Labels that name an alert's cluster; the first that an alert has counts. */
  readonly labels: readonly string[]
  /** Configured clusters by the label's value, where it is not their name. */
  readonly byValue: Readonly<Record<string, string>>
}

/** The usual: the label `cluster` has the cluster's name. */
export const clustersByName = (names: readonly string[]): AlertClusters => ({ names, labels: ['cluster'], byValue: {} })

/** The configured cluster that a value of the label means; null: none. */
export const clusterOfValue = (value: string, { names, byValue }: AlertClusters): string | null => {
  if (Object.hasOwn(byValue, value)) return byValue[value] ?? null
  return names.includes(value) ? value : null
}

/**
 * The labels with `cluster` as the name of a configured cluster, or without it where the alert names none. Null: it is
 * another cluster's alert.
 */
export const withOwnCluster = (labels: Labels, clusters: AlertClusters): Labels | null => {
  const { cluster: _, ...others } = labels
  const value = clusters.labels.map(name => labels[name]).find(Boolean)
  if (value === undefined) return others
  const cluster = clusterOfValue(value, clusters)
  return cluster === null ? null : { ...others, cluster }
}
