import type { ReactNode } from 'react'
import type { ChannelMessage } from '../channel.ts'
import { BlockKit } from './block-kit.tsx'
import { FileList } from './file-list.tsx'

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const calendar = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

/** One message with its author, the viewer's time and what it says; `children` stand below it. */
export function MessageView({
  message,
  children,
}: {
  readonly message: ChannelMessage
  readonly children?: ReactNode
}) {
  const { from, onlyYou, ts, files, reactions } = message
  const at = new Date(Number(ts) * 1000)
  return (
    <article className={`message from-${from}${onlyYou ? ' only-you' : ''}`} data-ts={ts}>
      <span className="avatar" aria-hidden="true">
        {from === 'podwhy' ? '?' : 'Y'}
      </span>
      <div className="body">
        <p className="byline">
          <b>{from === 'podwhy' ? 'podwhy' : 'You'}</b>
          {from === 'podwhy' && <span className="tag">App</span>}
          <time dateTime={at.toISOString()} title={calendar.format(at)}>
            {clock.format(at)}
          </time>
          {onlyYou && <span className="private">Only visible to you</span>}
        </p>
        <Content message={message} />
        {files.length > 0 && <FileList files={files} />}
        {reactions.length > 0 && <Reactions names={reactions} />}
        {children}
      </div>
    </article>
  )
}

function Content({ message: { from, text, blocks, ts } }: { readonly message: ChannelMessage }) {
  if (from === 'you') return <p className="typed">{text}</p>
  if (blocks.length > 0) return <BlockKit blocks={blocks} ts={ts} />
  // A post without blocks is mrkdwn.
  return text && <BlockKit blocks={[{ type: 'section', text: { type: 'mrkdwn', text } }]} ts={ts} />
}

/** The emoji that podwhy put under a message. */
function Reactions({ names }: { readonly names: readonly string[] }) {
  return (
    <ul className="reactions" aria-label="Reactions">
      {names.map(name => (
        <li key={name} title={`:${name}: by podwhy`}>
          <BlockKit blocks={[emojiBlock(name)]} ts={null} />
          <span aria-hidden="true">1</span>
        </li>
      ))}
    </ul>
  )
}

const emojiBlock = (name: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'emoji', name }] }],
})
