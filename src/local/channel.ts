import type { SharedFile } from './files.ts'

/** What stands in the local channel, or in a thread of it. Times are Slack's `ts`, which is also the message's id. */
export interface ChannelMessage {
  readonly ts: string
  /** The message this one replies to; null for a message of the channel itself. */
  readonly threadTs: string | null
  readonly from: 'podwhy' | 'you'
  /** Slack's ephemeral: shown to the one who asked, and never part of a history. */
  readonly onlyYou: boolean
  /** What a notification or a screen reader says. */
  readonly text: string
  /** Block Kit blocks as they were posted; empty: `text` is all there is. */
  readonly blocks: readonly object[]
  readonly metadata: object | null
  readonly edited: boolean
  /** Names of the emoji the bot reacted with. */
  readonly reactions: readonly string[]
  readonly files: readonly SharedFile[]
}

/** A message as it is given to the channel, which then adds its `ts`. */
export type NewMessage = Pick<ChannelMessage, 'from' | 'text'> &
  Partial<Pick<ChannelMessage, 'threadTs' | 'onlyYou' | 'blocks' | 'metadata' | 'files'>>

/** A message was added or changed; or was dropped, because the channel keeps only so many. */
export type Change =
  | { readonly put: ChannelMessage }
  /** The `ts` of the dropped message. */
  | { readonly dropped: string }

export interface Channel {
  add(message: NewMessage): ChannelMessage
  /** Gives the changed message, or null if there is none of that `ts`. */
  change(
    ts: string,
    to: Partial<Pick<ChannelMessage, 'text' | 'blocks' | 'metadata' | 'edited' | 'reactions'>>,
  ): ChannelMessage | null
  /** Takes a message away, with its thread. */
  drop(ts: string): void
  /**
   * Adds a message under a `ts` that an earlier run of the process gave out.
   * A durable queue remembers such messages; this channel does not.
   */
  restore(ts: string, message: NewMessage): ChannelMessage
  find(ts: string): ChannelMessage | undefined
  /** All messages and replies, oldest first. */
  messages(): readonly ChannelMessage[]
  /** Is this `ts` older than the channel, so that an earlier run may have given it out? */
  predates(ts: string): boolean
  /** Calls `listener` with every change from now on; gives the function that ends it. */
  subscribe(listener: (change: Change) => void): () => void
}

export interface ChannelOptions {
  /** How many messages and replies are kept; the oldest go first, a message together with its thread. */
  readonly keep?: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** One channel's messages, in memory. */
export function openChannel({ keep = 500, now = Date.now }: ChannelOptions = {}): Channel {
  const byTs = new Map<string, ChannelMessage>()
  const listeners = new Set<(change: Change) => void>()
  const tell = (change: Change) => {
    for (const listener of listeners) listener(change)
  }
  const nextTs = tsClock(now)
  const openedAt = Number(nextTs())

  const put = (message: ChannelMessage): ChannelMessage => {
    byTs.set(message.ts, message)
    tell({ put: message })
    return message
  }
  const drop = (root: string) => {
    for (const { ts, threadTs } of [...byTs.values()]) {
      if (ts !== root && threadTs !== root) continue
      byTs.delete(ts)
      tell({ dropped: ts })
    }
  }
  const inOrder = () => [...byTs.values()].sort((a, b) => Number(a.ts) - Number(b.ts))
  const addAs = (ts: string, message: NewMessage): ChannelMessage => {
    const added = put({ ...defaults, ...message, ts })
    while (byTs.size > keep) drop(inOrder()[0]?.ts ?? ts)
    return added
  }

  return {
    add: message => addAs(nextTs(), message),
    restore: addAs,
    change(ts, to) {
      const message = byTs.get(ts)
      return message ? put({ ...message, ...to }) : null
    },
    drop,
    find: ts => byTs.get(ts),
    messages: inOrder,
    predates: ts => Number(ts) < openedAt,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const defaults = {
  threadTs: null,
  onlyYou: false,
  blocks: [],
  metadata: null,
  edited: false,
  reactions: [],
  files: [],
} satisfies Partial<ChannelMessage>

/** Gives ever newer `ts`: seconds since 1970 and six digits, no two alike. */
function tsClock(now: () => number): () => string {
  let last = 0
  return () => {
    last = Math.max(last + 1, now() * 1000)
    return `${Math.floor(last / 1e6)}.${String(Math.floor(last % 1e6)).padStart(6, '0')}`
  }
}
