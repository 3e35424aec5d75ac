import { readFileSync } from 'node:fs'
import type { RequestOptions } from 'node:https'
import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import { oneLine } from './cluster-error.ts'
import { KubeconfigError, type KubeconfigSource, loadKubeconfig } from './kubeconfig.ts'

/** What one call to the API server needs. */
export interface Access {
  /** `https://host:port`, without a trailing slash. */
  readonly server: string
  readonly headers: Readonly<Record<string, string>>
  /** Kept connections; the same as long as the TLS credentials are. */
  readonly dispatcher: Dispatcher
  /** Equal as long as the credentials are. */
  readonly identity: string
}

/** Credentials that stay fresh: token files are read for each call, exec plugins are run when theirs expire. */
export interface Credentials {
  /** The context's name. */
  readonly context: string
  readonly server: string
  /** The namespace that the context sets; null: none. */
  readonly namespace: string | null
  access(): Promise<Access>
  /** After a 401: reads the source again. True where there are other credentials than those used, so a second try makes sense. */
  renew(used: Access): Promise<boolean>
  close(): Promise<void>
}

const tlsOptions = ['ca', 'cert', 'key', 'pfx', 'passphrase', 'rejectUnauthorized', 'servername'] as const

/** Enough for the reads of one answer at once. */
const usualConnections = 8

const openDispatcher = (
  tls: Record<string, unknown>,
  proxyUrl: string | undefined,
  connections: number,
): Dispatcher => {
  // Half a minute is under the idle timeouts of usual load balancers; 3 s to connect leave room within a call's 5 s.
  const connect = { ...tls, keepAlive: true, keepAliveInitialDelay: 30_000, timeout: 3_000 }
  // HTTP/1.1: an API server that ends an HTTP/2 connection takes the calls on it along.
  const pool = { connections, keepAliveTimeout: 30_000, allowH2: false }
  if (!proxyUrl) return new Agent({ ...pool, connect })
  if (!/^(https?|socks5?):/.test(proxyUrl))
    throw new KubeconfigError(`proxy-url ${proxyUrl}: only http, https and socks5 proxies are supported`)
  return new ProxyAgent({ ...pool, uri: proxyUrl, requestTls: connect })
}

/** Loads the source's credentials. Throws KubeconfigError. `connections`: how many calls can be under way at once. */
export const openCredentials = async (
  source: KubeconfigSource,
  connections: number = usualConnections,
): Promise<Credentials> => {
  let config = await loadKubeconfig(source)
  let kept: { id: string; dispatcher: Dispatcher } | undefined

  const read = async () => {
    const options: RequestOptions = {}
    try {
      await config.applyToHTTPSOptions(options)
    } catch (error) {
      throw new KubeconfigError(
        `credentials of context "${config.getCurrentContext()}": ${oneLine((error as Error).message || 'the exec plugin failed')}`,
      )
    }
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(options.headers ?? {}))
      headers[name.toLowerCase()] = String(value).trim()
    if (options.auth) headers['authorization'] = `Basic ${Buffer.from(options.auth).toString('base64')}`
    // client-node keeps a token file's content for a minute; a rotated token is good at once.
    const tokenFile: unknown = config.getCurrentUser()?.authProvider?.config?.tokenFile
    if (typeof tokenFile === 'string') headers['authorization'] = `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`
    const tls: Record<string, unknown> = {}
    for (const key of tlsOptions) if (options[key] !== undefined) tls[key] = options[key]
    return { headers, tls, identity: JSON.stringify([headers, Object.values(tls).map(String)]) }
  }

  return {
    context: config.getCurrentContext(),
    server: config.getCurrentCluster()?.server ?? '',
    namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? null,
    async access() {
      const { headers, tls, identity } = await read()
      const cluster = config.getCurrentCluster()
      const id = JSON.stringify([cluster?.proxyUrl, Object.entries(tls).map(String)])
      if (kept?.id !== id) {
        void kept?.dispatcher.close()
        kept = { id, dispatcher: openDispatcher(tls, cluster?.proxyUrl, connections) }
      }
      return { server: cluster?.server ?? '', headers, dispatcher: kept.dispatcher, identity }
    },
    async renew(used) {
      if ((await read()).identity !== used.identity) return true
      config = await loadKubeconfig(source)
      return (await read()).identity !== used.identity
    },
    async close() {
      await kept?.dispatcher.destroy()
    },
  }
}
