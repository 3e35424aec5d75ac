import type { Diagnosed } from '../diagnosis/diagnose.ts'
import type { Diagnosis } from '../diagnosis/diagnosis.ts'
import type { PodSnapshot } from '../diagnosis/snapshot.ts'
import { isNamespace } from '../target.ts'
import { oneOf, parseCommandLine } from './command-line.ts'
import { withTarget } from './open-target.ts'
import { safeJson } from './safe-json.ts'
import { type FileEntry, openFile, readSnapshots } from './snapshot-file.ts'
import { type ExitStatus, oneLine, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export type Output = 'text' | 'json' | 'slack'

/** What becomes of a snapshot, one after the other. */
export interface Stations {
  readonly redact: (snapshot: PodSnapshot) => Promise<PodSnapshot>
  readonly diagnose: (snapshot: PodSnapshot) => Pick<Diagnosed, 'diagnosis'>
  readonly withContext: (diagnosis: Diagnosis, context: string | null) => Diagnosis
  /** The answer as it is printed, with its last line break. */
  readonly render: (diagnosis: Diagnosis) => string
}

/** How entries are answered. */
export interface Explaining {
  readonly output: Output
  /** Where the entries come from, as errors name it. */
  readonly source: string
  /** When snapshots without a time of their own were taken, RFC 3339; null: not known. */
  readonly at: string | null
}

const explainOne = async (
  snapshot: PodSnapshot,
  stations: Stations,
  { at, context }: { at: string | null; context: string | null },
) => {
  const redacted = await stations.redact(snapshot)
  const found = stations.diagnose(redacted.takenAt === null ? { ...redacted, takenAt: at } : redacted)
  const diagnosis = stations.withContext(found.diagnosis, context)
  return { text: stations.render(diagnosis), status: diagnosis.healthy ? (0 as const) : (1 as const) }
}

/**
 * Answers every entry in its place, in order: one line each as JSON; as text one block each, and an error is a line on
 * stderr. Gives the highest exit status.
 */
export const explainEntries = async (
  entries: AsyncIterable<FileEntry>,
  { output, source, at }: Explaining,
  stations: Stations,
  terminal: Pick<Terminal, 'print' | 'say'>,
): Promise<ExitStatus> => {
  let highest: ExitStatus = 0
  let answers = 0
  let count = 0
  const fail = async (error: string, line: number) => {
    highest = 2
    if (output === 'json') await terminal.print(`${safeJson({ schema: 'podwhy/v1', error: oneLine(error), line })}\n`)
    else terminal.say(`podwhy: ${source}, line ${line}: ${oneLine(error)}`)
  }
  for await (const entry of entries) {
    count += 1
    if ('error' in entry) {
      await fail(entry.error, entry.line)
      continue
    }
    try {
      const { text, status } = await explainOne(entry.snapshot, stations, { at, context: null })
      await terminal.print(output === 'text' && answers > 0 ? `\n${text}` : text)
      answers += 1
      if (status > highest) highest = status
    } catch (error) {
      await fail(`cannot be explained: ${(error as Error).message}`, entry.line)
    }
  }
  if (count === 0) throw new UsageError(`${source} is empty; a recording, a Pod or a List of Pods is expected`)
  return highest
}

const loadStations = async (output: Output, color: boolean, columns: number | undefined): Promise<Stations> => {
  const [{ redact }, { diagnose }, { withContext }, render] = await Promise.all([
    import('../redaction/redact.ts'),
    import('../diagnosis/diagnose.ts'),
    import('../diagnosis/with-context.ts'),
    loadRender(output, color, columns),
  ])
  return { redact, diagnose, withContext, render }
}

const loadRender = async (output: Output, color: boolean, columns: number | undefined): Promise<Stations['render']> => {
  if (output === 'json') {
    const { jsonAnswer } = await import('../answer/json-answer.ts')
    return diagnosis => `${safeJson(jsonAnswer(diagnosis))}\n`
  }
  if (output === 'slack') {
    const { slackAnswer } = await import('../answer/slack-answer.ts')
    return diagnosis => `${safeJson(slackAnswer(diagnosis))}\n`
  }
  const { textAnswer } = await import('../answer/text-answer.ts')
  return diagnosis => textAnswer(diagnosis, columns === undefined ? { color } : { color, width: columns })
}

const OPTIONS = {
  file: { type: 'string', short: 'f', multiple: true },
  namespace: { type: 'string', short: 'n' },
  context: { type: 'string' },
  output: { type: 'string', short: 'o', default: 'text' },
  at: { type: 'string' },
  color: { type: 'string', default: 'auto' },
} as const

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

const timeOf = (text: string | undefined): string | null => {
  if (text === undefined) return null
  if (text === 'now') return new Date().toISOString().replace(/\.\d+/, '')
  // JavaScript takes 30 February for 2 March.
  const isDay = new Date(`${text.slice(0, 10)}T00:00:00Z`).toJSON()?.startsWith(text.slice(0, 10)) ?? false
  if (!RFC_3339.test(text) || Number.isNaN(Date.parse(text)) || !isDay) {
    throw new UsageError(`--at ${text}: write an RFC 3339 time such as 2026-05-04T12:00:00Z, or now`)
  }
  return text.toUpperCase()
}

const hasColor = (when: string, { env, isTerminal }: Terminal): boolean => {
  const wanted = oneOf('--color', when, ['auto', 'always', 'never'])
  return wanted === 'always' || (wanted === 'auto' && isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb')
}

/** `podwhy explain`: one target of a cluster, or all that a file holds. Throws UsageError and the cluster's own errors. */
export const explain = async (args: readonly string[], terminal: Terminal): Promise<ExitStatus> => {
  const { values, positionals } = parseCommandLine(args, OPTIONS)
  const [file, ...more] = values.file ?? []
  if (more.length > 0)
    throw new UsageError('one -f FILE at a time; several go through stdin: cat FILES | podwhy explain -f -')
  const output = oneOf('-o', values.output, ['text', 'json', 'slack'])
  const color = hasColor(values.color, terminal)
  const at = timeOf(values.at)
  if (file === undefined && positionals.length === 0 && values.namespace === undefined)
    throw new UsageError('name a TARGET or -f FILE; see podwhy --help')
  if (file !== undefined && positionals.length > 0) throw new UsageError('name a TARGET or -f FILE, not both')
  if (file !== undefined && (values.namespace ?? values.context) !== undefined) {
    throw new UsageError('-n and --context belong to a TARGET, not to -f')
  }
  const stations = loadStations(output, color, terminal.isTerminal ? terminal.columns : undefined)
  if (file !== undefined) {
    const source = file === '-' ? 'stdin' : file
    const bytes = file === '-' ? terminal.stdin : openFile(file)
    return explainEntries(readSnapshots(bytes), { output, source, at }, await stations, terminal)
  }
  return withTarget(positionals, values, terminal.env, async (cluster, target, context) => {
    if (isNamespace(target)) {
      const { explainNamespace } = await import('./explain-namespace.ts')
      return explainNamespace(await cluster.triage(target.namespace), { output, color }, terminal)
    }
    const { text, status } = await explainOne(await cluster.read(target), await stations, { at, context })
    await terminal.print(text)
    return status
  })
}
