import { describe, expect, it } from 'vitest'
import { ANSWERS_A_MINUTE, enter, type Storm, takeLink } from '../../src/incidents/storm.ts'

/** Incidents that open in one channel, at a second each. */
const channel = () => {
  let storm: Storm | null = null
  return {
    opens: (key: string, second: number): string | null => {
      const entered = enter(storm, { key, channelId: 'C1', at: second * 1_000 })
      storm = entered.storm
      return entered.digest
    },
    get storm(): Storm {
      if (storm === null) throw new Error('nothing was opened')
      return storm
    },
  }
}
const five = ['a', 'b', 'c', 'd', 'e']
/** A channel with five answers within five seconds; the next one starts a digest. */
const full = () => {
  const one = channel()
  for (const [second, key] of five.entries()) expect(one.opens(key, second)).toBeNull()
  return one
}

describe('a storm', () => {
  it('starts with the sixth incident within a minute', () => {
    expect(five).toHaveLength(ANSWERS_A_MINUTE)
    const { opens } = full()
    const digest = opens('f', 59)
    expect(digest).toMatch(/^[0-9a-f]{32}$/)
    expect(opens('g', 60)).toBe(digest)
  })

  it('does not start when they come further apart', () => {
    const { opens } = full()
    expect(opens('f', 60)).toBeNull()
    expect(opens('g', 61)).toBeNull()
  })

  it('remembers what was answered just before it', () => {
    const one = full()
    one.opens('f', 6)
    expect(one.storm.digests).toMatchObject([{ keys: [...five, 'f'], startedAt: 6_000, links: 0 }])
  })

  it('tells the same incident the same, whenever its question runs again', () => {
    const one = full()
    const digest = one.opens('f', 6)
    expect(one.opens('a', 7)).toBeNull()
    expect(one.opens('f', 8)).toBe(digest)
    expect(one.storm.digests[0]?.keys).toEqual([...five, 'f'])
  })

  it('goes on while new incidents come within five minutes of each other', () => {
    const { opens } = full()
    const digest = opens('f', 6)
    expect(opens('g', 6 + 299)).toBe(digest)
    expect(opens('h', 6 + 299 + 299)).toBe(digest)
  })

  it('is over after five calm minutes; its digest stays known, and the next storm has its own', () => {
    const one = full()
    const digest = one.opens('f', 6)
    for (const [at, key] of ['g', 'h', 'i', 'j', 'k'].entries()) expect(one.opens(key, 306 + at)).toBeNull()
    const next = one.opens('l', 312)
    expect(next).not.toBe(digest)
    expect(one.storm.digests.map(({ id }) => id)).toEqual([digest, next])
  })

  it('begins another digest when one is full', () => {
    const one = full()
    const ids = Array.from({ length: 500 }, (_, at) => one.opens(`x${at}`, 6 + at / 100))
    expect(new Set(ids).size).toBe(3)
    for (const { keys } of one.storm.digests) expect(keys.length).toBeLessThanOrEqual(200)
  })

  it('stays bounded, whatever comes', () => {
    const one = channel()
    for (let at = 0; at < 5_000; at++) one.opens(`x${at}`, at)
    expect(JSON.stringify(one.storm).length).toBeLessThan(80_000)
  })

  it('lets at most eight threads have a link to it', () => {
    const one = full()
    const digest = one.opens('f', 6) ?? ''
    let storm: Storm | null = one.storm
    let links = 0
    while (storm !== null && links < 100) {
      storm = takeLink(storm, { digest, at: 0 })
      if (storm !== null) links++
    }
    expect(links).toBe(8)
    expect(takeLink(one.storm, { digest: 'another', at: 0 })).toBeNull()
  })
})

describe('threads that are to get a link to an answer', () => {
  it('get eight a minute in a channel', () => {
    let storm: Storm | null = null
    for (let at = 0; at < 8; at++) storm = takeLink(storm, { digest: null, at }) ?? storm
    expect(takeLink(storm, { digest: null, at: 59_999 })).toBeNull()
    expect(takeLink(storm, { digest: null, at: 60_000 })?.linked).toHaveLength(8)
  })
})
