import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SlackAppOptions } from '../../src/slack/slack-app.ts'
import { SlackServer } from '../fakes/slack-server.ts'
import { capturedPost, says, startAlerts } from './start-alerts.ts'

let slack: SlackServer
let running: Awaited<ReturnType<typeof startAlerts>> | undefined

beforeAll(async () => {
  slack = await SlackServer.start()
})
afterAll(() => slack.close())
afterEach(async () => {
  await running?.app.stop()
  running = undefined
  slack.whispers.length = 0
})
const start = async (options: Partial<SlackAppOptions> = {}) => {
  running = await startAlerts(slack, options)
  return running
}

describe('an alert whose post is edited', () => {
  const pods = (...names: string[]) => names.map(name => `namespace: shop pod: ${name}`).join('\n')
  const posted = (text: string, status = 'FIRING:2') => ({
    ...{ bot_id: 'B0ALERTS', ts: '1714824000.000900' },
    attachments: [{ title: `[${status}] KubePodNotReady`, text }],
  })
  const edited = (message: object, before: object) => ({
    ...{ subtype: 'message_changed', ts: '1714824999.000001', message, previous_message: before },
  })

  it('is asked about new owners and owners with more pods, in the same thread', async () => {
    const { events, queue, counted } = await start()
    const first = posted(pods('web-7df5687c7-mgfcr'))
    const grown = posted(pods('web-7df5687c7-bbbbb', 'web-7df5687c7-mgfcr', 'db-0'))
    await says(events, first)
    await says(events, edited(grown, first))
    await says(events, edited(grown, first))
    expect(queue.map(({ target, named, threadTs }) => [target.name, named, threadTs])).toEqual([
      ['web-7df5687c7-mgfcr', [], '1714824000.000900'],
      ['web-7df5687c7-bbbbb', ['web-7df5687c7-mgfcr'], '1714824000.000900'],
      ['db-0', [], '1714824000.000900'],
    ])
    expect(counted).toEqual({ asked: 3 })
  })

  it('to resolved is looked after, and counted', async () => {
    const { events, queue, counted, resolved } = await start()
    const first = posted(pods('web-0', 'db-0'))
    await says(events, first)
    await says(events, edited(posted(pods('web-0', 'db-0'), 'RESOLVED'), first))
    expect(queue).toHaveLength(2)
    expect(counted).toEqual({ asked: 2, resolved: 2 })
    expect(resolved).toMatchObject([
      { channelId: 'C1', threadTs: '1714824000.000900', targets: [{ name: 'web-0' }] },
      { channelId: 'C1', threadTs: '1714824000.000900', targets: [{ name: 'db-0' }] },
    ])
  })

  it('to fewer owners is looked after for those that are left out', async () => {
    const { events, queue, counted, resolved } = await start()
    const first = posted(pods('web-0', 'db-0'))
    await says(events, first)
    await says(events, edited(posted(pods('db-0')), first))
    expect(resolved.map(({ targets }) => targets.map(({ name }) => name))).toEqual([['web-0']])
    expect(counted).toMatchObject({ resolved: 1 })
    expect(new Set(queue.map(({ target }) => target.name))).toEqual(new Set(['web-0', 'db-0']))
  })

  it('to firing again is asked about once more, with what it adds', async () => {
    const { events, queue } = await start()
    const first = posted(pods('web-0'))
    const over = posted(pods('web-0'), 'RESOLVED')
    const anew = posted(pods('web-0', 'db-0'))
    const edits = [edited(over, first), { ...edited(anew, over), ts: '1714825999.000001' }]
    await says(events, first)
    for (const edit of [...edits, ...edits.slice(1)]) await says(events, edit)
    expect(queue.map(({ target, threadTs }) => [target.name, threadTs])).toEqual([
      ['web-0', '1714824000.000900'],
      ['web-0', '1714824000.000900'],
      ['db-0', '1714824000.000900'],
    ])
    expect(new Set(queue.map(({ id }) => id)).size).toBe(3)
  })
})

describe('a resolved alert', () => {
  it('that is posted anew is looked after by all that its firing one asked about', async () => {
    const { events, queue, resolved } = await start()
    for (const [at, receiver] of ['default', 'kube-style'].entries()) {
      await says(events, { ...capturedPost(receiver, '[FIRING:1] KubePodNotReady'), ts: `${at}.1` })
      await says(events, { ...capturedPost(receiver, '[RESOLVED] KubePodNotReady'), ts: `${at}.2` })
    }
    expect(queue.map(({ target, alternatives }) => [target, ...alternatives])).toEqual(
      resolved.map(({ targets }) => targets),
    )
    expect(resolved.map(({ channelId, threadTs }) => [channelId, threadTs])).toEqual([
      ['#alerts', '0.2'],
      ['#alerts', '1.2'],
    ])
  })

  it('of several pods of an owner is looked after by any of them', async () => {
    const { events, resolved } = await start()
    const names = ['web-7df5687c7-mgfcr', 'web-7df5687c7-bbbbb']
    const text = names.map(name => `namespace: shop pod: ${name}`).join('\n')
    await says(events, { bot_id: 'B0ALERTS', attachments: [{ title: '[RESOLVED] KubePodNotReady', text }] })
    expect(resolved).toHaveLength(1)
    expect(resolved[0]?.targets.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
  })

  it('is acknowledged even if it cannot be looked after', async () => {
    const { events, lines, counted } = await start({ resolved: () => Promise.reject(new Error('the queue is away')) })
    expect((await says(events, capturedPost('kube-style', '[RESOLVED] KubePodNotReady'))).status).toBe(200)
    expect(lines).toContainEqual(expect.objectContaining({ level: 40, msg: 'a resolved alert is not looked after' }))
    expect(counted).toEqual({ resolved: 1 })
  })
})
