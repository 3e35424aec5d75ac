import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SlackFiles, type UploadedFile } from './slack-files.ts'
import { type Held, type Hold, SlackHolds } from './slack-hold.ts'
import { homeOpenedPayload, type Pressed, pressPayload } from './slack-interaction.ts'
import { type Limit, SlackLimiter } from './slack-limiter.ts'
import { type Metadata, type Shown, SlackMessages } from './slack-messages.ts'
import { answerMethod, type Home, refusal, type Whisper } from './slack-methods.ts'
import { SlackSocket } from './slack-socket.ts'

export type { Shown } from './slack-messages.ts'

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

/** `retryAfter`: it was answered 429, with so many seconds. */
export type Call = { method: string; args: Record<string, string>; at: number; retryAfter?: number }

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
 *     slack.files, slack.homes.get('U1')                          // what was uploaded, and each user's App Home
 *     slack.limitPosts({ perSecond: 1, burst: 5 })                // 429 beyond; slack.postTimes('C1'): when each came
 *     slack.pressButton({ channel, ts, actionId })                // the payload to send; also openHome, pressHome
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

  readonly teamId = SlackServer.teamId
  readonly botId = SlackServer.botId
  readonly botUserId = SlackServer.botUserId
  readonly calls: Call[] = []
  readonly whispers: Whisper[] = []
  /** What each user's App Home shows, by user id. */
  readonly homes = new Map<string, Home>()
  /** Channels the bot is not in. */
  readonly outside = new Set<string>()
  /** Set to make the workspace part of an Enterprise Grid organisation. */
  enterpriseId: string | null = null

  readonly messages = new SlackMessages()
  readonly #files = new SlackFiles()
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  readonly socket = new SlackSocket(this.#server)
  readonly #faults = new Map<string, Fault[]>()
  readonly #holds = new SlackHolds()
  readonly #limiter = new SlackLimiter()
  readonly #postTimes = new Map<string, number[]>()
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

  /** `method`: a Web API method, `response_url`, or `upload` (of a file's content). */
  fail(method: string, fault: Fault, times = 1): void {
    this.#faults.set(method, [...(this.#faults.get(method) ?? []), ...Array(times).fill(fault)])
  }

  /** Makes the next call of the method that matches wait: at its arrival nothing is done yet, at its answer all is. */
  hold(method: string, at: Held, matches: (args: Call['args']) => boolean = () => true): Hold {
    return this.#holds.add(method, at, matches)
  }

  /** Every file whose upload was begun, with its content. */
  get files(): readonly UploadedFile[] {
    return this.#files.all
  }

  /** How long after a post the history shows it, in ms. */
  set historyLagMs(ms: number) {
    this.messages.historyLagMs = ms
  }

  /** From now on answers 429 where a channel gets more posts than Slack lets pass; null: no limit again. */
  limitPosts(limit: Limit | null): void {
    this.limit('chat.postMessage', limit)
  }

  /** The same for any method that names a channel. */
  limit(method: string, limit: Limit | null): void {
    this.#limiter.set(method, limit)
  }

  /** When each `chat.postMessage` to the channel was done, in Unix ms. */
  postTimes(channel: string): readonly number[] {
    return this.#postTimes.get(channel) ?? []
  }

  /** What the channel shows now, oldest first. */
  channel(id: string): Shown[] {
    return this.messages.channel(id)
  }

  /** A message of somebody else, to reply to; with metadata it is another app's. Gives its `ts`. */
  say(channel: string, text: string, metadata: Metadata | null = null): string {
    return this.messages.add({ channel, text, metadata, botId: metadata === null ? null : 'B0OTHER' })
  }

  /** A message of another app, with whatever fields it has: `attachments`, `username`, `thread_ts` … Gives its `ts`. */
  sayAs(channel: string, { bot_id: botId = 'B0ALERTS', ...more }: { bot_id?: string; thread_ts?: string }): string {
    return this.messages.add({ channel, threadTs: more.thread_ts ?? null, botId, more })
  }

  /** Another app edits its message. */
  editAs(channel: string, ts: string, more: object): void {
    const message = this.messages.find(channel, ts)
    if (message === undefined) throw new Error(`no message ${ts} in ${channel}`)
    Object.assign(message, { more: { ...message.more, ...more }, edits: message.edits + 1 })
  }

  /** Somebody deletes a message. */
  delete(channel: string, ts: string): void {
    this.messages.delete(channel, ts)
  }

  /** The payload of a press on a message: on the button or menu that it shows now. Throws where it shows none. */
  pressButton({ channel, ts, ...pressed }: Pressed & { channel: string; ts: string }): object {
    const message = this.messages.find(channel, ts)
    if (message === undefined) throw new Error(`no message ${ts} in ${channel}`)
    return pressPayload({ kind: 'message', ...message }, pressed, this.#around(message.blocks))
  }

  /** The same on what only one user was shown. */
  pressWhisper(whisper: Whisper, pressed: Pressed & { channel: string; threadTs?: string }): object {
    const { channel, threadTs = null } = pressed
    const place = { kind: 'whisper', channel, threadTs, ts: this.messages.nextTs() } as const
    return pressPayload(place, { user: whisper.user ?? 'U1', ...pressed }, this.#around(whisper.blocks))
  }

  /** The same on a user's App Home. */
  pressHome({ user, ...pressed }: Pressed & { user: string }): object {
    const home = this.homes.get(user)
    if (home === undefined) throw new Error(`nothing was published to the Home of ${user}`)
    const around = this.#around(home.view.blocks)
    return pressPayload({ kind: 'home', ...home }, { user, ...pressed }, around)
  }

  /** The event of a user who opens the App Home. */
  openHome(user: string, tab: 'home' | 'messages' = 'home'): object {
    return homeOpenedPayload(this.teamId, user, tab)
  }

  callsOf(method: string): Call[] {
    return this.calls.filter(call => call.method === method)
  }

  async close(): Promise<void> {
    this.socket.cut()
    this.#server.closeAllConnections()
    await new Promise(closed => this.#server.close(closed))
  }

  #around(blocks: unknown[]) {
    const { teamId, botId, enterpriseId } = this
    return { teamId, botId, enterpriseId, blocks, responseUrl: this.responseUrl() }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const call: Call = { ...callOf(request.url ?? '', body), at: Date.now() }
    const { method, args } = call
    this.calls.push(call)
    if (await this.#holds.pass(call, 'arrival')) return void request.socket.destroy()
    const fault = this.#faults.get(method)?.shift()
    if (fault?.kind === 'cutBefore') return void request.socket.destroy()
    if (fault?.kind === 'delay') await sleep(fault.ms)
    const retryAfter =
      fault?.kind === 'rateLimited' ? fault.retryAfter : this.#limiter.take(method, args['channel'] ?? '')
    if (retryAfter !== null) {
      call.retryAfter = retryAfter
      return void response.writeHead(429, { 'retry-after': String(retryAfter) }).end()
    }
    if (fault?.kind === 'status') return void response.writeHead(fault.status).end('not today')
    const [status, answer] =
      fault?.kind === 'error'
        ? [200, refusal(fault.error)]
        : method === 'upload'
          ? await this.#takeUpload(args['id'] ?? '', body, request.headers['content-type'] ?? '')
          : [200, this.#answer(method, args)]
    if (await this.#holds.pass(call, 'answer')) return void request.socket.destroy()
    if (fault?.kind === 'cutAfter') return void request.socket.destroy()
    if (fault?.kind === 'garbled') return void response.writeHead(200).end('<html>Bad gateway</html>')
    if (typeof answer === 'string') return void response.writeHead(status).end(answer)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

  #answer(method: string, args: Call['args']): object {
    const slack = { ...this, origin: this.origin, files: this.#files }
    const answer = answerMethod(slack, method, args)
    const channel = args['channel'] ?? ''
    if (method === 'chat.postMessage' && answer.ok)
      this.#postTimes.set(channel, [...this.postTimes(channel), Date.now()])
    return answer
  }

  async #takeUpload(id: string, body: Buffer, contentType: string): Promise<[number, string]> {
    const status = await this.#files.take(id, body, contentType)
    return [status, status === 200 ? `OK - ${body.length}` : 'not taken']
  }
}

/** What is called, by its path: a Web API method, the upload of a file, or a `response_url`. */
function callOf(url: string, body: Buffer): Omit<Call, 'at' | 'retryAfter'> {
  if (url.startsWith('/response/')) return { method: 'response_url', args: { body: body.toString() } }
  if (url.startsWith('/upload/')) return { method: 'upload', args: { id: url.slice('/upload/'.length) } }
  return { method: url.replace('/api/', ''), args: Object.fromEntries(new URLSearchParams(body.toString())) }
}
