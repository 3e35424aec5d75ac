import { useEffect, useReducer } from 'react'
import type { Change, ChannelMessage } from '../channel.ts'
import type { Hello, HomeChange } from '../station.ts'

export interface ChannelState {
  /** What the server said about itself; null until it did. */
  readonly hello: Omit<Hello, 'messages' | 'home'> | null
  readonly connected: boolean
  /** Messages and replies, oldest first. */
  readonly messages: readonly ChannelMessage[]
  /** What the Home shows; null: nothing was published yet. */
  readonly home: Hello['home']
  /** The `ts` of the newest answer that came while the page was open. */
  readonly newestAnswer: string | null
}

type Event = Hello | Change | HomeChange | { readonly lost: true }

const atFirst: ChannelState = { hello: null, connected: false, messages: [], home: null, newestAnswer: null }

/** The channel as the server tells it, live. The browser reconnects by itself; each connection starts from the whole. */
export function useChannel(): ChannelState {
  const [state, dispatch] = useReducer(next, atFirst)
  useEffect(() => {
    const source = new EventSource('/local/events')
    source.onmessage = event => dispatch(JSON.parse(event.data) as Hello | Change | HomeChange)
    source.onerror = () => dispatch({ lost: true })
    return () => source.close()
  }, [])
  return state
}

function next(state: ChannelState, event: Event): ChannelState {
  if ('lost' in event) return { ...state, connected: false }
  if ('dropped' in event) return { ...state, messages: state.messages.filter(({ ts }) => ts !== event.dropped) }
  if ('put' in event) {
    const others = state.messages.filter(({ ts }) => ts !== event.put.ts)
    const isNew = others.length === state.messages.length
    return {
      ...state,
      messages: [...others, event.put].sort((a, b) => Number(a.ts) - Number(b.ts)),
      newestAnswer: isNew && isAnswer(event.put) ? event.put.ts : state.newestAnswer,
    }
  }
  if (!('messages' in event)) return { ...state, home: event.home }
  const { messages, home, ...hello } = event
  return { ...state, hello, connected: true, messages, home }
}

/** A message of podwhy's that everyone sees, in the channel itself. */
const isAnswer = (message: ChannelMessage) => message.from === 'podwhy' && !message.onlyYou && message.threadTs === null
