import { entriesAt, LONGEST_LINE, type LogEntry, shortened } from './log-entries.ts'
import { type LogLevel, levelOf } from './log-level.ts'
import type { LogLine } from './log-lines.ts'

/** A way in which programs say what is wrong. */
export interface LogRow {
  /** Linear; named groups (`setting`, `user`, `path`, `port` …) are what the answer quotes. */
  readonly pattern: RegExp
  /** How much it decides, 0–20; without it 10. A refused connection decides less than the failed log-in after it. */
  readonly weight?: number
  /** False where the words alone do not prove the cause. */
  readonly isCertain?: boolean
  /** What the answer says of it, where the family's own words do not fit. */
  readonly note?: string
}

/** The rows of one cause, and a cheap test that every line they know passes. */
export interface LogFamily {
  readonly id: string
  readonly hint: RegExp
  readonly rows: readonly LogRow[]
}

/** A row that fits an entry of the log, and how decisive that is. */
export interface Match {
  readonly family: LogFamily
  readonly row: LogRow
  readonly entry: LogEntry
  readonly groups: Readonly<Record<string, string | undefined>>
  readonly score: number
}

/** Every line that a row can know holds one of these. */
const TELLING =
  /refus|denied|forbidden|err(?:or|no)|exception|fail|fatal|panic|missing|require|not? (?:set|found|such|space|route|exist|known|allowed|permitted|support|specif|provided|pass|working|available|writ|defined)|can't|cannot|could|unable|invalid|unknown|unrecogni|undefined|unsupported|unexpected|time[d ]{0,2}out|in use|E(?:ADDR|ACCES|NOENT|CONN|NOTFOUND|ROFS|AI_|TIMED|HOST|NET|NOSPC|MFILE|BUSY|PERM)|read-only|memory|sigsegv|segmentation|illegal|avx|module|librar|symbol|glibc|loop|limit|too (?:low|many|old)|credential|auth|password|unbound|must|expected|parse|directive|lost\+found|emerg|noauth|tcp:\/\/|must be|closed|not ready|starting up|unavailable|unreachable|resol|lookup|uninit|empty|busy|is not|nil|null|aborted|allowed|incompatible|unset|specify|deadline|specified|disconnect|not match|no matching|AADSTS|mismatch|duplicate|is running|available|alloc|snakeyaml|scanning|refuses|bad |reachable|no response|wrong|ownership|no (?:answer|value|DSN|listener|listening|known)|TNS:|unauthorized|listening on|incomplete|permission|mandatory|rejected|must|please (?:set|configure)|any known|EULA|env var/i

/** How many telling lines are looked at, newest first; those that repeat, numbers aside, count once. */
const LOOKED_AT = 240

const LEVEL_SCORE: Readonly<Record<LogLevel | 'none', number>> = { fatal: 40, error: 30, none: 20, warn: 8, info: 2 }

/** Words of a program that goes on trying: the failure is not its end. */
const GOES_ON =
  /\b(?:re-?try|retries|retrying|re-?connect|reconnecting|will try|trying again|attempt \d|next attempt|backing off|waiting for|ignor(?:e|ed|ing)|skipp(?:ed|ing)|fall(?:ing)? ?back|default(?:ing)? to|using default|non-fatal|deprecated)\b/i

/** A program that has promised retries ends with words like these, which name no cause themselves. */
const GIVES_UP =
  /\b(?:giv(?:ing|es|en) up|gave up|(?:max(?:imum)?|all) (?:number of )?(?:retries|attempts|tries)|(?:retries|attempts) (?:exhausted|exceeded)|too many (?:retries|failures|attempts)|(?:after|in) \d+ (?:attempts|retries|tries))\b/i

/** How far before the give-up the last failed attempt may stand. */
const LAST_ATTEMPT = 40

/** Index of the line with which the program gives up at the end of the log; null: it does not say so. */
const gaveUpAt = (lines: readonly LogLine[]): number | null => {
  const from = Math.max(0, lines.length - 12)
  const at = lines.slice(from).findLastIndex(({ text }) => GIVES_UP.test(text.slice(0, 400)))
  return at < 0 || levelOf((lines[from + at]?.text ?? '').slice(0, 400)) === 'info' ? null : from + at
}

/** The entries that may tell a cause, newest first. */
export const tellingEntries = (lines: readonly LogLine[]): readonly LogEntry[] => {
  const seen = new Set<string>()
  const entries: LogEntry[] = []
  for (let index = lines.length - 1; index >= 0 && seen.size < LOOKED_AT; index--) {
    const whole = lines[index]?.text ?? ''
    const text = whole.length > LONGEST_LINE ? shortened(whole) : whole
    // What a grave line announces with a colon stands on the next one.
    const announced = lines[index - 1]?.text.trimEnd()
    const isAnnounced = announced?.endsWith(':') && announced.length < 400 && TELLING.test(announced)
    if (!isAnnounced && !TELLING.test(text)) continue
    const shape = text.length > 400 ? text.slice(0, 400) : text
    const key = shape.replace(/\d+/g, '0')
    if (seen.has(key)) continue
    seen.add(key)
    entries.push(...entriesAt(lines, index))
  }
  return entries
}

const nearness = (fromEnd: number): number =>
  fromEnd <= 12 ? 8 : fromEnd <= 40 ? 6 : fromEnd <= 120 ? 3 : fromEnd <= 400 ? -2 : -12

const scoreOf = (entry: LogEntry, row: LogRow, fromEnd: number): number => {
  const goesOn = entry.level !== 'fatal' && GOES_ON.test(entry.text)
  const level = LEVEL_SCORE[goesOn && entry.level !== 'info' ? 'warn' : (entry.level ?? 'none')]
  const deeper = /^\s*(?:Caused by: |\[cause\]|---> )/.test(entry.text) ? 1 : 0
  return level + (row.weight ?? 10) + nearness(fromEnd) + deeper
}

/**
 * What the log's telling lines say, most decisive first: graver lines before milder ones, rows that decide before
 * vague ones, the end of the log before its beginning, and of equals the one that came first – what follows it follows
 * from it.
 */
export const decisiveMatches = (lines: readonly LogLine[], families: readonly LogFamily[]): readonly Match[] => {
  const matches: Match[] = []
  const gaveUp = gaveUpAt(lines)
  for (const found of tellingEntries(lines)) {
    const isLastAttempt =
      gaveUp !== null && found.index < gaveUp && gaveUp - found.index <= LAST_ATTEMPT && GOES_ON.test(found.text)
    const isMild = found.level === 'error' && GOES_ON.test(found.text)
    const entry: LogEntry = isLastAttempt ? { ...found, level: 'fatal' } : isMild ? { ...found, level: 'warn' } : found
    for (const family of families) {
      if (!family.hint.test(entry.text)) continue
      for (const row of family.rows) {
        const fits = row.pattern.exec(entry.text)
        if (!fits) continue
        const score = scoreOf(entry, row, lines.length - 1 - entry.index)
        matches.push({ family, row, entry, groups: fits.groups ?? {}, score })
        break
      }
    }
  }
  return matches.sort((a, b) => b.score - a.score || a.entry.index - b.entry.index)
}
