import { duration } from './duration.ts'
import { type Inline, type Moment, utc } from './inline.ts'

/** How lines are shown in a terminal. */
export interface TerminalStyle {
  readonly color: boolean
  /** The moment relative times count from, RFC 3339; null: there are none. */
  readonly now: string | null
}

const ansi = {
  bold: ['\u001B[1m', '\u001B[22m'],
  italic: ['\u001B[3m', '\u001B[23m'],
  code: ['\u001B[36m', '\u001B[39m'],
} as const

/** `21:36:10 UTC (30s ago)`; the day only where it is not today. */
const moment = ({ at, isRelative }: Moment, now: string | null): string => {
  if (now === null) return utc(at, 'day')
  const text = utc(at, at.slice(0, 10) === now.slice(0, 10) ? 'clock' : 'day')
  const seconds = (Date.parse(now) - Date.parse(at)) / 1000
  if (!isRelative) return text
  return `${text} (${seconds < 0 ? `in ${duration(-seconds)}` : `${duration(seconds)} ago`})`
}

/** One word that must not be broken, and whether white space stands before it. */
interface Word {
  readonly text: string
  readonly width: number
  readonly isSpaced: boolean
}

/** Values up to this share of the line are not broken at their spaces. */
const wholeShare = 0.5

const words = (line: readonly Inline[], style: TerminalStyle, width: number): Word[] => {
  const found: Word[] = []
  let isSpaced = false
  for (const piece of line) {
    const text = piece.style === 'time' ? moment(piece, style.now) : piece.text
    const isCode = piece.style === 'code'
    const [on, off] = style.color && piece.style !== 'time' && piece.style !== 'plain' ? ansi[piece.style] : ['', '']
    // Without colours back-ticks tell names from words.
    const shown = isCode && !style.color ? `\`${text}\`` : text
    for (const part of isCode && shown.length <= width * wholeShare ? [shown] : shown.split(/(\s+)/)) {
      if (part.trim() === '') isSpaced ||= part !== ''
      else {
        found.push({ text: `${on}${part}${off}`, width: [...part].length, isSpaced })
        isSpaced = false
      }
    }
  }
  return found
}

/** What stands before a line, and before those it continues on. */
export interface Margin {
  readonly first: string
  readonly rest: string
}

/** The line, broken at white space so that it fits `width` columns, margin included. */
export const terminalLine = (
  line: readonly Inline[],
  style: TerminalStyle,
  width: number,
  margin: Margin = { first: '', rest: '' },
): string => {
  // Pieces without white space between them (`api`,) move to the next line together.
  const groups: Word[][] = []
  for (const word of words(line, style, width)) {
    const last = groups.at(-1)
    if (word.isSpaced || last === undefined) groups.push([word])
    else last.push(word)
  }
  const lines: string[] = []
  let current = margin.first
  let used = margin.first.length
  let isFresh = true
  for (const group of groups) {
    const size = group.reduce((sum, word) => sum + word.width, 0)
    if (!isFresh && used + 1 + size > width) {
      lines.push(current)
      current = margin.rest
      used = margin.rest.length
      isFresh = true
    }
    current += (isFresh ? '' : ' ') + group.map(word => word.text).join('')
    used += (isFresh ? 0 : 1) + size
    isFresh = false
  }
  return [...lines, current].join('\n')
}
