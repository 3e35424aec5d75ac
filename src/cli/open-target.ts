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

const contextsOf = async (source: ClusterOptions): Promise<readonly Context[]> => {
  if (source.inCluster) return []
  const { listContexts } = await import('../cluster/kubeconfig.ts')
  return listContexts(source)
}

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
 * Opens the cluster of a target, does something with both, and closes it again. Throws UsageError for a text that names no
 * target, and the cluster's own errors.
 */
export const withTarget = async <T>(
  words: readonly string[],
  where: Where,
  env: Terminal['env'],
  act: (cluster: Cluster, target: Target) => Promise<T>,
): Promise<T> => {
  const source = clusterSource(env)
  const [{ openCluster }, { parseTarget, TargetError }] = await Promise.all([
    import('../cluster/cluster.ts'),
    import('../target.ts'),
  ])
  const contexts = await contextsOf(source)
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
  const isOther = target.cluster !== null || where.context !== undefined
  const cluster = await openCluster({
    ...source,
    context: target.cluster ?? where.context,
    // PODWHY_CLUSTER names the current context, no other.
    name: isOther && !context?.current ? undefined : source.name,
  })
  try {
    return await act(cluster, target)
  } finally {
    await cluster.close()
  }
}
