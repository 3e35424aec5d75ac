import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import closeWithGrace from 'close-with-grace'
import { type Logger, pino, stdSerializers } from 'pino'
import { ownerKey } from '../alerts/owner-name.ts'
import { targetsOfPost } from '../alerts/post.ts'
import { type Config, type Role, readConfig } from '../config.ts'
import { incidentBook } from '../incidents/incident-book.ts'
import { openMetrics } from '../metrics.ts'
import { openEngine } from '../queue/engine.ts'
import { QueueUnavailable } from '../queue/within.ts'
import { alertThreads } from '../slack/alert-threads.ts'
import { namespacePolicy } from '../slack/namespace-policy.ts'
import type { ResolvedAlert } from '../slack/posted-alert.ts'
import { poster as openPoster } from '../slack/poster.ts'
import { routeServer } from '../slack/route-server.ts'
import { sharedChannels } from '../slack/shared-channels.ts'
import { slackApp } from '../slack/slack-app.ts'
import { slackClient } from '../slack/slack-client.ts'
import { parseTyped } from '../typed-target.ts'
import { watching } from '../watch/watching.ts'
import { rememberingClusters } from '../watch/with-memory.ts'
import { alertsRoutes } from '../webhook/alerts-route.ts'
import { tooLargeNotice } from '../webhook/too-large.ts'
import { answerRecords } from '../worker/answer-records.ts'
import { answering } from '../worker/answering.ts'
import { type Clusters, namedClusters } from '../worker/clusters.ts'
import { scheduling } from '../worker/schedule.ts'
import { alertClusters, namesWithoutOpening } from './cluster-sources.ts'
import { healthRoutes } from './health-routes.ts'
import { openLocalChannel } from './local-channel.ts'
import { AT_ONCE, openClusters } from './open-clusters.ts'
import { openIncidents } from './open-incidents.ts'
import { resolving } from './resolving.ts'
import { writable } from './writable.ts'

/** Longest stop: running jobs finish or are handed back before it ends. */
const STOP_MS = 15_000

export interface ServeOptions {
  readonly role: Role
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What must be stopped, in the order in which it was started; stopping goes backwards. */
type Stops = (() => Promise<unknown>)[]

interface Surroundings {
  readonly config: Config
  readonly clusters: Clusters
  readonly slack: NonNullable<Config['slack']>
  readonly log: Logger
  readonly stops: Stops
  /** Bind only to loopback, on any free port: the local channel has the port that people open. */
  readonly isLocal: boolean
}

/** Queue, worker and Slack's way in, wired together; gives the port of Slack's way in. */
const wire = async (role: Role, { config, clusters, slack, log, stops, isLocal }: Surroundings) => {
  const alertsOf = alertClusters(config, clusters.names)
  const engine = await openEngine({ url: config.queueUrl, dataDir: config.dataDir, log })
  stops.push(() => engine.close())
  const metrics = openMetrics({ up: () => clusters.up?.() ?? [] })
  const apiUrl = slack.apiUrl ?? undefined
  const client = slackClient({ token: slack.botToken, apiUrl, log })
  const poster = openPoster({ client, store: engine.store, log, apiUrl })
  let isListening = () => true
  let teamId = (): string | null => null
  const isWritable = writable(engine.store)
  const health = healthRoutes({
    parts: async () => ({ queue: engine.ready() && (await isWritable()), slack: isListening() }),
    metrics,
    queueMetrics: () => engine.metrics(),
  })
  const alerts = alertThreads(engine.store, { home: clusters.names[0], ownerOf: ownerKey })
  const isAllowed = namespacePolicy(config.namespaces)
  if (role !== 'bot') {
    const { store, later } = engine
    const readyMs = config.recoveredAfterMs
    const remembering = config.watch ? rememberingClusters(clusters, store) : clusters
    engine.work(answering({ clusters: remembering, poster, alerts, store, later, metrics, log, isAllowed, readyMs }), {
      // So that one of several clusters cannot have all of them.
      concurrency: clusters.names.length > 1 ? 2 * AT_ONCE : AT_ONCE,
    })
    if (config.watch) {
      const { opened = [] } = clusters
      const watch = watching({ clusters: opened, store, namespaces: config.namespaces, metrics: metrics.watch, log })
      stops.push(() => watch.close())
    }
  }
  if (role === 'worker') {
    const server = routeServer(health).listen(config.port)
    await once(server, 'listening')
    stops.push(async () => void server.close())
    return { port: (server.address() as AddressInfo).port, routes: health }
  }
  const [home = ''] = clusters.names
  const book = incidentBook(engine.store)
  const look = resolving({ book, schedule: scheduling(engine.later), home })
  const resolved = async (over: readonly ResolvedAlert[]): Promise<void> => {
    for (const { channelId, targets } of over) await look(channelId, targets)
  }
  const webhook = alertsRoutes({
    ...{ token: config.alertsToken, channel: config.alertsChannel, routes: config.alertsRoutes, clusters: alertsOf },
    ...{ isAllowed, log },
    teamId: () => teamId(),
    add: question => engine.add(question),
    isSharedChannel: sharedChannels(engine.store, log).has,
    count: (outcome, number) => metrics.countAlerts('webhook', outcome, number),
    resolved,
    tooLarge: tooLargeNotice({ poster, store: engine.store }),
  })
  const routes = [...health, ...webhook]
  const app = slackApp({
    botToken: slack.botToken,
    inbound: slack.appToken === null ? { signingSecret: slack.signingSecret ?? '' } : { appToken: slack.appToken },
    client,
    poster,
    store: engine.store,
    alerts,
    add: question => engine.add(question),
    parseTarget: (text, channelId) =>
      parseTyped(text, {
        clusters: clusters.names,
        channelNamespace: config.channelNamespaces.get(channelId),
        defaultNamespace: config.defaultNamespace,
      }),
    alertOf: message => targetsOfPost(message, alertsOf, config.alertsBots),
    countAlerts: (outcome, number) => metrics.countAlerts('post', outcome, number),
    resolved,
    commandsOf: async question => (await answerRecords(engine.store).get(question))?.commands ?? null,
    openIncidents: openIncidents({ book, poster }),
    isAllowed,
    routes,
    port: isLocal ? 0 : config.port,
    ...(isLocal ? { host: '127.0.0.1' } : {}),
    apiUrl,
    log,
  })
  const { port } = await app.start()
  isListening = () => app.ready()
  teamId = () => app.teamId()
  stops.push(() => app.stop())
  return { port, routes }
}

const stopAll = async (stops: Stops, log: Logger): Promise<void> => {
  for (const stop of stops.toReversed()) {
    await stop().catch((error: Error) => log.warn({ reason: error.message }, 'stopping had trouble'))
  }
}

/** Bots read no cluster, and may have no kubeconfig; whoever reads says first what it may read. */
const clustersFor = async (role: Role, config: Config, log: Logger): Promise<Clusters> => {
  const names = role === 'bot' ? namesWithoutOpening(config) : null
  if (names !== null) return namedClusters(names)
  const clusters = await openClusters(config, log)
  if (role !== 'bot') await clusters.prove()
  return clusters
}

const start = async (role: Role, config: Config, log: Logger, stops: Stops): Promise<void> => {
  if (config.slack) {
    const clusters = await clustersFor(role, config, log)
    stops.push(() => clusters.close())
    const { port } = await wire(role, { config, clusters, slack: config.slack, log, stops, isLocal: false })
    log.info({ role, port, clusters: clusters.names }, 'podwhy serves')
    return
  }
  const local = await openLocalChannel(config, log)
  stops.push(() => local.close())
  const { port, routes } = await wire(role, { ...local, config, log, stops, isLocal: true })
  local.connect(`http://127.0.0.1:${port}/slack/events`, routes)
  process.stdout.write(`${local.welcome}\n`)
}

/** An outage of the queue is no defect: its stack would say nothing, at every question again. */
const errorFields = (error: Error): object =>
  error instanceof QueueUnavailable ? { type: error.name, message: error.message } : stdSerializers.err(error)

/** Runs the service until it is told to stop (SIGTERM, SIGINT). Throws what keeps it from starting. */
export const serve = async ({ role, env }: ServeOptions): Promise<void> => {
  const config = readConfig(env, { role })
  // Without Slack the terminal belongs to the one who typed `npm start`: only what is wrong is logged.
  const level = env['PODWHY_LOG_LEVEL'] || (config.slack ? config.logLevel : 'warn')
  const log = pino(
    { level, redact: ['*.token', '*.botToken', '*.authorization'], serializers: { err: errorFields } },
    pino.destination({ dest: 2, sync: true }),
  )
  const stops: Stops = []
  const ended = Promise.withResolvers<void>()
  const grace = closeWithGrace(
    { delay: STOP_MS, logger: false, skip: ['uncaughtException', 'unhandledRejection'] },
    async () => {
      await stopAll(stops, log)
      ended.resolve()
    },
  )
  try {
    await start(role, config, log, stops)
  } catch (error) {
    // Else it would take the end of the process for its own, and make the exit code 0.
    grace.uninstall()
    await stopAll(stops, log)
    throw error
  }
  await ended.promise
}
