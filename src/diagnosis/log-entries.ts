import { type LogLevel, levelOf } from './log-level.ts'
import type { LogLine } from './log-lines.ts'
import { structuredLine } from './structured-log.ts'

/** One thing a log says: a line, or one of the texts of a JSON line. */
export interface LogEntry {
  readonly at: string | null
  /** What is said; of a JSON line the message or the error, not the line. */
  readonly text: string
  readonly level: LogLevel | null
  /** Index of the line it stands in. */
  readonly index: number
}

/** A longer line is looked at by its head and tail. */
export const LONGEST_LINE = 4_000

/** The head and tail of a line that is too long. */
export const shortened = (text: string): string =>
  text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE * 0.75)} … ${text.slice(-LONGEST_LINE * 0.25)}`

/** Frames, quoted source (not Vault's `| * permission denied`), dumps and repeats of a runner: they never tell the cause themselves. */
const NOISE =
  /^\s+(?:at |File "|\.\.\. \d+ (?:more|common)|from \/|in <|by |\d+: 0x|#\d+ |~+|\^)|^\s*[\^~]+\s*$|^goroutine \d+|^\s*$|^Node\.js v\d|^\s*throw |^\s*raise [A-Z]|^[\])}]+[;,]?$|^\t(?:at |\.\.\. |\S{1,200}\.(?:go|s):\d)|^Traceback \(most recent call last\)|^\s*\d+: 0x[0-9a-f]+|^\s*(?:---|===)[-=]*\s*$|^\[\d+:0x[0-9a-f]+\]|^<---|^npm (?:notice|warn|WARN|(?:ERR!|error)(?:$| (?:A complete|Lifecycle|code E?LIFE|code \d|errno|command|path|workspace| *\/)))|^error Command failed with|^info Visit https:\/\/yarnpkg|^\s*(?:--- End of |stack backtrace:|note: run with `RUST_BACKTRACE)|^\s*\| (?!\* |Code: \d)|^The above exception was|^During handling of the above|^\s+\d+ \| |^> ?\d+ \||^created by |^exit status \d+$/

const isQuotedSource = (lines: readonly LogLine[], index: number): boolean => {
  const next = lines[index + 1]?.text
  // Node and Python point at the quoted source with a line of carets.
  if (next !== undefined && next.length < 400 && /^\s*[\^~]{1,200}\s*$/.test(next)) return true
  const before = lines[index - 1]?.text
  return before !== undefined && /^\s+File "[^"]{1,300}", line \d+/.test(before) && /^\s/.test(lines[index]?.text ?? '')
}

/** True for a line that belongs to a trace or repeats the source. */
export const isNoise = (lines: readonly LogLine[], index: number): boolean => {
  const text = lines[index]?.text ?? ''
  return NOISE.test(text.length > 300 ? text.slice(0, 300) : text) || isQuotedSource(lines, index)
}

/** The level that an indented or bare line takes from the line it continues (.NET's console logger, multi-line messages). */
const inherited = (lines: readonly LogLine[], index: number): LogLevel | null => {
  for (let before = index - 1; before >= 0 && index - before <= 12; before--) {
    const { text } = lines[before] ?? { text: '' }
    if (text.trim() === '') return null
    if (/^\s/.test(text) || isNoise(lines, before)) continue
    return levelOf(shortened(text))
  }
  return null
}

const plainLevel = (lines: readonly LogLine[], index: number, text: string): LogLevel | null => {
  const own = levelOf(text)
  if (own === null) {
    const above = lines[index - 1]?.text ?? ''
    // `thread 'main' panicked at src/main.rs:3:5:` – the message is the next line.
    if (above.length < 400 && /:\s*$/.test(above)) return levelOf(above)
    return /^\s/.test(text) ? inherited(lines, index) : null
  }
  // An exception printed below a warning was caught: a logger wrote it.
  if (own === 'fatal' && !/\b(?:FATAL|fatal|panic|emerg|CRIT)/.test(text.slice(0, 60))) {
    const above = lines[index - 1]?.text ?? ''
    if (levelOf(shortened(above)) === 'warn') return 'warn'
  }
  return own
}

/** What one line says; none for traces and quoted source. */
export const entriesAt = (lines: readonly LogLine[], index: number): readonly LogEntry[] => {
  const line = lines[index]
  if (!line) return []
  const structured = structuredLine(line.text)
  if (structured) {
    return structured.texts
      .map(text => shortened(text))
      .filter(text => !NOISE.test(text))
      .map(text => ({ at: line.at, text, level: structured.level ?? levelOf(text), index }))
  }
  if (isNoise(lines, index)) return []
  // logfmt and quoted JSON escape their quotation marks.
  const text = shortened(line.text).replaceAll('\\"', '"')
  return [{ at: line.at, text, level: plainLevel(lines, index, text), index }]
}
