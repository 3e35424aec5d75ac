import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ClusterUnreachable } from '../../src/cluster/api.ts'
import { type Breaker, ClusterDown, openBreaker } from '../../src/cluster/breaker.ts'
import { NoSuchPod } from '../../src/cluster/no-such-pod.ts'

const timeout = () => new ClusterUnreachable('cluster "prod-us" (https://us)', 'did not answer', { why: 'timeout' })

let now: number
let isReachable: boolean
let pings: number
let changes: string[]
let breaker: Breaker
beforeEach(() => {
  now = Date.parse('2026-05-04T12:03:10Z')
  isReachable = false
  pings = 0
  changes = []
  breaker = openBreaker({
    name: 'prod-us',
    ping: async () => {
      pings++
      if (!isReachable) throw timeout()
    },
    pingEveryMs: 1,
    now: () => now,
    onChange: ({ up, message }) => changes.push(`${up ? 'up' : 'down'}: ${message}`),
  })
  return () => breaker.close()
})

const work = async () => {
  if (!isReachable) throw timeout()
  return 'read'
}
const fail = () => expect(breaker.attempt(work)).rejects.toThrow(ClusterUnreachable)
const open = async () => {
  await fail()
  await fail()
}
const reachAgain = async () => {
  isReachable = true
  const before = pings
  await vi.waitFor(() => expect(pings).toBeGreaterThan(before))
}

describe('after two failures in a row', () => {
  it('says at once, without asking, since when the cluster is away and why', async () => {
    await fail()
    now += 4_000
    await fail()
    const asked = vi.fn(work)
    await expect(breaker.attempt(asked)).rejects.toThrow(
      'cluster prod-us cannot be reached since 12:03:10 UTC (timeout)',
    )
    expect(asked).not.toHaveBeenCalled()
    expect(changes).toEqual(['down: cluster prod-us cannot be reached since 12:03:10 UTC (timeout)'])
  })

  it('has hope for ten seconds, no longer', async () => {
    await open()
    const caught = () => breaker.attempt(work).catch((error: unknown) => error)
    now += 9_999
    expect(await caught()).toMatchObject({ temporary: true })
    now += 1
    expect(await caught()).toMatchObject({ temporary: false })
  })

  it('lets a single piece of work try once the cluster answers a ping', async () => {
    await open()
    await reachAgain()
    const first = Promise.withResolvers<string>()
    await vi.waitFor(async () => {
      const trial = breaker.attempt(() => first.promise)
      trial.catch(() => {})
      await expect(breaker.attempt(work)).rejects.toThrow(ClusterDown)
      first.resolve('read')
      expect(await trial).toBe('read')
    })
    expect(await breaker.attempt(work)).toBe('read')
    expect(changes.at(-1)).toBe('up: cluster prod-us can be reached again')
  })

  it('stays shut where that fails, however well the server answers pings', async () => {
    await open()
    await reachAgain()
    const hang = async () => {
      isReachable = false
      throw timeout()
    }
    await vi.waitFor(() => expect(breaker.attempt(hang)).rejects.toThrow(ClusterUnreachable))
    await expect(breaker.attempt(work)).rejects.toThrow(ClusterDown)
    expect(breaker.isUp()).toBe(false)
  })
})

it('one failure stops nobody, and a success forgets it', async () => {
  await fail()
  isReachable = true
  expect(await breaker.attempt(work)).toBe('read')
  isReachable = false
  await fail()
  await fail()
  expect(changes).toHaveLength(1)
})

it('what the server refuses was answered', async () => {
  const refuse = async () => {
    throw new NoSuchPod('no pod "web"')
  }
  await fail()
  await expect(breaker.attempt(refuse)).rejects.toThrow(NoSuchPod)
  await fail()
  expect(breaker.isUp()).toBe(false)
  expect(changes).toEqual([])
})

it('what its caller breaks off says nothing', async () => {
  const stop = new AbortController()
  stop.abort(new Error('podwhy stops'))
  await expect(breaker.attempt(() => Promise.reject(stop.signal.reason), stop.signal)).rejects.toThrow('podwhy stops')
  expect(breaker.isUp()).toBeNull()
})

it('a failure of what began before the last success is old news', async () => {
  const slow = [Promise.withResolvers<never>(), Promise.withResolvers<never>()]
  const attempts = slow.map(({ promise }) => breaker.attempt(() => promise))
  isReachable = true
  await breaker.attempt(work)
  for (const { reject } of slow) reject(timeout())
  await Promise.allSettled(attempts)
  expect(breaker.isUp()).toBe(true)
})
