import { type Block, Message, type RichTextBlock, type RichTextPreformatted } from 'slack-blocks-to-jsx'
import type { ActionsBlock, TableBlock } from '../../answer/block-kit.ts'
import { identity } from '../identity.ts'
import { ActionsView } from './actions-block.tsx'
import { CopyButton } from './copy-button.tsx'
import { TableView } from './table-block.tsx'

interface BlockKitProps {
  readonly blocks: readonly object[]
  /** Of the message that the blocks stand in, to press its buttons; null: on the Home. */
  readonly ts: string | null
}

/** Renders Block Kit as Slack shows it; preformatted text gets a button to copy it. */
export function BlockKit({ blocks, ts }: BlockKitProps) {
  // The first buttons stay the first buttons, and keep the focus, when a message is edited and grows above them.
  const seen: Record<string, number> = {}
  return (blocks as readonly Block[]).flatMap(piecesOf).map(piece => {
    const nth = (seen[piece.type] ?? 0) + 1
    seen[piece.type] = nth
    return <Piece piece={piece} ts={ts} key={`${piece.type} ${nth}`} />
  })
}

function Piece({ piece, ts }: { readonly piece: Block; readonly ts: string | null }) {
  // The renderer's own buttons do nothing, and its tables have no header.
  if (piece.type === 'actions') return <ActionsView block={piece as ActionsBlock} ts={ts} />
  if (piece.type === 'table')
    return <TableView block={piece as TableBlock} richText={cell => <Rendered block={cell as Block} />} />
  const text = preformattedText(piece)
  return (
    <div className={text === null ? 'piece' : 'piece preformatted'}>
      <Rendered block={piece} />
      {text !== null && <CopyButton text={text} />}
    </div>
  )
}

const Rendered = ({ block }: { readonly block: Block }) => (
  <Message
    blocks={[block]}
    name=""
    logo=""
    withoutWrapper
    style={{ maxWidth: 'none' }}
    data={{ users: [...users] }}
    hooks={hooks}
  />
)

const users = [identity.you, { id: identity.bot.userId, name: identity.bot.name }]

const hooks = {
  // Permalinks lead to this page: stay in it.
  link: ({ href, children, className }: { href: string; children: React.ReactNode; className: string }) =>
    href.startsWith(`${location.origin}/`) ? (
      <a href={href} className={className}>
        {children}
      </a>
    ) : (
      <a href={href} className={className} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    ),
}

/** A rich text block as one block per preformatted text and per run of anything else. */
function piecesOf(block: Block): readonly Block[] {
  if (block.type !== 'rich_text') return [block]
  const pieces: RichTextBlock[] = []
  for (const element of block.elements) {
    const last = pieces.at(-1)
    const alone = isPreformatted(element) || last?.elements.some(isPreformatted)
    if (last && !alone) last.elements.push(element)
    else pieces.push({ type: 'rich_text', elements: [element] })
  }
  return pieces
}

const isPreformatted = (element: RichTextBlock['elements'][number]): element is RichTextPreformatted =>
  element.type === 'rich_text_preformatted'

function preformattedText(block: Block): string | null {
  const element = block.type === 'rich_text' ? block.elements.find(isPreformatted) : undefined
  if (!element) return null
  return element.elements.map(part => ('text' in part && typeof part.text === 'string' ? part.text : '')).join('')
}
