import type { Command, Confidence, Evidence, Finding } from './diagnosis.ts'
import type { PodEvent } from './pod-events.ts'
import type { Subject } from './subject.ts'
import type { View } from './view.ts'

/** What a rule says; `findingOf` fills in the rest. */
export interface Draft {
  readonly id: string
  readonly confidence: Confidence
  readonly container?: string | null
  readonly summary: string
  readonly evidence: readonly Evidence[]
  readonly fix: readonly string[]
  readonly avoid?: readonly string[]
  readonly verify?: readonly string[]
  /** Commands of this cause, in the order to run them; the general ones are added around them. */
  readonly commands?: readonly Command[]
  /** True where this only follows from another container's failure: it never leads while there is a cause. */
  readonly isSymptom?: boolean
}

/** Looks at one container; null: not its case. */
export type ContainerRule = (subject: Subject) => Draft | null

/** Looks at the pod as a whole, or at an owner without pods. */
export type PodRule = (view: View) => Draft | null

export const findingOf = (draft: Draft): Finding => ({
  id: draft.id,
  confidence: draft.confidence,
  container: draft.container ?? null,
  summary: draft.summary,
  evidence: draft.evidence,
  fix: draft.fix,
  avoid: draft.avoid ?? [],
  verify: draft.verify ?? [],
})

/** A name or value of the user's, in code style. */
export const code = (value: string | number): string =>
  `\`${String(value).replaceAll('`', "'").replaceAll('\n', ' ')}\``

/** A text that others wrote, cut to a readable length. */
export const quote = (said: string, longest = 240): string => {
  const line = said.replace(/\s+/g, ' ').trim()
  if (line.length <= longest) return code(line)
  const points = Array.from(line)
  return code(points.length > longest ? `${points.slice(0, longest - 1).join('')}…` : line)
}

/** A fact and where it was read. */
export const fact = (source: string, text: string): Evidence => ({ source, text })

/** An event as evidence: its words, how often, when. */
export const eventFact = (event: PodEvent, said: string = quote(event.message)): Evidence => ({
  source: `event ${event.reason}${event.id === '' ? '' : ` ${event.id}`}${event.lastAt === null ? '' : ` at ${event.lastAt}`}`,
  text: event.count > 1 ? `${said} (${event.count} times)` : said,
})

/** A log line as evidence, with its own time. */
export const lineFact = (subject: Subject, line: { readonly at: string | null; readonly text: string }): Evidence => ({
  source: `${subject.linesSource}${line.at === null ? '' : ` at ${line.at.slice(0, 19)}Z`}`,
  text: quote(line.text, 300),
})
