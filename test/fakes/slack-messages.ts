import { type SharedFile, slackFile } from './slack-files.ts'

/** A message as a channel shows it. `thread`: the replies below it, oldest first. */
export type Shown = {
  ts: string
  text: string
  blocks: unknown[]
  metadata: { event_type: string; event_payload: Record<string, unknown> } | null
  /** How often it was edited. */
  edits: number
  /** Names of the emoji that the bot put under it. */
  reactions: string[]
  files: SharedFile[]
  thread: Shown[]
}

export type Metadata = NonNullable<Shown['metadata']>

/** A message to be kept; `more`: fields of another app's message, given to readers as they are. */
export type Posted = Omit<Shown, 'thread'> & {
  channel: string
  threadTs: string | null
  botId: string | null
  more?: object
}

type New = Pick<Posted, 'channel'> & Partial<Omit<Posted, 'ts' | 'edits'>>

/** One page of a history, as Slack answers it. */
export type Page = {
  ok: true
  messages: object[]
  has_more: boolean
  response_metadata: { next_cursor: string }
}

const asSlack = ({ ts, text, blocks, metadata, botId, more, files, reactions }: Posted, withMetadata: boolean) => ({
  ...{ type: 'message', ts, text },
  ...(blocks.length > 0 ? { blocks } : {}),
  ...(botId === null ? { user: 'U1' } : { bot_id: botId }),
  ...(files.length > 0 ? { files: files.map(slackFile) } : {}),
  ...(reactions.length > 0 ? { reactions: reactions.map(name => ({ name, users: ['U0PODWHY'], count: 1 })) } : {}),
  ...more,
  ...(metadata !== null && withMetadata ? { metadata } : {}),
})

/** All messages of one Slack. */
export class SlackMessages {
  /** How long after a post the history shows it, in ms. */
  historyLagMs = 0

  readonly #all: Posted[] = []
  #lastTs = 0

  /** Gives the new message's `ts`. */
  add(message: New): string {
    const ts = this.nextTs()
    const empty = { text: '', blocks: [], metadata: null, threadTs: null, botId: null, files: [], reactions: [] }
    this.#all.push({ ...empty, ...message, ts, edits: 0 })
    return ts
  }

  find(channel: string, ts: string | undefined): Posted | undefined {
    return this.#all.find(message => message.channel === channel && message.ts === ts)
  }

  /** Gives whether it was there. */
  delete(channel: string, ts: string | undefined): boolean {
    const at = this.#all.findIndex(message => message.channel === channel && message.ts === ts)
    if (at >= 0) this.#all.splice(at, 1)
    return at >= 0
  }

  /** What the channel shows now, oldest first. */
  channel(id: string): Shown[] {
    const of = (root: string | null) =>
      this.#all.filter(({ channel, threadTs }) => channel === id && threadTs === root).map(show)
    const show = ({ ts, text, blocks, metadata, edits, reactions, files }: Posted): Shown => ({
      ...{ ts, text, blocks, metadata, edits, reactions: [...reactions], files },
      thread: of(ts),
    })
    return of(null)
  }

  /** A page of the channel's roots, newest first, or of one thread, oldest first with its root in front. */
  page(args: Record<string, string>, root: string | null): Page {
    const isWanted = ({ ts, threadTs }: Posted) =>
      root === null ? threadTs === null : threadTs === root || ts === root
    const isVisible = ({ ts }: Posted): boolean =>
      Number(ts) > Number(args['oldest'] ?? 0) && Number(ts) * 1000 <= Date.now() - this.historyLagMs + 1
    const wanted = this.#all.filter(m => m.channel === args['channel'] && isWanted(m) && isVisible(m))
    if (root === null) wanted.reverse()
    const from = Number(args['cursor'] ?? 0)
    const to = from + Number(args['limit'] ?? 100)
    const more = to < wanted.length
    return {
      ok: true,
      messages: wanted.slice(from, to).map(message => asSlack(message, args['include_all_metadata'] === 'true')),
      has_more: more,
      response_metadata: { next_cursor: more ? String(to) : '' },
    }
  }

  /** Slack's: Unix seconds, unique within a channel. */
  nextTs(): string {
    this.#lastTs = Math.max(Date.now() * 1000, this.#lastTs + 1)
    return `${Math.floor(this.#lastTs / 1e6)}.${String(this.#lastTs % 1e6).padStart(6, '0')}`
  }
}
