import { describe, expect, it } from 'vitest'
import { holdChannel, ifNotHeld, takeTurn } from '../../src/slack/pace.ts'
import { RateLimited } from '../../src/slack/slack-error.ts'
import { MemoryStore } from './memory-store.ts'

const START_MS = 1_777_896_000_000

/** A process that posts, with a clock of its own. */
const process = (store: MemoryStore, now: () => number) => (channel: string) => takeTurn(store, channel, now)
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

describe('the messages of a channel', () => {
  it('go out at once while there is room, then a second apart', async () => {
    let now = START_MS
    const take = process(new MemoryStore(), () => now)
    expect(await take('C1')).toBe(0)
    expect(await take('C1')).toBe(1_000)
    now += 5_000
    expect(await take('C1')).toBe(0)
  })

  it('do not wait for those of other channels', async () => {
    const take = process(new MemoryStore(), () => START_MS)
    expect(await Promise.all([take('C1'), take('C2'), take('C3')])).toEqual([0, 0, 0])
  })

  it('are handed back to the queue where the wait would be long, and take no turn then', async () => {
    let now = START_MS
    const take = process(new MemoryStore(), () => now)
    await take('C1')
    await take('C1')
    for (const _ of times(20, Number)) await expect(take('C1')).rejects.toMatchObject({ retryAfterMs: 2_000 })
    now += 1_000
    expect(await take('C1')).toBe(1_000)
  })

  it('of two processes that post at once never share a second', async () => {
    const store = new MemoryStore()
    let now = START_MS
    const posters = [process(store, () => now), process(store, () => now)]
    const posted: number[] = []
    let waiting = 40
    while (waiting > 0) {
      const turns = await Promise.allSettled(times(Math.min(waiting, 10), at => posters[at % 2]?.('C1')))
      for (const turn of turns) {
        if (turn.status === 'fulfilled') posted.push(now + (turn.value ?? 0))
        else expect(turn.reason).toBeInstanceOf(RateLimited)
      }
      waiting = 40 - posted.length
      now += 500
    }
    const gaps = posted.toSorted((a, b) => a - b).map((at, index, all) => at - (all[index - 1] ?? 0))
    expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(1_000)
    expect(Math.max(...posted) - START_MS).toBeLessThan(45_000)
  })

  it('of two processes whose clocks differ by half a second keep apart all the same', async () => {
    const store = new MemoryStore()
    let now = START_MS
    const [early, late] = [process(store, () => now - 250), process(store, () => now + 250)]
    const posted: number[] = []
    while (posted.length < 20) {
      for (const take of [early, late]) {
        const waitMs = await take('C1').catch(() => null)
        if (waitMs !== null) posted.push(now + waitMs)
      }
      now += 500
    }
    const gaps = posted.toSorted((a, b) => a - b).map((at, index, all) => at - (all[index - 1] ?? 0))
    expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(500)
  })

  it('all wait as long as Slack wants one of them to, and those of other channels do not', async () => {
    const store = new MemoryStore()
    let now = START_MS
    const [one, other] = [process(store, () => now), process(store, () => now)]
    await one('C1')
    const free = () => ifNotHeld(store, 'C1', () => now)
    await free()
    await holdChannel(store, 'C1', { forMs: 30_000, now: () => now })
    await holdChannel(store, 'C1', { forMs: 5_000, now: () => now })
    await expect(other('C1')).rejects.toMatchObject({ retryAfterMs: 30_000 })
    await expect(free()).rejects.toMatchObject({ retryAfterMs: 30_000 })
    expect(await other('C2')).toBe(0)
    now += 30_000
    await free()
    expect(await one('C1')).toBe(0)
  })

  it('never wait a negative time, though the clock goes on in between', async () => {
    let now = START_MS
    const take = process(new MemoryStore(), () => now++)
    expect(await take('C1')).toBe(0)
  })
})
