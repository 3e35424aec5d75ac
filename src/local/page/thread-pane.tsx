import { useEffect, useRef } from 'react'
import type { ChannelMessage } from '../channel.ts'
import { MessageView } from './message-view.tsx'

interface ThreadPaneProps {
  readonly root: ChannelMessage
  readonly replies: readonly ChannelMessage[]
  /** Of the channel, to be shown here as well. */
  readonly asides: readonly ChannelMessage[]
  /** Was it opened by somebody, who then should find the focus in it? */
  readonly takeFocus: boolean
  /** When a button was pressed last, in ms: what comes soon after it is brought into view. */
  readonly pressedAt: number
  close(): void
}

const soonMs = 20_000

/** A message with its replies: beside the channel, or over it where there is no room. */
export function ThreadPane({ root, replies, asides, takeFocus, pressedAt, close }: ThreadPaneProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const opened = root.ts
  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread is another pane
  useEffect(() => {
    if (takeFocus) heading.current?.focus()
  }, [opened, takeFocus])
  const newest = useRef<HTMLDivElement>(null)
  const shown = [...replies, ...asides]
  const last = shown.at(-1)?.ts
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when a reply comes
  useEffect(() => {
    if (Date.now() - pressedAt < soonMs) newest.current?.scrollIntoView({ block: 'nearest' })
  }, [last])
  return (
    <section
      className="thread"
      id="thread"
      aria-labelledby="thread-heading"
      onKeyDown={event => event.key === 'Escape' && close()}
    >
      <header>
        <h2 id="thread-heading" ref={heading} tabIndex={-1}>
          Thread
        </h2>
        <button type="button" className="close" onClick={close}>
          Close
        </button>
      </header>
      <div className="scroll">
        <MessageView message={root} />
        <p className="count">{replyCount(replies.length)}</p>
        {shown.map(reply => (
          <div key={reply.ts} ref={reply.ts === last ? newest : null}>
            <MessageView message={reply} />
          </div>
        ))}
      </div>
    </section>
  )
}

/** `1 reply`, `3 replies`. */
export function replyCount(count: number): string {
  return count === 1 ? '1 reply' : `${count} replies`
}
