import type { Redis } from 'ioredis'
import type { Store } from './store.ts'
import { within } from './within.ts'

const REPLACE = `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  return 1`

/** The store on Redis, under keys that start with `prefix`; each call is bounded by `limitMs`. */
export const redisStore = (redis: Redis, prefix: string, limitMs: number): Store => {
  const ask = <T>(work: () => Promise<T>) => within(limitMs, 'Redis did not answer', work)
  const get = (key: string) => ask(() => redis.get(prefix + key))

  return {
    get,
    claim: async (key, value, ttlMs) => {
      for (;;) {
        const written = await ask(() => redis.set(prefix + key, value, 'PX', ttlMs, 'NX'))
        if (written === 'OK') return null
        const present = await get(key)
        if (present !== null) return present // else it expired in between
      }
    },
    put: async (key, value, ttlMs) => {
      await ask(() => redis.set(prefix + key, value, 'PX', ttlMs))
    },
    replace: async (key, present, value, ttlMs) =>
      (await ask(() => redis.eval(REPLACE, 1, prefix + key, present, value, ttlMs))) === 1,
    delete: async key => {
      await ask(() => redis.del(prefix + key))
    },
  }
}
