import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { clustersByName } from '../../src/alerts/alert-clusters.ts'
import { targetsOfPost } from '../../src/alerts/post.ts'
import type { ResolvedAlert } from '../../src/slack/posted-alert.ts'
import { targetText } from '../../src/slack/question.ts'
import type { SlackAppOptions } from '../../src/slack/slack-app.ts'
import { parseTyped } from '../../src/typed-target.ts'
import {
  asEvent,
  asInteraction,
  mentionPayload,
  messagePayload,
  postSigned,
  shortcutPayload,
} from '../fakes/slack-request.ts'
import { SlackServer } from '../fakes/slack-server.ts'
import { startApp } from './start-app.ts'

const captured: { receiver: string; body: { attachments: { fallback?: string; title?: string }[] } }[] = JSON.parse(
  readFileSync(new URL('../alerts/slack-posts.json', import.meta.url), 'utf8'),
)
/** A captured post, as Slack hands it on. */
const post = (receiver: string, title: string) => {
  const found = captured.find(
    each => each.receiver === receiver && each.body.attachments[0]?.fallback?.startsWith(title),
  )
  if (!found) throw new Error(`no captured post ${title}`)
  return { subtype: 'bot_message', bot_id: 'B0ALERTS', text: '', ...found.body }
}
const crashing = post('kube-style', '[FIRING:1] KubePodCrashLooping shop')

let slack: SlackServer
let running: Awaited<ReturnType<typeof startApp>> | undefined
let counted: Record<string, number> = {}
let resolved: ResolvedAlert[] = []

beforeAll(async () => {
  slack = await SlackServer.start()
})
afterAll(() => slack.close())
afterEach(async () => {
  await running?.app.stop()
  running = undefined
  slack.whispers.length = 0
  counted = {}
  resolved = []
})
const start = async (options: Partial<SlackAppOptions> = {}) => {
  const clusters = ['prod-eu']
  running = await startApp(slack, 'http', {
    parseTarget: text => parseTyped(text, { clusters }),
    alertOf: message => targetsOfPost(message, clustersByName(clusters)),
    countAlerts: (outcome, number) => {
      counted[outcome] = (counted[outcome] ?? 0) + number
    },
    resolved: async alerts => void resolved.push(...alerts),
    ...options,
  })
  return running
}
const says = (url: string, event: object, envelope: object = {}) =>
  postSigned(url, asEvent(messagePayload(event, envelope)))

describe('an alert that is posted', () => {
  it('is asked about in its thread', async () => {
    const { events, queue } = await start()
    expect((await says(events, { ...crashing, channel: 'C7', ts: '1714824000.000700' })).status).toBe(200)
    expect(queue).toMatchObject([
      {
        target: { cluster: 'prod-eu', namespace: 'shop', kind: 'Pod', name: 'checkout-web-6b4c7bfdb6-p2ktm' },
        ...{ via: 'alert', channelId: 'C7', threadTs: '1714824000.000700', onlyUnhealthy: false },
      },
    ])
    expect(queue[0]?.alternatives.map(targetText)).toContain('prod-eu:shop/Deployment/checkout-web')
    expect(counted).toEqual({ asked: 1 })
  })

  it('in the default template is asked about as its values allow', async () => {
    const { events, queue } = await start()
    await says(events, post('default', '[FIRING:1] KubeDeploymentReplicasMismatch'))
    expect(queue.map(({ target }) => targetText(target))).toEqual(['prod-eu:pay/Deployment/payments-api'])
  })

  it('about another cluster is left alone and counted as such', async () => {
    const { events, queue } = await start()
    const of = (cluster: string) => `namespace: shop pod: ${cluster}-0 cluster: ${cluster}`
    const postsLabels = (text: string) =>
      says(events, { bot_id: 'B0ALERTS', attachments: [{ title: '[FIRING:1] KubePodNotReady', text }] })
    await postsLabels(of('prod-us'))
    expect(queue).toEqual([])
    expect(counted).toEqual({ 'other cluster': 1 })
    await postsLabels(`${of('prod-us')}\n${of('prod-eu')}`)
    expect(queue.map(({ target }) => targetText(target))).toEqual(['prod-eu:shop/Pod/prod-eu-0'])
    expect(counted).toEqual({ 'other cluster': 2, asked: 1 })
  })

  it('is one question however often Slack sends it', async () => {
    const { events, queue } = await start()
    for (let delivery = 0; delivery < 3; delivery++) await says(events, crashing)
    expect(queue).toHaveLength(1)
  })

  it('is not acknowledged while the queue is away, and taken when Slack sends it again', async () => {
    let isUp = false
    const down = () => Promise.reject(new Error('the queue is down'))
    const { events } = await start({ add: async ({ id }) => (isUp ? { added: true, id } : down()) })
    expect((await says(events, crashing)).status).toBe(500)
    isUp = true
    expect((await says(events, crashing)).status).toBe(200)
  })

  it('has a question of its own under each post, however many are about the same', async () => {
    const { events, queue } = await start()
    const [first, second] = [slack.sayAs('C9', crashing), slack.sayAs('C9', crashing)]
    for (const ts of [first, second, second]) await says(events, { ...crashing, channel: 'C9', ts })
    expect(queue.map(({ threadTs }) => threadTs)).toEqual([first, second])
    expect(counted).toEqual({ asked: 2 })
  })

  it('for several owners is answered for three of them, the rest is counted', async () => {
    const { events, queue } = await start()
    const pods = ['a', 'b', 'c', 'd', 'e'].map(name => `namespace: shop pod: ${name}-0`).join('\n')
    const attachments = [{ title: '[FIRING:5] KubePodNotReady', text: pods }]
    await says(events, { bot_id: 'B0ALERTS', attachments })
    expect(queue.map(({ target }) => target.name)).toEqual(['a-0', 'b-0', 'c-0'])
    expect(counted).toEqual({ asked: 3, folded: 2 })
  })

  it('of a name that says nothing about pods is for an unhealthy pod only', async () => {
    const { events, queue } = await start()
    const attachments = [{ title: '[FIRING:1] DiskFull', text: 'namespace: shop\npod: web-0' }]
    await says(events, { bot_id: 'B0GRAFANA', attachments })
    expect(queue).toMatchObject([{ onlyUnhealthy: true }])
  })
})

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
    const { events, queue } = await start()
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

  const resolvedNames = () => resolved.map(({ targets }) => targets.map(({ name }) => name))

  it('to resolved is looked after, and counted', async () => {
    const { events, queue } = await start()
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
    const { events, queue } = await start()
    const first = posted(pods('web-0', 'db-0'))
    await says(events, first)
    await says(events, edited(posted(pods('db-0')), first))
    expect(resolvedNames()).toEqual([['web-0']])
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
    const { events, queue } = await start()
    for (const [at, receiver] of ['default', 'kube-style'].entries()) {
      await says(events, { ...post(receiver, '[FIRING:1] KubePodNotReady'), ts: `${at}.1` })
      await says(events, { ...post(receiver, '[RESOLVED] KubePodNotReady'), ts: `${at}.2` })
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
    const { events } = await start()
    const names = ['web-7df5687c7-mgfcr', 'web-7df5687c7-bbbbb']
    const text = names.map(name => `namespace: shop pod: ${name}`).join('\n')
    await says(events, { bot_id: 'B0ALERTS', attachments: [{ title: '[RESOLVED] KubePodNotReady', text }] })
    expect(resolved).toHaveLength(1)
    expect(resolved[0]?.targets.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
  })

  it('is acknowledged even if it cannot be looked after', async () => {
    const { events, lines } = await start({ resolved: () => Promise.reject(new Error('the queue is away')) })
    expect((await says(events, post('kube-style', '[RESOLVED] KubePodNotReady'))).status).toBe(200)
    expect(lines).toContainEqual(expect.objectContaining({ level: 40, msg: 'a resolved alert is not looked after' }))
    expect(counted).toEqual({ resolved: 1 })
  })
})

describe('passed over is', () => {
  it.each([
    ['a resolved alert', post('kube-style', '[RESOLVED] KubePodCrashLooping shop'), 'resolved'],
    ['an alert about no pod', post('kube-style', '[FIRING:1] KubeNodeNotReady'), 'without target'],
    ['the watchdog', post('default', '[FIRING:1] Watchdog'), 'without target'],
    [
      'an alert about a namespace that may not be asked about',
      {
        bot_id: 'B1',
        attachments: [{ title: '[FIRING:1] KubePodNotReady', text: 'namespace: kube-system pod: dns-0' }],
      },
      'refused',
    ],
  ])('%s, and counted', async (_, event, outcome) => {
    const { events, queue } = await start()
    expect((await says(events, event)).status).toBe(200)
    expect(queue).toEqual([])
    expect(counted).toEqual({ [outcome]: 1 })
  })

  it.each([
    ['a person who quotes an alert', { ...crashing, subtype: undefined, bot_id: undefined, user: 'U1' }],
    ['podwhy’s own message', { ...crashing, bot_id: SlackServer.botId }],
    ['a bot’s reply in a thread', { ...crashing, thread_ts: '1714000000.000001' }],
    [
      'a message changed in nothing that is read',
      { subtype: 'message_changed', message: crashing, previous_message: crashing },
    ],
    [
      'podwhy’s own edit',
      {
        subtype: 'message_changed',
        message: { ...crashing, bot_id: SlackServer.botId, ts: '1.2' },
        previous_message: {},
      },
    ],
    ['a changed message without content', { subtype: 'message_changed', message: null }],
    ['a deleted one', { subtype: 'message_deleted', previous_message: crashing }],
    ['a person’s words', { user: 'U1', text: 'shop/web-0 is down' }],
    ['something without a place', { ...crashing, channel: undefined }],
  ])('%s', async (_, event) => {
    const { events, queue } = await start()
    await says(events, event)
    expect(queue).toEqual([])
    expect(counted).toEqual({})
  })

  it('an alert in a channel shared with another organisation', async () => {
    const { events, queue } = await start()
    await says(events, crashing, { is_ext_shared_channel: true })
    expect(queue).toEqual([])
    expect(counted).toEqual({ refused: 1 })
  })
})

describe('in the thread of an alert', () => {
  it.each(['', 'why?', 'please explain this!'])('a mention with %j is about the alert', async words => {
    const { events, queue } = await start()
    const thread_ts = slack.sayAs('C8', crashing)
    await postSigned(events, asEvent(mentionPayload(words, { channel: 'C8', thread_ts })))
    expect(queue).toMatchObject([
      { via: 'mention', threadTs: thread_ts, target: { name: 'checkout-web-6b4c7bfdb6-p2ktm' } },
    ])
  })

  it('a mention of a target is about that', async () => {
    const { events, queue } = await start()
    const thread_ts = slack.sayAs('C8', crashing)
    await postSigned(events, asEvent(mentionPayload('shop/web-0', { channel: 'C8', thread_ts })))
    expect(queue).toMatchObject([{ target: { name: 'web-0' } }])
  })

  it('a mention alone is told what can be asked where the thread names no pod', async () => {
    const { events, queue } = await start()
    const thread_ts = slack.say('C8', 'lunch?')
    await postSigned(events, asEvent(mentionPayload('', { channel: 'C8', thread_ts })))
    await vi.waitFor(() => expect(slack.whispers).toMatchObject([{ text: expect.stringContaining('/podwhy') }]))
    expect(queue).toEqual([])
  })

  it('"Why?" is about the alert', async () => {
    const { events, queue } = await start()
    await postSigned(events, asInteraction(shortcutPayload(post('default', '[FIRING:1] KubePodNotReady'))))
    expect(queue).toMatchObject([{ via: 'shortcut', target: { namespace: 'shop', name: 'catalog-5f69c87f88-rh92l' } }])
  })
})

describe('a slip', () => {
  it.each([
    ['web-0 -n shop', 'shop/web-0'],
    ['`shop/web-0`.', 'shop/web-0'],
    ['kubectl describe pod web-0 -n shop', 'shop/Pod/web-0'],
    ['```kubectl logs web-0 -c app —previous -n shop```', 'shop/Pod/web-0'],
    ['<https://rancher.example.com/dashboard/c/local/explorer/pod/shop/web-0#logs|web-0>', 'shop/Pod/web-0'],
  ])('%s is understood', async (words, target) => {
    const { events, queue } = await start()
    await postSigned(events, asEvent(mentionPayload(words)))
    expect(queue.map(question => targetText(question.target))).toEqual([target])
  })

  it('POD/NAMESPACE leaves it to the cluster which is meant', async () => {
    const { events, queue } = await start()
    await postSigned(events, asEvent(mentionPayload('web-0/shop')))
    expect(queue[0]?.alternatives.map(targetText)).toEqual(['shop/web-0'])
  })

  it('never leads to a namespace that may not be asked about', async () => {
    const { events, queue } = await start()
    await postSigned(events, asEvent(mentionPayload('etcd-0/kube-system')))
    expect(queue[0]?.alternatives).toEqual([])
  })
})
