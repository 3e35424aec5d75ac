import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Engine, openEngine } from '../../src/queue/engine.ts'
import type { Task } from '../../src/queue/job.ts'
import { RetryLater } from '../../src/queue/retry-later.ts'
import type { Run } from '../../src/queue/worker.ts'
import { type Place, places } from './places.ts'
import { question } from './question.ts'

const soon = { timeout: 10_000, interval: 10 }
const HOUR_MS = 3_600_000

const redraw = (incident: string): Task => ({ do: 'redraw', incident })

/** Handlers that note the tasks they were given, and every apology. */
const noting = (task: (task: Task, run: Run) => Promise<void> = async () => {}) => {
  const ran: { task: Task; run: Run; at: number }[] = []
  const apologised: string[] = []
  return {
    ran,
    apologised,
    handlers: {
      answer: async () => {},
      apologise: async (_: unknown, why: string) => void apologised.push(why),
      task: async (given: Task, run: Run) => {
        ran.push({ task: given, run, at: Date.now() })
        await task(given, run)
      },
    },
  }
}

for (const { engine: name, create, skip } of places) {
  describe.skipIf(skip)(`tasks on the engine: ${name}`, () => {
    let place: Place
    let engine: Engine
    beforeAll(async () => {
      place = await create()
    })
    afterAll(() => place?.remove())
    beforeEach(async () => {
      engine = await openEngine(place.options)
    })
    afterEach(() => engine.close())
    let ids = 0
    const id = () => (++ids).toString(16).padStart(32, '0')
    /** How many tasks are in a state, as the metrics say. */
    const count = async (state: string): Promise<number> => {
      const line = (await engine.metrics())
        .split('\n')
        .find(each => /"tasks"/.test(each) && each.includes(`"${state}"`))
      return Number(line?.split(' ').at(-1) ?? 0)
    }
    const delayed = () => count('delayed')

    it('run when they are due, in that order, as they were queued', async () => {
      const { handlers, ran } = noting()
      engine.work(handlers, { concurrency: 1 })
      const queuedAt = Date.now()
      const tasks: Task[] = [
        { do: 'digest', channelId: 'C1', digest: 'd' },
        { do: 'recheck', incident: 'i', check: 3 },
        redraw('i'),
      ]
      const delays = [600, 0, 300]
      await Promise.all(tasks.map((task, at) => engine.later(task, { id: id(), delayMs: delays[at] ?? 0 })))
      await vi.waitFor(() => expect(ran.map(({ task }) => task)).toEqual([tasks[1], tasks[2], tasks[0]]), soon)
      for (const { task, at } of ran) expect(at - queuedAt).toBeGreaterThanOrEqual(delays[tasks.indexOf(task)] ?? 0)
    })

    it('wait while they are not due, and keep nobody from being answered', async () => {
      const { handlers, ran } = noting()
      const answered: string[] = []
      engine.work({ ...handlers, answer: async asked => void answered.push(asked.id) }, { concurrency: 1 })
      const before = await delayed()
      for (let at = 0; at < 20; at++) await engine.later(redraw(`i${at}`), { id: id(), delayMs: HOUR_MS + at })
      expect(await delayed()).toBe(before + 20)
      const asked = question()
      await engine.add(asked)
      await vi.waitFor(() => expect(answered).toEqual([asked.id]), soon)
      expect(ran).toEqual([])
      expect(await delayed()).toBe(before + 20)
    })

    it('run once for each id, however often they are queued, also after they have run', async () => {
      const { handlers, ran } = noting()
      const same = id()
      await Promise.all(Array.from({ length: 10 }, () => engine.later(redraw('once'), { id: same, delayMs: 50 })))
      engine.work(handlers, { concurrency: 2 })
      await vi.waitFor(() => expect(ran).toHaveLength(1), soon)
      await engine.later(redraw('once'), { id: same, delayMs: 0 })
      await engine.later(redraw('other'), { id: id(), delayMs: 0 })
      await vi.waitFor(() => expect(ran.at(-1)?.task).toEqual(redraw('other')), soon)
      expect(ran).toHaveLength(2)
    })

    it('with a time in the past run at once', async () => {
      const { handlers, ran } = noting()
      engine.work(handlers, { concurrency: 1 })
      await engine.later(redraw('late'), { id: id(), delayMs: -HOUR_MS })
      await engine.later(redraw('odd'), { id: id(), delayMs: 0.4 })
      await vi.waitFor(() => expect(ran.map(({ task }) => task)).toEqual([redraw('late'), redraw('odd')]), soon)
    })

    it('outlive the process that queued them', async () => {
      const [due, later] = [id(), id()]
      await engine.later(redraw('due'), { id: due, delayMs: 20 })
      await engine.later(redraw('later'), { id: later, delayMs: HOUR_MS })
      const before = await delayed()
      await engine.close()
      engine = await openEngine(place.options)
      await engine.later(redraw('later'), { id: later, delayMs: 0 })
      const { handlers, ran } = noting()
      engine.work(handlers, { concurrency: 1 })
      await vi.waitFor(() => expect(ran.map(({ task }) => task)).toEqual([redraw('due')]), soon)
      expect(await delayed()).toBe(before - 1)
    })

    it('that fail are tried again, then dropped without an apology', async () => {
      const { handlers, ran, apologised } = noting(async () => Promise.reject(new Error('Slack is on fire')))
      engine.work(handlers, { concurrency: 1 })
      await engine.later(redraw('broken'), { id: id(), delayMs: 0 })
      await vi.waitFor(async () => expect(await count('failed')).toBe(1), soon)
      expect(ran.map(({ run }) => run.attempt)).toEqual([1, 2, 3])
      expect(apologised).toEqual([])
    })

    it('that ask to be run later are, without using up an attempt', async () => {
      const waits = [30, 30, 30, 30]
      const { handlers, ran } = noting(async () => {
        const delayMs = waits.shift()
        if (delayMs !== undefined) throw new RetryLater(delayMs)
      })
      engine.work(handlers, { concurrency: 1 })
      await engine.later(redraw('patient'), { id: id(), delayMs: 0 })
      await vi.waitFor(() => expect(ran.map(({ run }) => run.attempt)).toEqual([1, 1, 1, 1, 1]), soon)
    })
  })
}
