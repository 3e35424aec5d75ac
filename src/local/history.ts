import { type Arguments, isTrue, word } from './arguments.ts'
import type { Channel, ChannelMessage } from './channel.ts'
import { identity } from './identity.ts'

/** A page of messages in the shape that Slack sends. */
export interface HistoryPage {
  readonly ok: true
  readonly messages: readonly object[]
  readonly has_more: boolean
  readonly response_metadata: { readonly next_cursor: string }
  readonly [key: string]: unknown
}

/** The channel's own messages, newest first. */
export function history(channel: Channel, given: Arguments): HistoryPage {
  const roots = publicMessages(channel).filter(message => message.threadTs === null)
  return page(channel, roots.toReversed(), given)
}

/** A message with its thread, oldest first; null: there is no such message. */
export function replies(channel: Channel, given: Arguments): HistoryPage | null {
  const root = threadRoot(channel, word(given, 'ts'))
  const thread = publicMessages(channel).filter(({ ts, threadTs }) => ts === root || threadTs === root)
  return root && thread.length > 0 ? page(channel, thread, given, root) : null
}

/** The `ts` that a reply belongs to: replying to a reply means its thread. */
export function threadRoot(channel: Channel, ts: string | undefined): string | null {
  return ts ? (channel.find(ts)?.threadTs ?? ts) : null
}

/** A message in the shape that Slack sends. */
export function asSlack(channel: Channel, message: ChannelMessage, withMetadata: boolean): object {
  const { ts, threadTs, text, blocks, metadata, files, reactions } = message
  const answers = publicMessages(channel).filter(reply => reply.threadTs === ts)
  return {
    type: 'message',
    user: identity.bot.userId,
    bot_id: identity.bot.id,
    app_id: identity.bot.appId,
    team: identity.team.id,
    ts,
    text,
    ...(blocks.length > 0 && { blocks }),
    ...(files.length > 0 && { files }),
    ...(reactions.length > 0 && {
      reactions: reactions.map(name => ({ name, users: [identity.bot.userId], count: 1 })),
    }),
    ...(withMetadata && metadata && { metadata }),
    ...(threadTs && { thread_ts: threadTs, parent_user_id: identity.bot.userId }),
    ...(answers.length > 0 && { thread_ts: ts, reply_count: answers.length, latest_reply: answers.at(-1)?.ts }),
    ...(message.edited && { edited: { user: identity.bot.userId, ts } }),
  }
}

const publicMessages = (channel: Channel) => channel.messages().filter(message => !message.onlyYou)

/** The part of a list that `oldest`, `latest`, `inclusive`, `cursor` and `limit` ask for; a thread's root always comes along. */
function page(channel: Channel, list: readonly ChannelMessage[], given: Arguments, root?: string): HistoryPage {
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
