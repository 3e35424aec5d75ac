import type { ReactNode } from 'react'
import type { RichTextBlock, TableBlock } from '../../answer/block-kit.ts'

interface TableViewProps {
  readonly block: TableBlock
  /** Shows the cells that are not plain. */
  richText(block: RichTextBlock): ReactNode
}

/** A table block: its first row is the header, and what is wider than the message scrolls. */
export function TableView({ block, richText }: TableViewProps) {
  const [header = [], ...rows] = block.rows
  const className = (column: number) => {
    const { align = 'left', is_wrapped: isWrapped = false } = block.column_settings?.[column] ?? {}
    return `${align} ${isWrapped ? 'wrapped' : 'whole'}`
  }
  const content = (cell: TableBlock['rows'][number][number]) => (cell.type === 'raw_text' ? cell.text : richText(cell))
  return (
    <div className="table-room">
      <section
        className="table"
        aria-label={rows.length === 1 ? 'Table of 1 row' : `Table of ${rows.length} rows`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              {header.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                <th scope="col" key={column} className={className(column)}>
                  {content(cell)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names of their own
              <tr key={index}>
                {row.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                  <td key={column} className={className(column)}>
                    {content(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}
