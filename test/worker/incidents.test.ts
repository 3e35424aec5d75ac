import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SlackServer } from '../fakes/slack-server.ts'
import { FakeCluster, only, read, states, World } from './incident-world.ts'

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
const pod = FakeCluster.pod

describe('alerts about one owner', () => {
  it('get one answer, which counts the pods', async () => {
    world.cluster.set('web', states(6, 'crashing'))
    for (let at = 0; at < 6; at++) world.alert('web', at)
    await world.advance(20)
    const root = only(world.roots)
    expect(root.text).toContain('CrashLoopBackOff')
    expect(read(root)).toContain(`The same in 5 more pods of Deployment web: \`${pod('web', 1)}\``)
    expect(world.failures).toEqual([])
  })

  it('are one edit, however many come within three seconds', async () => {
    world.cluster.set('web', states(30, 'crashing'))
    world.alert('web', 0)
    await world.advance(20)
    const before = only(world.roots).edits
    for (let at = 1; at < 30; at++) world.alert('web', at)
    await world.advance(20)
    expect(only(world.roots).edits - before).toBe(1)
    expect(read(only(world.roots))).toContain('The same in 29 more pods')
  })

  it('add another cause to the answer', async () => {
    world.cluster.set('web', { 0: 'crashing', 1: 'crashing', 2: 'no image' })
    for (const at of [0, 1, 2]) world.alert('web', at)
    await world.advance(20)
    const text = read(only(world.roots))
    expect(text).toContain('The same in 1 more pod of Deployment web')
    expect(text).toMatch(new RegExp(`Also, in 1 pod \\(\`${pod('web', 2)}\`\\): .*image`, 'i'))
  })

  it('as posts get the answer in the first thread and one line with a link in each other', async () => {
    world.cluster.set('web', states(3, 'crashing'))
    for (const at of [0, 1, 2]) world.post('web', at)
    await world.advance(20)
    expect(world.roots).toEqual([])
    const [first, ...others] = world.posts
    expect(first?.thread[0]?.text).toContain('CrashLoopBackOff')
    expect(others).toHaveLength(2)
    for (const { thread } of others) {
      expect(only(thread).text).toContain('Part of an incident that is answered already')
      expect(read(only(thread))).toContain('See the answer')
    }
  })

  it('in two channels are two incidents', async () => {
    world.cluster.set('web', states(2, 'crashing'))
    const other = `${world.channelId}other`
    world.alert('web', 0)
    world.alert('web', 1, { channelId: other })
    await world.advance(20)
    expect(read(only(world.roots))).not.toContain('The same in')
    expect(read(only(slack.channel(other)))).not.toContain('The same in')
  })

  it('are one incident though one came with a post and one without', async () => {
    world.cluster.set('web', states(2, 'crashing'))
    world.post('web', 0)
    world.alert('web', 1)
    await world.advance(30)
    expect(world.roots).toEqual([])
    expect(read(only(world.posts).thread[0])).toContain('The same in 1 more pod')
  })

  it('that come both ways are answered under the post alone', async () => {
    world.cluster.set('web', states(1, 'crashing'))
    world.alert('web', 0)
    await world.advance(4)
    await world.postBothWays('web', 0)
    await world.advance(MINUTE)
    expect(world.roots).toEqual([])
    expect(only(world.posts).thread.filter(({ text }) => text.startsWith('🔴'))).toHaveLength(1)
  })

  it('whose post comes late get a link there to the answer in the channel', async () => {
    world.cluster.set('web', states(1, 'crashing'))
    world.alert('web', 0)
    await world.advance(20)
    await world.postBothWays('web', 0)
    await world.advance(20)
    expect(only(world.roots).text).toMatch(/^🔴/)
    expect(read(only(only(world.posts).thread))).toContain('See the answer')
  })

  it('about a pod that is well are left alone where its state does not explain them', async () => {
    world.cluster.set('web', { 0: { readySince: 0 } })
    world.alert('web', 0, { onlyUnhealthy: true })
    await world.advance(MINUTE)
    expect(world.roots).toEqual([])
  })
})

describe('an incident', () => {
  const opens = async () => {
    world.cluster.set('web', states(2, 'crashing'))
    world.alert('web', 0)
    world.alert('web', 1)
    await world.advance(20)
    return only(world.roots)
  }
  const recovers = () => world.cluster.set('web', states(2, { readySince: world.now }))

  it('that recovers is edited, says how long it took, and gets a reaction', async () => {
    const { ts } = await opens()
    await world.advance(5 * MINUTE)
    recovers()
    await world.advance(9 * MINUTE)
    expect(only(world.roots).text).toMatch(/^🔴/)
    await world.advance(2 * MINUTE)
    const root = only(world.roots)
    expect(root).toMatchObject({ ts, reactions: ['white_check_mark'] })
    expect(root.text).toMatch(/^🟢 Recovered: /)
    expect(read(root)).toMatch(/Recovered at \d\d:\d\d:\d\d UTC, after 5m\d+s\./)
    expect(await world.book.open()).toEqual([])
    expect(world.failures).toEqual([])
  })

  it('does not recover while its pods are Ready between crashes', async () => {
    await opens()
    for (let minute = 0; minute < 60; minute += 5) {
      world.cluster.set('web', states(2, { readySince: world.now, lastEndAt: world.now - 1_000 }))
      await world.advance(5 * MINUTE)
      expect(only(world.roots).text).toMatch(/^🔴/)
    }
    await world.advance(6 * MINUTE)
    expect(only(world.roots).text).toMatch(/^🟢/)
  })

  it('that comes back within an hour goes on in the same answer', async () => {
    const { ts } = await opens()
    recovers()
    await world.advance(20 * MINUTE)
    expect(only(world.roots).reactions).toEqual(['white_check_mark'])
    world.cluster.set('web', states(2, 'crashing'))
    world.alert('web', 1)
    await world.advance(20)
    const root = only(world.roots)
    expect(root).toMatchObject({ ts, reactions: [] })
    expect(root.text).toMatch(/^🔴/)
    expect(read(root)).toContain('It had recovered and came back.')
    recovers()
    await world.advance(20 * MINUTE)
    expect(read(only(world.roots))).toContain('It came back 1 time before.')
  })

  it('that comes back is watched for six hours again', async () => {
    await opens()
    await world.advance(341 * MINUTE)
    recovers()
    await world.advance(13 * MINUTE)
    expect(only(world.roots).text).toMatch(/^🟢/)
    world.cluster.set('web', states(2, 'crashing'))
    world.alert('web', 0)
    await world.advance(60 * MINUTE)
    expect(read(only(world.roots))).not.toContain('not looked at any more')
    recovers()
    await world.advance(25 * MINUTE)
    expect(only(world.roots).text).toMatch(/^🟢/)
  })

  it('that goes on is looked at for six hours, then that is said', async () => {
    await opens()
    await world.advance(6 * 3_600 - 30)
    expect(read(only(world.roots))).not.toContain('not looked at')
    await world.advance(MINUTE)
    expect(read(only(world.roots))).toContain('Not recovered after 6 h; not looked at any more')
    const reads = world.cluster.reads.length
    await world.advance(24 * 3_600)
    expect(world.cluster.reads.length).toBe(reads)
    expect(world.ran.filter(task => task === 'recheck').length).toBeLessThanOrEqual(41)
  })

  it('that begins to settle at the end of the six hours is still seen to recover', async () => {
    await opens()
    await world.advance(6 * 3_600 - 5 * MINUTE)
    recovers()
    await world.advance(20 * MINUTE)
    expect(only(world.roots).text).toMatch(/^🟢/)
  })

  it('whose owner is deleted has ended', async () => {
    await opens()
    world.cluster.owners.clear()
    await world.advance(5 * MINUTE)
    const root = only(world.roots)
    expect(root.text).toMatch(/^⚪ Ended: /)
    expect(read(root)).toContain('Deployment web was deleted or scaled to zero.')
    expect(root.reactions).toEqual([])
  })

  it('whose cause changes says so once in its thread, also when it changes back', async () => {
    await opens()
    const said = () => only(world.roots).thread.filter(({ text }) => text.startsWith('The cause has changed'))
    world.cluster.set('web', states(2, 'no image'))
    await world.advance(20 * MINUTE)
    expect(only(said()).text).toMatch(/Now: .*image.* Before: /i)
    expect(only(world.roots).text).toMatch(/image/i)
    world.cluster.set('web', states(2, 'crashing'))
    await world.advance(20 * MINUTE)
    world.cluster.set('web', states(2, 'no image'))
    await world.advance(20 * MINUTE)
    expect(said()).toHaveLength(1)
  })

  it('that is muted stays silent, and speaks again afterwards', async () => {
    const { ts } = await opens()
    const [incident] = await world.book.open()
    if (incident === undefined) throw new Error('no incident')
    await world.book.mute(incident.key, { userId: 'U1', until: new Date(world.now + 3_600_000).toISOString() })
    world.post('web', 0)
    world.post('web', 1)
    world.cluster.set('web', states(2, 'no image'))
    await world.advance(30 * MINUTE)
    expect(world.posts.flatMap(({ thread }) => thread)).toEqual([])
    expect(only(world.roots).thread.filter(({ text }) => text.startsWith('The cause'))).toEqual([])
    expect(read(only(world.roots))).toContain('Muted by @U1 until')
    await world.advance(31 * MINUTE)
    world.post('web', 0)
    await world.advance(MINUTE)
    expect(world.posts.flatMap(({ thread }) => thread)).toHaveLength(1)
    expect(only(world.roots).ts).toBe(ts)
  })

  it('that opened while it was muted is told of by the first alert afterwards', async () => {
    const { ts } = await opens()
    const [{ key } = { key: '' }] = await world.book.open()
    world.cluster.owners.clear()
    await world.advance(5 * MINUTE)
    await world.book.mute(key, { userId: 'U1', until: new Date(world.now + 3_600_000).toISOString() })
    world.cluster.set('web', states(2, 'crashing'))
    world.alert('web', 0)
    await world.advance(61 * MINUTE)
    expect(only(world.roots).ts).toBe(ts)
    world.alert('web', 1)
    world.alert('web', 0)
    await world.advance(MINUTE)
    expect(world.roots).toHaveLength(2)
    expect(world.roots[1]?.text).toMatch(/^🔴/)
    expect(read(world.roots[1])).toContain('The same in 1 more pod')
  })

  it('in a channel that podwhy is not in is told of once it was invited', async () => {
    slack.outside.add(world.channelId)
    world.cluster.set('web', states(2, 'crashing'))
    world.alert('web', 0)
    await world.advance(20 * MINUTE)
    slack.outside.delete(world.channelId)
    world.alert('web', 1)
    await world.advance(MINUTE)
    expect(only(world.roots).text).toMatch(/^🔴/)
  })

  it('turns green though Slack asks to wait just then', async () => {
    await opens()
    recovers()
    await world.advance(10 * MINUTE - 30)
    slack.fail('chat.update', { kind: 'rateLimited', retryAfter: 30 }, 3)
    await world.advance(5 * MINUTE)
    expect(only(world.roots).text).toMatch(/^🟢/)
  })
})
