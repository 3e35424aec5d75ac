import { hasRedisServer, type RedisServer, startRedis } from '../fakes/redis-server.ts'
import type { SlackServer } from '../fakes/slack-server.ts'
import type { Service } from './service.ts'
import { openSurroundings } from './surroundings.ts'

/** podwhy on one engine: on Redis a bot and a worker, embedded one process that is both. */
export interface Killable {
  readonly slack: SlackServer
  /** Null: the embedded engine. */
  readonly redis: RedisServer | null
  /** Who takes questions, at this moment. */
  asked(): Service
  /** Ends the worker – embedded: all of podwhy – with SIGKILL. */
  kill(): Promise<void>
  /** Starts again what was killed. */
  restart(): Promise<void>
  close(): Promise<void>
}

const embedded = async (): Promise<Killable> => {
  const around = await openSurroundings()
  let service = await around.start()
  return {
    slack: around.slack,
    redis: null,
    asked: () => service,
    kill: async () => void (await service.end('SIGKILL')),
    restart: async () => {
      service = await around.start()
    },
    close: around.close,
  }
}

const onRedis = async (): Promise<Killable> => {
  const [around, redis] = await Promise.all([openSurroundings(), startRedis()])
  const env = { PODWHY_QUEUE_URL: redis.url }
  const start = (role: 'bot' | 'worker') => around.start({ role, env })
  const bot = await start('bot')
  let worker = await start('worker')
  return {
    slack: around.slack,
    redis,
    asked: () => bot,
    kill: async () => void (await worker.end('SIGKILL')),
    restart: async () => {
      worker = await start('worker')
    },
    close: async () => {
      await around.close()
      await redis.remove()
    },
  }
}

/** Both engines; Redis is skipped, visibly, where no redis-server is installed. */
export const engines = [
  { engine: 'the embedded engine', open: embedded, skip: false },
  { engine: hasRedisServer ? 'Redis' : 'Redis (no redis-server installed)', open: onRedis, skip: !hasRedisServer },
]
