import type { Cluster, ClusterOptions } from '../cluster/cluster.ts'
import type { Context } from '../cluster/kubeconfig.ts'
import type { Target } from '../queue/job.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** Where a command line says the target is. */
export interface Where {
  readonly namespace?: string | undefined
  readonly context?: string | undefined
}

/** How the environment says a cluster is reached. */
export const clusterSource = (env: Terminal['env']): ClusterOptions => {
  const kubeconfig = env['KUBECONFIG'] || undefined
  const inCluster = kubeconfig === undefined && Boolean(env['KUBERNETES_SERVICE_HOST'])
  return { kubeconfig, inCluster, name: env['PODWHY_CLUSTER'] || undefined }
}

/** The contexts of the kubeconfig; none where there is none and `isOptional`. Throws KubeconfigError. */
const contextsOf = async (source: ClusterOptions, isOptional: boolean): Promise<readonly Context[]> => {
  if (source.inCluster) return []
  const { KubeconfigError, listContexts } = await import('../cluster/kubeconfig.ts')
  try {
    return listContexts(source)
  } catch (error) {
    if (error instanceof KubeconfigError && isOptional && source.kubeconfig === undefined) return []
    throw error
  }
}

/** Clusters with a kubeconfig of their own, by name. */
const ownKubeconfigs = async (env: Terminal['env']): Promise<ReadonlyMap<string, string>> =>
  env['PODWHY_KUBECONFIGS'] ? new Map((await import('../config.ts')).readKubeconfigs(env)) : new Map()

const chosenContext = (text: string, contexts: readonly Context[], flag: string | undefined): Context | undefined => {
  const prefixed = contexts
    .filter(({ name }) => text.startsWith(`${name}:`))
    .toSorted((a, b) => b.name.length - a.name.length)[0]
  if (prefixed !== undefined && flag !== undefined && prefixed.name !== flag) {
    throw new UsageError(`context "${prefixed.name}" or "${flag}"? Name one`)
  }
  return prefixed ?? contexts.find(({ name, current }) => (flag === undefined ? current : name === flag))
}

/**
 * Opens the cluster of a target, does something with both, and closes it again. `context`: the one that was named, by the
 * target or by --context; null: the current one is meant. Throws UsageError for a text that names no
 * target, and the cluster's own errors.
 */
export const withTarget = async <T>(
  words: readonly string[],
  where: Where,
  env: Terminal['env'],
  act: (cluster: Cluster, target: Target, context: string | null) => Promise<T>,
): Promise<T> => {
  const source = clusterSource(env)
  const [{ openCluster }, { parseTarget, TargetError }] = await Promise.all([
    import('../cluster/cluster.ts'),
    import('../target.ts'),
  ])
  const own = await ownKubeconfigs(env)
  const contexts = [
    ...(await contextsOf(source, own.size > 0)),
    ...[...own.keys()].map(name => ({ name, namespace: null, current: false })),
  ]
  // Without a current context, and in a cluster without a name, the first of those is meant, as `serve` has it.
  const isOwnFirst = source.inCluster ? source.name === undefined : contexts.every(({ current }) => !current)
  const [first] = isOwnFirst ? own.keys() : []
  const context = chosenContext(words[0] ?? '', contexts, where.context)
  const text = [...words, ...(where.namespace === undefined ? [] : ['-n', where.namespace])].join(' ')
  let target: Target
  try {
    target = parseTarget(text, {
      clusters: contexts.map(({ name }) => name),
      // As kubectl has it.
      defaultNamespace: env['PODWHY_DEFAULT_NAMESPACE'] || context?.namespace || 'default',
    })
  } catch (error) {
    throw error instanceof TargetError ? new UsageError(error.message) : error
  }
  const asked = target.cluster ?? where.context ?? first
  const kubeconfig = own.get(asked ?? '')
  const cluster = await openCluster(
    kubeconfig !== undefined
      ? { kubeconfig, name: asked }
      : // PODWHY_CLUSTER names the current context, no other.
        { ...source, context: asked, name: asked !== undefined && !context?.current ? undefined : source.name },
  )
  try {
    return await act(cluster, target, target.cluster ?? where.context ?? null)
  } finally {
    await cluster.close()
  }
}
