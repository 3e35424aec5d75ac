import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { clustersByName } from '../../src/alerts/alert-clusters.ts'
import type { Question } from '../../src/queue/job.ts'
import { namespacePolicy } from '../../src/slack/namespace-policy.ts'
import type { ResolvedAlert } from '../../src/slack/posted-alert.ts'
import { targetText } from '../../src/slack/question.ts'
import { routeServer } from '../../src/slack/route-server.ts'
import { type AlertsDesk, alertsRoutes } from '../../src/webhook/alerts-route.ts'
import { logLines } from '../slack/log-lines.ts'

/** The webhook's token, and the header that has it. */
export const token = 'a-token-of-alertmanager'
export const bearer = { authorization: `Bearer ${token}` }
/** The webhook on a free port, with a queue that is an array; ends with the test. */
export const startAlertsRoute = async (options: Partial<AlertsDesk> = {}) => {
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
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
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
/** A firing alert about `shop/web-0`, unless its labels say else. */
export const alert = (labels: Record<string, string>, more: object = {}) => ({
  ...{ status: 'firing', startsAt: '2026-11-30T20:55:47Z', fingerprint: `f${++alerts}` },
  labels: { alertname: 'KubePodNotReady', namespace: 'shop', pod: 'web-0', ...labels },
  ...more,
})
export const webhook = (...firing: object[]) => ({ version: '4', alerts: firing, truncatedAlerts: 0 })
