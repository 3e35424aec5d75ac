import { type Block, Message, type RichTextBlock, type RichTextPreformatted } from 'slack-blocks-to-jsx'
import { CopyButton } from './copy-button.tsx'

/** Renders Block Kit as Slack shows it; preformatted text gets a button to copy it. */
export function BlockKit({ blocks }: { readonly blocks: readonly object[] }) {
  // Blocks have no ids of their own, and a changed message is rendered anew as a whole.
  return (blocks as readonly Block[]).flatMap(piecesOf).map((piece, index) => {
    const text = preformattedText(piece)
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move within a message
      <div className={text === null ? 'piece' : 'piece preformatted'} key={index}>
        <Message blocks={[piece]} name="" logo="" withoutWrapper style={{ maxWidth: 'none' }} hooks={hooks} />
        {text !== null && <CopyButton text={text} />}
      </div>
    )
  })
}

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
