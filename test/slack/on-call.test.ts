import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { targetText } from '../../src/slack/question.ts'
import type { SlackAppOptions } from '../../src/slack/slack-app.ts'
import { asEvent, asInteraction, mentionPayload, postSigned, shortcutPayload } from '../fakes/slack-request.ts'
import { SlackServer } from '../fakes/slack-server.ts'
import { capturedPost, startAlerts } from './start-alerts.ts'

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
    await postSigned(events, asInteraction(shortcutPayload(capturedPost('default', '[FIRING:1] KubePodNotReady'))))
    expect(queue).toMatchObject([{ via: 'shortcut', target: { namespace: 'shop', name: 'catalog-5f69c87f88-rh92l' } }])
  })
})

describe('"Why?" on a person’s message', () => {
  it.each([
    ['web-0 -n shop does not start', 'shop/web-0'],
    ['```$ kubectl describe pod web-0 -n shop\nName: web-0```', 'shop/Pod/web-0'],
    ['look: <https://argocd.example.com/applications/shop?node=%2FPod%2Fshop%2Fweb-0%2F0|argo>', 'shop/Pod/web-0'],
    ['shop   web-0   ●   0/1   CrashLoopBackOff   7', 'shop/Pod/web-0'],
  ])('%j is about what it names', async (text, target) => {
    const { events, queue } = await start()
    await postSigned(events, asInteraction(shortcutPayload({ user: 'U2', text })))
    expect(queue.map(question => targetText(question.target))).toEqual([target])
    expect(queue).toMatchObject([{ via: 'shortcut', threadTs: '1714824000.000100' }])
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
