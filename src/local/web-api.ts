import type { Channel, ChannelMessage, NewMessage } from './channel.ts'
import { identity } from './identity.ts'

/** A Web API call's arguments: strings from a form, or any JSON. */
export type Arguments = Readonly<Record<string, unknown>>

/** Slack's answer: `ok`, and what the method gives or the `error` word. */
export type WebApiResult =
  | { readonly ok: true; readonly [key: string]: unknown }
  | { readonly ok: false; readonly error: string }

type Method = (channel: Channel, given: Arguments, origin: string) => WebApiResult

const fail = (error: string): WebApiResult => ({ ok: false, error })

/**
 * Answers the Web API methods that podwhy calls, for the one local channel. Others give `unknown_method`.
 * `origin` is where the page is served, for permalinks.
 */
export function callMethod(channel: Channel, name: string, given: Arguments, origin: string): WebApiResult {
  const method = methods[name]
  if (!method) return fail('unknown_method')
  if (name !== 'auth.test' && given['channel'] !== identity.channel.id) return fail('channel_not_found')
  return method(channel, given, origin)
}

const methods: Readonly<Record<string, Method>> = {
  'auth.test': (_channel, _given, origin) => ({
    ok: true,
    url: `${origin}/`,
    team: identity.team.domain,
    team_id: identity.team.id,
    user: identity.bot.name,
    user_id: identity.bot.userId,
    bot_id: identity.bot.id,
    is_enterprise_install: false,
  }),

  'chat.postMessage': (channel, given) => {
    const message = content(given)
    if (!message) return fail('no_text')
    const posted = channel.add({ from: 'podwhy', threadTs: threadRoot(channel, given), ...message })
    return { ok: true, channel: identity.channel.id, ts: posted.ts, message: asSlack(channel, posted, true) }
  },

  'chat.postEphemeral': (channel, given) => {
    const message = content(given)
    if (!message) return fail('no_text')
    if (given['user'] !== identity.you.id) return fail('user_not_in_channel')
    const posted = channel.add({ from: 'podwhy', onlyYou: true, threadTs: threadRoot(channel, given), ...message })
    return { ok: true, message_ts: posted.ts }
  },

  'chat.update': (channel, given) => {
    const ts = word(given, 'ts')
    const message = content(given)
    if (!ts) return fail('message_not_found')
    if (!message) return fail('no_text')
    const { metadata = channel.find(ts)?.metadata ?? null } = message
    const changed =
      channel.change(ts, { ...message, metadata, edited: true }) ??
      (channel.predates(ts) ? channel.restore(ts, { from: 'podwhy', ...message }) : null)
    if (!changed) return fail('message_not_found')
    return { ok: true, channel: identity.channel.id, ts, text: changed.text, message: asSlack(channel, changed, true) }
  },

  'chat.getPermalink': (channel, given, origin) => {
    const ts = word(given, 'message_ts')
    if (!ts || !channel.find(ts)) return fail('message_not_found')
    return { ok: true, channel: identity.channel.id, permalink: `${origin}/#p${ts.replace('.', '')}` }
  },

  'conversations.history': (channel, given) => {
    const roots = publicMessages(channel).filter(message => message.threadTs === null)
    return page(channel, roots.toReversed(), given)
  },

  'conversations.replies': (channel, given) => {
    const root = threadRoot(channel, { thread_ts: given['ts'] })
    const thread = publicMessages(channel).filter(({ ts, threadTs }) => ts === root || threadTs === root)
    return root && thread.length > 0 ? page(channel, thread, given, root) : fail('thread_not_found')
  },

  'reactions.add': (channel, given) => {
    const [ts, name] = [word(given, 'timestamp'), word(given, 'name')]
    const message = ts ? channel.find(ts) : undefined
    if (!message) return fail('message_not_found')
    if (!name) return fail('invalid_name')
    if (message.reactions.includes(name)) return fail('already_reacted')
    channel.change(message.ts, { reactions: [...message.reactions, name] })
    return { ok: true }
  },
}

/** Text, blocks and metadata of a post; null if there is nothing to show. */
function content(given: Arguments): Pick<NewMessage, 'text' | 'blocks' | 'metadata'> | null {
  const text = word(given, 'text') ?? ''
  const blocks = json(given['blocks'])
  const metadata = json(given['metadata'])
  const listed = Array.isArray(blocks) ? blocks.filter(block => typeof block === 'object' && block !== null) : []
  if (!text && listed.length === 0) return null
  return { text, blocks: listed, ...(typeof metadata === 'object' && metadata !== null ? { metadata } : {}) }
}

/** The `ts` that a reply belongs to: replying to a reply means its thread. */
function threadRoot(channel: Channel, given: Arguments): string | null {
  const ts = word(given, 'thread_ts')
  return ts ? (channel.find(ts)?.threadTs ?? ts) : null
}

const publicMessages = (channel: Channel) => channel.messages().filter(message => !message.onlyYou)

/** The part of a list that `oldest`, `latest`, `inclusive`, `cursor` and `limit` ask for; a thread's root always comes along. */
function page(channel: Channel, list: readonly ChannelMessage[], given: Arguments, root?: string): WebApiResult {
  const oldest = Number(given['oldest'] ?? 0)
  const latest = Number(given['latest'] ?? Number.POSITIVE_INFINITY)
  const ends = isTrue(given['inclusive'])
  const within = list.filter(message => {
    const at = Number(message.ts)
    return message.ts === root || (ends ? at >= oldest && at <= latest : at > oldest && at < latest)
  })
  const from = Number(word(given, 'cursor') ?? 0)
  const upTo = from + Math.min(Number(given['limit'] ?? 100), 999)
  const more = upTo < within.length
  const withMetadata = isTrue(given['include_all_metadata'])
  return {
    ok: true,
    messages: within.slice(from, upTo).map(message => asSlack(channel, message, withMetadata)),
    has_more: more,
    response_metadata: { next_cursor: more ? String(upTo) : '' },
  }
}

/** A message in the shape that Slack sends. */
function asSlack(channel: Channel, message: ChannelMessage, withMetadata: boolean): object {
  const { ts, threadTs, text, blocks, metadata } = message
  const replies = publicMessages(channel).filter(reply => reply.threadTs === ts)
  return {
    type: 'message',
    user: identity.bot.userId,
    bot_id: identity.bot.id,
    app_id: identity.bot.appId,
    team: identity.team.id,
    ts,
    text,
    ...(blocks.length > 0 && { blocks }),
    ...(withMetadata && metadata && { metadata }),
    ...(threadTs && { thread_ts: threadTs, parent_user_id: identity.bot.userId }),
    ...(replies.length > 0 && { thread_ts: ts, reply_count: replies.length, latest_reply: replies.at(-1)?.ts }),
    ...(message.edited && { edited: { user: identity.bot.userId, ts } }),
  }
}

function word(given: Arguments, key: string): string | undefined {
  const value = given[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === '1'

/** Structured arguments come as JSON text in forms. */
function json(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
