import type { Diagnosis } from '../diagnosis/diagnosis.ts'
import { details, type Section } from './details.ts'
import { cause, head, nextTry, remedy } from './headline.ts'
import { bold, type Inline, plain, title } from './inline.ts'
import { type Margin, type TerminalStyle, terminalLine } from './terminal-line.ts'

export interface TextOptions {
  /** Whether to use ANSI colours. */
  readonly color: boolean
  /** Columns to wrap at; logs and commands never are. Default 100. */
  readonly width?: number
  /** What relative times count from, RFC 3339; default when the snapshot was taken; null: none are told. */
  readonly now?: string | null
}

/** Log lines are not shortened in the terminal; of a longer log the newest are shown. */
const logBudget = { lines: 50, characters: Number.POSITIVE_INFINITY, lineCharacters: 2_000 }

/**
 * The diagnosis for a terminal: the first lines are enough to act on, then what proves it, the log and the commands.
 * Ends with a line break.
 */
export const textAnswer = (diagnosis: Diagnosis, options: TextOptions): string => {
  const width = Math.max(options.width ?? 100, 40)
  const style: TerminalStyle = {
    color: options.color,
    now: options.now === undefined ? diagnosis.takenAt : options.now,
  }
  const line = (pieces: readonly Inline[], margin?: Margin) => terminalLine(pieces, style, width, margin)

  const sectionText = (part: Section): string => {
    const name = line(title(part.title))
    switch (part.kind) {
      case 'list':
        return [name, ...part.items.map(item => line(item, { first: '  - ', rest: '    ' }))].join('\n')
      case 'prose':
        return [name, line(part.text, { first: '  ', rest: '  ' })].join('\n')
      case 'log':
        return [name, line(part.about, { first: '  ', rest: '  ' }), ...part.lines.map(text => `    ${text}`)].join(
          '\n',
        )
      case 'commands':
        return [
          name,
          ...part.commands.flatMap(({ purpose, line: command }) => [
            line(purpose, { first: '  # ', rest: '  # ' }),
            ...(command === null ? [] : [`  ${command}`]),
          ]),
        ].join('\n')
    }
  }

  const toDo = diagnosis.healthy ? null : remedy(diagnosis)
  const next = diagnosis.healthy ? [] : nextTry(diagnosis)
  const first = [
    line(head(diagnosis)),
    line(cause(diagnosis)),
    ...(toDo === null ? [] : [line([bold(toDo.label), plain(' '), ...toDo.line])]),
    ...(next.length === 0 ? [] : [line(next)]),
  ].join('\n')
  return `${[first, ...details(diagnosis, logBudget).map(sectionText)].join('\n\n')}\n`
}
