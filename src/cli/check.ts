import type { Rights } from '../cluster/rights.ts'
import { parseCommandLine } from './command-line.ts'
import { clusterSource } from './open-target.ts'
import { type ExitStatus, oneLine, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const OPTIONS = { namespace: { type: 'string', short: 'n' }, context: { type: 'string' } } as const

type Right = Rights['allowed'][number]
const right = ({ verb, group, resource }: Right): string => `${verb} ${resource}${group === '' ? '' : `.${group}`}`

/** What is known about the credentials' rights, a line each. */
export const rightsLines = (rights: Rights): string[] => {
  const where = rights.namespace === null ? 'all namespaces' : `namespace ${rights.namespace}`
  const total = rights.allowed.length + rights.denied.length
  if (total === 0 && rights.unknown !== null)
    return [`cluster ${rights.cluster}: its rights could not be found out: ${oneLine(rights.unknown)}`]
  return [
    `cluster ${rights.cluster}, ${where}: ${rights.allowed.length} of the ${total} rights that podwhy uses`,
    ...rights.denied.map(
      denied =>
        `missing: ${right(denied)}; ${right(denied) === 'get pods' ? 'nothing can be answered without it' : 'answers will name what could not be read'}`,
    ),
    ...rights.warnings.map(warning => `warning: ${warning}`),
    ...(rights.unknown === null ? [] : [`not all could be found out: ${oneLine(rights.unknown)}`]),
  ]
}

const configProblems = async (env: Terminal['env']): Promise<readonly string[]> => {
  const { ConfigError, readConfig } = await import('../config.ts')
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}

/** `podwhy check`: 0 all well · 1 rights are missing or too many · 2 the configuration is wrong or the cluster unreachable. */
export const check = async (args: readonly string[], terminal: Terminal): Promise<ExitStatus> => {
  const { values, positionals } = parseCommandLine(args, OPTIONS)
  if (positionals.length > 0) throw new UsageError(`check takes no TARGET: "${positionals[0]}" is one word too many`)
  const problems = await configProblems(terminal.env)
  await terminal.print(
    problems.length === 0
      ? 'configuration: no mistakes\n'
      : problems.map(problem => `configuration: ${problem}\n`).join(''),
  )
  const [{ openCluster }, { ClusterError }] = await Promise.all([
    import('../cluster/cluster.ts'),
    import('../cluster/cluster-error.ts'),
  ])
  try {
    const cluster = await openCluster({ ...clusterSource(terminal.env), context: values.context })
    try {
      const rights = await cluster.rights({ namespace: values.namespace })
      await terminal.print(`${rightsLines(rights).join('\n')}\n`)
      if (problems.length > 0 || rights.unknown !== null) return 2
      return rights.denied.length > 0 || rights.warnings.length > 0 ? 1 : 0
    } finally {
      await cluster.close()
    }
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error
    await terminal.print(`cluster: ${oneLine(error.message)}\n`)
    return 2
  }
}
