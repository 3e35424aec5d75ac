import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clustersByName } from '../../src/alerts/alert-clusters.ts'
import { parseAlertRoutes } from '../../src/alerts/alert-routes.ts'
import type { Question } from '../../src/queue/job.ts'
import { alertsRoutes } from '../../src/webhook/alerts-route.ts'
import { logLines } from '../slack/log-lines.ts'
import { alert, startAlertsRoute, webhook } from './start-alerts-route.ts'

const captured: { receiver: string; body: { status: string } }[] = JSON.parse(
  readFileSync(new URL('../alerts/webhooks.json', import.meta.url), 'utf8'),
)

describe('the webhook', () => {
  it('queues a question for an alert and its channel, then says ok', async () => {
    const { send, queue } = await startAlertsRoute({ now: () => Date.parse('2026-12-01T00:00:00Z') })
    expect(await send(webhook(alert({})))).toEqual({ status: 200, text: 'ok\n' })
    expect(queue).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        target: { cluster: null, namespace: 'shop', kind: 'Pod', name: 'web-0' },
        ...{
          alternatives: [],
          via: 'alert',
          named: [],
          want: 'answer',
          about: null,
          onlyUnhealthy: false,
          teamId: 'T0PODWHY',
          channelId: 'C0ALERTS',
        },
        ...{ userId: 'alertmanager', threadTs: null, responseUrl: null, askedAt: '2026-12-01T00:00:00.000Z' },
      },
    ])
  })

  it('takes every captured one, asks once for each alert and again when its group has grown, and counts the rest', async () => {
    const { send, asked, counted } = await startAlertsRoute()
    for (const { body } of captured) expect((await send(body)).status).toBe(200)
    expect(asked().toSorted()).toEqual([
      ...['prod-eu:batch/Job/invoice-run', 'prod-eu:data/StatefulSet/broker', 'prod-eu:pay/Deployment/payments-api'],
      ...['prod-eu:pay/Pod/payments-api-7d9c5f8b6d-7kq2m', 'prod-eu:pay/Pod/payments-api-7d9c5f8b6d-7kq2m'],
      'prod-eu:shop/Pod/catalog-5f69c87f88-rh92l',
      ...['prod-eu:shop/Pod/checkout-web-6b4c7bfdb6-p2ktm', 'prod-eu:shop/Pod/orders-api-664c9d84c7-tcjsf'],
    ])
    expect(counted['resolved']).toBeGreaterThan(10)
    expect(counted['without target']).toBeGreaterThan(3)
  })

  it('leaves alone and counts what is about another cluster', async () => {
    const { send, asked, counted } = await startAlertsRoute()
    await send(webhook(alert({ cluster: 'prod-us' }), alert({ pod: 'web-1', cluster: 'prod-eu' })))
    expect(asked()).toEqual(['prod-eu:shop/Pod/web-1'])
    expect(counted).toEqual({ asked: 1, 'other cluster': 1 })
  })

  it('asks in every channel that alerts of one group and owner are for, and looks after each', async () => {
    const routes = parseAlertRoutes('severity=critical:C0CRITICAL')
    const { send, queue, resolved } = await startAlertsRoute({ routes })
    const alerts = [alert({ severity: 'warning' }), alert({ severity: 'critical' }), alert({ severity: 'none' })]
    await send(webhook(...alerts))
    expect(queue.map(({ channelId }) => channelId).toSorted()).toEqual(['C0ALERTS', 'C0CRITICAL'])
    await send(webhook(...alerts.map(each => ({ ...each, status: 'resolved' }))))
    expect(resolved.map(({ channelId }) => channelId).toSorted()).toEqual(['C0ALERTS', 'C0CRITICAL'])
  })

  it('asks again when the alert fires anew, not when it is only repeated', async () => {
    const { send, queue } = await startAlertsRoute()
    const first = alert({})
    await send(webhook(first))
    await send(webhook(first))
    expect(queue).toHaveLength(1)
    await send(webhook({ ...first, startsAt: '2026-11-30T23:00:00Z' }))
    expect(queue).toHaveLength(2)
  })

  it('says in the log that alerts were left out', async () => {
    const { send, lines } = await startAlertsRoute()
    await send({ ...webhook(alert({})), truncatedAlerts: 7 })
    expect(lines).toContainEqual(expect.objectContaining({ level: 40, truncated: 7 }))
  })
})

describe('an alert', () => {
  it.each([
    ['podwhy_channel', 'C0PAYMENTS', 'C0PAYMENTS'],
    ['slack_channel', '#payments', '#payments'],
    ['slack_channel', 'payments', '#payments'],
  ])('is answered where its label %s=%s says', async (label, value, channelId) => {
    const { send, queue } = await startAlertsRoute()
    await send(webhook(alert({ [label]: value })))
    expect(queue).toMatchObject([{ channelId }])
  })

  it.each([
    [{ namespace: 'shop' }, 'C0SHOPPED'],
    [{ severity: 'critical', namespace: 'pay' }, 'C0CRITICAL'],
    [{ namespace: 'pay' }, 'C0ALERTS'],
    [{ namespace: 'shop', podwhy_channel: 'C0PAYMENTS' }, 'C0PAYMENTS'],
  ])('%j is answered where the routes say', async (labels, channelId) => {
    const routes = parseAlertRoutes('namespace=shop*:C0SHOPPED,severity=critical:C0CRITICAL')
    const { send, queue } = await startAlertsRoute({ routes })
    await send(webhook(alert(labels)))
    expect(queue).toMatchObject([{ channelId }])
  })

  it('about a volume that fills up is for an unhealthy pod only', async () => {
    const { send, queue } = await startAlertsRoute()
    const labels = { alertname: 'KubePersistentVolumeFillingUp', persistentvolumeclaim: 'data', pod: '' }
    await send(webhook(alert(labels)))
    expect(queue).toMatchObject([{ target: { kind: 'PersistentVolumeClaim', name: 'data' }, onlyUnhealthy: true }])
  })

  it.each([
    ['without a channel', {}, { channel: null }, 'without channel'],
    ['with a channel that cannot be', { podwhy_channel: 'no such thing' }, {}, 'without channel'],
    ['in a namespace that may not be asked about', { namespace: 'kube-system' }, {}, 'refused'],
    ['for a channel shared with others', {}, { isSharedChannel: async () => true }, 'refused'],
    ['about no pod', { alertname: 'Watchdog', namespace: '' }, {}, 'without target'],
  ])('%s is counted alone', async (_, labels, options, outcome) => {
    const { send, queue, counted } = await startAlertsRoute(options)
    expect((await send(webhook(alert(labels)))).status).toBe(200)
    expect(queue).toEqual([])
    expect(counted).toEqual({ [outcome]: 1 })
  })
})

describe('a resolved alert', () => {
  const over = (labels: Record<string, string>) => alert(labels, { status: 'resolved' })

  it('is looked after where it was told, and counted', async () => {
    const { send, resolved, counted, queue } = await startAlertsRoute()
    const payload = webhook(over({ podwhy_channel: 'C0PAYMENTS' }), over({ alertname: 'Watchdog', pod: 'x-0' }))
    expect((await send(payload)).status).toBe(200)
    const target = { cluster: null, namespace: 'shop', kind: 'Pod', name: 'web-0' }
    expect(resolved).toEqual([{ channelId: 'C0PAYMENTS', threadTs: null, targets: [target] }])
    expect(queue).toEqual([])
    expect(counted).toEqual({ resolved: 2 })
  })

  it('without a channel is counted alone', async () => {
    const { send, resolved, counted } = await startAlertsRoute({ channel: null })
    await send(webhook(over({})))
    expect(resolved).toEqual([])
    expect(counted).toEqual({ resolved: 1 })
  })

  it('is to be sent again while the queue is away', async () => {
    const { send, counted } = await startAlertsRoute({ resolved: () => Promise.reject(new Error('the queue is away')) })
    expect((await send(webhook(over({})))).status).toBe(503)
    expect(counted).toEqual({})
  })
})

it('without a token is not there, and says so', () => {
  const { log, lines } = logLines()
  const routes = alertsRoutes({
    ...{
      token: null,
      channel: null,
      routes: [],
      resolved: async () => {},
      tooLarge: async () => {},
      clusters: clustersByName([]),
      teamId: () => null,
      isAllowed: () => true,
      log,
      count: () => {},
    },
    ...{ isSharedChannel: async () => false, add: async ({ id }: Question) => ({ added: true, id }) },
  })
  expect(routes).toEqual([])
  expect(lines).toMatchObject([{ msg: 'no webhook for alerts: PODWHY_ALERTS_TOKEN is not set' }])
})
