import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hasRedisServer, type RedisServer, startRedis } from '../fakes/redis-server.ts'
import { isAnsweredOnce, target } from './crashing.ts'
import type { Service } from './service.ts'
import { openSurroundings, type Surroundings } from './surroundings.ts'

const AWAY_MS = 10_000
const PACE_MS = 250

describe.skipIf(!hasRedisServer)(
  hasRedisServer ? 'Redis away for 10 s' : 'Redis away for 10 s (no redis-server installed)',
  () => {
    let around: Surroundings
    let redis: RedisServer
    let bot: Service
    let worker: Service
    /** Channels by what their one question was told. */
    let told: { accepted: string[]; refused: string[]; unsure: string[] }
    let asked: number

    beforeEach(async () => {
      ;[around, redis] = await Promise.all([openSurroundings(), startRedis()])
      const env = { PODWHY_QUEUE_URL: redis.url }
      ;[bot, worker] = await Promise.all([around.start({ role: 'bot', env }), around.start({ role: 'worker', env })])
      told = { accepted: [], refused: [], unsure: [] }
      asked = 0
    })
    afterEach(async () => {
      redis?.thaw()
      await around?.close()
      await redis?.remove()
    })

    /** Asks in a channel of its own; Slack gets its acknowledgement within 3 s whatever happens. */
    const ask = async (): Promise<void> => {
      const channel = `C${asked++}`
      const { status, body, ms } = await bot.ask(target, { channel_id: channel })
      expect(status).toBe(200)
      expect(ms).toBeLessThan(3000)
      if (body === '') told.accepted.push(channel)
      else if (body.includes('I cannot take questions right now')) told.refused.push(channel)
      else told.unsure.push(channel)
    }

    const askForTenSeconds = async (): Promise<void> => {
      const end = performance.now() + AWAY_MS
      for (let next = performance.now(); next < end; next = Math.max(next + PACE_MS, performance.now())) {
        await vi.waitUntil(() => performance.now() >= next, { timeout: 2 * PACE_MS, interval: 10 })
        await ask()
      }
    }

    const outages = [
      { how: 'killed', leave: () => redis.kill(), comeBack: () => redis.start() },
      { how: 'frozen', leave: async () => redis.freeze(), comeBack: async () => redis.thaw() },
    ]
    it.for(outages)(
      '$how: what was accepted is answered once, what was refused never',
      { timeout: 120_000 },
      async ({ how, leave, comeBack }) => {
        const { slack } = around
        const halfway = slack.hold('chat.postMessage', 'answer')
        for (let n = 0; n < 4; n++) await ask()
        await halfway.reached
        await leave()
        halfway.release()
        await askForTenSeconds()
        await comeBack()
        await vi.waitFor(async () => expect((await fetch(`${bot.url}/readyz`)).status).toBe(200), { timeout: 10_000 })
        await ask()
        await vi.waitFor(
          () => expect(told.accepted.filter(channel => !isAnsweredOnce(slack.channel(channel)))).toEqual([]),
          { timeout: 40_000 },
        )
        await bot.idle()

        console.info(
          `Redis ${how} for 10 s: ${told.accepted.length} accepted, ${told.refused.length} refused, ${told.unsure.length} unsure; ${worker.stderr().split('\n').length} lines of the worker's log`,
        )
        expect(told.accepted.filter(channel => !isAnsweredOnce(slack.channel(channel)))).toEqual([])
        expect(told.refused.length).toBeGreaterThan(3)
        expect(told.refused.filter(channel => slack.channel(channel).length > 0)).toEqual([])
        expect(told.unsure.filter(channel => slack.channel(channel).length > 1)).toEqual([])
        for (const service of [bot, worker]) expect(service.stderr()).not.toMatch(/\\n\s+at /)
      },
    )
  },
)
