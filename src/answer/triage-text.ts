import { plain } from './inline.ts'
import { kubectlCommand } from './kubectl-command.ts'
import { printable } from './printable.ts'
import { type TerminalStyle, terminalLine } from './terminal-line.ts'
import type { TextOptions } from './text-answer.ts'
import type { Triage } from './triage.ts'
import {
  entriesOf,
  entryCause,
  entryName,
  entryRemedy,
  restartCount,
  rowName,
  triageHead,
  unreadLine,
} from './triage-lines.ts'

/** How many groups are named as what to explain next. */
const hints = 3

const columns = ({ groups }: Triage): string[] => {
  const rows = groups.flatMap(group =>
    group.rows.map(row => [
      rowName(row),
      row.status,
      row.ready || '-',
      restartCount(row) || '-',
      `${group.cause.id}${row.diagnosis ? '' : ' (by its looks)'}`,
    ]),
  )
  const table = [['POD', 'STATUS', 'READY', 'RESTARTS', 'CAUSE'], ...rows].map(row => row.map(printable))
  const widths = [0, 1, 2, 3].map(column => Math.max(...table.map(row => row[column]?.length ?? 0)))
  return table.map(row =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  )
}

/** The triage of a namespace for a terminal: what is wrong by group, all pods, and how to ask on. Ends with a line break. */
export const textTriage = (triage: Triage, options: TextOptions): string => {
  const width = Math.max(options.width ?? 100, 40)
  const style: TerminalStyle = { color: options.color, now: triage.takenAt }
  const line = (...args: [Parameters<typeof terminalLine>[0], Parameters<typeof terminalLine>[3]?]) =>
    terminalLine(args[0], style, width, args[1])
  const unread = unreadLine(triage)
  const rest = unread === null ? [] : [line(unread)]
  if (triage.groups.length === 0) return `${[line(triageHead(triage)), ...rest].join('\n\n')}\n`
  const entries = entriesOf(triage)
  const groups = entries.map(entry =>
    [
      line([...entryName(entry), plain(':')], { first: '- ', rest: '  ' }),
      line(entryCause(entry, 400), { first: '  ', rest: '  ' }),
      ...entryRemedy(entry, 300).map(toDo => line(toDo, { first: '  ', rest: '  ' })),
    ].join('\n'),
  )
  const ask = entries.slice(0, hints).flatMap(([group]) => {
    const row = group?.rows[0]
    if (row === undefined) return []
    return `  ${kubectlCommand(['podwhy', 'explain', `${triage.namespace}/${row.kind === 'Pod' ? '' : `${row.kind}/`}${row.name}`])}`
  })
  return `${[
    line(triageHead(triage)),
    groups.join('\n'),
    columns(triage).join('\n'),
    ...rest,
    ['Explain one:', ...ask].join('\n'),
  ].join('\n\n')}\n`
}
