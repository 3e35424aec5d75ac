import type { Block, InlineElement, Message, RichTextBlock } from '../../src/answer/block-kit.ts'

const line = (elements: readonly InlineElement[]): string =>
  elements
    .map(element => {
      if (element.type === 'date') return element.fallback
      if (element.type === 'emoji') return `:${element.name}:`
      if (element.type === 'link') return element.text
      if (element.type === 'user') return `@${element.user_id}`
      return element.style?.code === true ? `\`${element.text}\`` : element.text
    })
    .join('')

const richText = (block: Block): RichTextBlock[] => {
  if (block.type === 'rich_text') return [block]
  return block.type === 'table' ? block.rows.flat().filter(cell => cell.type === 'rich_text') : []
}

/** What a reader sees of a message; code stands in back-ticks, preformatted text between rules. */
export const messageText = ({ blocks }: Message): string =>
  blocks
    .flatMap(richText)
    .map(block =>
      block.elements
        .map(part => {
          if (part.type === 'rich_text_list') return part.elements.map(item => `• ${line(item.elements)}`).join('\n')
          return part.type === 'rich_text_preformatted' ? `┌──\n${line(part.elements)}\n└──` : line(part.elements)
        })
        .join('\n'),
    )
    .join('\n\n')

/** All inline elements of a message, of every block. */
export const inlineElements = ({ blocks }: Message): InlineElement[] =>
  blocks
    .flatMap(richText)
    .flatMap(block =>
      block.elements.flatMap((part): InlineElement[] =>
        part.type === 'rich_text_list' ? part.elements.flatMap(item => item.elements) : part.elements,
      ),
    )
