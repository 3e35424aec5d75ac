import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { targetText } from '../../src/slack/question.ts'
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

const crashing = capturedPost('kube-style', '[FIRING:1] KubePodCrashLooping shop')

describe('an alert that is posted', () => {
  it('is asked about in its thread', async () => {
    const { events, queue, counted } = await start()
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
    await says(events, capturedPost('default', '[FIRING:1] KubeDeploymentReplicasMismatch'))
    expect(queue.map(({ target }) => targetText(target))).toEqual(['prod-eu:pay/Deployment/payments-api'])
  })

  it('about another cluster is left alone and counted as such', async () => {
    const { events, queue, counted } = await start()
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
    const { events, queue, counted } = await start()
    const [first, second] = [slack.sayAs('C9', crashing), slack.sayAs('C9', crashing)]
    for (const ts of [first, second, second]) await says(events, { ...crashing, channel: 'C9', ts })
    expect(queue.map(({ threadTs }) => threadTs)).toEqual([first, second])
    expect(counted).toEqual({ asked: 2 })
  })

  it('for very many owners is asked about twenty of them, the rest is counted', async () => {
    const { events, queue, counted } = await start()
    const names = Array.from({ length: 22 }, (_, at) => `${String.fromCharCode(97 + at)}-0`)
    const text = names.map(name => `namespace: shop pod: ${name}`).join('\n')
    const attachments = [{ title: '[FIRING:22] KubePodNotReady', text }]
    await says(events, { bot_id: 'B0ALERTS', attachments })
    expect(queue.map(({ target }) => target.name)).toEqual(names.slice(0, 20))
    expect(counted).toEqual({ asked: 20, folded: 2 })
  })

  it('of a name that says nothing about pods is for an unhealthy pod only', async () => {
    const { events, queue } = await start()
    const attachments = [{ title: '[FIRING:1] DiskFull', text: 'namespace: shop\npod: web-0' }]
    await says(events, { bot_id: 'B0GRAFANA', attachments })
    expect(queue).toMatchObject([{ onlyUnhealthy: true }])
  })
})

describe('passed over is', () => {
  it.each([
    ['a resolved alert', capturedPost('kube-style', '[RESOLVED] KubePodCrashLooping shop'), 'resolved'],
    ['an alert about no pod', capturedPost('kube-style', '[FIRING:1] KubeNodeNotReady'), 'without target'],
    ['the watchdog', capturedPost('default', '[FIRING:1] Watchdog'), 'without target'],
    [
      'an alert about a namespace that may not be asked about',
      {
        bot_id: 'B1',
        attachments: [{ title: '[FIRING:1] KubePodNotReady', text: 'namespace: kube-system pod: dns-0' }],
      },
      'refused',
    ],
  ])('%s, and counted', async (_, event, outcome) => {
    const { events, queue, counted } = await start()
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
    const { events, queue, counted } = await start()
    await says(events, event)
    expect(queue).toEqual([])
    expect(counted).toEqual({})
  })

  it('an alert in a channel shared with another organisation', async () => {
    const { events, queue, counted } = await start()
    await says(events, crashing, { is_ext_shared_channel: true })
    expect(queue).toEqual([])
    expect(counted).toEqual({ refused: 1 })
  })
})
