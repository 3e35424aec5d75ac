/** The part of Slack's Block Kit that answers use; field names and values are Slack's own. */

export interface Style {
  bold?: boolean
  italic?: boolean
  code?: boolean
}

/** Shown as it is: Slack parses no mention, link or emoji in it. */
export interface TextElement {
  type: 'text'
  text: string
  style?: Style
}

/** A moment, shown in each viewer's own time zone. `timestamp` is whole Unix seconds. */
export interface DateElement {
  type: 'date'
  timestamp: number
  format: string
  fallback: string
}

export interface EmojiElement {
  type: 'emoji'
  name: string
}

export interface LinkElement {
  type: 'link'
  url: string
  text: string
}

export type InlineElement = TextElement | DateElement | EmojiElement | LinkElement

export interface RichTextSection {
  type: 'rich_text_section'
  elements: InlineElement[]
}

export interface RichTextList {
  type: 'rich_text_list'
  style: 'bullet' | 'ordered'
  elements: RichTextSection[]
}

export interface RichTextPreformatted {
  type: 'rich_text_preformatted'
  elements: TextElement[]
}

export type RichTextPart = RichTextSection | RichTextList | RichTextPreformatted

export interface RichTextBlock {
  type: 'rich_text'
  elements: RichTextPart[]
}

/** The only kind of block that answers need: nothing in it is parsed, so nothing in it can mention or link. */
export type Block = RichTextBlock

/** What `chat.postMessage` takes: `text` is for notifications and screen readers, `blocks` for the eye. */
export interface Message {
  text: string
  blocks: Block[]
}
