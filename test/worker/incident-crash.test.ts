import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SlackServer } from '../fakes/slack-server.ts'
import { read, states, World } from './incident-world.ts'

let slack: SlackServer
beforeAll(async () => {
  slack = await SlackServer.start()
})
afterAll(() => slack.close())

const MINUTE = 60

describe('a worker that dies', { timeout: 90_000 }, () => {
  /** Lets the process end before or after every n-th write of what `story` does, each time in a world of its own. */
  const everyWrite = async (
    every: number,
    story: (each: World) => Promise<void>,
    check: (each: World, at: string) => void,
  ) => {
    const whole = new World(slack)
    await story(whole)
    check(whole, 'without a crash')
    const { writes } = whole.store
    expect(writes).toBeGreaterThan(10)
    for (const when of ['before', 'after'] as const) {
      for (let at = when === 'before' ? 0 : Math.floor(every / 2); at < writes; at += every) {
        const one = new World(slack)
        one.store.crash = { at, when }
        await story(one)
        check(one, `${when} write ${at} of ${writes}`)
      }
    }
  }

  it('anywhere leaves exactly one answer, that counts every pod', async () => {
    await everyWrite(
      1,
      async each => {
        each.cluster.set('web', states(3, 'crashing'))
        for (const at of [0, 1, 2]) each.alert('web', at)
        await each.advance(40)
      },
      (each, at) => {
        expect(each.failures, at).toEqual([])
        expect(each.roots.length, at).toBe(1)
        expect(read(each.roots[0]), at).toContain('The same in 2 more pods')
      },
    )
  })

  it('anywhere leaves one answer and one link for two posts', async () => {
    await everyWrite(
      1,
      async each => {
        each.cluster.set('web', states(2, 'crashing'))
        each.post('web', 0)
        each.post('web', 1)
        await each.advance(20)
      },
      (each, at) => {
        expect(each.failures, at).toEqual([])
        const begins = each.posts.map(({ thread }) => thread.map(({ text }) => text.split(' ', 1)[0]))
        expect(
          begins.toSorted((one, other) => other.length - one.length),
          at,
        ).toEqual([['🔴', 'More'], ['Part']])
      },
    )
  })

  it('anywhere lets an incident change its cause and recover, each said once', async () => {
    await everyWrite(
      3,
      async each => {
        each.cluster.set('web', states(1, 'crashing'))
        each.alert('web', 0)
        await each.advance(20)
        each.cluster.set('web', states(1, 'no image'))
        await each.advance(3 * MINUTE)
        each.cluster.set('web', states(1, { readySince: each.now }))
        await each.advance(25 * MINUTE)
      },
      (each, at) => {
        expect(each.failures, at).toEqual([])
        const [root, ...others] = each.roots
        expect(others.length, at).toBe(0)
        expect(root?.text, at).toMatch(/^🟢/)
        expect(root?.reactions, at).toEqual(['white_check_mark'])
        expect(root?.thread.filter(({ text }) => text.startsWith('The cause')).length, at).toBe(1)
      },
    )
  })

  it('anywhere in a storm leaves one digest with every owner that has no answer', async () => {
    await everyWrite(
      9,
      async each => {
        for (const owner of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
          each.cluster.set(`app-${owner}`, states(1, 'crashing'))
          each.alert(`app-${owner}`, 0)
        }
        await each.advance(40)
      },
      (each, at) => {
        expect(each.failures, at).toEqual([])
        const digests = each.roots.filter(({ text }) => text.includes('Alert storm'))
        expect(digests.length, at).toBe(1)
        expect(digests[0]?.text, at).toContain(`${7 - (each.roots.length - 1)} owners`)
      },
    )
  })
})
