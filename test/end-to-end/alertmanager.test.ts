import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Alertmanager, hasAlertmanager, startAlertmanager } from '../fakes/alertmanager.ts'
import { asEvent, messagePayload, postSigned } from '../fakes/slack-request.ts'
import type { Shown } from '../fakes/slack-server.ts'
import { target } from './crashing.ts'
import type { Service } from './service.ts'
import { openSurroundings, type Surroundings } from './surroundings.ts'

const token = 'a-token-of-alertmanager'
const [namespace = '', pod = ''] = target.split('/')
const patience = { timeout: 40_000, interval: 100 }

/** A receiver that tells podwhy alone, one that posts to Slack alone, and one that does both. */
const receivers = (podwhy: string, slack: string) => {
  const webhook = { url: `${podwhy}/alerts/alertmanager`, http_config: { authorization: { credentials: token } } }
  const post = (channel: string) => ({ channel, api_url: `${slack}/${channel}`, send_resolved: true })
  return [
    { name: 'webhook', webhook_configs: [webhook] },
    { name: 'post', slack_configs: [post('C0POSTED')] },
    { name: 'both', webhook_configs: [webhook], slack_configs: [post('C0TWOWAYS')] },
  ]
}

describe.skipIf(!hasAlertmanager)('a real Alertmanager', () => {
  let around: Surroundings
  let service: Service
  let alertmanager: Alertmanager
  /** Slack's incoming webhooks: what comes is shown in the channel, and handed on to podwhy. */
  let incoming: Server

  beforeAll(async () => {
    around = await openSurroundings()
    service = await around.start({ env: { PODWHY_ALERTS_TOKEN: token, PODWHY_ALERTS_CHANNEL: 'C0ALERTS' } })
    incoming = createServer(async (request, response) => {
      const channel = (request.url ?? '').slice(1)
      const message = { subtype: 'bot_message', bot_id: 'B0ALERTS', ...JSON.parse(await text(request)) }
      const ts = around.slack.sayAs(channel, message)
      response.end('ok')
      await postSigned(`${service.url}/slack/events`, asEvent(messagePayload({ text: '', ...message, channel, ts })))
    })
    await new Promise<void>(listening => incoming.listen(0, '127.0.0.1', listening))
    const routes = ['webhook', 'post', 'both'].map(receiver => ({ receiver, matchers: [`via="${receiver}"`] }))
    const timing = { group_wait: '1s', group_interval: '2s', repeat_interval: '3s' }
    alertmanager = await startAlertmanager({
      route: { receiver: 'webhook', group_by: ['alertname', 'namespace'], ...timing, routes },
      receivers: receivers(service.url, `http://127.0.0.1:${(incoming.address() as AddressInfo).port}`),
    })
  }, 120_000)
  afterAll(async () => {
    await alertmanager?.close()
    incoming?.close()
    await around?.close()
  })

  const labels = (via: string) => ({
    ...{ alertname: 'KubePodCrashLooping', namespace, pod, container: 'nginx', severity: 'warning', via },
    ...{ job: 'kube-state-metrics', instance: '10.244.1.12:8080', endpoint: 'http' },
  })
  const answersIn = (messages: readonly Shown[]) => messages.filter(each => each.text.includes('CrashLoopBackOff'))
  const threads = (channel: string) => around.slack.channel(channel).flatMap(({ thread }) => thread)

  it('by webhook gets one answer for what it repeats', { timeout: 90_000 }, async () => {
    await alertmanager.send([{ labels: labels('webhook') }])
    await vi.waitFor(() => expect(answersIn(around.slack.channel('C0ALERTS'))).toHaveLength(1), patience)
    const asked = () =>
      service
        .stderr()
        .split('\n')
        .filter(line => /"via":"alert".*"question asked"/.test(line)).length
    await vi.waitFor(() => expect(asked()).toBeGreaterThan(2), patience)
    await service.idle()
    expect(around.slack.channel('C0ALERTS')).toHaveLength(1)
  })

  it('posting to Slack gets an answer in the thread', { timeout: 90_000 }, async () => {
    await alertmanager.send([{ labels: labels('post') }])
    await vi.waitFor(() => expect(answersIn(threads('C0POSTED'))).toHaveLength(1), patience)
  })

  it('doing both gets one answer, in the thread', { timeout: 90_000 }, async () => {
    const both = { ...labels('both'), podwhy_channel: 'C0TWOWAYS' }
    await alertmanager.send([{ labels: both }])
    await vi.waitFor(() => expect(answersIn(threads('C0TWOWAYS'))).toHaveLength(1), patience)
    await service.idle()
    expect(answersIn(around.slack.channel('C0TWOWAYS'))).toEqual([])
    expect(answersIn(threads('C0TWOWAYS'))).toHaveLength(1)
  })
})
