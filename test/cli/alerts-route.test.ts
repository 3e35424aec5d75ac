import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { clustersByName } from '../../src/alerts/alert-clusters.ts'
import { parseAlertRoutes } from '../../src/alerts/alert-routes.ts'
import { type AlertsDesk, alertsRoutes } from '../../src/cli/alerts-route.ts'
import type { Question } from '../../src/queue/job.ts'
import { namespacePolicy } from '../../src/slack/namespace-policy.ts'
import type { ResolvedAlert } from '../../src/slack/posted-alert.ts'
import { targetText } from '../../src/slack/question.ts'
import { routeServer } from '../../src/slack/route-server.ts'
import { logLines } from '../slack/log-lines.ts'

const token = 'a-token-of-alertmanager'
const bearer = { authorization: `Bearer ${token}` }
const captured: { receiver: string; body: { status: string } }[] = JSON.parse(
  readFileSync(new URL('../alerts/webhooks.json', import.meta.url), 'utf8'),
)

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const start = async (options: Partial<AlertsDesk> = {}) => {
  const { log, lines } = logLines()
  const queue: Question[] = []
  const counted: Record<string, number> = {}
  const resolved: ResolvedAlert[] = []
  const told: string[] = []
  const routes = alertsRoutes({
    ...{ token, channel: 'C0ALERTS', teamId: () => 'T0PODWHY', isAllowed: namespacePolicy(), log },
    ...{ clusters: clustersByName(['prod-eu']), routes: [] },
    isSharedChannel: async () => false,
    resolved: async alerts => void resolved.push(...alerts),
    tooLarge: async channel => void told.push(channel),
    add: async question => {
      if (!queue.some(({ id }) => id === question.id)) queue.push(question)
      return { added: true, id: question.id }
    },
    count: (outcome, number) => {
      counted[outcome] = (counted[outcome] ?? 0) + number
    },
    ...options,
  })
  const server = routeServer(routes)
  servers.push(server)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const url = urlOf(server)
  const send = async (payload: unknown, headers: Record<string, string> = bearer) => {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
    const response = await fetch(url, { method: 'POST', headers, body })
    return { status: response.status, text: await response.text() }
  }
  return {
    url,
    send,
    queue,
    counted,
    resolved,
    told,
    lines,
    asked: () => queue.map(({ target }) => targetText(target)),
  }
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts/alertmanager`

let alerts = 0
const alert = (labels: Record<string, string>, more: object = {}) => ({
  ...{ status: 'firing', startsAt: '2026-11-30T20:55:47Z', fingerprint: `f${++alerts}` },
  labels: { alertname: 'KubePodNotReady', namespace: 'shop', pod: 'web-0', ...labels },
  ...more,
})
const webhook = (...firing: object[]) => ({ version: '4', alerts: firing, truncatedAlerts: 0 })

describe('the webhook', () => {
  it('queues a question for an alert and its channel, then says ok', async () => {
    const { send, queue } = await start({ now: () => Date.parse('2026-12-01T00:00:00Z') })
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
    const { send, asked, counted } = await start()
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
    const { send, asked, counted } = await start()
    await send(webhook(alert({ cluster: 'prod-us' }), alert({ pod: 'web-1', cluster: 'prod-eu' })))
    expect(asked()).toEqual(['prod-eu:shop/Pod/web-1'])
    expect(counted).toEqual({ asked: 1, 'other cluster': 1 })
  })

  it('asks again when the alert fires anew, not when it is only repeated', async () => {
    const { send, queue } = await start()
    const first = alert({})
    await send(webhook(first))
    await send(webhook(first))
    expect(queue).toHaveLength(1)
    await send(webhook({ ...first, startsAt: '2026-11-30T23:00:00Z' }))
    expect(queue).toHaveLength(2)
  })

  it('says in the log that alerts were left out', async () => {
    const { send, lines } = await start()
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
    const { send, queue } = await start()
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
    const { send, queue } = await start({ routes })
    await send(webhook(alert(labels)))
    expect(queue).toMatchObject([{ channelId }])
  })

  it('about a volume that fills up is for an unhealthy pod only', async () => {
    const { send, queue } = await start()
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
    const { send, queue, counted } = await start(options)
    expect((await send(webhook(alert(labels)))).status).toBe(200)
    expect(queue).toEqual([])
    expect(counted).toEqual({ [outcome]: 1 })
  })
})

describe('a resolved alert', () => {
  const over = (labels: Record<string, string>) => alert(labels, { status: 'resolved' })

  it('is looked after where it was told, and counted', async () => {
    const { send, resolved, counted, queue } = await start()
    const payload = webhook(over({ podwhy_channel: 'C0PAYMENTS' }), over({ alertname: 'Watchdog', pod: 'x-0' }))
    expect((await send(payload)).status).toBe(200)
    const target = { cluster: null, namespace: 'shop', kind: 'Pod', name: 'web-0' }
    expect(resolved).toEqual([{ channelId: 'C0PAYMENTS', threadTs: null, targets: [target] }])
    expect(queue).toEqual([])
    expect(counted).toEqual({ resolved: 2 })
  })

  it('without a channel is counted alone', async () => {
    const { send, resolved, counted } = await start({ channel: null })
    await send(webhook(over({})))
    expect(resolved).toEqual([])
    expect(counted).toEqual({ resolved: 1 })
  })

  it('is to be sent again while the queue is away', async () => {
    const { send, counted } = await start({ resolved: () => Promise.reject(new Error('the queue is away')) })
    expect((await send(webhook(over({})))).status).toBe(503)
    expect(counted).toEqual({})
  })
})

describe('the sender', () => {
  const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`any:${password}`).toString('base64')}` })
  it.each([
    ['a bearer token', bearer, 200],
    ['basic authentication', basic(token), 200],
    ['another token', { authorization: `Bearer ${token}x` }, 401],
    ['another password', basic('x'), 401],
    ['a shorter token', { authorization: `Bearer ${token.slice(0, -1)}` }, 401],
    ['an empty token', { authorization: 'Bearer ' }, 401],
    ['a password that is no base64', { authorization: 'Basic %%%' }, 401],
    ['the token in another scheme', { authorization: `Digest ${token}` }, 401],
    ['nothing', {}, 401],
  ])('with %s is answered', async (_, headers, status) => {
    const { send, queue } = await start()
    expect((await send(webhook(alert({})), headers as Record<string, string>)).status).toBe(status)
    expect(queue).toHaveLength(status === 200 ? 1 : 0)
  })

  it('is told to come again while the queue is away, and nothing is doubled then', async () => {
    let left = 1
    const queue: string[] = []
    const { send } = await start({
      add: async ({ id }) => {
        if (left-- <= 0) throw new Error('Redis did not take the question')
        queue.push(id)
        return { added: true, id }
      },
    })
    const payload = webhook(...['a', 'b', 'c'].map(pod => alert({ pod: `${pod}-0` })))
    expect((await send(payload)).status).toBe(503)
    left = 9
    expect((await send(payload)).status).toBe(200)
    expect(new Set(queue).size).toBe(3)
  })

  it('is told to come again before podwhy has started', async () => {
    const { send } = await start({ teamId: () => null })
    expect((await send(webhook(alert({})))).status).toBe(503)
  })

  it.each([
    ['no JSON', '{'],
    ['no webhook', '[]'],
    ['another version', { ...webhook(), version: '5' }],
    ['null', 'null'],
  ])('of %s is told so in one line, in the log too', async (_, payload) => {
    const { send, lines } = await start()
    const { status, text } = await send(payload)
    expect([status, text.trim().split('\n').length]).toEqual([400, 1])
    expect(lines.filter(({ level }) => level === 40)).toHaveLength(1)
  })

  it('of more than 8 MiB is told to set max_alerts', async () => {
    const { send, queue, lines, told } = await start()
    const large = { ...webhook(alert({})), externalURL: 'x'.repeat(9 * 1024 * 1024) }
    expect(await send(large)).toEqual({ status: 413, text: 'too large, set max_alerts\n' })
    expect(told).toEqual(['C0ALERTS'])
    expect(lines.filter(({ msg }) => msg.includes('set max_alerts'))).toHaveLength(1)
    await send(webhook(alert({})))
    expect(queue).toHaveLength(1)
  })

  it('of more than 8 MiB is told of in the first route’s channel where there is none for all', async () => {
    const large = { externalURL: 'x'.repeat(9 * 1024 * 1024) }
    const routed = await start({ channel: null, routes: parseAlertRoutes('namespace=shop:C0SHOPPED') })
    expect((await routed.send(large)).status).toBe(413)
    expect(routed.told).toEqual(['C0SHOPPED'])
    const failing = await start({ tooLarge: () => Promise.reject(new Error('Slack is away')) })
    expect((await failing.send(large)).status).toBe(413)
    expect(failing.lines).toContainEqual(expect.objectContaining({ level: 40, reason: 'Slack is away' }))
    expect((await (await start({ channel: null })).send(large)).status).toBe(413)
  })

  it('that hangs up halfway harms nothing', async () => {
    const { url, send, lines, queue } = await start()
    const abort = new AbortController()
    const body = new ReadableStream({ start: stream => stream.enqueue(new TextEncoder().encode('{"version"')) })
    const half = fetch(url, {
      method: 'POST',
      headers: bearer,
      body,
      duplex: 'half',
      signal: abort.signal,
    } as RequestInit)
    abort.abort()
    await expect(half).rejects.toThrow()
    await send(webhook(alert({})))
    expect(queue).toHaveLength(1)
    expect(lines.filter(({ level }) => level >= 50)).toEqual([])
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
