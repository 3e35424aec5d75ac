import { describe, expect, it } from 'vitest'
import type { Incident } from '../../src/incidents/incident.ts'
import { fold } from '../../src/incidents/sighting.ts'
import type { Task } from '../../src/queue/job.ts'
import { scheduling } from '../../src/worker/schedule.ts'
import { aSighting, minute } from '../incidents/a-sighting.ts'

const START_MS = Date.parse(minute(0))

/** A queue as the engine keeps it, once for each id, and a schedule on it; times are milliseconds from the start. */
class Queue {
  now = 0
  readonly jobs = new Map<string, { task: Task; at: number }>()
  readonly schedule = scheduling(
    async (task, { id, delayMs }) => {
      if (!this.jobs.has(id)) this.jobs.set(id, { task, at: this.now + Math.max(0, delayMs) })
    },
    () => START_MS + this.now,
  )
  get due(): number[] {
    return [...this.jobs.values()].map(({ at }) => at).sort((a, b) => a - b)
  }
}
const incident = (fields: Partial<Incident> = {}): Incident => ({ ...fold(null, aSighting()).incident, ...fields })

/** Moments of a minute: in bursts, alone, and at the edges of spans. */
const moments = Array.from({ length: 400 }, (_, at) => (at * at * 37 + (at % 7) * 2_999) % 60_000)
  .concat([0, 1, 2_999, 3_000, 3_001, 4_999, 5_000, 5_001, 5_999, 6_000, 59_999])
  .sort((a, b) => a - b)

describe('an edit', () => {
  it.each([
    ['an answer', incident(), 6_000],
    ['a digest', incident({ digest: 'd'.repeat(32) }), 5_000],
  ])('of %s begins after every change that asked for it, soon, and once for many', async (_, of, everyMs) => {
    const queue = new Queue()
    for (const moment of moments) {
      queue.now = moment
      await queue.schedule.redraw(of)
      const served = queue.due.filter(at => at > moment && at <= moment + everyMs)
      expect(served, `a change at ${moment}`).not.toEqual([])
    }
    expect(queue.due.length).toBeLessThanOrEqual(60_000 / everyMs + 1)
  })

  it('of a digest serves all incidents in it; answers have their own', async () => {
    const queue = new Queue()
    const digest = 'd'.repeat(32)
    for (const key of ['a', 'b', 'c']) await queue.schedule.redraw(incident({ key, digest }))
    expect([...queue.jobs.values()].map(({ task }) => task)).toEqual([{ do: 'digest', channelId: 'C1', digest }])
    for (const key of ['a', 'b', 'c']) await queue.schedule.redraw(incident({ key }))
    expect(queue.jobs.size).toBe(4)
  })

  it('that is asked for at a moment comes then', async () => {
    const queue = new Queue()
    await queue.schedule.redrawAt(incident(), START_MS + 3_600_000)
    expect(queue.due).toEqual([3_600_000])
  })
})

describe('a check', () => {
  it('is due counted from the begin of the watch, not from when it is asked for', async () => {
    const queue = new Queue()
    queue.now = 45_000
    await queue.schedule.recheck(incident(), 1)
    await queue.schedule.recheck(incident(), 2)
    expect(queue.due).toEqual([60_000, 120_000])
  })

  it('is queued once, however many alerts ask for it, and again for a new watch', async () => {
    const queue = new Queue()
    for (let alert = 0; alert < 10; alert++) await queue.schedule.recheck(incident(), 1)
    expect(queue.due).toEqual([60_000])
    await queue.schedule.recheck(incident({ watchedFrom: minute(5) }), 1)
    expect(queue.due).toEqual([60_000, 360_000])
  })

  it('that is late is due at once', async () => {
    const queue = new Queue()
    queue.now = 600_000
    await queue.schedule.recheck(incident(), 1)
    expect(queue.due).toEqual([600_000])
  })

  it('that does not exist is not queued', async () => {
    const queue = new Queue()
    for (const check of [0, 40, 41]) await queue.schedule.recheck(incident(), check)
    expect(queue.due).toEqual([])
  })

  it('of pods that settle is due by the server’s clock, and once for the same moment', async () => {
    const queue = new Queue()
    const atMs = START_MS + 999_000
    await queue.schedule.settled(incident(), { atMs, inMs: 400_000 })
    queue.now = 1_000
    await queue.schedule.settled(incident(), { atMs, inMs: 399_000 })
    expect(queue.due).toEqual([401_000])
  })

  it('for a resolved alert is queued once for all that say so within a second', async () => {
    const queue = new Queue()
    for (const ms of [0, 10, 999, 1_000]) await queue.schedule.recheckAt(incident(), START_MS + ms, 'resolved')
    expect(queue.jobs.size).toBe(2)
    expect([...queue.jobs.values()][0]?.task).toMatchObject({ do: 'recheck', check: 0 })
  })
})
