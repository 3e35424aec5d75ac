import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { json } from 'node:stream/consumers'
import { asEvent, messagePayload, postSigned } from './slack-request.ts'
import type { SlackServer } from './slack-server.ts'

/** Slack as Alertmanager's Slack receiver knows it; what arrives is shown in the channel and handed on to podwhy. */
export interface AlertSlack {
  /** `api_url` of an incoming webhook to a channel. */
  webhook(channel: string): string
  /** `http_config` of a receiver with a bot token: what it sends to https://slack.com arrives here. */
  readonly asSlackCom: object
  close(): Promise<void>
}

/** What a receiver sends. */
type Message = { channel?: string; ts?: string; thread_ts?: string; username?: string; attachments?: unknown[] }

/** Messages of an app: its name is its own, whatever it asks to be called. */
const bot = {
  ...{ user: 'U0ALERTMANAGER', bot_id: 'B0ALERTMANAGER', app_id: 'A0ALERTMANAGER' },
  bot_profile: { id: 'B0ALERTMANAGER', name: 'Alertmanager', app_id: 'A0ALERTMANAGER', deleted: false },
}

/** A certificate for slack.com that its own key has signed. */
const certificate = (directory: string) => {
  const [key, cert] = ['key.pem', 'cert.pem'].map(name => join(directory, name)) as [string, string]
  const subject = ['-subj', '/CN=slack.com', '-addext', 'subjectAltName=DNS:slack.com', '-days', '1']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert], { stdio: 'pipe' })
  return { file: cert, key: readFileSync(key), cert: readFileSync(cert) }
}

const listening = (server: Server): Promise<number> =>
  new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))

const closed = (server: Server): Promise<unknown> => {
  server.closeAllConnections()
  return new Promise(resolve => server.close(resolve))
}

/** Starts it before a Slack; `podwhy`: where events go. */
export const startAlertSlack = async (slack: SlackServer, podwhy: string): Promise<AlertSlack> => {
  const tell = async (channel: string, event: object): Promise<void> => {
    const { status } = await postSigned(`${podwhy}/slack/events`, asEvent(messagePayload({ channel, ...event })))
    if (status !== 200) throw new Error(`podwhy answered an event with ${status}`)
  }
  /** New messages, and replies where `thread_ts` is set. */
  const post = async (channel: string, message: object): Promise<string> => {
    const ts = slack.sayAs(channel, message)
    await tell(channel, { text: '', ...message, ts, event_ts: ts })
    return ts
  }
  const shown = new Map<string, object>()

  const asWebhook = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { channel: _channel, ...message } = (await json(request)) as Message
    await post((request.url ?? '').slice(1), { subtype: 'bot_message', bot_id: 'B0ALERTS', ...message })
    response.end('ok')
  }

  const asApp = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { channel = '', ts: edited, username: _username, ...content } = (await json(request)) as Message
    const message = { ...bot, ...content }
    const answer = (ts: string) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, channel, ts }))
    if (edited === undefined) {
      const ts = await post(channel, message)
      shown.set(ts, message)
      return void answer(ts)
    }
    slack.editAs(channel, edited, message)
    const at = `${Math.floor(Date.now() / 1000)}.000200`
    const [after, before] = [message, shown.get(edited)].map(each => ({
      type: 'message',
      text: '',
      ...each,
      ts: edited,
    }))
    await tell(channel, {
      ...{ subtype: 'message_changed', hidden: true, ts: at, event_ts: at },
      message: { ...after, edited: { user: bot.user, ts: at } },
      previous_message: before,
    })
    shown.set(edited, message)
    answer(edited)
  }

  const failing = (handle: typeof asApp) => (request: IncomingMessage, response: ServerResponse) =>
    void handle(request, response).catch((error: Error) => response.writeHead(500).end(error.message))

  const directory = mkdtempSync(join(tmpdir(), 'podwhy-slack-com-'))
  const { file, key, cert } = certificate(directory)
  const slackCom = createTlsServer({ key, cert }, failing(asApp))
  const slackComPort = await listening(slackCom)
  const front = createServer(failing(asWebhook))
  const tunnels = new Set<Duplex>()
  front.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    tunnels.add(socket)
    socket.on('close', () => tunnels.delete(socket))
    const through = connect(slackComPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(through).pipe(socket)
    })
    through.on('error', () => socket.destroy())
    socket.on('error', () => through.destroy())
  })
  const url = `http://127.0.0.1:${await listening(front)}`
  return {
    webhook: channel => `${url}/${channel}`,
    asSlackCom: { proxy_url: url, tls_config: { ca_file: file } },
    close: async () => {
      for (const socket of tunnels) socket.destroy()
      await Promise.all([closed(front), closed(slackCom)])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
