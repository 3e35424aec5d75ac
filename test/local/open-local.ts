import { request as httpRequest } from 'node:http'
import { onTestFinished } from 'vitest'
import { type LocalServer, type LocalServerOptions, localServer } from '../../src/local/local-server.ts'

export const signingSecret = 'a signing secret of the tests'
export const botToken = 'xoxb-local-test'

/** Starts a local channel on a free port for one test; without an app behind it, unless `eventsUrl` says where. */
export async function openLocal(options: Partial<LocalServerOptions> = {}): Promise<LocalServer> {
  const local = await localServer({
    port: 0,
    signingSecret,
    botToken,
    eventsUrl: () => null,
    command: '/podwhy',
    cluster: { name: 'demo', demo: true },
    examples: [],
    accessToken: null,
    ...options,
  })
  onTestFinished(() => local.close().catch(() => {}))
  return local
}

export interface Sent {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

interface Sending {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** One request with exactly these headers, `host` and `origin` included, which `fetch` would not let a test set. */
export function send(url: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: { ...response.headers }, body: text }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** Types a line into the channel, as the page does. */
export const type = (local: LocalServer, text: string): Promise<Sent> =>
  send(new URL('/local/command', local.url).href, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  })
