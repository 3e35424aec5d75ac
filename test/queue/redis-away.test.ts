import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Engine, openEngine } from '../../src/queue/engine.ts'
import type { Question } from '../../src/queue/job.ts'
import { QueueUnavailable } from '../../src/queue/within.ts'
import { freePort, hasRedisServer, type RedisServer, startRedis } from '../fakes/redis-server.ts'
import { silent } from './places.ts'
import { question } from './question.ts'

const soon = { timeout: 15_000, interval: 20 }
const BOUND_MS = 2100

/** Adds a question that cannot be taken, and gives how long the refusal took in milliseconds. */
const refusal = async (engine: Engine, asked: Question): Promise<number> => {
  const before = performance.now()
  await expect(engine.add(asked)).rejects.toThrow(QueueUnavailable)
  return performance.now() - before
}

describe.skipIf(!hasRedisServer)(hasRedisServer ? 'Redis away' : 'Redis away (no redis-server installed)', () => {
  let redis: RedisServer
  let engine: Engine
  let answered: string[]
  let apologised: string[]
  const open = (url: string) =>
    openEngine({ url, dataDir: '', log: silent, recovery: { lockDurationMs: 1000, stalledIntervalMs: 500 } })
  const work = (answer: (asked: Question) => Promise<void> = async () => {}) =>
    engine.work(
      {
        answer: async asked => {
          await answer(asked)
          answered.push(asked.id)
        },
        apologise: async ({ id }) => void apologised.push(id),
      },
      { concurrency: 4, graceMs: 100 },
    )
  /** Asks, waits for the answer and for the queue to be empty: whatever was to run before has run. */
  const askAndDrain = async (asked: Question) => {
    expect(await engine.add(asked)).toEqual({ added: true, id: asked.id })
    await vi.waitFor(() => expect(answered).toContain(asked.id), soon)
    await vi.waitFor(async () => {
      expect(await engine.counts()).toMatchObject({ waiting: 0, active: 0, delayed: 0 })
    }, soon)
  }

  beforeEach(async () => {
    answered = []
    apologised = []
    redis = await startRedis()
  })
  afterEach(async () => {
    redis.thaw()
    await engine?.close()
    await redis.remove()
  })

  it('from the start: refuses at once, and takes questions when it comes', async () => {
    const port = await freePort()
    engine = await open(`redis://secret:word@127.0.0.1:${port}`)
    expect(engine.ready()).toBe(false)
    const asked = question()
    expect(await refusal(engine, asked)).toBeLessThan(200)
    await expect(engine.add(asked)).rejects.toThrow(
      `Redis at 127.0.0.1:${port} did not take the question: not connected`,
    )
    await expect(engine.apologise(asked, 'x')).rejects.toThrow(QueueUnavailable)
    await expect(engine.store.get('x')).rejects.toThrow(QueueUnavailable)
    await engine.close()

    engine = await open(`redis://127.0.0.1:${port}`)
    work()
    const late = await startRedis(port)
    try {
      await vi.waitFor(() => expect(engine.ready()).toBe(true), soon)
      const other = question()
      await askAndDrain(other)
      expect(answered).toEqual([other.id])
      await engine.close()
    } finally {
      await late.remove()
    }
  })

  it('frozen: refuses within 2 s, and never answers what it refused', async () => {
    engine = await open(redis.url)
    await engine.add(question({ userId: 'before' }))
    redis.freeze()
    const asked = [question(), question(), question()]
    const times = await Promise.all(asked.map(each => refusal(engine, each)))
    expect(Math.max(...times)).toBeLessThan(BOUND_MS)
    redis.thaw()
    work()
    await askAndDrain(question())
    expect(answered.filter(id => asked.some(each => each.id === id))).toEqual([])
    expect(apologised).toEqual([])
  })

  it('frozen between two steps of an add: refuses, and never answers', async () => {
    engine = await open(redis.url)
    // Whatever the moment of the freeze, a question is answered exactly if it was taken.
    const asked: string[] = []
    const taken: string[] = []
    for (let delayMs = 0; delayMs < 6; delayMs++) {
      const each = question()
      asked.push(each.id)
      const adding = engine.add(each).then(
        () => taken.push(each.id),
        () => {},
      )
      for (const until = performance.now() + delayMs / 4; performance.now() < until; ) await new Promise(setImmediate)
      redis.freeze()
      await adding
      redis.thaw()
      await vi.waitFor(() => engine.counts(), soon)
    }
    const refused = asked.filter(id => !taken.includes(id))
    await vi.waitFor(async () => {
      const states = await Promise.all(refused.map(id => engine.store.get(`admission/${id}`)))
      expect(states).not.toContain('accepted')
    }, soon)
    work()
    const last = question()
    await askAndDrain(last)
    expect(answered.sort()).toEqual([...taken, last.id].sort())
  })

  it('frozen, then thawed: who was told to ask again is answered, as is what Slack delivers again', async () => {
    engine = await open(redis.url)
    const asked = question()
    redis.freeze()
    await refusal(engine, asked)
    redis.thaw()
    const again = question({ userId: asked.userId })
    await vi.waitFor(async () => expect(await engine.add(again)).toEqual({ added: true, id: again.id }), soon)
    const worker = work()
    await askAndDrain(question())
    await worker.close()
    expect(answered).toContain(again.id)
    expect(answered).not.toContain(asked.id)

    work()
    const delivered = { ...asked, userId: 'another' }
    await askAndDrain(delivered)
    expect(answered.filter(id => id === asked.id)).toHaveLength(1)
  })

  it('killed: refuses at once, and takes questions again when it is back', async () => {
    engine = await open(redis.url)
    work()
    const [first, refused, next] = [question(), question(), question()]
    await askAndDrain(first)
    await redis.kill()
    await vi.waitFor(() => expect(engine.ready()).toBe(false), soon)
    expect(await refusal(engine, refused)).toBeLessThan(200)
    await expect(engine.counts()).rejects.toThrow(QueueUnavailable)
    await redis.start()
    await vi.waitFor(() => expect(engine.ready()).toBe(true), soon)
    await askAndDrain(next)
    expect(answered).toEqual([first.id, next.id])
  })

  it('killed while jobs run and wait: each is answered when it is back', async () => {
    engine = await open(redis.url)
    const asked = Array.from({ length: 12 }, () => question())
    for (const each of asked) await engine.add(each)
    const gate = Promise.withResolvers<void>()
    let started = 0
    work(async each => {
      started++
      await gate.promise
      await engine.store.put(`posted/${each.id}`, 'yes', 60_000)
    })
    await vi.waitFor(() => expect(started).toBe(4), soon)
    await redis.kill()
    gate.resolve()
    await vi.waitFor(() => expect(engine.ready()).toBe(false), soon)
    await redis.start()
    await vi.waitFor(() => expect(new Set(answered)).toEqual(new Set(asked.map(({ id }) => id))), soon)
    expect(apologised).toEqual([])
  })

  it('gone for good: closes all the same', async () => {
    engine = await open(redis.url)
    const worker = work()
    await askAndDrain(question())
    await redis.kill()
    await vi.waitFor(() => expect(engine.ready()).toBe(false), soon)
    await worker.close()
    await engine.close()
  })
})
