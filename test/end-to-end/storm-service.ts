import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { freePort, type RedisServer, startRedis } from '../fakes/redis-server.ts'
import type { SlackServer } from '../fakes/slack-server.ts'
import type { Environment, Service } from './service.ts'
import { openSurroundings } from './surroundings.ts'

/** What may be killed. */
export const victims = ['bot', 'worker', 'redis'] as const
export type Victim = (typeof victims)[number]

/** podwhy as it is deployed, a bot and a worker on a Redis; what is killed is started again at once. */
export interface StormService {
  readonly slack: SlackServer
  /** Where alerts go, the same after every restart. */
  readonly url: string
  /** Ends it with SIGKILL and starts it again; resolves when it is up. */
  kill(victim: Victim): Promise<void>
  /** The bot at this moment, when it is up. */
  bot(): Promise<Service>
  /** What all processes that ever ran have logged. */
  logs(): string
  close(): Promise<void>
}

interface Kept {
  current(): Promise<Service>
  kill(): Promise<void>
}

const MAX_STARTS = 20

/** A process that is started again until it is up, as a Deployment's pod is. */
const keep = (start: () => Promise<Service>): Kept => {
  const up = async (): Promise<Service> => {
    for (let starts = 1; starts < MAX_STARTS; starts++) {
      const service = await start().catch(() => null)
      if (service !== null) return service
    }
    return start()
  }
  let current = up()
  return {
    current: () => current,
    kill: async () => {
      const killed = await current
      // Whoever asks from now on gets the next one.
      current = killed.end('SIGKILL').then(up)
      await current
    },
  }
}

export interface StormServiceOptions {
  readonly recordings: PodSnapshot[]
  readonly env: Environment
}

/** Starts bot, worker and Redis, in front of a cluster that holds the recordings. */
export const openStormService = async ({ recordings, env }: StormServiceOptions): Promise<StormService> => {
  const [around, redis, port] = await Promise.all([openSurroundings({ recordings }), startRedis(), freePort()])
  const all = { ...env, PODWHY_QUEUE_URL: redis.url }
  const started: Service[] = []
  const start = async (role: 'bot' | 'worker', more: Environment = {}) => {
    const service = await around.start({ role, env: { ...all, ...more } })
    started.push(service)
    return service
  }
  const bot = keep(() => start('bot', { PORT: String(port) }))
  const worker = keep(() => start('worker'))
  await Promise.all([bot.current(), worker.current()])
  const killRedis = async (server: RedisServer) => {
    await server.kill()
    await server.start()
  }
  return {
    slack: around.slack,
    url: `http://127.0.0.1:${port}/alerts/alertmanager`,
    kill: victim => (victim === 'redis' ? killRedis(redis) : { bot, worker }[victim].kill()),
    bot: () => bot.current(),
    logs: () => started.map(each => each.stderr()).join(''),
    close: async () => {
      await Promise.all([bot.current(), worker.current()])
      await around.close()
      await redis.remove()
    },
  }
}
