import type { IncomingMessage, ServerResponse } from 'node:http'

/** Proxies and browsers drop a silent connection; a comment now and then keeps it. */
const heartbeatMs = 20_000

export interface EventStream {
  /** Sends `data` as JSON. */
  send(data: object): void
}

/** Turns a response into a stream of Server-Sent Events; `onClose` runs once the browser has gone. */
export function openEventStream(request: IncomingMessage, response: ServerResponse, onClose: () => void): EventStream {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write('retry: 1000\n\n')
  const heartbeat = setInterval(() => response.write(': still here\n\n'), heartbeatMs)
  heartbeat.unref()
  request.on('close', () => {
    clearInterval(heartbeat)
    onClose()
  })
  return { send: data => response.write(`data: ${JSON.stringify(data)}\n\n`) }
}
