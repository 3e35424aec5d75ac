import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RetryLater } from '../../src/queue/retry-later.ts'
import { type Shown, SlackServer } from '../fakes/slack-server.ts'
import { read, states, World } from './incident-world.ts'

let slack: SlackServer
let world: World
beforeAll(async () => {
  slack = await SlackServer.start()
})
afterAll(() => slack.close())
beforeEach(() => {
  world = new World(slack)
})

const MINUTE = 60

describe('a storm', () => {
  const names = Array.from({ length: 12 }, (_, at) => `app-${'abcdefghijkl'[at]}`)
  const breaks = (owners: readonly string[]) => {
    for (const owner of owners) {
      world.cluster.set(owner, states(2, 'crashing'))
      world.alert(owner, 0)
    }
  }
  const bullets = (shown: Shown | undefined) => read(shown).match(/^• .*$/gm) ?? []

  it('answers five owners by themselves, and tells of all others in one message', async () => {
    breaks(names)
    await world.advance(30)
    expect(world.roots).toHaveLength(6)
    const digest = world.roots[5]
    expect(digest?.text).toMatch(/^🔴 Alert storm: 7 owners with 7 pods not healthy/)
    expect(bullets(digest)).toHaveLength(7)
    expect(read(digest)).toContain('7 of 7 have the same kind of cause')
    expect(read(digest)).toContain('Answered by themselves just before: `Deployment app-a`')
    expect(world.failures).toEqual([])
  })

  it('edits its message in place when more come, and counts their pods', async () => {
    breaks(names.slice(0, 6))
    await world.advance(20)
    const { ts } = world.roots[5] ?? {}
    breaks(names.slice(6))
    world.alert('app-f', 1)
    await world.advance(30)
    expect(world.roots).toHaveLength(6)
    expect(world.roots[5]).toMatchObject({ ts, text: expect.stringContaining('7 owners with 8 pods') })
  })

  it('turns green when all has recovered, also after the next incident has come', async () => {
    breaks(names.slice(0, 8))
    await world.advance(10 * MINUTE)
    breaks(['late'])
    for (const owner of names) world.cluster.set(owner, states(2, { readySince: world.now }))
    await world.advance(30 * MINUTE)
    const digest = world.roots[5]
    expect(digest?.text).toMatch(/^🟢 Alert storm: 3 owners .* all is over\./)
    expect(digest?.reactions).toEqual(['white_check_mark'])
    expect(world.roots.map(({ text }) => text.slice(0, 2))).toEqual(['🟢', '🟢', '🟢', '🟢', '🟢', '🟢', '🔴'])
  })

  it('turns red again when one of it comes back', async () => {
    breaks(names.slice(0, 8))
    await world.advance(MINUTE)
    for (const owner of names.slice(0, 8)) world.cluster.set(owner, states(2, { readySince: world.now }))
    await world.advance(20 * MINUTE)
    breaks(names.slice(7, 8))
    await world.advance(20)
    expect(world.roots[5]).toMatchObject({ reactions: [], text: expect.stringMatching(/^🔴 .* 2 of them are over/) })
  })

  it('links a few threads of posts to its message, and floods no others', async () => {
    breaks(names.slice(0, 5))
    for (const owner of Array.from({ length: 20 }, (_, at) => `post-${at}`)) {
      world.cluster.set(owner, states(1, 'crashing'))
      world.post(owner, 0)
    }
    await world.advance(2 * MINUTE)
    const told = world.posts.filter(({ thread }) => thread.length > 0)
    expect(told.length).toBeGreaterThanOrEqual(8)
    expect(told.flatMap(({ thread }) => thread).filter(each => read(each).includes('See the digest'))).toHaveLength(8)
  })

  it('has one message, though Slack is slow to take it and the next edit is due meanwhile', async () => {
    breaks(names.slice(0, 6))
    const isDigest = ({ text = '' }: Record<string, string>) => text.includes('Alert storm')
    const held = slack.hold('chat.postMessage', 'arrival', isDigest)
    const passing = world.advance(30)
    await held.reached
    const digest = (await world.book.open()).find(incident => incident.digest !== null)?.digest ?? ''
    const edit = { do: 'digest', channelId: world.channelId, digest } as const
    await expect(world.elsewhere(edit)).rejects.toThrow(RetryLater)
    held.release()
    await passing
    await world.elsewhere(edit, 2)
    expect(world.roots.filter(({ text }) => text.includes('Alert storm'))).toHaveLength(1)
  })
})
