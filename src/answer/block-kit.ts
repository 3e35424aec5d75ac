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

/** Names somebody; in an edit nobody is notified. */
export interface UserElement {
  type: 'user'
  user_id: string
}

export type InlineElement = TextElement | DateElement | EmojiElement | LinkElement | UserElement

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

export interface PlainText {
  type: 'plain_text'
  text: string
  emoji?: boolean
}

export interface Option {
  text: PlainText
  /** At most 150 characters; buttons' values have 2,000. */
  value: string
}

export interface ButtonElement {
  type: 'button'
  action_id: string
  text: PlainText
  value: string
  style?: 'primary' | 'danger'
}

export interface OverflowElement {
  type: 'overflow'
  action_id: string
  options: Option[]
}

export interface StaticSelectElement {
  type: 'static_select'
  action_id: string
  placeholder: PlainText
  options: Option[]
}

/** At most 25 elements. https://docs.slack.dev/reference/block-kit/blocks/actions-block */
export interface ActionsBlock {
  type: 'actions'
  block_id?: string
  elements: (ButtonElement | OverflowElement | StaticSelectElement)[]
}

/** Rows are arrays of cells, the first one is the header. https://docs.slack.dev/reference/block-kit/blocks/table-block */
export interface TableBlock {
  type: 'table'
  column_settings?: { align?: 'left' | 'center' | 'right'; is_wrapped?: boolean }[]
  rows: (RichTextBlock | { type: 'raw_text'; text: string })[][]
}

/** The kinds of block that answers need. None is parsed by Slack, so nothing in them can mention or link. */
export type Block = RichTextBlock | ActionsBlock | TableBlock

/** What `chat.postMessage` takes: `text` is for notifications and screen readers, `blocks` for the eye. */
export interface Message {
  text: string
  blocks: Block[]
}
