import { describe, expect, it } from 'vitest'
import { parseAlertRoutes } from '../../src/alerts/alert-routes.ts'
import { alert, bearer, startAlertsRoute, token, webhook } from './start-alerts-route.ts'

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
    const { send, queue } = await startAlertsRoute()
    expect((await send(webhook(alert({})), headers as Record<string, string>)).status).toBe(status)
    expect(queue).toHaveLength(status === 200 ? 1 : 0)
  })

  it('is told to come again while the queue is away, and nothing is doubled then', async () => {
    let left = 1
    const queue: string[] = []
    const { send } = await startAlertsRoute({
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
    const { send } = await startAlertsRoute({ teamId: () => null })
    expect((await send(webhook(alert({})))).status).toBe(503)
  })

  it.each([
    ['no JSON', '{'],
    ['no webhook', '[]'],
    ['another version', { ...webhook(), version: '5' }],
    ['null', 'null'],
  ])('of %s is told so in one line, in the log too', async (_, payload) => {
    const { send, lines } = await startAlertsRoute()
    const { status, text } = await send(payload)
    expect([status, text.trim().split('\n').length]).toEqual([400, 1])
    expect(lines.filter(({ level }) => level === 40)).toHaveLength(1)
  })

  it('of more than 8 MiB is told to set max_alerts', async () => {
    const { send, queue, lines, told } = await startAlertsRoute()
    const large = { ...webhook(alert({})), externalURL: 'x'.repeat(9 * 1024 * 1024) }
    expect(await send(large)).toEqual({ status: 413, text: 'too large, set max_alerts\n' })
    expect(told).toEqual(['C0ALERTS'])
    expect(lines.filter(({ msg }) => msg.includes('set max_alerts'))).toHaveLength(1)
    await send(webhook(alert({})))
    expect(queue).toHaveLength(1)
  })

  it('of more than 8 MiB is told of in the first route’s channel where there is none for all', async () => {
    const large = { externalURL: 'x'.repeat(9 * 1024 * 1024) }
    const routed = await startAlertsRoute({ channel: null, routes: parseAlertRoutes('namespace=shop:C0SHOPPED') })
    expect((await routed.send(large)).status).toBe(413)
    expect(routed.told).toEqual(['C0SHOPPED'])
    const failing = await startAlertsRoute({ tooLarge: () => Promise.reject(new Error('Slack is away')) })
    expect((await failing.send(large)).status).toBe(413)
    expect(failing.lines).toContainEqual(expect.objectContaining({ level: 40, reason: 'Slack is away' }))
    expect((await (await startAlertsRoute({ channel: null })).send(large)).status).toBe(413)
  })

  it('that hangs up halfway harms nothing', async () => {
    const { url, send, lines, queue } = await startAlertsRoute()
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
