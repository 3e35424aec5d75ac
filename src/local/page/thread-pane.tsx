import { useEffect, useRef } from 'react'
import type { ChannelMessage } from '../channel.ts'
import { MessageView } from './message-view.tsx'

interface ThreadPaneProps {
  readonly root: ChannelMessage
  readonly replies: readonly ChannelMessage[]
  /** Was it opened by somebody, who then should find the focus in it? */
  readonly takeFocus: boolean
  close(): void
}

/** A message with its replies: beside the channel, or over it where there is no room. */
export function ThreadPane({ root, replies, takeFocus, close }: ThreadPaneProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const opened = root.ts
  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread is another pane
  useEffect(() => {
    if (takeFocus) heading.current?.focus()
  }, [opened, takeFocus])
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
        {replies.map(reply => (
          <MessageView key={reply.ts} message={reply} />
        ))}
      </div>
    </section>
  )
}

/** `1 reply`, `3 replies`. */
export function replyCount(count: number): string {
  return count === 1 ? '1 reply' : `${count} replies`
}
