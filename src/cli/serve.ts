import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import closeWithGrace from 'close-with-grace'
import { type Logger, pino, stdSerializers } from 'pino'
import { type Config, type Role, readConfig } from '../config.ts'
import { QueueUnavailable } from '../queue/within.ts'
import { type Route, routeServer } from '../slack/route-server.ts'
import { type Clusters, namedClusters } from '../worker/clusters.ts'
import { namesWithoutOpening } from './cluster-sources.ts'
import { healthRoutes } from './health-routes.ts'
import { openLocalChannel } from './local-channel.ts'
import { openClusters } from './open-clusters.ts'
import { openParts, type Stops, type Surroundings } from './parts.ts'
import { startBot } from './start-bot.ts'
import { startWorker } from './start-worker.ts'
import { writable } from './writable.ts'

/** Longest stop: running jobs finish or are handed back before it ends. */
const STOP_MS = 15_000

export interface ServeOptions {
  readonly role: Role
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Starts what the role asks for; gives the port it listens on, and what is answered there. */
const wire = async (role: Role, surroundings: Surroundings): Promise<{ port: number; routes: readonly Route[] }> => {
  const { config, stops } = surroundings
  const parts = await openParts(surroundings)
  const { engine, metrics } = parts
  const isWritable = writable(engine.store)
  let isListening = () => true
  const health = healthRoutes({
    parts: async () => ({ queue: engine.ready() && (await isWritable()), slack: isListening() }),
    metrics,
    queueMetrics: () => engine.metrics(),
  })
  if (role !== 'bot') startWorker(surroundings, parts)
  if (role === 'worker') {
    const server = routeServer(health).listen(config.port)
    await once(server, 'listening')
    stops.push(async () => void server.close())
    return { port: (server.address() as AddressInfo).port, routes: health }
  }
  const { app, port, routes } = await startBot(surroundings, parts, health)
  isListening = () => app.ready()
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
