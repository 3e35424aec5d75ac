import type { ReactNode } from 'react'
import type { ChannelMessage } from '../channel.ts'
import { BlockKit } from './block-kit.tsx'

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
  const { from, onlyYou, ts, text, blocks, reactions } = message
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
        {from === 'you' ? (
          <p className="typed">{text}</p>
        ) : (
          <BlockKit blocks={blocks.length > 0 ? blocks : [asBlock(text)]} />
        )}
        {reactions.length > 0 && <BlockKit blocks={[reactionsAsBlock(reactions)]} />}
        {children}
      </div>
    </article>
  )
}

/** A post without blocks is mrkdwn. */
const asBlock = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } })

const reactionsAsBlock = (names: readonly string[]) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: names.map(name => ({ type: 'emoji', name })) }],
})
