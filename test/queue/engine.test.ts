import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Engine, openEngine } from '../../src/queue/engine.ts'
import type { Question } from '../../src/queue/job.ts'
import { RetryLater } from '../../src/queue/retry-later.ts'
import type { Run } from '../../src/queue/worker.ts'
import { type Place, places } from './places.ts'
import { question } from './question.ts'

const soon = { timeout: 10_000, interval: 10 }

/** Handlers that note what they were given; `answer` then does what the test wants. */
const noting = (answer: (asked: Question, run: Run) => Promise<void> = async () => {}) => {
  const answered: { id: string; run: Run; at: number }[] = []
  const apologised: { question: Question; why: string }[] = []
  return {
    answered,
    apologised,
    runsOf: (id: string) => answered.filter(run => run.id === id),
    apologiesFor: (id: string) => apologised.filter(apology => apology.question.id === id),
    handlers: {
      answer: async (asked: Question, run: Run) => {
        answered.push({ id: asked.id, run, at: performance.now() })
        await answer(asked, run)
      },
      apologise: async (asked: Question, why: string) => {
        apologised.push({ question: asked, why })
      },
    },
  }
}

/** Waits until nothing is left to do. */
const idle = (engine: Engine) =>
  vi.waitFor(async () => {
    const { waiting, active, delayed } = await engine.counts()
    expect({ waiting, active, delayed }).toEqual({ waiting: 0, active: 0, delayed: 0 })
  }, soon)

for (const { engine: name, create, skip } of places) {
  describe.skipIf(skip)(`the queue on the engine: ${name}`, () => {
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

    it('answers a question once, as it was asked', async () => {
      const asked = question({ threadTs: '17.5', target: { cluster: 'eu', namespace: 'a', kind: 'Job', name: 'b' } })
      const seen: Question[] = []
      const { handlers, runsOf } = noting(async it => void seen.push(it))
      engine.work(handlers, { concurrency: 2 })
      expect(await engine.add(asked)).toEqual({ added: true, id: asked.id })
      await vi.waitFor(() => expect(seen).toEqual([asked]), soon)
      await idle(engine)
      expect(runsOf(asked.id)).toMatchObject([{ run: { started: 1, attempt: 1, attempts: 3 } }])
    })

    it('takes a question that is delivered twice for one, also after it was answered', async () => {
      const asked = question()
      expect(await Promise.all([engine.add(asked), engine.add(asked)])).toEqual([
        { added: true, id: asked.id },
        { added: true, id: asked.id },
      ])
      const { handlers, runsOf } = noting()
      engine.work(handlers, { concurrency: 2 })
      await vi.waitFor(() => expect(runsOf(asked.id)).toHaveLength(1), soon)
      await idle(engine)
      expect(await engine.add(asked)).toEqual({ added: true, id: asked.id })
      await idle(engine)
      expect(runsOf(asked.id)).toHaveLength(1)
    })

    it('points who asks the same again within a minute to the running answer', async () => {
      const first = question()
      await engine.add(first)
      const again = question({ userId: first.userId })
      expect(await engine.add(again)).toEqual({ added: false, id: first.id })
      const others = [
        question(),
        question({ userId: first.userId, channelId: 'C2' }),
        question({ userId: first.userId, target: { ...first.target, name: 'payments' } }),
        question({ userId: first.userId, target: { ...first.target, cluster: 'eu' } }),
      ]
      for (const other of others) expect(await engine.add(other)).toEqual({ added: true, id: other.id })
      const { handlers, answered } = noting()
      engine.work(handlers, { concurrency: 2 })
      await idle(engine)
      expect(answered.map(({ id }) => id).sort()).toEqual([first, ...others].map(({ id }) => id).sort())
    })

    it('takes an alert about the same in every thread, and once without one', async () => {
      const alert = (threadTs: string | null) => question({ userId: 'alertmanager', via: 'alert', threadTs })
      const [first, ...others] = [alert(null), alert('17.1'), alert('17.2')]
      for (const each of [first, ...others]) expect(await engine.add(each)).toEqual({ added: true, id: each.id })
      expect(await engine.add(alert(null))).toEqual({ added: false, id: first.id })
      expect(await engine.add(alert('17.1'))).toEqual({ added: false, id: others[0]?.id })
    })

    it('takes every press on a switch, and of other buttons one a minute', async () => {
      const about = { question: 'f'.repeat(32), channel: 'C1', ts: '17.1', uid: null, container: null }
      const press = (want: Question['want']) => question({ userId: 'U1', via: 'button', want, about })
      for (const each of [press('mute'), press('unmute'), press('mute'), press('refresh')]) {
        expect(await engine.add(each)).toEqual({ added: true, id: each.id })
      }
      expect(await engine.add(press('refresh'))).toMatchObject({ added: false })
    })

    it('tries a poisoned question so many times, then apologises once and lets it be asked again', async () => {
      const asked = question()
      const { handlers, runsOf, apologiesFor } = noting(async () => {
        throw new Error('the cluster is on fire')
      })
      engine.work(handlers, { concurrency: 2 })
      await engine.add(asked)
      await vi.waitFor(() => expect(apologiesFor(asked.id)).toHaveLength(1), soon)
      expect(runsOf(asked.id).map(({ run }) => run.attempt)).toEqual([1, 2, 3])
      expect(apologiesFor(asked.id)).toEqual([{ question: asked, why: 'the cluster is on fire' }])
      const again = question({ userId: asked.userId })
      await vi.waitFor(async () => expect(await engine.add(again)).toMatchObject({ added: true }), soon)
      await vi.waitFor(() => expect(apologiesFor(again.id)).toHaveLength(1), soon)
      await engine.apologise(asked, 'once more')
      await idle(engine)
      expect(apologiesFor(asked.id)).toHaveLength(1)
    })

    it('apologises for what another process left failed, once', async () => {
      const asked = question()
      await engine.add(asked)
      await engine.close()
      const backend = await place.openBackend()
      const { worker, disconnect } = backend.startWorker('questions', async () => Promise.reject(new Error('broken')), {
        maxStartedAttempts: 1,
        stalledInterval: 100, // the next worker's check waits for the end of this one's interval
      })
      await vi.waitFor(async () => expect(await (await backend.queue.getJob(asked.id))?.isFailed()).toBe(true), soon)
      await worker.close()
      disconnect()
      await backend.close()

      const { handlers, runsOf, apologiesFor } = noting()
      for (let start = 0; start < 2; start++) {
        engine = await openEngine(place.options)
        engine.work(handlers, { concurrency: 2 })
        await vi.waitFor(() => expect(apologiesFor(asked.id)).toHaveLength(1), soon)
        await engine.close()
      }
      expect(runsOf(asked.id)).toHaveLength(0)
      engine = await openEngine(place.options)
    })

    it('apologises for a question whose worker is lost too often', async () => {
      const asked = question()
      await engine.add(asked)
      await engine.close()
      const backend = await place.openBackend()
      const stuck = backend.startWorker('questions', () => new Promise(() => {}), {
        lockDuration: 100,
        stalledInterval: 100,
        maxStalledCount: 0,
        skipLockRenewal: true,
      })
      await vi.waitFor(async () => {
        const job = await backend.queue.getJob(asked.id)
        expect(job?.deferredFailure).toContain('stalled')
      }, soon)
      await stuck.worker.close(true)
      stuck.disconnect()
      await backend.close()

      engine = await openEngine(place.options)
      const { handlers, runsOf, apologiesFor } = noting()
      engine.work(handlers, { concurrency: 2 })
      await vi.waitFor(() => expect(apologiesFor(asked.id)).toHaveLength(1), soon)
      expect(runsOf(asked.id)).toHaveLength(0)
    })

    it('apologises at once for a job it cannot read, to whoever can still be found in it', async () => {
      const asked = question()
      const { id } = asked
      await engine.close()
      const backend = await place.openBackend()
      await backend.store.put(`admission/${id}`, 'accepted', 60_000)
      const unreadable = { question: { ...asked, target: 'shop/orders' } as unknown as Question }
      await backend.queue.add('answer', unreadable, { jobId: id, attempts: 3 })
      await backend.close()

      engine = await openEngine(place.options)
      const { handlers, runsOf, apologiesFor } = noting()
      engine.work(handlers, { concurrency: 2 })
      await vi.waitFor(() => expect(apologiesFor(id)).toHaveLength(1), soon)
      expect(apologiesFor(id)).toMatchObject([{ question: { channelId: 'C1', userId: asked.userId } }])
      expect(apologiesFor(id)[0]?.why).toContain('target')
      expect(runsOf(id)).toHaveLength(0)
    })

    it('tries again when a handler says when, without using up attempts', async () => {
      const asked = question()
      let refusals = 5
      const { handlers, runsOf, apologiesFor } = noting(async () => {
        if (refusals-- > 0) throw new RetryLater(100)
      })
      engine.work(handlers, { concurrency: 2 })
      await engine.add(asked)
      await vi.waitFor(() => expect(runsOf(asked.id)).toHaveLength(6), soon)
      await idle(engine)
      expect(runsOf(asked.id).map(({ run }) => [run.started, run.attempt])).toEqual(
        [1, 2, 3, 4, 5, 6].map(started => [started, 1]),
      )
      const starts = runsOf(asked.id).map(({ at }) => at)
      for (const [run, at] of starts.slice(1).entries()) expect(at - (starts[run] ?? 0)).toBeGreaterThan(95)
      expect(apologiesFor(asked.id)).toHaveLength(0)
    })

    it('lets a running job finish when it closes, and takes no other', async () => {
      const gate = Promise.withResolvers<void>()
      const [first, second] = [question(), question()]
      const { handlers, runsOf } = noting(() => gate.promise)
      const worker = engine.work(handlers, { concurrency: 1 })
      await engine.add(first)
      await vi.waitFor(() => expect(runsOf(first.id)).toHaveLength(1), soon)
      const closing = worker.close()
      await engine.add(second)
      gate.resolve()
      await closing
      expect(runsOf(first.id)[0]?.run.signal.aborted).toBe(false)
      expect(runsOf(second.id)).toHaveLength(0)
      expect(await engine.counts()).toMatchObject({ active: 0, waiting: 1 })
      engine.work(handlers, { concurrency: 1 })
      await idle(engine)
      expect(runsOf(first.id)).toHaveLength(1)
      expect(runsOf(second.id)).toHaveLength(1)
    })

    it('hands a job back that does not finish in time, for the next worker to run at once', async () => {
      const asked = question()
      const stuck = noting(() => new Promise(() => {}))
      const worker = engine.work(stuck.handlers, { concurrency: 1, graceMs: 50 })
      await engine.add(asked)
      await vi.waitFor(() => expect(stuck.runsOf(asked.id)).toHaveLength(1), soon)
      await worker.close()
      expect(stuck.runsOf(asked.id)[0]?.run.signal.aborted).toBe(true)
      expect(await engine.counts()).toMatchObject({ active: 0, waiting: 1 })

      const { handlers, runsOf } = noting()
      engine.work(handlers, { concurrency: 1 })
      await vi.waitFor(() => expect(runsOf(asked.id)).toHaveLength(1), soon)
      expect(runsOf(asked.id)).toMatchObject([{ run: { started: 2, attempt: 1 } }])
    })

    it('works through many questions, some of which fail at first', async () => {
      const asked = Array.from({ length: 40 }, () => question())
      const { handlers, runsOf, apologised } = noting(async (_, { attempt }) => {
        if (attempt < 2) throw new Error('not yet')
      })
      engine.work(handlers, { concurrency: 10 })
      await Promise.all(asked.map(engine.add))
      await vi.waitFor(() => expect(asked.every(({ id }) => runsOf(id).length === 2)).toBe(true), soon)
      await idle(engine)
      expect(asked.flatMap(({ id }) => runsOf(id))).toHaveLength(80)
      expect(apologised).toEqual([])
    })

    it('counts its jobs for Prometheus', async () => {
      expect(engine.ready()).toBe(true)
      expect(await engine.metrics()).toMatch(/bullmq_job_count\{.*state="completed".*\} \d+/)
    })

    it('refuses a question that is none', async () => {
      await expect(engine.add({ ...question(), id: 'a:b' })).rejects.toThrow(/id/)
    })
  })
}
