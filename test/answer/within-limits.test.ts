import { expect, it } from 'vitest'
import type { Block, Message } from '../../src/answer/block-kit.ts'
import { withinLimits } from '../../src/answer/within-limits.ts'

const block = (text: string): Block => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
})
const list = (elements: []): Block => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_list', style: 'bullet', elements }],
})
const at = (timestamp: number): Block => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'date', timestamp, format: '{time}', fallback: '' }] }],
})

it.each<[string, Message, string]>([
  ['no text', { text: '', blocks: [block('a')] }, 'text: empty'],
  ['a long text', { text: 'x'.repeat(4_001), blocks: [] }, 'text: 4001 of at most 4000'],
  ['51 blocks', { text: 'x', blocks: Array.from({ length: 51 }, () => block('a')) }, 'blocks: 51 of at most 50'],
  [
    'much text',
    { text: 'x', blocks: [block('a'.repeat(12_000))] },
    `JSON of all blocks: ${12_000 + JSON.stringify([block('')]).length} of at most 12000`,
  ],
  ['a block of nothing', { text: 'x', blocks: [{ type: 'rich_text', elements: [] }] }, 'blocks[0]: no elements'],
  ['an empty list', { text: 'x', blocks: [list([])] }, 'blocks[0] rich_text_list: empty'],
  ['an empty text', { text: 'x', blocks: [block('a'), block('')] }, 'blocks[1]: an empty text'],
  ['half a second', { text: 'x', blocks: [at(1.5)] }, 'blocks[0]: a date that is no whole second'],
])('names %s', (_, message, problem) => {
  expect(withinLimits(message)).toEqual([problem])
})

it('says nothing about a message that Slack takes', () => {
  expect(withinLimits({ text: 'x', blocks: [block('a'), at(1)] })).toEqual([])
})
