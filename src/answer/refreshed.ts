import type { InlineElement, Message, UserElement } from './block-kit.ts'
import { plain, time } from './inline.ts'
import { elements, richTextBlock } from './rich-text.ts'

/** The answer's first message with a line, above its buttons, that says when and by whom it was made anew. `at`: RFC 3339. */
export const refreshed = ({ text, blocks }: Message, { userId, at }: { userId: string; at: string }): Message => {
  const who: UserElement = { type: 'user', user_id: userId }
  const line: InlineElement[] = [
    ...elements([plain('Refreshed at '), ...time(at, 'clock'), plain(' by ')]),
    who,
    ...elements([plain('.')]),
  ]
  const isButtons = ({ type }: Message['blocks'][number]) => type === 'actions'
  return {
    text,
    blocks: [
      ...blocks.filter(block => !isButtons(block)),
      richTextBlock({ type: 'rich_text_section', elements: line }),
      ...blocks.filter(isButtons),
    ],
  }
}
