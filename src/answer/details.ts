import type { Diagnosis, Evidence } from '../diagnosis/diagnosis.ts'
import { duration } from './duration.ts'
import { cause } from './headline.ts'
import { code, type Inline, italic, plain, sentence, time } from './inline.ts'
import { kubectlCommand } from './kubectl-command.ts'
import { type LogBudget, type LogSection, logSection } from './log-section.ts'
import { printable } from './printable.ts'

export interface ListSection {
  readonly kind: 'list'
  readonly title: Inline[]
  readonly items: readonly Inline[][]
}

export interface ProseSection {
  readonly kind: 'prose'
  readonly title: Inline[]
  readonly text: Inline[]
}

export interface ShownCommand {
  readonly purpose: Inline[]
  /** For a POSIX shell; null where it holds control characters: shown, it could do something else than it says. */
  readonly line: string | null
}

export interface CommandSection {
  readonly kind: 'commands'
  readonly title: Inline[]
  readonly commands: readonly ShownCommand[]
}

/** One titled part of what stands below the headline; the same for Slack and the terminal. */
export type Section = ListSection | ProseSection | LogSection | CommandSection

const fact = ({ text, source }: Evidence): Inline[] => [
  ...sentence(text),
  ...(source === '' ? [] : [plain(' – '), code(source)]),
]

const list = (title: string, items: readonly Inline[][]): Section[] =>
  items.length === 0 ? [] : [{ kind: 'list', title: [plain(title)], items }]

/** `It ran for 15s, until 21:39:51.`; nothing where a time is missing or, as for a container that never ran, 1970. */
const lifetime = ({ startedAt, finishedAt }: NonNullable<Diagnosis['exit']>): Inline[] => {
  const end = time(finishedAt, 'day')
  const seconds = (Date.parse(finishedAt ?? '') - Date.parse(startedAt ?? '')) / 1000
  if (end.length === 0 || !(Date.parse(startedAt ?? '') > 0) || seconds < 0) return []
  return [plain(` It ran for ${seconds < 1 ? 'less than a second' : duration(seconds)}, until `), ...end, plain('.')]
}

/** `Exit code 137 (SIGKILL, reason Error) of consumer`: what it means here, and how long that instance ran. */
const exitSection = ({ exit, container }: Diagnosis): Section[] => {
  if (exit === null) return []
  const more = [exit.signal, exit.reason === '' ? null : `reason ${exit.reason}`].filter(part => part !== null)
  const title = [
    plain(`Exit code ${exit.code}${more.length === 0 ? '' : ` (${more.join(', ')})`}`),
    ...(container === null ? [] : [plain(' of '), code(container.name)]),
  ]
  return [{ kind: 'prose', title, text: [...sentence(exit.meaning), ...lifetime(exit)] }]
}

/** Whether a command says all that it does: no control character hides in it. */
export const isShowable = (line: string): boolean => line.split('\n').every(part => part === printable(part))

const commandSection = ({ commands }: Diagnosis): Section[] => {
  if (commands.length === 0) return []
  const lines = commands.map(({ purpose, argv, changes }): ShownCommand => {
    const line = kubectlCommand(argv)
    const isShown = isShowable(line)
    return {
      purpose: [
        ...sentence(purpose),
        ...(changes ? [plain(' – '), italic('changes the cluster')] : []),
        ...(isShown ? [] : [plain(' – not shown: it holds control characters')]),
      ],
      line: isShown ? line : null,
    }
  })
  return [{ kind: 'commands', title: [plain('Commands')], commands: lines }]
}

/**
 * What proves the headline and equips who repairs: nothing in it repeats the headline. Of a pod with nothing wrong only
 * what was seen is told.
 */
export const details = (diagnosis: Diagnosis, budget: LogBudget): Section[] => {
  const { cause: headline, others, unread, healthy } = diagnosis
  const log = healthy ? null : logSection(diagnosis, budget)
  const seen = [
    ...list('How we know', headline.evidence.map(fact)),
    ...list(
      'Also found',
      others.map(other => cause(diagnosis, other)),
    ),
    ...list(
      'Could not be read',
      unread.map(({ what, why }) => sentence(`${what}: ${why}`)),
    ),
  ]
  if (healthy) return seen
  return [
    ...seen,
    ...exitSection(diagnosis),
    ...(log === null ? [] : [log]),
    ...list('Further fixes', headline.fix.slice(1).map(sentence)),
    ...list('Avoid', headline.avoid.map(sentence)),
    ...list('How to see that it worked', headline.verify.map(sentence)),
    ...commandSection(diagnosis),
  ]
}
