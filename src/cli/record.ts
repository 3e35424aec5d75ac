import { isNamespace } from '../target.ts'
import { parseCommandLine } from './command-line.ts'
import { withTarget } from './open-target.ts'
import { safeJson } from './safe-json.ts'
import type { ExitStatus, Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const OPTIONS = { namespace: { type: 'string', short: 'n' }, context: { type: 'string' } } as const

/** `podwhy record`: prints what was read about a target, redacted, as a recording that `explain -f` takes. */
export const record = async (args: readonly string[], terminal: Terminal): Promise<ExitStatus> => {
  const { values, positionals } = parseCommandLine(args, OPTIONS)
  if (positionals.length === 0) throw new UsageError('name a TARGET; see podwhy --help')
  const { redact } = await import('../redaction/redact.ts')
  return withTarget(positionals, values, terminal.env, async (cluster, target) => {
    if (isNamespace(target))
      throw new UsageError(`name one pod or workload of namespace "${target.namespace}" to record`)
    const snapshot = await redact(await cluster.read(target))
    await terminal.print(`${safeJson(snapshot, 1)}\n`)
    return 0 as const
  })
}
