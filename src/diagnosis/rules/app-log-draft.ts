import { editOwner, readLog } from '../commands.ts'
import type { LogFamily, Match } from '../decisive-entry.ts'
import type { Command, Confidence, Evidence } from '../diagnosis.ts'
import { code, type Draft, fact, lineFact, quote } from '../rule.ts'
import type { Subject } from '../subject.ts'

/** A family of log lines and what the answer says of them; null: the pod's spec contradicts the line's claim. */
export interface AppFamily extends LogFamily {
  readonly tell: (subject: Subject, match: Match) => Draft | null
}

const doing = ({ moment, container }: Subject): string =>
  moment === 'failed' ? 'failed' : container.restartCount > 0 ? 'crash-loops' : 'failed and is being restarted'

/** `Container \`api\` crash-loops (exit code 1)`: how each summary begins. */
export const opening = (subject: Subject): string =>
  `${subject.noun} ${code(subject.name)} ${doing(subject)} (exit code ${subject.exitCode ?? 0})`

/** The decisive line, quoted. */
export const said = ({ entry }: Match, longest = 200): string => quote(entry.text, longest)

export interface Telling {
  /** Follows `Container \`api\` crash-loops (exit code 1): `. */
  readonly because: string
  readonly fix: readonly string[]
  readonly id?: string
  readonly confidence?: Confidence
  readonly evidence?: readonly Evidence[]
  readonly avoid?: readonly string[]
  readonly verify?: readonly string[]
  /** Reads of this cause, before the log. */
  readonly reads?: readonly Command[]
  readonly isSymptom?: boolean
}

/** A grave line, or one of the last: the line and the exit decide together. */
const confidenceOf = (subject: Subject, { entry, row }: Match): Confidence => {
  const isGrave = entry.level === 'fatal' || entry.level === 'error'
  const fromEnd = subject.lines.length - entry.index
  const decides = fromEnd <= 12 || (isGrave && fromEnd <= 120)
  return row.isCertain !== false && entry.level !== 'warn' && decides ? 'certain' : 'likely'
}

/** A finding proved by a line of the log. */
export const logDraft = (subject: Subject, match: Match, telling: Telling): Draft => ({
  id: telling.id ?? match.family.id,
  confidence: telling.confidence ?? confidenceOf(subject, match),
  container: subject.name,
  summary: `${opening(subject)}: ${telling.because}`,
  evidence: [
    lineFact(subject, match.entry),
    ...(telling.evidence ?? []),
    fact(
      `${subject.container.ended?.path ?? subject.container.statusPath}.exitCode`,
      `exit code ${subject.exitCode ?? 0}`,
    ),
  ],
  fix: telling.fix,
  avoid: telling.avoid ?? [],
  verify: telling.verify ?? [],
  commands: [...(telling.reads ?? []), readLog(subject), ...editOwner(subject.view)],
  ...(telling.isSymptom ? { isSymptom: true } : {}),
})

/** The texts of the lines around the decisive one. */
export const around = ({ lines }: Subject, { entry }: Match, before: number, after: number): readonly string[] =>
  lines.slice(Math.max(0, entry.index - before), entry.index + after + 1).map(({ text }) => text)
