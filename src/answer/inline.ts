import { printable } from './printable.ts'

export interface Moment {
  readonly style: 'time'
  /** RFC 3339. */
  readonly at: string
  /** `clock`: near enough to another that the day goes without saying. */
  readonly show: 'day' | 'clock'
  /** Whether its distance from now matters; told only in the terminal, where it does not stay on screen. */
  readonly isRelative: boolean
}

/** A piece of a line, before it is known where it will be shown. */
export type Inline =
  | { readonly style: 'plain' | 'bold' | 'italic' | 'code'; readonly text: string }
  /** A moment. */
  | Moment

export const plain = (text: string): Inline => ({ style: 'plain', text: printable(text) })
export const bold = (text: string): Inline => ({ style: 'bold', text: printable(text) })
export const italic = (text: string): Inline => ({ style: 'italic', text: printable(text) })
export const code = (text: string): Inline => ({ style: 'code', text: printable(text) })

/** The title of a part of the answer: bold, names in it in code style. */
export const title = (line: readonly Inline[]): Inline[] =>
  line.map(piece => (piece.style === 'plain' ? bold(piece.text) : piece))

/** A moment; nothing where `at` is null or no time. */
export const time = (at: string | null, show: Moment['show'], isRelative = false): Moment[] =>
  at !== null && Number.isFinite(Date.parse(at)) ? [{ style: 'time', at, show, isRelative }] : []

const closingRun = (text: string, from: number, length: number): number => {
  const runs = /`+/g
  runs.lastIndex = from
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    if (run[0].length === length) return run.index
  }
  return -1
}

/**
 * A sentence of the diagnosis as pieces: what stands in back-ticks is code. As in Markdown a run of n back-ticks closes
 * at the next run of exactly n, so a value that contains one may stand between two; a run that never closes is text.
 */
export const sentence = (text: string): Inline[] => {
  const line = printable(text)
  const pieces: Inline[] = []
  let from = 0
  for (const run of line.matchAll(/`+/g)) {
    if (run.index < from) continue
    const length = run[0].length
    const close = closingRun(line, run.index + length, length)
    if (close < 0) continue
    const content = line.slice(run.index + length, close)
    if (run.index > from) pieces.push({ style: 'plain', text: line.slice(from, run.index) })
    pieces.push({ style: 'code', text: length > 1 ? content.replace(/^ (.*) $/, '$1') : content })
    from = close + length
  }
  if (from < line.length) pieces.push({ style: 'plain', text: line.slice(from) })
  return pieces
}

/** UTC to the second: `2026-05-04 12:00:00 UTC`, or without the day. */
export const utc = (at: string, show: Moment['show']): string => {
  const text = new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  return `${show === 'clock' ? text.slice(11) : text} UTC`
}

/** How the piece reads without any style. */
export const visible = (piece: Inline): string => (piece.style === 'time' ? utc(piece.at, piece.show) : piece.text)

export const visibleText = (pieces: readonly Inline[]): string => pieces.map(visible).join('')
