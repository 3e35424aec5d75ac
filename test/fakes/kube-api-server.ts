import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { type Denial, denialOf, reviewOf } from './kube-access.ts'
import { apiPathOf, itemsOf, logOf, objectOf } from './kube-recording.ts'

/** One request the server got. */
export interface KubeCall {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
}

/** What to answer instead of what the recording says. */
export type Fault =
  /** A Status object with this code and message. */
  | { readonly status: number; readonly message?: string }
  /** Never an answer. */
  | 'hang'
  /** The connection is cut. */
  | 'cut'
  /** Anything. */
  | ((request: IncomingMessage, response: ServerResponse) => void)

export interface KubeApiServerOptions {
  /** What the cluster holds, each in its own namespace. They may be changed while the server runs. */
  readonly recordings: PodSnapshot[]
  /** Bearer tokens it accepts; without any, it asks for none. May be changed while the server runs. */
  readonly tokens?: Set<string>
  /** Resources (`nodes`, `pods/log`) that the caller may not read. */
  readonly denied?: readonly string[]
  /** Rights beyond reading that access reviews say yes to: `get secrets`, `create pods/exec`; `* *` is everything. */
  readonly granted?: readonly string[]
}

/** A running server. */
export interface KubeApiServer {
  readonly url: string
  /** All requests so far, in order of arrival. */
  readonly calls: readonly KubeCall[]
  /** Answers each request whose `METHOD path?query` matches with the fault, until another is set for the same pattern. */
  fault(pattern: RegExp, fault: Fault): void
  /** Forgets calls and faults. */
  reset(): void
  /** Path of a kubeconfig for it, whose only context is `test`; `user` as in a kubeconfig's `users[].user`. */
  kubeconfig(user?: Record<string, unknown>): string
  /** Stops at once, open requests included; removes the kubeconfigs. */
  close(): Promise<void>
}

const statusObject = (code: number, message: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  code,
})

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}

/**
 * A loopback HTTP server that serves recordings as an API server would: objects by name, lists with label and field
 * selectors and `limit`, logs with their error texts, /version, access reviews. Its clock (the Date header) is the first
 * recording's `takenAt`, so that reading gives the same times on every run. Refusals, timeouts and cut connections can be
 * set per request. It never changes anything, and answers 405 to whatever would.
 *
 *     const server = await startKubeApiServer({ recordings: [recording] })
 *     const cluster = await openCluster({ kubeconfig: server.kubeconfig() })
 */
export const startKubeApiServer = async (options: KubeApiServerOptions): Promise<KubeApiServer> => {
  const calls: KubeCall[] = []
  const faults = new Map<string, { pattern: RegExp; fault: Fault }>()
  const folder = mkdtempSync(join(tmpdir(), 'podwhy-kube-'))
  const denial: Denial = { denied: options.denied ?? [], granted: options.granted ?? [] }
  let kubeconfigs = 0

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    calls.push({ method, path: pathname, query: searchParams, headers })
    const takenAt = options.recordings[0]?.takenAt
    if (takenAt) response.setHeader('date', new Date(takenAt).toUTCString())
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const refuse = (status: number, message: string) => json(status, statusObject(status, message))

    const faulty = [...faults.values()].find(({ pattern }) => pattern.test(`${method} ${url}`))?.fault
    if (faulty === 'hang') return
    if (faulty === 'cut') return void request.socket.destroy()
    if (typeof faulty === 'function') return faulty(request, response)
    if (faulty) return refuse(faulty.status, faulty.message ?? `HTTP ${faulty.status}`)

    const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (options.tokens && !options.tokens.has(token)) return refuse(401, 'Unauthorized')
    if (pathname === '/version') return json(200, { ...options.recordings[0]?.server, platform: 'linux/amd64' })
    if (pathname === '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews' && method === 'POST')
      return json(201, reviewOf(await readBody(request), denial))
    if (method !== 'GET') return refuse(405, `${method} is not allowed`)

    const path = apiPathOf(pathname)
    if (!path) return refuse(404, 'the server could not find the requested resource')
    const forbidden = denialOf(path, denial)
    if (forbidden) return refuse(403, forbidden)
    if (path.subresource === 'log') {
      const log = logOf(options.recordings, path, searchParams)
      if ('text' in log) response.writeHead(200, { 'content-type': 'text/plain' }).end(log.text)
      else refuse(log.status, log.message)
      return
    }
    if (path.name === null) return json(200, itemsOf(options.recordings, path, searchParams))
    const found = objectOf(options.recordings, path)
    if (found) json(200, found)
    else refuse(404, `${path.resource} "${path.name}" not found`)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    calls,
    fault: (pattern, fault) => void faults.set(String(pattern), { pattern, fault }),
    reset() {
      calls.length = 0
      faults.clear()
    },
    kubeconfig(user = {}) {
      const file = join(folder, `kubeconfig-${kubeconfigs++}.json`)
      const config = {
        'current-context': 'test',
        clusters: [{ name: 'test', cluster: { server: url } }],
        users: [{ name: 'test', user }],
        contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      }
      writeFileSync(file, JSON.stringify(config))
      return file
    },
    async close() {
      rmSync(folder, { recursive: true, force: true })
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
