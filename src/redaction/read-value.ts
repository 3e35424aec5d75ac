import type { Range } from './ranges.ts'

const QUOTE = /(\\{0,6})(["'`])/y
const BRACKET = /\[(?=\\{0,6}["']?[^\s[\]{}"'\\])/y
// A comma, semicolon or bracket belongs to the value only where it goes on right behind it and no new pair starts.
const BARE =
  /(?:[^\s"'`,;&)\]}\\<\0]|[,;&](?![\s\0]|$|["'\\]|[\w. -]{1,40}[=:])|[)\]}](?=[^\s,;:.&)\]}"'`\\<\0])|<(?!\/)|\\(?![\s"'nrtu\\0]|$))+/y

/** Where the quotation ends that began with `backslashes` and `quote`; the end of the line where it never does. */
const closing = (text: string, from: number, backslashes: number, quote: string): number => {
  let run = 0
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '\n' || character === '\0') return at
    if (character === quote && backslashes === 0 && run % 2 === 0) return at
    if (character === quote && backslashes > 0 && run <= backslashes) return at - run
    run = character === '\\' ? run + 1 : 0
  }
  return text.length
}

/** A value as it stands in a text, without its quotation. */
export interface Value extends Range {
  readonly quoted: boolean
}

/** The value that starts at an offset: quoted at any depth of JSON in JSON, or bare up to where it ends. */
export const readValue = (text: string, at: number): Value | null => {
  BRACKET.lastIndex = at
  const begin = BRACKET.test(text) ? at + 1 : at
  QUOTE.lastIndex = begin
  const quote = QUOTE.exec(text)
  if (quote !== null) {
    const start = begin + quote[0].length
    return { start, end: closing(text, start, quote[1]?.length ?? 0, quote[2] ?? ''), quoted: true }
  }
  BARE.lastIndex = begin
  const bare = BARE.exec(text)
  return bare === null ? null : { start: begin, end: begin + bare[0].length, quoted: false }
}
