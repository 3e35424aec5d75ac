import type { Block } from './block-kit.ts'
import { cutLine } from './cut.ts'
import type { CommandSection, ListSection, Section } from './details.ts'
import { type Inline, italic, plain, title } from './inline.ts'
import type { LogSection } from './log-section.ts'
import { bullets, paragraph, preformatted, richTextBlock, section } from './rich-text.ts'
import { answerBudget } from './slack-limits.ts'

const shorten = (line: readonly Inline[]) => cutLine(line, answerBudget.listItem)
const heading = (line: readonly Inline[]) => title(cutLine(line, answerBudget.title))

/** A list, continued in further blocks where it is long; beyond the budget it says how many items are missing. */
const listBlocks = ({ title: name, items }: ListSection): Block[] => {
  const shown = items.slice(0, answerBudget.listItems).map(shorten)
  const missing = items.length - shown.length
  if (missing > 0) shown.push([plain(`and ${missing} more; podwhy explain -o json has them all`)])
  const chunks: (readonly Inline[])[][] = [[]]
  for (const item of shown) {
    const chunk = chunks.at(-1)
    const size = JSON.stringify(bullets([...(chunk ?? []), item])).length
    if (chunk === undefined || (chunk.length > 0 && size > answerBudget.listJson)) chunks.push([item])
    else chunk.push(item)
  }
  return chunks.map((chunk, index) =>
    index === 0 ? richTextBlock(section(heading(name)), bullets(chunk)) : richTextBlock(bullets(chunk)),
  )
}

const logBlock = ({ title: name, about, lines }: LogSection): Block => {
  const top = paragraph([heading(name), shorten(about)])
  return lines.length === 0 ? richTextBlock(top) : richTextBlock(top, preformatted(lines.join('\n') || ' '))
}

/** One block per command, so that each can be copied by itself. */
const commandBlocks = ({ title: name, commands }: CommandSection): Block[] => [
  richTextBlock(section(heading(name))),
  ...commands.map(({ purpose, line }) => {
    if (line === null) return richTextBlock(section(shorten(purpose)))
    return line.length <= answerBudget.command
      ? richTextBlock(section(shorten(purpose)), preformatted(line))
      : richTextBlock(section([...shorten(purpose), italic(' – too long to show; podwhy explain prints it whole')]))
  }),
]

/** One part of the details as Slack blocks. */
export const sectionBlocks = (part: Section): Block[] => {
  switch (part.kind) {
    case 'list':
      return listBlocks(part)
    case 'prose':
      return [richTextBlock(paragraph([heading(part.title), cutLine(part.text, 2 * answerBudget.listItem)]))]
    case 'log':
      return [logBlock(part)]
    case 'commands':
      return commandBlocks(part)
  }
}
