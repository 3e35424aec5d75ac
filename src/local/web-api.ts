import { type Arguments, objects, structured, word } from './arguments.ts'
import type { Channel, NewMessage } from './channel.ts'
import { type Files, fileLimit } from './files.ts'
import { asSlack, history, replies, threadRoot } from './history.ts'
import type { Home } from './home.ts'
import { identity } from './identity.ts'

/** Slack's answer: `ok`, and what the method gives or the `error` word. */
export type WebApiResult =
  | { readonly ok: true; readonly [key: string]: unknown }
  | { readonly ok: false; readonly error: string }

/** What calls read and change. */
export interface Workspace {
  readonly channel: Channel
  readonly files: Files
  readonly home: Home
}

type Method = (workspace: Workspace, given: Arguments, origin: string) => WebApiResult

/** Where the content of a file goes, followed by its secret. */
export const uploadPath = '/local/upload/'

const fail = (error: string): WebApiResult => ({ ok: false, error })

/** Methods without a channel, or with another name for it. */
const ofNoChannel = new Set(['auth.test', 'files.getUploadURLExternal', 'views.publish'])

/**
 * Answers the Web API methods that podwhy calls, for the one local channel. Others give `unknown_method`.
 * `origin` is where the page is served, for permalinks and uploads.
 */
export function callMethod(workspace: Workspace, name: string, given: Arguments, origin: string): WebApiResult {
  const method = methods[name]
  if (!method) return fail('unknown_method')
  const channel = given['channel'] ?? given['channel_id']
  if (!ofNoChannel.has(name) && channel !== identity.channel.id) return fail('channel_not_found')
  return method(workspace, given, origin)
}

const methods: Readonly<Record<string, Method>> = {
  'auth.test': (_workspace, _given, origin) => ({
    ok: true,
    url: `${origin}/`,
    team: identity.team.domain,
    team_id: identity.team.id,
    user: identity.bot.name,
    user_id: identity.bot.userId,
    bot_id: identity.bot.id,
    is_enterprise_install: false,
  }),

  'chat.postMessage': ({ channel }, given) => {
    const message = content(given)
    if (!message) return fail('no_text')
    const posted = channel.add({ from: 'podwhy', threadTs: threadOf(channel, given), ...message })
    return { ok: true, channel: identity.channel.id, ts: posted.ts, message: asSlack(channel, posted, true) }
  },

  'chat.postEphemeral': ({ channel }, given) => {
    const message = content(given)
    if (!message) return fail('no_text')
    if (given['user'] !== identity.you.id) return fail('user_not_in_channel')
    const posted = channel.add({ from: 'podwhy', onlyYou: true, threadTs: threadOf(channel, given), ...message })
    return { ok: true, message_ts: posted.ts }
  },

  'chat.update': ({ channel }, given) => {
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

  'chat.getPermalink': ({ channel }, given, origin) => {
    const ts = word(given, 'message_ts')
    if (!ts || !channel.find(ts)) return fail('message_not_found')
    return { ok: true, channel: identity.channel.id, permalink: `${origin}/#p${ts.replace('.', '')}` }
  },

  'conversations.history': ({ channel }, given) => history(channel, given),
  'conversations.replies': ({ channel }, given) => replies(channel, given) ?? fail('thread_not_found'),

  'reactions.add': ({ channel }, given) => {
    const [ts, name] = [word(given, 'timestamp'), word(given, 'name')]
    const message = ts ? channel.find(ts) : undefined
    if (!message) return fail('message_not_found')
    if (!name) return fail('invalid_name')
    if (message.reactions.includes(name)) return fail('already_reacted')
    channel.change(message.ts, { reactions: [...message.reactions, name] })
    return { ok: true }
  },

  'reactions.remove': ({ channel }, given) => {
    const [ts, name] = [word(given, 'timestamp'), word(given, 'name')]
    const message = ts ? channel.find(ts) : undefined
    if (!message) return fail('message_not_found')
    if (!name || !message.reactions.includes(name)) return fail('no_reaction')
    channel.change(message.ts, { reactions: message.reactions.filter(each => each !== name) })
    return { ok: true }
  },

  'files.getUploadURLExternal': ({ files }, given, origin) => {
    const [name, length] = [word(given, 'filename'), Number(given['length'])]
    if (!name || !Number.isSafeInteger(length) || length < 1) return fail('invalid_arguments')
    if (length > fileLimit) return fail('file_too_large')
    const { id, uploadId } = files.begin(name, length)
    return { ok: true, upload_url: `${origin}${uploadPath}${uploadId}`, file_id: id }
  },

  // As with Slack, the message that shares files has no metadata, and the answer does not name it.
  'files.completeUploadExternal': ({ channel, files }, given) => {
    const asked = objects(structured(given['files'])).map(file => {
      const { id, title } = file as Record<string, unknown>
      return { id: String(id), title: typeof title === 'string' ? title : undefined }
    })
    const shared = files.complete(asked)
    if (!shared) return fail('file_not_found')
    const text = word(given, 'initial_comment') ?? ''
    channel.add({ from: 'podwhy', threadTs: threadOf(channel, given), text, files: shared })
    return { ok: true, files: shared.map(({ id, title }) => ({ id, title })) }
  },

  'views.publish': ({ home }, given) => {
    const view = structured(given['view'])
    if (given['user_id'] !== identity.you.id) return fail('user_not_found')
    if (typeof view !== 'object' || view === null || !('blocks' in view)) return fail('invalid_arguments')
    home.publish(objects(view.blocks))
    return { ok: true, view: { ...view, id: identity.bot.homeId } }
  },
}

/** Text, blocks and metadata of a post; null if there is nothing to show. */
function content(given: Arguments): Pick<NewMessage, 'text' | 'blocks' | 'metadata'> | null {
  const text = word(given, 'text') ?? ''
  const blocks = objects(structured(given['blocks']))
  const metadata = structured(given['metadata'])
  if (!text && blocks.length === 0) return null
  return { text, blocks, ...(typeof metadata === 'object' && metadata !== null ? { metadata } : {}) }
}

const threadOf = (channel: Channel, given: Arguments): string | null => threadRoot(channel, word(given, 'thread_ts'))
