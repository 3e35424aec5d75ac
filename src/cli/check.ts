import type { ClusterOptions } from '../cluster/cluster.ts'
import type { Rights } from '../cluster/rights.ts'
import type { Config } from '../config.ts'
import { parseCommandLine } from './command-line.ts'
import { clusterSource } from './open-target.ts'
import { type ExitStatus, oneLine, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const OPTIONS = { namespace: { type: 'string', short: 'n' }, context: { type: 'string' } } as const

type Right = Rights['allowed'][number]
const right = ({ verb, group, resource }: Right): string => `${verb} ${resource}${group === '' ? '' : `.${group}`}`

/** What a missing right costs. */
const costOf = (missing: string): string => {
  if (missing === 'get pods') return 'nothing can be answered without it'
  if (missing === 'watch pods') return 'first crashes are not remembered (PODWHY_WATCH)'
  return 'answers will name what could not be read'
}

/** What is known about the credentials' rights, a line each. */
export const rightsLines = (rights: Rights): string[] => {
  const where = rights.namespace === null ? 'all namespaces' : `namespace ${rights.namespace}`
  const total = rights.allowed.length + rights.denied.length
  if (total === 0 && rights.unknown !== null)
    return [`cluster ${rights.cluster}: its rights could not be found out: ${oneLine(rights.unknown)}`]
  return [
    `cluster ${rights.cluster}, ${where}: ${rights.allowed.length} of the ${total} rights that podwhy uses`,
    ...rights.denied.map(denied => `missing: ${right(denied)}; ${costOf(right(denied))}`),
    ...rights.warnings.map(warning => `warning: ${warning}`),
    ...(rights.unknown === null ? [] : [`not all could be found out: ${oneLine(rights.unknown)}`]),
  ]
}

/** Where rights are asked for: the namespaces that PODWHY_NAMESPACES names, unless a glob is among them; null: in all. */
export const namespacesToCheck = (patterns: readonly string[]): readonly (string | null)[] => {
  const allowing = patterns.filter(pattern => !pattern.startsWith('!'))
  return allowing.length > 0 && allowing.every(pattern => /^[-a-z0-9]+$/.test(pattern)) ? allowing : [null]
}

const readConfiguration = async (env: Terminal['env']) => {
  const { ConfigError, readConfig } = await import('../config.ts')
  try {
    return { config: readConfig(env), problems: [] }
  } catch (error) {
    if (error instanceof ConfigError) return { config: null, problems: error.mistakes }
    throw error
  }
}

/** The clusters to check: the one of `--context`, else all that are configured. */
const sourcesToCheck = async (config: Config | null, context: string | undefined, env: Terminal['env']) => {
  if (config === null) return [{ ...clusterSource(env), context }]
  const own = config.kubeconfigs.find(([name]) => name === context)
  if (own !== undefined) return [{ kubeconfig: own[1], name: own[0] }]
  if (context !== undefined) return [{ ...clusterSource(env), context }]
  const { clusterSources } = await import('./cluster-sources.ts')
  return clusterSources(config)
}

/** What can only be said of the configuration once the clusters' names are known. */
const namingProblems = async (config: Config | null, names: readonly string[]): Promise<readonly string[]> => {
  const [{ ConfigError }, { alertClusters, assertDistinct }] = await Promise.all([
    import('../config.ts'),
    import('./cluster-sources.ts'),
  ])
  try {
    assertDistinct(names)
    if (config !== null) alertClusters(config, names)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}

/** Prints a cluster's rights, or why they cannot be told. */
const checkCluster = async (
  source: ClusterOptions,
  { namespaces, watches }: { namespaces: readonly (string | null)[]; watches: boolean },
  { print }: Pick<Terminal, 'print'>,
): Promise<{ status: ExitStatus; name: string | null }> => {
  const [{ openCluster }, { ClusterError }] = await Promise.all([
    import('../cluster/cluster.ts'),
    import('../cluster/cluster-error.ts'),
  ])
  try {
    const cluster = await openCluster(source)
    try {
      let status: ExitStatus = 0
      for (const namespace of namespaces) {
        const rights = await cluster.rights({ namespace: namespace ?? undefined, watches })
        await print(`${rightsLines(rights).join('\n')}\n`)
        if (rights.unknown !== null) return { status: 2, name: cluster.name }
        if (rights.denied.length > 0 || rights.warnings.length > 0) status = 1
      }
      return { status, name: cluster.name }
    } finally {
      await cluster.close()
    }
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error
    await print(`cluster${source.name === undefined ? '' : ` ${source.name}`}: ${oneLine(error.message)}\n`)
    return { status: 2, name: source.name ?? null }
  }
}

/** `podwhy check`: 0 all well · 1 rights are missing or too many · 2 the configuration is wrong or a cluster unreachable. */
export const check = async (args: readonly string[], terminal: Terminal): Promise<ExitStatus> => {
  const { values, positionals } = parseCommandLine(args, OPTIONS)
  if (positionals.length > 0) throw new UsageError(`check takes no TARGET: "${positionals[0]}" is one word too many`)
  const { config, problems } = await readConfiguration(terminal.env)
  await terminal.print(
    problems.length === 0
      ? 'configuration: no mistakes\n'
      : problems.map(problem => `configuration: ${problem}\n`).join(''),
  )
  const namespaces = values.namespace === undefined ? namespacesToCheck(config?.namespaces ?? []) : [values.namespace]
  let highest: ExitStatus = problems.length > 0 ? 2 : 0
  const names: string[] = []
  for (const source of await sourcesToCheck(config, values.context, terminal.env)) {
    const { status, name } = await checkCluster(source, { namespaces, watches: config?.watch ?? false }, terminal)
    if (status > highest) highest = status
    if (name !== null) names.push(name)
  }
  if (values.context !== undefined) return highest
  const naming = await namingProblems(config, names)
  await terminal.print(naming.map(problem => `configuration: ${problem}\n`).join(''))
  return naming.length > 0 ? 2 : highest
}
