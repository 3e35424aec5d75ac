import type { ActionsBlock, Block, Message, RichTextBlock, TableBlock } from './block-kit.ts'
import { slackLimits } from './slack-limits.ts'

const richTextProblems = (block: RichTextBlock): string[] => {
  const problems: string[] = []
  if (block.elements.length === 0) problems.push(': no elements')
  for (const part of block.elements) {
    if (part.elements.length === 0) problems.push(` ${part.type}: empty`)
    const lines = part.type === 'rich_text_list' ? part.elements.map(item => item.elements) : [part.elements]
    for (const line of lines) {
      if (line.length === 0) problems.push(` ${part.type}: an empty line`)
      if (line.some(piece => piece.type === 'text' && piece.text === '')) problems.push(': an empty text')
      if (line.some(piece => piece.type === 'date' && !Number.isSafeInteger(piece.timestamp))) {
        problems.push(': a date that is no whole second')
      }
    }
  }
  return problems
}

const over = (what: string, size: number, limit: number): string[] =>
  size > limit ? [` ${what}: ${size} of at most ${limit}`] : []

const actionsProblems = ({ elements }: ActionsBlock): string[] => {
  const { actions } = slackLimits
  const ids = elements.map(({ action_id }) => action_id)
  return [
    ...(elements.length === 0 ? [': no elements'] : []),
    ...(new Set(ids).size < ids.length ? [': an action_id that comes twice'] : []),
    ...over('elements', elements.length, actions.elements),
    ...elements.flatMap(element => {
      if (element.type === 'button') {
        return [
          ...over('button text', element.text.text.length, actions.text),
          ...over('button value', element.value.length, actions.buttonValue),
        ]
      }
      const most = element.type === 'overflow' ? actions.overflowOptions : actions.selectOptions
      return [
        ...(element.options.length === 0 ? [` ${element.type}: no options`] : []),
        ...over('options', element.options.length, most),
        ...element.options.flatMap(({ text, value }) => [
          ...over('option text', text.text.length, actions.text),
          ...over('option value', value.length, actions.optionValue),
        ]),
      ]
    }),
  ]
}

const tableProblems = ({ rows }: TableBlock): string[] => [
  ...(rows.length === 0 ? [': no rows'] : []),
  ...over('rows', rows.length, slackLimits.table.rows),
  ...over('columns', Math.max(0, ...rows.map(row => row.length)), slackLimits.table.columns),
  ...rows.flat().flatMap(cell => (cell.type === 'rich_text' ? richTextProblems(cell) : [])),
]

const blockProblems = (block: Block): string[] => {
  if (block.type === 'rich_text') return richTextProblems(block)
  return block.type === 'actions' ? actionsProblems(block) : tableProblems(block)
}

/** What Slack would refuse or cut in this message, one line each; empty: nothing. */
export const withinLimits = ({ text, blocks }: Message): string[] => {
  const problems: string[] = []
  const check = (what: string, size: number, limit: number) => {
    if (size > limit) problems.push(`${what}: ${size} of at most ${limit}`)
  }
  if (text === '') problems.push('text: empty')
  check('text', text.length, slackLimits.textRecommended)
  check('blocks', blocks.length, slackLimits.blocks)
  check('tables', blocks.filter(({ type }) => type === 'table').length, slackLimits.table.perMessage)
  check('JSON of all blocks', JSON.stringify(blocks).length, slackLimits.blocksJson)
  for (const [index, block] of blocks.entries()) {
    for (const problem of blockProblems(block)) problems.push(`blocks[${index}]${problem}`)
  }
  return problems
}
