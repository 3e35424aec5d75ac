import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { asEvent, mentionPayload, messagePayload, postSigned } from '../fakes/slack-request.ts'
import { target } from './crashing.ts'
import type { Service } from './service.ts'
import { openSurroundings, type Surroundings } from './surroundings.ts'

const token = 'a-token-of-alertmanager'
const [namespace = '', pod = ''] = target.split('/')
/** For what is told after a service has started, on few cores. */
const patience = { timeout: 30_000, interval: 50 }

let around: Surroundings
let service: Service

beforeAll(async () => {
  around = await openSurroundings()
  service = await around.start({ env: { PODWHY_ALERTS_TOKEN: token, PODWHY_ALERTS_CHANNEL: 'C0ALERTS' } })
}, 90_000)
afterAll(() => around.close())

const send = async (labels: Record<string, string>) => {
  const alert = { status: 'firing', startsAt: '2026-11-30T20:55:47Z', fingerprint: Object.values(labels).join() }
  const response = await fetch(`${service.url}/alerts/alertmanager`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ version: '4', truncatedAlerts: 0, alerts: [{ ...alert, labels }] }),
  })
  return response.status
}
const says = (event: object) => postSigned(`${service.url}/slack/events`, asEvent(messagePayload(event)))
/** An alert in a channel, which Slack hands on. Gives its `ts`. */
const post = async (channel: string, title: string, text = '') => {
  const body = { subtype: 'bot_message', bot_id: 'B0ALERTS', username: 'Alertmanager', attachments: [{ title, text }] }
  const ts = around.slack.sayAs(channel, body)
  expect((await says({ ...body, text: '', channel, ts })).status).toBe(200)
  return ts
}
const threadOf = (channel: string, ts: string) =>
  around.slack.channel(channel).find(message => message.ts === ts)?.thread ?? []

it('an alert of the webhook is answered in its channel, however often it is sent', { timeout: 60_000 }, async () => {
  const labels = { alertname: 'KubePodCrashLooping', namespace, pod }
  expect(await send(labels)).toBe(200)
  await vi.waitFor(() => expect(around.slack.channel('C0ALERTS')[0]?.thread).toHaveLength(1), patience)
  expect(await send(labels)).toBe(200)
  await service.idle()
  expect(around.slack.channel('C0ALERTS')).toHaveLength(1)
})

it('a post that comes after the webhook’s answer gets a link to it', { timeout: 60_000 }, async () => {
  const ts = await post('C0ALERTS', '[FIRING:1] KubePodCrashLooping', `namespace: ${namespace}\npod: ${pod}`)
  await vi.waitFor(() => expect(threadOf('C0ALERTS', ts)).toHaveLength(1), patience)
  await service.idle()
  expect(threadOf('C0ALERTS', ts)).toHaveLength(1)
  expect(JSON.stringify(threadOf('C0ALERTS', ts)[0]?.blocks)).toContain('https://podwhy.slack.com/archives/C0ALERTS/')
})

it('an alert of a group that shares no pod is answered about the worst there', { timeout: 60_000 }, async () => {
  const ts = await post('C0GROUP', `[FIRING:2] KubePodCrashLooping ${namespace} (http 10.244.1.12:8080 warning)`)
  await vi.waitFor(() => expect(threadOf('C0GROUP', ts)).toHaveLength(2), patience)
  expect(threadOf('C0GROUP', ts)[0]?.text).toContain('CrashLoopBackOff')
  expect(JSON.stringify(threadOf('C0GROUP', ts)[0]?.blocks)).toContain('This alert names no pod.')
})

it('an alert that comes both ways is answered once, under its post', { timeout: 60_000 }, async () => {
  const labels = { alertname: 'KubePodCrashLooping', podwhy_channel: 'C0BOTHWAYS', namespace, pod }
  expect(await send(labels)).toBe(200)
  const ts = await post('C0BOTHWAYS', '[FIRING:1] KubePodCrashLooping', `namespace: ${namespace}\npod: ${pod}`)
  await vi.waitFor(() => expect(threadOf('C0BOTHWAYS', ts)).toHaveLength(2), patience)
  await service.idle()
  expect(threadOf('C0BOTHWAYS', ts)).toHaveLength(2)
  expect(around.slack.channel('C0BOTHWAYS')).toHaveLength(1)
})

it('an alert that names only values is answered in its thread', { timeout: 60_000 }, async () => {
  const title = `[FIRING:1] KubePodCrashLooping ${namespace} (prod nginx http 10.244.1.12:8080 ${pod} warning)`
  const ts = await post('C0VALUES', title)
  await vi.waitFor(() => expect(threadOf('C0VALUES', ts)).toHaveLength(2), patience)
  expect(threadOf('C0VALUES', ts)[0]?.text).toContain('CrashLoopBackOff')
  expect(around.slack.channel('C0VALUES')).toHaveLength(1)
})

it('an alert about a pod that was never there stays without an answer', { timeout: 60_000 }, async () => {
  const ts = await post('C0NOBODY', '[FIRING:1] KubePodNotReady', `namespace: ${namespace}\npod: nobody-0`)
  await vi.waitFor(() => expect(service.stderr()).toMatch(/nothing to explain.*\n/), patience)
  await service.idle()
  expect(threadOf('C0NOBODY', ts)).toEqual([])
})

it('a mention with namespace and pod swapped is answered', { timeout: 60_000 }, async () => {
  const ts = around.slack.say('C0SLIP', 'who looks?')
  const mention = mentionPayload(`\`${pod}/${namespace}\`?`, { channel: 'C0SLIP', ts })
  await postSigned(`${service.url}/slack/events`, asEvent(mention))
  await vi.waitFor(() => expect(threadOf('C0SLIP', ts)[0]?.text).toContain('CrashLoopBackOff'), patience)
})

it('what became of alerts is counted', async () => {
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  expect(metrics).toMatch(/podwhy_alerts_total\{from="webhook",outcome="asked"\} 3/)
  expect(metrics).toMatch(/podwhy_alerts_total\{from="post",outcome="asked"\} 5/)
})
