import { type Inline, visible, visibleText } from './inline.ts'

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff

/** At most `length` code units from the start; never half a character. */
export const start = (text: string, length: number): string =>
  text.slice(0, length > 0 && isHigh(text.charCodeAt(length - 1)) ? length - 1 : Math.max(length, 0))

/** At most `length` code units from the end; never half a character. */
const end = (text: string, length: number): string => {
  const from = Math.max(text.length - length, 0)
  return text.slice(from > 0 && isHigh(text.charCodeAt(from - 1)) ? from + 1 : from)
}

/** The text with its middle left out, at most `length` long: names are told apart by their ends. */
export const cutMiddle = (text: string, length: number): string => {
  if (text.length <= length) return text
  const head = Math.ceil((length - 1) * 0.6)
  return `${start(text, head)}…${end(text, length - 1 - head)}`
}

/** From this share of the room on, the end of a sentence is a better place to stop than a later word. */
const sentenceShare = 0.6

/** Where the text of a plain piece may end: before white space. */
const stops = (text: string) =>
  [...text.matchAll(/\s+/g)].map(gap => ({ at: gap.index, sentence: /[.!?]/.test(text.charAt(gap.index - 1)) }))

/**
 * The line within `length` visible code units, with `…` where something is missing. It ends at a sentence, else at a
 * word, never within a name or value in code style – but one that alone fills the line has its middle left out.
 */
export const cutLine = (line: readonly Inline[], length: number): readonly Inline[] => {
  if (visibleText(line).length <= length) return line
  const longest = Math.max(Math.floor(length / 3), 20)
  const pieces = line.map(piece =>
    piece.style === 'time' || piece.style === 'plain' ? piece : { ...piece, text: cutMiddle(piece.text, longest) },
  )
  if (visibleText(pieces).length <= length) return pieces

  const room = length - 2
  let offset = 0
  let word = { index: 0, at: 0 }
  let lastSentence: typeof word | null = null
  for (const [index, piece] of pieces.entries()) {
    for (const stop of piece.style === 'plain' ? stops(piece.text) : []) {
      if (offset + stop.at > room) break
      word = { index, at: stop.at }
      if (stop.sentence && offset + stop.at >= room * sentenceShare) lastSentence = word
    }
    offset += visible(piece).length
  }
  const stop = lastSentence ?? word
  const kept = pieces.slice(0, stop.index)
  const last = pieces[stop.index]
  if (last?.style === 'plain') kept.push({ ...last, text: start(last.text, stop.at) })
  const text = visibleText(kept)
  if (text.trim() === '') return [{ style: 'plain', text: `${start(visibleText(pieces), length - 1)}…` }]
  return [...kept, { style: 'plain', text: /[.!?]$/.test(text) ? ' …' : '…' }]
}
