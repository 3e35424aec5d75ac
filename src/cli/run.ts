import { oneOf, parseCommandLine } from './command-line.ts'
import { help } from './help.ts'
import { type ExitStatus, oneLine, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const serve = async (args: readonly string[], { env }: Terminal): Promise<ExitStatus> => {
  const { values, positionals } = parseCommandLine(args, { role: { type: 'string', default: 'all' } } as const)
  if (positionals.length > 0) throw new UsageError(`serve takes no TARGET: "${positionals[0]}" is one word too many`)
  const role = oneOf('--role', values.role, ['all', 'bot', 'worker'])
  const { serve: start } = await import('./serve.ts')
  await start({ role, env })
  return 0
}

const version = async (): Promise<string> => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } })
  return manifest.version
}

/** Each command loads only what it needs, so that `explain` starts fast. */
const COMMANDS: Readonly<Record<string, (args: readonly string[], terminal: Terminal) => Promise<ExitStatus>>> = {
  explain: async (args, terminal) => (await import('./explain.ts')).explain(args, terminal),
  record: async (args, terminal) => (await import('./record.ts')).record(args, terminal),
  check: async (args, terminal) => (await import('./check.ts')).check(args, terminal),
  serve,
}

const dispatch = async (args: readonly string[], terminal: Terminal): Promise<ExitStatus> => {
  const [command, ...rest] = args
  const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest
  if (
    command === '--help' ||
    command === '-h' ||
    command === 'help' ||
    options.some(word => word === '--help' || word === '-h')
  ) {
    await terminal.print(help)
    return 0
  }
  if (command === '--version') {
    await terminal.print(`${await version()}\n`)
    return 0
  }
  if (command === undefined) throw new UsageError('name a command: explain, record, check or serve; see podwhy --help')
  const act = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (act !== undefined) return act(rest, terminal)
  if (command.startsWith('-')) throw new UsageError(`unknown option "${command}"; see podwhy --help`)
  throw new UsageError(`there is no command "${command}"; did you mean: podwhy explain ${command}`)
}

/** What is said about an error: a line, several for a wrong configuration, the stack where PODWHY_DEBUG is 1. */
export const errorLines = (error: unknown, env: Terminal['env']): string[] => {
  if (env['PODWHY_DEBUG'] === '1' && error instanceof Error && error.stack !== undefined) return [error.stack]
  const message = error instanceof Error ? error.message || error.name : String(error)
  const lines = error instanceof Error && error.name === 'ConfigError' ? message.split('\n') : [message]
  return lines.map(line => `podwhy: ${oneLine(line)}`)
}

/** Runs one command line. Never throws: what goes wrong is said on stderr, and the status is 2. */
export const run = async (args: readonly string[], terminal: Terminal): Promise<ExitStatus> => {
  try {
    return await dispatch(args, terminal)
  } catch (error) {
    for (const line of errorLines(error, terminal.env)) terminal.say(line)
    return 2
  }
}
