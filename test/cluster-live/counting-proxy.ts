import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Agent, request as forward } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { type Access, kubeconfigOf } from './access.ts'

/** Stands before an API server and writes down every call. */
export interface CountingProxy {
  /** Path of a kubeconfig that leads through it. */
  readonly kubeconfig: string
  /** `METHOD path` of every call so far. */
  readonly calls: string[]
  close(): Promise<void>
}

/** Starts a proxy on loopback that hands everything on with the caller's own credentials. */
export const startCountingProxy = async ({ server: { url, ca, token } }: Access): Promise<CountingProxy> => {
  const calls: string[] = []
  const agent = new Agent({ ca, keepAlive: true })
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', headers } = incoming
    const target = new URL(incoming.url ?? '/', url)
    calls.push(`${method} ${target.pathname}`)
    const call = forward(target, { method, headers: { ...headers, host: target.host }, agent }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, outgoing, () => {})
    })
    call.on('error', () => outgoing.destroy())
    pipeline(incoming, call, () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const directory = mkdtempSync(join(tmpdir(), 'podwhy-proxy-'))
  const kubeconfig = join(directory, 'kubeconfig')
  const cluster = {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    'insecure-skip-tls-verify': true,
  }
  writeFileSync(kubeconfig, kubeconfigOf(cluster, token), { mode: 0o600 })
  return {
    kubeconfig,
    calls,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      agent.destroy()
      rmSync(directory, { recursive: true })
    },
  }
}
