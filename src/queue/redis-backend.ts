import { once } from 'node:events'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { ASKED_MS } from './admission.ts'
import { type Backend, type Payload, QUESTIONS, type QueueName, TASKS } from './backend.ts'
import type { Log } from './log.ts'
import { redisStore } from './redis-store.ts'

const PREFIX = 'podwhy'
const COMMAND_MS = ASKED_MS + 100
const FIRST_CONNECT_MS = 1000

const reconnect = { connectTimeout: 2000, retryStrategy: (attempt: number) => Math.min(attempt * 100, 1000) }

/** Fails at once while Redis is away, keeps nothing to send later. */
const impatient = {
  ...reconnect,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_MS,
}

/** Waits until Redis is back, as BullMQ's workers need it. */
const patient = { ...reconnect, maxRetriesPerRequest: null }

/** Says once that Redis went away, and once that it is back. */
const reportOutages = (redis: Redis, where: string, log: Log): void => {
  let isAway = false
  redis.on('error', error => {
    if (!isAway) log.warn({ reason: error.message }, `${where} cannot be reached`)
    isAway = true
  })
  redis.on('ready', () => {
    if (isAway) log.info({}, `${where} is back`)
    isAway = false
  })
}

/**
 * The queue on Redis (`redis://`, `rediss://`). Redis need not be there: the backend becomes ready when it comes, and
 * again whenever it comes back; an open waits a second at most.
 */
export const openRedisBackend = async (url: string, log: Log): Promise<Backend> => {
  const where = `Redis at ${new URL(url).host}`
  const redis = new Redis(url, impatient)
  reportOutages(redis, where, log)
  const open = (name: QueueName, connection: Redis) => {
    // Without the version check nothing is asked on connecting that could fail and leave the queue unusable.
    const opened = new Queue<Payload, unknown, string>(name, { connection, prefix: PREFIX, skipVersionCheck: true })
    opened.on('error', () => {}) // reported by the connection
    return opened
  }
  const queue = open(QUESTIONS, redis)
  const tasks = open(TASKS, redis)
  await once(redis, 'ready', { signal: AbortSignal.timeout(FIRST_CONNECT_MS) }).catch(() => {})

  return {
    where,
    queue,
    tasks,
    store: redisStore(redis, `${PREFIX}:store:`, COMMAND_MS),
    ready: () => redis.status === 'ready',
    startWorker: (name, processor, options) => {
      const connection = new Redis(url, patient)
      reportOutages(connection, `${where} (worker of ${name})`, log)
      const worker = new Worker<Payload, unknown, string>(name, processor, { ...options, connection, prefix: PREFIX })
      return { worker, queue: open(name, connection), disconnect: () => connection.disconnect() }
    },
    close: async () => {
      await Promise.all([queue.close(), tasks.close()]).catch(() => {})
      redis.disconnect()
    },
  }
}
