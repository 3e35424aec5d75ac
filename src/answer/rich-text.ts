import type {
  InlineElement,
  RichTextBlock,
  RichTextList,
  RichTextPart,
  RichTextPreformatted,
  RichTextSection,
  TextElement,
} from './block-kit.ts'
import { type Inline, sentence, utc, visibleText } from './inline.ts'

const format = { day: '{date_short_pretty} {time_secs}', clock: '{time_secs}' }

const element = (piece: Inline): InlineElement => {
  if (piece.style === 'time') {
    const timestamp = Math.floor(Date.parse(piece.at) / 1000)
    return { type: 'date', timestamp, format: format[piece.show], fallback: utc(piece.at, piece.show) }
  }
  return piece.style === 'plain'
    ? { type: 'text', text: piece.text }
    : { type: 'text', text: piece.text, style: { [piece.style]: true } }
}

/** Above this a line's JSON is mostly styles; it is then shown without any. */
const maxLineJson = 3_000

/** A line as rich text elements: bold and code pieces styled, times in the viewer's zone, everything else inert. */
export const elements = (line: readonly Inline[]): InlineElement[] => {
  const styled = line.filter(piece => piece.style === 'time' || piece.text !== '').map(element)
  return JSON.stringify(styled).length <= maxLineJson ? styled : [{ type: 'text', text: visibleText(line) }]
}

/** A sentence of the diagnosis as rich text elements: what stands in back-ticks is code-styled. */
export const richText = (text: string): InlineElement[] => elements(sentence(text))

export const section = (line: readonly Inline[]): RichTextSection => ({
  type: 'rich_text_section',
  elements: elements(line),
})

/**
 * Several lines in one section: whether Slack's clients put sections that follow each other on lines of their own is
 * not documented, a line break within one is.
 */
export const paragraph = (lines: readonly (readonly Inline[])[]): RichTextSection => ({
  type: 'rich_text_section',
  elements: lines.flatMap((line, index): InlineElement[] =>
    index === 0 ? elements(line) : [{ type: 'text', text: '\n' }, ...elements(line)],
  ),
})

export const bullets = (items: readonly (readonly Inline[])[]): RichTextList => ({
  type: 'rich_text_list',
  style: 'bullet',
  elements: items.map(section),
})

/** Text as it is, in a fixed-width box. Must not be empty. */
export const preformatted = (text: string): RichTextPreformatted => ({
  type: 'rich_text_preformatted',
  elements: [{ type: 'text', text } satisfies TextElement],
})

export const richTextBlock = (...parts: RichTextPart[]): RichTextBlock => ({ type: 'rich_text', elements: parts })

/** Escapes what Slack would read as markup for mentions, links and entities; for `text` and `mrkdwn`. */
export const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
