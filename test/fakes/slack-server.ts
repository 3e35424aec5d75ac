import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Held, type Hold, SlackHolds } from './slack-hold.ts'
import { SlackSocket } from './slack-socket.ts'

/** A message as a channel shows it. `thread`: the replies below it, oldest first. */
export type Shown = {
  ts: string
  text: string
  blocks: unknown[]
  metadata: { event_type: string; event_payload: Record<string, unknown> } | null
  /** How often it was edited. */
  edits: number
  thread: Shown[]
}

/** What only one user sees. `via` is `response_url` or `chat.postEphemeral`. */
export type Whisper = { via: string; channel: string | null; user: string | null; text: string; blocks: unknown[] }

/**
 * What goes wrong with the next call of a method. `cutBefore`: not done, no answer; `cutAfter`: done, no answer;
 * `garbled`: done, but what answers is a proxy.
 */
export type Fault =
  | { kind: 'error'; error: string }
  | { kind: 'rateLimited'; retryAfter: number }
  | { kind: 'status'; status: number }
  | { kind: 'cutBefore' }
  | { kind: 'cutAfter' }
  | { kind: 'garbled' }
  | { kind: 'delay'; ms: number }

export type Call = { method: string; args: Record<string, string>; at: number }

type Metadata = NonNullable<Shown['metadata']>
type Posted = Shown & { channel: string; threadTs: string | null; botId: string | null; more?: object }
type Answer = Record<string, unknown> & { ok: boolean }
const refusal = (error: string): Answer => ({ ok: false, error })

/**
 * A Slack for tests, on a free loopback port: the Web API that podwhy uses, Socket Mode, and `response_url`s.
 *
 *     const slack = await SlackServer.start()
 *     slackClient({ token: 'xoxb-test', apiUrl: slack.apiUrl, log })
 *     slack.fail('chat.postMessage', { kind: 'cutAfter' })        // the next call; a third argument: how many
 *     slack.hold('chat.postMessage', 'answer')                    // the next call stands still, done but not answered
 *     slack.channel('C1')                                         // its messages, each with its thread
 *     slack.whispers                                              // what only one user was shown
 *     slack.calls                                                 // every call of the Web API, in order
 *     slack.responseUrl()                                         // a new one, for a command's payload
 *     slack.socket.send('slash_commands', { … })                  // after Socket Mode has connected
 *     await slack.close()
 *
 * The bot is a member of every channel but those of `outside`. Messages keep their metadata when they are edited.
 * History is newest first, replies oldest first with the root in front, both in pages of `limit`, as Slack has them.
 */
export class SlackServer {
  static readonly teamId = 'T0PODWHY'
  static readonly botId = 'B0PODWHY'
  static readonly botUserId = 'U0PODWHY'

  static async start(): Promise<SlackServer> {
    const slack = new SlackServer()
    await new Promise<void>(listening => slack.#server.listen(0, '127.0.0.1', listening))
    return slack
  }

  readonly calls: Call[] = []
  readonly whispers: Whisper[] = []
  /** Channels the bot is not in. */
  readonly outside = new Set<string>()
  /** Set to make the workspace part of an Enterprise Grid organisation. */
  enterpriseId: string | null = null
  /** How long after a post the history shows it, in ms. */
  historyLagMs = 0

  readonly #server = createServer((request, response) => void this.#serve(request, response))
  readonly socket = new SlackSocket(this.#server)
  readonly #faults = new Map<string, Fault[]>()
  readonly #holds = new SlackHolds()
  readonly #messages: Posted[] = []
  #lastTs = 0
  #responseUrls = 0

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** `SLACK_API_URL`. */
  get apiUrl(): string {
    return `${this.origin}/api/`
  }

  responseUrl(): string {
    return `${this.origin}/response/${++this.#responseUrls}`
  }

  /** `method`: a Web API method, or `response_url`. */
  fail(method: string, fault: Fault, times = 1): void {
    this.#faults.set(method, [...(this.#faults.get(method) ?? []), ...Array(times).fill(fault)])
  }

  /** Makes the next call of the method that matches wait: at its arrival nothing is done yet, at its answer all is. */
  hold(method: string, at: Held, matches: (args: Call['args']) => boolean = () => true): Hold {
    return this.#holds.add(method, at, matches)
  }

  /** What the channel shows now, oldest first. */
  channel(id: string): Shown[] {
    const show = ({ ts, text, blocks, metadata, edits }: Posted): Shown => ({
      ...{ ts, text, blocks, metadata, edits },
      thread: this.#messages.filter(({ channel, threadTs }) => channel === id && threadTs === ts).map(show),
    })
    return this.#messages.filter(({ channel, threadTs }) => channel === id && threadTs === null).map(show)
  }

  /** A message of somebody else, to reply to; with metadata it is another app's. Gives its `ts`. */
  say(channel: string, text: string, metadata: Metadata | null = null): string {
    const botId = metadata === null ? null : 'B0OTHER'
    return this.#add({ channel, text, threadTs: null, metadata, blocks: [], botId })
  }

  /** A message of another app, with whatever fields it has: `attachments`, `username`, `thread_ts` … Gives its `ts`. */
  sayAs(channel: string, { bot_id: botId = 'B0ALERTS', ...more }: { bot_id?: string; thread_ts?: string }): string {
    const threadTs = more.thread_ts ?? null
    return this.#add({ channel, text: '', threadTs, metadata: null, blocks: [], botId, more })
  }

  /** Another app edits its message. */
  editAs(channel: string, ts: string, more: object): void {
    const message = this.#messages.find(each => each.channel === channel && each.ts === ts)
    if (message === undefined) throw new Error(`no message ${ts} in ${channel}`)
    Object.assign(message, { more: { ...message.more, ...more }, edits: message.edits + 1 })
  }

  /** Somebody deletes a message. */
  delete(channel: string, ts: string): void {
    const at = this.#messages.findIndex(message => message.channel === channel && message.ts === ts)
    this.#messages.splice(at, 1)
  }

  callsOf(method: string): Call[] {
    return this.calls.filter(call => call.method === method)
  }

  async close(): Promise<void> {
    this.socket.cut()
    this.#server.closeAllConnections()
    await new Promise(closed => this.#server.close(closed))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const isResponseUrl = request.url?.startsWith('/response/') === true
    const method = isResponseUrl ? 'response_url' : (request.url ?? '').replace('/api/', '')
    const args = isResponseUrl ? { body } : Object.fromEntries(new URLSearchParams(body))
    const call = { method, args, at: Date.now() }
    this.calls.push(call)
    if (await this.#holds.pass(call, 'arrival')) return void request.socket.destroy()
    const fault = this.#faults.get(method)?.shift()
    if (fault?.kind === 'cutBefore') return void request.socket.destroy()
    if (fault?.kind === 'delay') await sleep(fault.ms)
    if (fault?.kind === 'rateLimited')
      return void response.writeHead(429, { 'retry-after': String(fault.retryAfter) }).end()
    if (fault?.kind === 'status') return void response.writeHead(fault.status).end('not today')
    const answer = fault?.kind === 'error' ? refusal(fault.error) : this.#answer(method, args)
    if (await this.#holds.pass(call, 'answer')) return void request.socket.destroy()
    if (fault?.kind === 'cutAfter') return void request.socket.destroy()
    if (fault?.kind === 'garbled') return void response.writeHead(200).end('<html>Bad gateway</html>')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

  #answer(method: string, args: Record<string, string>): Answer {
    const channel = args['channel'] ?? ''
    const isOutside = this.outside.has(channel)
    const content = { text: args['text'] ?? '', blocks: JSON.parse(args['blocks'] ?? '[]') as unknown[] }
    switch (method) {
      case 'auth.test': {
        const { teamId, botId, botUserId } = SlackServer
        const grid = this.enterpriseId === null ? {} : { enterprise_id: this.enterpriseId }
        return { ok: true, team_id: teamId, bot_id: botId, user_id: botUserId, ...grid }
      }
      case 'apps.connections.open':
        return { ok: true, url: `${this.origin.replace('http', 'ws')}/socket` }
      case 'chat.postMessage': {
        if (isOutside) return refusal('not_in_channel')
        const metadata = args['metadata'] === undefined ? null : JSON.parse(args['metadata'])
        const threadTs = args['thread_ts'] ?? null
        if (threadTs !== null && !this.#messages.some(({ ts }) => ts === threadTs)) return refusal('thread_not_found')
        const { botId } = SlackServer
        return { ok: true, channel, ts: this.#add({ channel, threadTs, metadata, botId, ...content }) }
      }
      case 'chat.update': {
        const message = this.#messages.find(({ ts, channel: of }) => ts === args['ts'] && of === channel)
        if (message === undefined) return refusal('message_not_found')
        Object.assign(message, content, { edits: message.edits + 1 })
        return { ok: true, channel, ts: message.ts }
      }
      case 'chat.postEphemeral':
        if (isOutside) return refusal('not_in_channel')
        this.whispers.push({ via: method, channel, user: args['user'] ?? null, ...content })
        return { ok: true, message_ts: this.#nextTs() }
      case 'response_url': {
        const { text, blocks } = JSON.parse(args['body'] ?? '{}')
        this.whispers.push({ via: method, channel: null, user: null, text, blocks })
        return { ok: true }
      }
      case 'chat.getPermalink':
        return { ok: true, channel, permalink: `https://podwhy.slack.com/archives/${channel}/p${args['message_ts']}` }
      case 'conversations.history':
        return isOutside ? refusal('not_in_channel') : this.#page(args, m => m.threadTs === null, 'newest')
      case 'conversations.replies':
        if (isOutside) return refusal('not_in_channel')
        if (!this.#messages.some(({ ts }) => ts === args['ts'])) return refusal('thread_not_found')
        return this.#page(args, m => m.threadTs === args['ts'] || m.ts === args['ts'], 'oldest')
      default:
        return refusal('unknown_method')
    }
  }

  #page(args: Record<string, string>, isWanted: (message: Posted) => boolean, first: 'newest' | 'oldest'): Answer {
    const isVisible = ({ ts }: Posted): boolean =>
      Number(ts) > Number(args['oldest'] ?? 0) && Number(ts) * 1000 <= Date.now() - this.historyLagMs + 1
    const wanted = this.#messages.filter(m => m.channel === args['channel'] && isWanted(m) && isVisible(m))
    if (first === 'newest') wanted.reverse()
    const from = Number(args['cursor'] ?? 0)
    const to = from + Number(args['limit'] ?? 100)
    const messages = wanted.slice(from, to).map(({ ts, text, metadata, botId, more }) => ({
      ...{ type: 'message', ts, text },
      ...(botId === null ? { user: 'U1' } : { bot_id: botId }),
      ...more,
      ...(metadata !== null && args['include_all_metadata'] === 'true' ? { metadata } : {}),
    }))
    const more = to < wanted.length
    return { ok: true, messages, has_more: more, response_metadata: { next_cursor: more ? String(to) : '' } }
  }

  #add(message: Omit<Posted, 'ts' | 'edits' | 'thread'>): string {
    const ts = this.#nextTs()
    this.#messages.push({ ...message, ts, edits: 0, thread: [] })
    return ts
  }

  /** Slack's: Unix seconds, unique within a channel. */
  #nextTs(): string {
    this.#lastTs = Math.max(Date.now() * 1000, this.#lastTs + 1)
    return `${Math.floor(this.#lastTs / 1e6)}.${String(this.#lastTs % 1e6).padStart(6, '0')}`
  }
}
