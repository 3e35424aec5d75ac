import type { Diagnosis, LogExcerpt } from '../diagnosis/diagnosis.ts'
import { cutMiddle } from './cut.ts'
import { code, type Inline, plain, sentence, time } from './inline.ts'
import { printable } from './printable.ts'

/** How much of a log is shown. */
export interface LogBudget {
  readonly lines: number
  readonly characters: number
  /** Of one line; the middle of a longer one is left out. */
  readonly lineCharacters: number
}

export interface LogSection {
  readonly kind: 'log'
  readonly title: Inline[]
  /** Which run wrote it, when, and what is not shown. */
  readonly about: Inline[]
  readonly lines: readonly string[]
}

/** The newest lines that fit, oldest first. */
export const tail = (lines: readonly string[], budget: LogBudget): string[] => {
  const kept: string[] = []
  let characters = 0
  for (const line of lines.slice(-budget.lines).reverse()) {
    const shown = cutMiddle(printable(line), budget.lineCharacters)
    characters += shown.length + 1
    if (characters > budget.characters) break
    kept.unshift(shown)
  }
  return kept
}

const run = (restart: number | null): string => {
  if (restart === null) return ''
  return restart === 0 ? ' (the first run)' : ` (after restart ${restart})`
}

/** Which instance wrote it: how it ended where that is known, else its place in time. */
const instance = ({ container, exit }: Diagnosis, log: LogExcerpt): Inline[] => {
  if (exit === null || container?.name !== log.container) {
    return [plain(`The ${log.instance} instance${run(log.restart)}.`)]
  }
  const at = time(exit.finishedAt, 'day')
  return [
    plain(`The instance that exited with ${exit.code}`),
    ...(at.length === 0 ? [] : [plain(' at '), ...at]),
    plain(`${run(log.restart)}.`),
  ]
}

const amount = (total: number, shown: number): string => {
  if (total === 1) return ' Its only line'
  return shown === total ? ` All ${total} lines` : ` The last ${shown} of ${total} lines`
}

const span = ({ firstAt, lastAt }: LogExcerpt): Inline[] => {
  const [from, to] = [time(firstAt, 'clock'), time(lastAt, 'clock')]
  if (from.length === 0 || to.length === 0) return []
  return firstAt === lastAt ? [plain(', at '), ...to] : [plain(', from '), ...from, plain(' to '), ...to]
}

const removed = (count: number): string =>
  count === 0 ? '' : ` ${count} ${count === 1 ? 'secret' : 'secrets'} removed.`

/** The log of the instance that is explained; null where no log has to do with it. */
export const logSection = (diagnosis: Diagnosis, budget: LogBudget): LogSection | null => {
  const { log } = diagnosis
  if (log === null) return null
  const title = [plain('Log of '), code(log.container)]
  if (log.missing !== null) return { kind: 'log', title, about: sentence(`There is none: ${log.missing}`), lines: [] }
  const lines = tail(log.lines, budget)
  const extent =
    lines.length === 0
      ? [plain(' It wrote nothing.')]
      : [plain(amount(log.lines.length + log.omitted, lines.length)), ...span(log), plain('.')]
  return {
    kind: 'log',
    title,
    about: [...instance(diagnosis, log), ...extent, plain(removed(log.redacted))],
    lines,
  }
}
