import type { ServerResponse } from 'node:http'
import type { Metrics } from '../metrics.ts'
import type { Route } from '../slack/route-server.ts'

export interface Health {
  /** Parts that must be there, by name. */
  readonly parts: () => Promise<Readonly<Record<string, boolean>>>
  readonly metrics: Metrics
  /** The queue's own metrics. */
  readonly queueMetrics: () => Promise<string>
}

const send = (response: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8'): void => {
  response.writeHead(status, { 'content-type': type }).end(body)
}

/** `/healthz`: the process lives; `/readyz`: it can take and answer questions; `/metrics`: Prometheus. */
export const healthRoutes = ({ parts, metrics, queueMetrics }: Health): readonly Route[] => [
  { path: '/healthz', method: 'GET', handler: (_, response) => send(response, 200, 'ok\n') },
  {
    path: '/readyz',
    method: 'GET',
    handler: async (_, response) => {
      const away = Object.entries(await parts()).flatMap(([part, is]) => (is ? [] : [part]))
      if (away.length === 0) send(response, 200, 'ready\n')
      else send(response, 503, `not ready: ${away.join(', ')}\n`)
    },
  },
  {
    path: '/metrics',
    method: 'GET',
    handler: async (_, response) => {
      // With the queue away its own numbers are left out; podwhy's are still worth reading.
      const [own, queue] = await Promise.all([metrics.text(), queueMetrics().catch(() => '')])
      send(response, 200, `${own}\n${queue}`, metrics.contentType)
    },
  },
]
