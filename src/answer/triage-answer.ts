import type { Block, EmojiElement, Message, RichTextBlock, TableBlock } from './block-kit.ts'
import { type Choice, menuOf } from './choice.ts'
import { cutMiddle } from './cut.ts'
import { type Inline, plain, visibleText } from './inline.ts'
import { notification } from './notification.ts'
import { bullets, richTextBlock, section } from './rich-text.ts'
import type { SlackAnswer } from './slack-answer.ts'
import { slackLimits } from './slack-limits.ts'
import type { Triage, TriageGroup, TriageRow } from './triage.ts'
import {
  entriesOf,
  entryCause,
  entryName,
  restartCount,
  rowName,
  triageHead,
  triageState,
  unreadLine,
} from './triage-lines.ts'

const marks = {
  broken: { name: 'red_circle', text: '🔴' },
  degraded: { name: 'large_orange_circle', text: '🟠' },
  fine: { name: 'white_circle', text: '⚪' },
} as const

/** How much of a message's JSON each part may have; what the table does not need, the lines above it may use. */
const room = { head: 4_500, headMost: 7_000, table: 9_000, menuLeast: 1_500 }
const linesShown = 12
const cellCharacters = { name: 63, status: 40, cause: 120 }

const cell = (text: string) => ({ type: 'raw_text' as const, text: text === '' ? '–' : text })

const rowCells = (entry: readonly TriageGroup[], row: TriageRow, index: number): TableBlock['rows'][number] => {
  const cause = index === 0 ? visibleText(entryCause(entry, cellCharacters.cause)) : 'same'
  const restarts = restartCount(row)
  return [
    cell(cutMiddle(rowName(row), cellCharacters.name)),
    cell(cutMiddle(row.status, cellCharacters.status)),
    cell([row.ready, restarts === '0' ? '' : restarts].filter(Boolean).join(' · ')),
    cell(row.diagnosis ? cause : 'same, by its looks'),
  ]
}

const tableOf = (triage: Triage, most: number): { table: TableBlock; left: number } => {
  const rows = entriesOf(triage).flatMap(entry =>
    entry.flatMap(({ rows }) => rows).map((row, index) => rowCells(entry, row, index)),
  )
  const table: TableBlock = {
    type: 'table',
    column_settings: [{ is_wrapped: false }, { is_wrapped: false }, { align: 'right' }, { is_wrapped: true }],
    rows: [[cell('Pod'), cell('Status'), cell('Ready · Restarts'), cell('Cause')]],
  }
  let size = JSON.stringify(table).length
  for (const row of rows) {
    size += JSON.stringify(row).length + 1
    if (size > most || table.rows.length >= slackLimits.table.rows) break
    table.rows.push(row)
  }
  return { table, left: rows.length - (table.rows.length - 1) }
}

const headBlock = (triage: Triage, most: number): RichTextBlock => {
  const mark: EmojiElement = { type: 'emoji', name: marks[triageState(triage)].name }
  const first = section(triageHead(triage))
  first.elements.unshift(mark, { type: 'text', text: ' ' })
  if (triage.groups.length === 0) return richTextBlock(first)
  const lines: Inline[][] = []
  const entries = entriesOf(triage)
  for (const entry of entries.slice(0, linesShown)) {
    const line = [...entryName(entry), plain(': '), ...entryCause(entry, 240)]
    if (JSON.stringify(bullets([...lines, line])).length > most) break
    lines.push(line)
  }
  const more = entries.length - lines.length
  if (more > 0) lines.push([plain(`and ${more} more ${more === 1 ? 'group' : 'groups'}, in the table`)])
  return richTextBlock(first, bullets(lines))
}

/** One of each group first: that is where asking on tells something new. */
const choicesOf = ({ groups, namespace }: Triage, prefix: string): Choice[] => {
  const choice = (row: TriageRow): Choice => ({
    label: rowName(row),
    target: `${prefix}${namespace}/${row.kind}/${row.name}`,
  })
  const firsts = groups.flatMap(({ rows }) => rows.slice(0, 1))
  const others = groups.flatMap(({ rows }) => rows.slice(1))
  return [...firsts, ...others].map(choice)
}

const sizeOf = (blocks: readonly Block[]): number => JSON.stringify(blocks).length + 2

/**
 * The triage of a namespace for Slack: one message with a line for each group, a table with a row for each pod, and a menu
 * to explain one of them; what does not fit is counted.
 * @param cluster how targets name the cluster; null: they need not
 */
export const slackTriage = (triage: Triage, { cluster }: { readonly cluster: string | null }): SlackAnswer => {
  const wanted = JSON.stringify(tableOf(triage, room.table).table).length
  const spare = slackLimits.blocksJson - wanted - room.menuLeast - 1_000
  const head = headBlock(triage, Math.max(room.head, Math.min(spare, room.headMost)))
  const text = notification(plain(`${marks[triageState(triage)].text} `), ...triageHead(triage))
  const unread = unreadLine(triage)
  const notes = unread === null ? [] : [richTextBlock(section(unread))]
  if (triage.groups.length === 0) return { root: { text, blocks: [head, ...notes] }, thread: [] }

  const prefix = cluster === null ? '' : `${cluster}:`
  // Room for the line that counts what is left out.
  const left = slackLimits.blocksJson - sizeOf([head, ...notes]) - 300
  const { table, left: hidden } = tableOf(triage, Math.min(room.table, left - room.menuLeast))
  const counted =
    hidden === 0
      ? []
      : [
          richTextBlock(
            section([
              plain(
                `${hidden} more ${hidden === 1 ? 'row does' : 'rows do'} not fit: podwhy explain ${triage.namespace}/ has all.`,
              ),
            ]),
          ),
        ]
  const choices = choicesOf(triage, prefix)
  const menu = menuOf(choices, 'Explain one …', left - sizeOf([table]))
  const blocks = [head, table, ...counted, ...notes, ...(menu.block === null ? [] : [menu.block])]
  return { root: { text, blocks }, thread: menu.omitted === 0 ? [] : wholeMenu(choices) }
}

/** Where the root has no room for all, its thread has. */
const wholeMenu = (choices: readonly Choice[]): Message[] => {
  const said = [plain('All that can be explained one by one')]
  const line = richTextBlock(section([...said, plain(':')]))
  const { block } = menuOf(choices, 'Explain one …', slackLimits.blocksJson - sizeOf([line]) - 100)
  return block === null ? [] : [{ text: notification(...said), blocks: [line, block] }]
}
