import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Block, Message } from '../answer/block-kit.ts'
import { findPosted, METADATA_EVENT } from './find-posted.ts'
import { holdChannel, ifNotHeld, takeTurn } from './pace.ts'
import { respond } from './response-url.ts'
import type { SlackClient } from './slack-client.ts'
import { isRefusal, RateLimited, slackErrorCode, toSlackError } from './slack-error.ts'
import { uploads } from './upload.ts'

/** What must be remembered across restarts. `claim` gives null when the key is now ours, else the value it has. */
export type Store = {
  claim(key: string, value: string, ttlMs: number): Promise<string | null>
  get(key: string): Promise<string | null>
  put(key: string, value: string, ttlMs: number): Promise<void>
  replace(key: string, present: string, value: string, ttlMs: number): Promise<boolean>
}

/** Where a message stands. */
export type Place = { channel: string; ts: string }

/**
 * One part of the answer to one question: `root`, `thread-0`, … `isPaced`: nobody waits for it, so it keeps to one message
 * a second in its channel.
 */
export type Post = {
  question: string
  part: string
  channel: string
  threadTs: string | null
  message: Message
  isPaced?: boolean
}

/** A message that stands, and what it is to show. */
export type Edit = Place & { message: Message; unlessShown?: boolean }

const shownKey = ({ channel, ts }: Place): string => `shown:${channel}:${ts}`
const hash = (message: Message): string => createHash('sha256').update(JSON.stringify(message)).digest('hex')

/** A post that was begun, with its start in Unix milliseconds, and again so many times; with `ts` once Slack has it. */
type Posting = { channel: string; start: number; run?: number; ts?: string; refused?: true }

/** As long as a failed job is kept. */
const REMEMBER_MS = 7 * 24 * 60 * 60_000

/** Longer than a turn and a call of Slack may take. */
const POSTING_MS = 12_000

/** Slack's history may lag behind its posts. */
const SECOND_LOOK_MS = 3_000

/** Without these the history cannot be looked at, and never will be by trying again. */
const unreadable = new Set(['missing_scope', 'not_in_channel', 'channel_not_found', 'no_permission', 'access_denied'])

export type PosterOptions = {
  client: SlackClient
  store: Store
  log: Logger
  /** The Slack whose `response_url`s are accepted beside slack.com's. */
  apiUrl?: string | undefined
  now?: () => number
  delay?: (ms: number) => Promise<unknown>
  /** Waits for a channel's next turn. */
  pause?: (ms: number) => Promise<unknown>
}

export type Poster = ReturnType<typeof poster>

/** Everything podwhy writes to Slack. Errors: `RateLimited`, `NotInChannel`, `MessageGone`, else web-api's. */
export function poster({ client, store, log, apiUrl, now = Date.now, delay = sleep, pause = sleep }: PosterOptions) {
  let botId: Promise<string | undefined> | undefined

  /** The post of an earlier run, if Slack has it: looked for twice. */
  async function adopt(post: Post, startMs: number): Promise<string | null> {
    try {
      botId ??= client.again.auth.test().then(me => me.bot_id)
      const wanted = { ...post, startMs, botId: await botId }
      const found = await findPosted(client.again, wanted)
      if (found !== null) return found
      await delay(SECOND_LOOK_MS)
      return await findPosted(client.again, wanted)
    } catch (error) {
      botId = undefined
      const code = slackErrorCode(error)
      if (code === 'thread_not_found') return null
      if (code === null || !unreadable.has(code)) throw toSlackError(error, post.channel)
      const { question, part, channel } = post
      log.warn({ question, part, channel, code }, 'history not readable: this part may be posted twice')
      return null
    }
  }

  async function send(
    key: string,
    { question, part, channel, threadTs, message, isPaced = false }: Post,
    { start, run = 0 }: Posting,
  ): Promise<Place> {
    const remember = (posting: Posting) => store.put(key, JSON.stringify(posting), REMEMBER_MS)
    let posted: { ts?: string; channel?: string }
    try {
      if (isPaced) {
        await pause(await takeTurn(store, channel, now))
        await ifNotHeld(store, channel, now)
      }
      posted = await client.once.chat.postMessage({
        channel,
        ...message,
        ...(threadTs === null ? {} : { thread_ts: threadTs }),
        metadata: { event_type: METADATA_EVENT, event_payload: { question, part } },
        unfurl_links: false,
        unfurl_media: false,
      })
    } catch (error) {
      if (isRefusal(error) || error instanceof RateLimited) await remember({ channel, start, run, refused: true })
      const problem = toSlackError(error, channel)
      // What Slack itself has refused, not what waits for its turn.
      const isSlacks = problem instanceof RateLimited && problem !== error
      if (isPaced && isSlacks) await holdChannel(store, channel, { forMs: problem.retryAfterMs, now })
      throw problem
    }
    if (posted.ts === undefined) throw new Error(`chat.postMessage to ${channel} answered without ts`)
    const place = { channel: posted.channel ?? channel, ts: posted.ts }
    await remember({ ...place, start })
    if (isPaced) await store.put(shownKey(place), hash(message), REMEMBER_MS)
    return place
  }

  return {
    /**
     * Posts one part of an answer, once: whatever runs again finds what stands. `stood`: it was there before, perhaps
     * with an older text. Where the history cannot be read it is at least once, and the log says so.
     */
    async post(post: Post): Promise<Place & { stood: boolean }> {
      const key = `post:${post.question}:${post.part}`
      const fresh: Posting = { channel: post.channel, start: now() }
      const claimed = await store.claim(key, JSON.stringify(fresh), REMEMBER_MS)
      if (claimed === null) return { ...(await send(key, post, fresh)), stood: false }
      const before: Posting = JSON.parse(claimed)
      if (before.ts !== undefined) return { channel: before.channel, ts: before.ts, stood: true }
      const ts = before.refused === true ? null : await adopt(post, before.start)
      if (ts === null) {
        const start = before.refused === true ? fresh.start : before.start
        const again: Posting = { channel: post.channel, start, run: (before.run ?? 0) + 1 }
        // Of several runs that find it not posted one goes on.
        const isOurs = await store.replace(key, claimed, JSON.stringify(again), REMEMBER_MS)
        if (!isOurs) throw new RateLimited(POSTING_MS)
        return { ...(await send(key, post, again)), stood: false }
      }
      log.info({ question: post.question, part: post.part, ts }, 'found what an earlier run posted')
      await store.put(key, JSON.stringify({ ...before, ts }), REMEMBER_MS)
      return { channel: before.channel, ts, stood: true }
    },

    /** Where a part stands, if it does. */
    async posted(question: string, part: string): Promise<Place | null> {
      const record = await store.get(`post:${question}:${part}`)
      if (record === null) return null
      const { channel, ts }: Posting = JSON.parse(record)
      return ts === undefined ? null : { channel, ts }
    },

    /** Whether a part was begun, here or by an earlier run. */
    async begun(question: string, part: string): Promise<boolean> {
      return (await store.get(`post:${question}:${part}`)) !== null
    },

    /**
     * Replaces a message's text and blocks; its metadata stays. `unlessShown`: nothing happens where it shows just that, as
     * far as is remembered; Slack marks every message that was edited.
     */
    async update({ channel, ts, message, unlessShown = false }: Edit): Promise<void> {
      const key = shownKey({ channel, ts })
      if (unlessShown && (await store.get(key)) === hash(message)) return
      try {
        await client.again.chat.update({ channel, ts, ...message })
      } catch (error) {
        throw toSlackError(error, channel)
      }
      await store.put(key, hash(message), REMEMBER_MS)
    },

    /** Shares a file in a thread, once; see `uploads`. */
    upload: uploads({ client, store, log, apiUrl, now, delay }),

    /** Shows a user's App Home. `view`: of type `home`. */
    async publishHome(user: string, view: { readonly type: 'home'; readonly blocks: Block[] }): Promise<void> {
      await client.again.views.publish({ user_id: user, view })
    },

    /** Puts an emoji under a message, or takes it away; nothing happens where that was done before. */
    async react({ channel, ts }: Place, name: string, isOn = true): Promise<void> {
      try {
        if (isOn) await client.again.reactions.add({ channel, timestamp: ts, name })
        else await client.again.reactions.remove({ channel, timestamp: ts, name })
      } catch (error) {
        if (!/^(already_reacted|no_reaction)$/.test(slackErrorCode(error) ?? '')) throw toSlackError(error, channel)
      }
    },

    /** Shows a message to one user of a channel the bot is in. */
    async ephemeral(to: { channel: string; user: string; threadTs: string | null; message: Message }): Promise<void> {
      const { channel, user, threadTs, message } = to
      try {
        const thread = threadTs === null ? {} : { thread_ts: threadTs }
        await client.once.chat.postEphemeral({ channel, user, ...message, ...thread })
      } catch (error) {
        throw toSlackError(error, channel)
      }
    },

    /** The root message of a thread, or null where it cannot be read. */
    async threadRoot({ channel, ts }: Place): Promise<{ text?: string; attachments?: unknown } | null> {
      const thread = await client.once.conversations.replies({ channel, ts, limit: 1 }).catch((err: unknown) => {
        log.info({ err, channel }, 'a thread could not be read')
        return null
      })
      return thread?.messages?.find(message => message.ts === ts) ?? null
    },

    /** A link to a message, or null where Slack gives none. */
    async permalink({ channel, ts }: Place): Promise<string | null> {
      const answer = await client.once.chat.getPermalink({ channel, message_ts: ts }).catch(() => null)
      return answer?.permalink ?? null
    },

    /** Shows a message to the one who asked, through the question's `response_url`; see `respond`. */
    respond: (responseUrl: string, message: Message): Promise<void> => respond(responseUrl, message, { store, apiUrl }),

    /** Remembers that `what` happened for a question. */
    async mark(question: string, what: string): Promise<void> {
      await store.put(`mark:${question}:${what}`, '1', REMEMBER_MS)
    },

    /** Whether `what` happened for a question. */
    async marked(question: string, what: string): Promise<boolean> {
      return (await store.get(`mark:${question}:${what}`)) !== null
    },
  }
}
