import { tellingEntries } from './decisive-entry.ts'
import { entriesAt, type LogEntry } from './log-entries.ts'
import type { LogLine } from './log-lines.ts'

/** The line of a log that tells most about its end. */
export interface LastWords extends LogLine {
  /** True where the line itself says that something went wrong. */
  readonly isError: boolean
  /** Index of the line it stands in. */
  readonly index: number
}

const ERROR =
  /\b(?:fatal|panic|emerg|critical|severe|exception|traceback|errors?|err|failed|failure|fails|cannot|can't|could not|couldn't|unable to|denied|refused|not found|no such|invalid|missing|required|aborted|aborting|unknown|not set|must be|unexpected|lost|timed out|does not exist|read-only|rejected|mismatch|corrupt\w*)\b|[a-z](?:Error|Exception)\b/i

/** Words that only say that it ends: the cause stands before them. */
const CONSEQUENCE =
  /\b(?:shutting down|shut down|exiting|exited with|exit(?:ed)? (?:code|status)|aborting|terminat(?:ed|ing)|stopp(?:ed|ing)|Application run failed|startup failed|failed to start|start-?up aborted|Command failed with exit code|make: \*\*\*|script returned exit code|process completed|will now exit|giving up|Job failed|ELIFECYCLE|see (?:the )?log|For more information)\b/i

const isGrave = ({ level, text }: LogEntry): boolean =>
  level === 'fatal' || level === 'error' || (level === null && ERROR.test(text))

const told = ({ at, text, index }: LogEntry, isError: boolean): LastWords => ({ at, text: text.trim(), index, isError })

/** The last line that says anything at all. */
const lastLine = (lines: readonly LogLine[]): LastWords | null => {
  for (let index = lines.length - 1; index >= 0; index--) {
    const entry = entriesAt(lines, index).find(({ text }) => text.trim() !== '')
    if (entry) return told(entry, false)
  }
  const spoken = lines.findLast(({ text }) => text.trim() !== '')
  return spoken ? { at: spoken.at, text: spoken.text.trim(), index: lines.indexOf(spoken), isError: false } : null
}

/** Of a chain of exceptions, the one the others come from: Java's deepest cause, Python's direct cause, Node's `[cause]`. */
const rootOf = (lines: readonly LogLine[], chosen: LogEntry, entries: readonly LogEntry[]): LogEntry => {
  const causes = entries.filter(
    ({ index, text }) =>
      index > chosen.index && index - chosen.index < 400 && /^\s*(?:Caused by: |\[cause\]: )/.test(text),
  )
  if (causes[0]) return causes[0]
  const before = lines.slice(Math.max(0, chosen.index - 120), chosen.index)
  const link = before.findLastIndex(({ text }) => text.startsWith('The above exception was the direct cause'))
  if (link < 0) return chosen
  const at = chosen.index - before.length + link
  return entries.find(({ index, level }) => index < at && level === 'fatal') ?? chosen
}

/** The newest line that names an error – a grave one before others, its cause before what follows –, else the last line. */
export const lastWords = (lines: readonly LogLine[]): LastWords | null => {
  const entries = tellingEntries(lines.length > 2_000 ? lines.slice(-2_000) : lines)
  const offset = Math.max(0, lines.length - 2_000)
  const grave = entries.filter(isGrave)
  const fatal = grave.find(({ level, text }) => level === 'fatal' && !CONSEQUENCE.test(text))
  const error = grave.find(({ text }) => !CONSEQUENCE.test(text))
  const isNear = fatal !== undefined && error !== undefined && error.index - fatal.index < 60
  const chosen = (isNear ? fatal : error) ?? grave[0]
  if (!chosen) return lastLine(lines)
  const root = rootOf(offset > 0 ? lines.slice(offset) : lines, chosen, entries)
  return told({ ...root, index: root.index + offset }, true)
}
