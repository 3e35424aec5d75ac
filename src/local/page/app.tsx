import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ChannelMessage } from '../channel.ts'
import { Pressed } from './actions-block.tsx'
import { Composer } from './composer.tsx'
import { HomeView } from './home-view.tsx'
import { MessageView } from './message-view.tsx'
import { Sidebar } from './sidebar.tsx'
import { replyCount, ThreadPane } from './thread-pane.tsx'
import { useAddress } from './use-address.ts'
import { type ChannelState, useChannel } from './use-channel.ts'
import { useWide } from './use-wide.ts'

/** As long after an answer its thread may begin. */
const settledMs = 3_000

/** The local channel: messages, the open thread, and a line to ask in; or the app's Home. */
export function App() {
  const state = useChannel()
  const { hello, connected, messages, newestAnswer } = state
  const wide = useWide()
  const { home, openTs, open, close } = useAddress()
  const [takeFocus, setTakeFocus] = useState(false)
  const [pressed, setPressed] = useState<{ at: number; openTs: string | null }>({ at: 0, openTs: null })
  const notePress = useCallback(() => setPressed({ at: Date.now(), openTs }), [openTs])

  const hasReply = messages.some(({ threadTs }) => threadTs !== null && threadTs === newestAnswer)
  // Where there is room, the thread of a fresh answer opens by itself, without taking the focus from the input; one that
  // has no thread gets the room.
  useEffect(() => {
    if (!wide || !newestAnswer || !hasReply || location.hash === '#home') return
    setTakeFocus(false)
    open(newestAnswer, true)
  }, [wide, newestAnswer, hasReply, open])
  const isInTheWay = wide && !takeFocus && newestAnswer !== null && !hasReply && openTs !== null
  useEffect(() => {
    const closing = isInTheWay ? setTimeout(close, settledMs) : undefined
    return () => clearTimeout(closing)
  }, [isInTheWay, close])

  if (!hello) return <p className="starting">Connecting to podwhy…</p>

  const roots = messages.filter(({ threadTs }) => threadTs === null || !messages.some(({ ts }) => ts === threadTs))
  const thread = messages.find(({ ts }) => ts === openTs)
  const repliesTo = (ts: string) => messages.filter(({ threadTs }) => threadTs === ts)
  // Where the thread covers the channel, what is said there to the one who pressed a button of the thread stands here too.
  const asides = messages.filter(
    ({ onlyYou, from, threadTs, ts }) =>
      !wide && openTs === pressed.openTs && onlyYou && from === 'podwhy' && !threadTs && Number(ts) * 1000 > pressed.at,
  )
  const closeThread = () => {
    // The channel takes the focus only once it is no longer inert.
    flushSync(close)
    document.querySelector<HTMLElement>(`[data-ts="${openTs}"] .replies`)?.focus()
  }
  const openByHand = (ts: string) => {
    setTakeFocus(true)
    open(ts)
  }
  return (
    <Pressed value={notePress}>
      <div className={thread ? 'app with-thread' : 'app'}>
        <Sidebar hello={hello} onAsk={() => home && close()} />
        <main className="channel" inert={thread !== undefined && !wide}>
          <header>
            <h2 className="visually-hidden">{home ? 'Home' : `# ${hello.channel}`}</h2>
            <nav aria-label="Channel and Home">
              <a href="#channel" aria-current={home ? undefined : 'page'}>
                # {hello.channel}
              </a>
              <a href="#home" aria-current={home ? 'page' : undefined}>
                Home
              </a>
            </nav>
            {!connected && <p role="alert">Connection lost; trying again…</p>}
          </header>
          {home ? (
            <HomeView blocks={state.home} />
          ) : (
            <>
              <MessageList
                roots={roots}
                repliesTo={repliesTo}
                openTs={openTs}
                open={openByHand}
                command={hello.command}
              />
              <Composer command={hello.command} />
            </>
          )}
        </main>
        {thread && (
          <ThreadPane
            root={thread}
            replies={repliesTo(thread.ts)}
            takeFocus={takeFocus}
            asides={asides}
            pressedAt={pressed.at}
            close={closeThread}
          />
        )}
        <p className="visually-hidden" aria-live="polite">
          {announcement(state)}
        </p>
      </div>
    </Pressed>
  )
}

interface MessageListProps {
  readonly roots: readonly ChannelMessage[]
  readonly openTs: string | null
  readonly command: string
  repliesTo(ts: string): readonly ChannelMessage[]
  open(ts: string): void
}

function MessageList({ roots, repliesTo, openTs, open, command }: MessageListProps) {
  const end = useRef<HTMLDivElement>(null)
  const last = roots.at(-1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the last message comes or changes
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [last])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll" aria-label="Messages" tabIndex={0}>
      {roots.length === 0 && (
        <p className="empty">
          Nothing asked yet. Type <code>{command} NAMESPACE/POD</code> below.
        </p>
      )}
      {roots.map(message => {
        const replies = repliesTo(message.ts)
        return (
          <MessageView key={message.ts} message={message}>
            {replies.length > 0 && (
              <button
                type="button"
                className="replies"
                aria-expanded={openTs === message.ts}
                aria-controls="thread"
                onClick={() => open(message.ts)}
              >
                {replyCount(replies.length)}
                <span> · View thread</span>
              </button>
            )}
          </MessageView>
        )
      })}
      <div ref={end} />
    </section>
  )
}

/** What a screen reader should say now: the newest answer's summary, reply to you or file, not a whole thread. */
function announcement({ messages }: ChannelState): string {
  const said = messages.findLast(
    ({ from, threadTs, onlyYou, files }) => from === 'podwhy' && (threadTs === null || onlyYou || files.length > 0),
  )
  return [said?.text, ...(said?.files ?? []).map(({ title }) => `File: ${title}`)].filter(Boolean).join(' ')
}
