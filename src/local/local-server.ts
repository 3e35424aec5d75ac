import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sameSite } from './admission.ts'
import { sendLine } from './exchange.ts'
import { identity } from './identity.ts'
import { webApiPath } from './local-slack.ts'
import { type Station, type StationOptions, station } from './station.ts'

export interface LocalServerOptions extends StationOptions {
  /** 0: any free one. */
  readonly port: number
  /** A loopback address; default `127.0.0.1`. */
  readonly host?: string
  /** Serves other paths, such as `/healthz`; false: that path is not served. */
  readonly forward?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>
}

export interface LocalServer {
  /** To open in a browser; carries the token, if one is asked for. */
  readonly url: string
  /** For Slack clients: their `slackApiUrl`. */
  readonly apiUrl: string
  readonly teamId: string
  readonly channelId: string
  readonly station: Station
  /** Ends the pages' event streams too. */
  close(): Promise<void>
}

/** The local channel is for this machine alone. */
export class NotLoopback extends Error {
  override name = 'NotLoopback' as const
  constructor(host: string) {
    super(`The local channel only listens on loopback, not on ${host}: use 127.0.0.1, ::1 or localhost.`)
  }
}

/** Serves the local channel on a port of its own. Throws NotLoopback, or what listening throws (EADDRINUSE). */
export async function localServer(options: LocalServerOptions): Promise<LocalServer> {
  const { port, host = '127.0.0.1', accessToken } = options
  if (!['127.0.0.1', '::1', 'localhost'].includes(host)) throw new NotLoopback(host)
  const local = station(options)
  const server = createServer((request, response) => void answer(local, options.forward, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const origin = `http://${host === '::1' ? '[::1]' : host}:${(server.address() as AddressInfo).port}`
  return {
    url: accessToken === null ? `${origin}/` : `${origin}/?token=${encodeURIComponent(accessToken)}`,
    apiUrl: `${origin}${webApiPath}`,
    teamId: identity.team.id,
    channelId: identity.channel.id,
    station: local,
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

async function answer(
  local: Station,
  forward: LocalServerOptions['forward'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (await local.handle(request, response)) return
  const here = sameSite(request)
  if (!here.admitted) return sendLine(response, here.status, here.line)
  if (await forward?.(request, response)) return
  sendLine(response, 404, `Nothing is served at ${request.url?.split('?', 1)[0]}.`)
}
