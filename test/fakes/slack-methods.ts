import { refusedBlocks } from './slack-block-rules.ts'
import type { SlackFiles } from './slack-files.ts'
import type { SlackMessages } from './slack-messages.ts'

/** What only one user sees. `via` is `response_url` or `chat.postEphemeral`. */
export type Whisper = { via: string; channel: string | null; user: string | null; text: string; blocks: unknown[] }

/** What a user's App Home shows, and how often it was published. */
export type Home = {
  view: { type: 'home'; blocks: unknown[] } & Record<string, unknown>
  viewId: string
  times: number
}

export type Answer = Record<string, unknown> & { ok: boolean }

/** One Slack, as its Web API sees it. */
export type Workspace = {
  origin: string
  teamId: string
  botId: string
  botUserId: string
  enterpriseId: string | null
  /** Channels the bot is not in. */
  outside: ReadonlySet<string>
  messages: SlackMessages
  files: SlackFiles
  whispers: Whisper[]
  homes: Map<string, Home>
}

type Args = Record<string, string>
type Method = (slack: Workspace, args: Args, channel: string) => Answer

export const refusal = (error: string, messages: string[] = []): Answer => ({
  ...{ ok: false, error },
  ...(messages.length > 0 ? { errors: messages, response_metadata: { messages } } : {}),
})

const parsed = (json: string | undefined, fallback: unknown): unknown => {
  try {
    return json === undefined ? fallback : JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Text and blocks of a message, or Slack's refusal. */
const contentOf = (args: Args): { text: string; blocks: unknown[] } | Answer => {
  const blocks = parsed(args['blocks'], [])
  const refused = refusedBlocks(blocks)
  if (refused !== null) return refusal(refused.error, refused.messages)
  const text = args['text'] ?? ''
  return text === '' && (blocks as unknown[]).length === 0 ? refusal('no_text') : { text, blocks: blocks as unknown[] }
}

const postMessage: Method = (slack, args, channel) => {
  if (slack.outside.has(channel)) return refusal('not_in_channel')
  const content = contentOf(args)
  if ('ok' in content) return content
  const threadTs = args['thread_ts'] ?? null
  if (threadTs !== null && !slack.messages.find(channel, threadTs)) return refusal('thread_not_found')
  const metadata = args['metadata'] === undefined ? null : JSON.parse(args['metadata'])
  const ts = slack.messages.add({ channel, threadTs, metadata, botId: slack.botId, ...content })
  return { ok: true, channel, ts }
}

const update: Method = (slack, args, channel) => {
  const message = slack.messages.find(channel, args['ts'])
  if (message === undefined) return refusal('message_not_found')
  if (message.botId !== slack.botId) return refusal('cant_update_message')
  const content = contentOf(args)
  if ('ok' in content) return content
  Object.assign(message, content, { edits: message.edits + 1 })
  return { ok: true, channel, ts: message.ts }
}

const postEphemeral: Method = (slack, args, channel) => {
  if (slack.outside.has(channel)) return refusal('not_in_channel')
  const content = contentOf(args)
  if ('ok' in content) return content
  slack.whispers.push({ via: 'chat.postEphemeral', channel, user: args['user'] ?? null, ...content })
  return { ok: true, message_ts: slack.messages.nextTs() }
}

const react: Method = (slack, args, channel) => {
  const message = slack.messages.find(channel, args['timestamp'])
  if (message === undefined) return refusal('message_not_found')
  const name = args['name'] ?? ''
  if (!/^[\w+'-]+$/.test(name)) return refusal('invalid_name')
  if (message.reactions.includes(name)) return refusal('already_reacted')
  message.reactions.push(name)
  return { ok: true }
}

const unreact: Method = (slack, args, channel) => {
  const message = slack.messages.find(channel, args['timestamp'])
  if (message === undefined) return refusal('message_not_found')
  const at = message.reactions.indexOf(args['name'] ?? '')
  if (at < 0) return refusal('no_reaction')
  message.reactions.splice(at, 1)
  return { ok: true }
}

/** Shares uploaded files as one message; as with Slack it has no metadata, and its `ts` is not told. */
const completeUpload: Method = ({ messages, files, outside, botId }, args) => {
  const channel = args['channel_id']
  const threadTs = args['thread_ts'] ?? null
  if (channel !== undefined && outside.has(channel)) return refusal('not_in_channel')
  if (channel !== undefined && threadTs !== null && !messages.find(channel, threadTs))
    return refusal('thread_not_found')
  const shared = files.complete(args)
  if ('error' in shared) return refusal(shared.error)
  if (channel !== undefined)
    messages.add({ channel, threadTs, botId, text: args['initial_comment'] ?? '', files: shared })
  return { ok: true, files: shared.map(({ id, title }) => ({ id, title })) }
}

const publishView: Method = ({ homes }, args) => {
  const view = parsed(args['view'], null) as Home['view'] | null | undefined
  if (args['user_id'] === undefined || view?.type !== 'home') return refusal('invalid_arguments')
  const refused = refusedBlocks(view.blocks, { most: 100 })
  if (refused !== null) return refusal('invalid_arguments', refused.messages)
  const before = homes.get(args['user_id'])
  const home = { view, viewId: before?.viewId ?? `V0HOME${homes.size + 1}`, times: (before?.times ?? 0) + 1 }
  homes.set(args['user_id'], home)
  return { ok: true, view: { ...view, id: home.viewId } }
}

const methods: Record<string, Method> = {
  'auth.test': ({ teamId, botId, botUserId, enterpriseId }) => {
    const grid = enterpriseId === null ? {} : { enterprise_id: enterpriseId }
    return { ok: true, team_id: teamId, bot_id: botId, user_id: botUserId, ...grid }
  },
  'apps.connections.open': ({ origin }) => ({ ok: true, url: `${origin.replace('http', 'ws')}/socket` }),
  'chat.postMessage': postMessage,
  'chat.update': update,
  'chat.postEphemeral': postEphemeral,
  'chat.delete': ({ messages }, args, channel) =>
    messages.delete(channel, args['ts']) ? { ok: true, channel, ts: args['ts'] } : refusal('message_not_found'),
  'chat.getPermalink': (_slack, args, channel) => {
    const permalink = `https://podwhy.slack.com/archives/${channel}/p${args['message_ts']}`
    return { ok: true, channel, permalink }
  },
  'conversations.history': ({ messages, outside }, args, channel) =>
    outside.has(channel) ? refusal('not_in_channel') : messages.page(args, null),
  'conversations.replies': ({ messages, outside }, args, channel) => {
    if (outside.has(channel)) return refusal('not_in_channel')
    const ts = args['ts'] ?? ''
    return messages.find(channel, ts) ? messages.page(args, ts) : refusal('thread_not_found')
  },
  'reactions.add': react,
  'reactions.remove': unreact,
  'files.getUploadURLExternal': ({ files, origin }, args) => {
    const begun = files.begin(args)
    return 'error' in begun
      ? refusal(begun.error)
      : { ok: true, upload_url: `${origin}/upload/${begun.id}`, file_id: begun.id }
  },
  'files.completeUploadExternal': completeUpload,
  'views.publish': publishView,
  response_url: ({ whispers }, args) => {
    const { text, blocks } = JSON.parse(args['body'] ?? '{}')
    whispers.push({ via: 'response_url', channel: null, user: null, text, blocks })
    return { ok: true }
  },
}

/** Does what a call of the Web API asks for. */
export const answerMethod = (slack: Workspace, name: string, args: Args): Answer =>
  methods[name]?.(slack, args, args['channel'] ?? '') ?? refusal('unknown_method')
