const ESC = '\u001B'
const BEL = '\u0007'

/** Operating system commands (titles, links), control sequences (colours, cursor), and two-character escapes. */
const escapeSequence = new RegExp(
  `${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)|(?:${ESC}\\[|\u009B)[0-?]*[ -/]*[@-~]|${ESC}[ -/]*[0-~]`,
  'g',
)
const lineBreak = /[\r\n\u2028\u2029]+/g
const control = /(?!\t)\p{Cc}/gu
/** They reorder the text around them, so that it reads as something else than it is. */
const bidirectional = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g

/**
 * The text as one line that is safe to show anywhere: without terminal escapes, control characters (tabs stay) and
 * direction overrides; line breaks become spaces, half surrogate pairs the replacement character.
 */
export const printable = (text: string): string =>
  text
    .replace(escapeSequence, '')
    .replace(lineBreak, ' ')
    .replace(control, '')
    .replace(bidirectional, '')
    .toWellFormed()
