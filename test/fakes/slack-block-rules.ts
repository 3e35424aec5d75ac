/** What Slack answers to blocks that it does not take: the error's word, and one line for each mistake. */
export type RefusedBlocks = { error: string; messages: string[] }

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const length = (value: unknown): number => (typeof value === 'string' ? value.length : 0)

/** Kinds of block that messages may have, as far as podwhy posts or reads them. */
const known = new Set(['rich_text', 'actions', 'table', 'section', 'header', 'divider', 'context', 'image', 'markdown'])
const interactive = new Set(['button', 'overflow', 'static_select'])

/**
 * Slack's own limits, as its reference states them (written down here anew, so that podwhy's table of them is
 * compared with something): https://docs.slack.dev/reference/block-kit
 */
function textMistakes(at: string, text: unknown, max: number): string[] {
  if (!isObject(text) || text['type'] !== 'plain_text') return [`must be plain_text [${at}/text]`]
  if (length(text['text']) === 0) return [`must be more than 0 characters [${at}/text/text]`]
  return length(text['text']) > max ? [`must be less than ${max + 1} characters [${at}/text/text]`] : []
}

function optionMistakes(at: string, element: Json, max: number): string[] {
  const options = list(element['options'])
  return [
    ...(options.length === 0 ? [`no fewer than 1 items [${at}/options]`] : []),
    ...(options.length > max ? [`no more than ${max} items allowed [${at}/options]`] : []),
    ...options.flatMap((option, index) => [
      ...textMistakes(`${at}/options/${index}`, option['text'], 75),
      ...(length(option['value']) > 150 ? [`must be less than 151 characters [${at}/options/${index}/value]`] : []),
      ...(length(option['value']) === 0 ? [`missing required field: value [${at}/options/${index}]`] : []),
    ]),
  ]
}

function elementMistakes(at: string, element: Json): string[] {
  const type = String(element['type'])
  if (!interactive.has(type)) return [`unsupported type: ${type} [${at}/type]`]
  const id = length(element['action_id']) > 255 ? [`must be less than 256 characters [${at}/action_id]`] : []
  if (type === 'button') {
    const style = element['style']
    return [
      ...id,
      ...textMistakes(at, element['text'], 75),
      ...(length(element['value']) > 2000 ? [`must be less than 2001 characters [${at}/value]`] : []),
      ...(style !== undefined && style !== 'primary' && style !== 'danger' ? [`invalid style [${at}/style]`] : []),
    ]
  }
  if (type === 'overflow') return [...id, ...optionMistakes(at, element, 5)]
  const placeholder = element['placeholder']
  return [
    ...id,
    ...optionMistakes(at, element, 100),
    ...(placeholder === undefined ? [] : textMistakes(`${at}/placeholder`, placeholder, 150)),
  ]
}

function actionsMistakes(at: string, block: Json): string[] {
  const elements = list(block['elements'])
  const ids = elements.map(element => element['action_id']).filter(id => id !== undefined)
  return [
    ...(elements.length === 0 ? [`no fewer than 1 items [${at}/elements]`] : []),
    ...(elements.length > 25 ? [`no more than 25 items allowed [${at}/elements]`] : []),
    ...(new Set(ids).size < ids.length ? [`action_id must be unique within a block [${at}/elements]`] : []),
    ...elements.flatMap((element, index) => elementMistakes(`${at}/elements/${index}`, element)),
  ]
}

function tableMistakes(at: string, block: Json): string[] {
  const rows = Array.isArray(block['rows']) ? (block['rows'] as unknown[]) : []
  const cells = rows.map(row => list(row))
  return [
    ...(rows.length === 0 ? [`no fewer than 1 items [${at}/rows]`] : []),
    ...(rows.length > 100 ? [`no more than 100 items allowed [${at}/rows]`] : []),
    ...(cells.some(row => row.length > 20) ? [`no more than 20 items allowed [${at}/rows]`] : []),
    ...(list(block['column_settings']).length > 20 ? [`no more than 20 items allowed [${at}/column_settings]`] : []),
    ...cells.flatMap((row, index) =>
      row.flatMap((cell, column) => {
        const here = `${at}/rows/${index}/${column}`
        if (cell['type'] === 'rich_text') return richTextMistakes(here, cell)
        if (cell['type'] !== 'raw_text') return [`unsupported type: ${cell['type']} [${here}]`]
        return length(cell['text']) === 0 ? [`must be more than 0 characters [${here}/text]`] : []
      }),
    ),
  ]
}

function richTextMistakes(at: string, block: Json): string[] {
  const mistakes: string[] = []
  const walk = (element: Json, path: string) => {
    if (element['type'] === 'text' && length(element['text']) === 0)
      mistakes.push(`must be more than 0 characters [${path}/text]`)
    for (const [index, child] of list(element['elements']).entries()) walk(child, `${path}/elements/${index}`)
  }
  if (!Array.isArray(block['elements'])) mistakes.push(`missing required field: elements [${at}]`)
  walk(block, at)
  return mistakes
}

function blockMistakes(at: string, block: Json): string[] {
  switch (block['type']) {
    case 'actions':
      return actionsMistakes(at, block)
    case 'table':
      return tableMistakes(at, block)
    case 'rich_text':
      return richTextMistakes(at, block)
    default:
      return known.has(String(block['type'])) ? [] : [`unsupported type: ${block['type']} [${at}/type]`]
  }
}

/** What Slack would say to these blocks of a message (at most 50) or a view (at most 100); null: nothing. */
export function refusedBlocks(blocks: unknown, { most = 50 } = {}): RefusedBlocks | null {
  if (!Array.isArray(blocks) || !blocks.every(isObject)) return { error: 'invalid_blocks_format', messages: [] }
  // Tables are attachments to Slack, and so it says that those are wrong.
  if (blocks.filter(({ type }) => type === 'table').length > 1)
    return { error: 'invalid_attachments', messages: ['[ERROR] only_one_table_allowed'] }
  const ids = blocks.map(({ block_id }) => block_id).filter(id => id !== undefined)
  const mistakes = [
    ...(blocks.length > most ? [`no more than ${most} items allowed [json-pointer:/blocks]`] : []),
    ...(new Set(ids).size < ids.length ? ['block_id must be unique [json-pointer:/blocks]'] : []),
    ...blocks.flatMap((block, index) => blockMistakes(`json-pointer:/blocks/${index}`, block)),
  ]
  return mistakes.length === 0 ? null : { error: 'invalid_blocks', messages: mistakes.map(text => `[ERROR] ${text}`) }
}
