import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Backend } from '../../src/queue/backend.ts'
import { openEmbeddedBackend } from '../../src/queue/embedded-backend.ts'
import type { EngineOptions } from '../../src/queue/engine.ts'
import type { Log } from '../../src/queue/log.ts'
import { openRedisBackend } from '../../src/queue/redis-backend.ts'
import { hasRedisServer, startRedis } from '../fakes/redis-server.ts'

export const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** Somewhere a queue can stand, empty at first; it keeps its jobs from one engine to the next. */
export interface Place {
  readonly options: EngineOptions
  /** The bare engine below the queue's own rules. */
  openBackend(): Promise<Backend>
  remove(): Promise<void>
}

const quick = {
  log: silent,
  attempts: { attempts: 3, backoffMs: 20 },
  recovery: { lockDurationMs: 1000, stalledIntervalMs: 500 },
}

export const embeddedPlace = async (): Promise<Place> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'queue-'))
  return {
    options: { url: null, dataDir, ...quick },
    openBackend: () => openEmbeddedBackend(dataDir, silent),
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

export const redisPlace = async (): Promise<Place> => {
  const redis = await startRedis()
  return {
    options: { url: redis.url, dataDir: '', ...quick },
    openBackend: () => openRedisBackend(redis.url, silent),
    remove: redis.remove,
  }
}

/** Both engines; Redis is skipped, visibly, where no redis-server is installed. */
export const places = [
  { engine: 'embedded', create: embeddedPlace, skip: false },
  { engine: hasRedisServer ? 'Redis' : 'Redis (no redis-server installed)', create: redisPlace, skip: !hasRedisServer },
]
