import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { App, HTTPReceiver } from '@slack/bolt'
import type { Logger } from 'pino'
import { AckAfterReceiver, STOP_GRACE_MS } from './ack-after-receiver.ts'
import { onAction, PODWHY_ACTION } from './actions.ts'
import { onMessage } from './alert-posts.ts'
import { alertThreads } from './alert-threads.ts'
import { onHomeOpened } from './app-home.ts'
import type { Desk } from './ask.ts'
import { boltLogger } from './bolt-logger.ts'
import { type Listening, onCommand, onMention, onShortcut } from './listeners.ts'
import { refuseOddBodies } from './odd-bodies.ts'
import type { Poster, Store } from './poster.ts'
import { type Route, routeServer } from './route-server.ts'
import { sharedChannels } from './shared-channels.ts'
import type { SlackClient } from './slack-client.ts'
import { slackErrorCode } from './slack-error.ts'
import { within } from './within.ts'
import { workspaceOf } from './workspace.ts'

export type SlackAppOptions = Pick<Desk, 'add' | 'parseTarget' | 'isAllowed'> &
  Partial<Pick<Desk, 'alertOf' | 'countAlerts' | 'resolved'>> & {
    /** Bot token, `xoxb-…`. */
    botToken: string
    /** How Slack comes in: over a WebSocket that podwhy opens with an app token (`xapp-…`), or over HTTP, signed. */
    inbound: { appToken: string } | { signingSecret: string }
    client: SlackClient
    poster: Pick<Poster, 'posted' | 'permalink' | 'ephemeral' | 'respond' | 'threadRoot' | 'post' | 'publishHome'>
    /** Default: no answer is remembered. */
    commandsOf?: Listening['commandsOf']
    /** Default: nothing is open. */
    openIncidents?: Listening['openIncidents']
    store: Store
    /** Where posted alerts are remembered; default `store`. */
    alerts?: Listening['alerts']
    /** Served on the same port as `/slack/events`; in Socket Mode they have the port for themselves. */
    routes: readonly Route[]
    /** 0: any free one. */
    port: number
    /** Address to listen on; default all. */
    host?: string
    /** Another Slack than slack.com, ending in `/api/`. */
    apiUrl?: string | undefined
    log: Logger
    now?: () => number
    /** Default `/podwhy`. */
    command?: string
    /** How soon a Socket Mode connection without pongs is given up, in ms. Default 5 s. */
    clientPingTimeoutMs?: number
  }

export type SlackApp = {
  /** Checks the bot token with Slack, then listens; gives the port. Throws when Slack refuses the token. */
  start(): Promise<{ port: number }>
  /** Takes nothing new; ends when what was being handled is acknowledged. */
  stop(): Promise<void>
  /** The workspace of the bot token; null before the start. */
  teamId(): string | null
  /** Whether Slack can reach podwhy, as far as one can tell from here. */
  ready(): boolean
}

/** `callback_id` of the message shortcut in the manifest. */
export const SHORTCUT = 'why'

/** Slack's own payloads are far smaller; larger ones are answered 413. */
const BODY_LIMIT_BYTES = 1024 * 1024

/** Opens the WebSocket, or leaves the port again and names the token. */
async function connect(receiver: AckAfterReceiver, server: Server): Promise<void> {
  try {
    await receiver.start()
  } catch (error) {
    server.close()
    const code = slackErrorCode(error)
    if (code === null) throw error
    const advice = 'make one on the app’s page "Basic Information", App-Level Tokens, with scope connections:write'
    throw new Error(`Slack refuses SLACK_APP_TOKEN (${code}): ${advice}`, { cause: error })
  }
}

/** Slack's way in: commands, mentions and the shortcut become questions. Each is queued first, then acknowledged. */
export function slackApp(options: SlackAppOptions): SlackApp {
  const { botToken, inbound, client, poster, store, routes, port, host, apiUrl, log } = options
  const command = options.command ?? '/podwhy'
  const logger = boltLogger(log)
  const receiver =
    'appToken' in inbound
      ? new AckAfterReceiver({
          appToken: inbound.appToken,
          logger,
          clientPingTimeout: options.clientPingTimeoutMs ?? 5_000,
          installerOptions: { clientOptions: apiUrl === undefined ? {} : { slackApiUrl: apiUrl } },
        })
      : new HTTPReceiver({
          signingSecret: inbound.signingSecret,
          processBeforeResponse: true,
          customRoutes: [...routes],
          bodyLimit: BODY_LIMIT_BYTES,
          logger,
        })

  if (receiver instanceof HTTPReceiver) {
    refuseOddBodies(receiver, { path: '/slack/events', limitBytes: BODY_LIMIT_BYTES, log })
  }

  let listening: Listening | undefined
  const handling = (): Listening => {
    if (listening === undefined) throw new Error('Slack sent something before podwhy had started')
    return listening
  }
  const app = new App({
    receiver,
    logger,
    convoStore: false,
    clientOptions: apiUrl === undefined ? {} : { slackApiUrl: apiUrl },
    authorize: async () => ({ botToken, botId: handling().own.botId, botUserId: handling().own.botUserId }),
  })
  app.command(command, args => onCommand(args, handling()))
  app.event('app_mention', args => onMention(args, handling()))
  app.event('message', args => onMessage(args, handling()))
  app.action(PODWHY_ACTION, args => onAction(args, handling()))
  app.event('app_home_opened', args => onHomeOpened(args, handling()))
  app.shortcut({ callback_id: SHORTCUT, type: 'message_action' }, args => onShortcut(args, handling()))
  app.error(async error => {
    log.error({ err: error }, 'not acknowledged: Slack will send it again')
    throw error
  })

  let server: Server | undefined
  async function listen(): Promise<Server> {
    if (receiver instanceof HTTPReceiver) return receiver.start(host === undefined ? port : { port, host })
    const routing = routeServer(routes).listen(port, host)
    await once(routing, 'listening')
    return routing
  }

  return {
    async start() {
      const own = await workspaceOf(client)
      const now = options.now ?? Date.now
      const { add, parseTarget, isAllowed, alertOf = () => null, countAlerts = () => {} } = options
      const { resolved = async () => {} } = options
      const desk = {
        add,
        parseTarget,
        isAllowed,
        alertOf,
        countAlerts,
        resolved,
        poster,
        sharedChannels: sharedChannels(store, log),
        log,
        now,
        command,
      }
      const { commandsOf = async () => null, openIncidents = async () => [] } = options
      const alerts = options.alerts ?? alertThreads(store, { now })
      listening = { own, desk, poster, alerts, commandsOf, openIncidents }
      server = await listen()
      if (receiver instanceof AckAfterReceiver) await connect(receiver, server)
      const { port: bound } = server.address() as AddressInfo
      log.info(
        { port: bound, team: own.teamId, socketMode: receiver instanceof AckAfterReceiver },
        'listening to Slack',
      )
      return { port: bound }
    },

    async stop() {
      if (server === undefined) return
      const closing = server
      server = undefined
      const stopping = receiver.stop()
      const closed = receiver instanceof HTTPReceiver ? stopping : stopping.then(() => void closing.close())
      if ((await within(STOP_GRACE_MS, closed, 'late')) === 'late') closing.closeAllConnections()
      await closed
    },

    teamId: () => listening?.own.teamId ?? null,

    ready: () => server !== undefined && (receiver instanceof HTTPReceiver || receiver.isConnected()),
  }
}
