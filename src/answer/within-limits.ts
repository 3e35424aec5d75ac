import type { Message } from './block-kit.ts'
import { slackLimits } from './slack-limits.ts'

/** What Slack would refuse or cut in this message, one line each; empty: nothing. */
export const withinLimits = ({ text, blocks }: Message): string[] => {
  const problems: string[] = []
  const check = (what: string, size: number, limit: number) => {
    if (size > limit) problems.push(`${what}: ${size} of at most ${limit}`)
  }
  if (text === '') problems.push('text: empty')
  check('text', text.length, slackLimits.textRecommended)
  check('blocks', blocks.length, slackLimits.blocks)
  check('JSON of all blocks', JSON.stringify(blocks).length, slackLimits.blocksJson)
  for (const [index, block] of blocks.entries()) {
    const where = `blocks[${index}]`
    if (block.elements.length === 0) problems.push(`${where}: no elements`)
    for (const part of block.elements) {
      if (part.elements.length === 0) problems.push(`${where} ${part.type}: empty`)
      const lines = part.type === 'rich_text_list' ? part.elements.map(item => item.elements) : [part.elements]
      for (const line of lines) {
        if (line.length === 0) problems.push(`${where} ${part.type}: an empty line`)
        if (line.some(piece => piece.type === 'text' && piece.text === '')) problems.push(`${where}: an empty text`)
        if (line.some(piece => piece.type === 'date' && !Number.isSafeInteger(piece.timestamp))) {
          problems.push(`${where}: a date that is no whole second`)
        }
      }
    }
  }
  return problems
}
