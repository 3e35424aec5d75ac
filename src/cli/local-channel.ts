import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Cluster } from '../cluster/cluster.ts'
import type { Config } from '../config.ts'
import { localServer } from '../local/local-server.ts'
import type { Example } from '../local/station.ts'
import type { Route } from '../slack/route-server.ts'
import { type Clusters, toClusters } from '../worker/clusters.ts'
import { openClusters } from './open-clusters.ts'

/** The local channel: a page and a stand-in for Slack, with a real cluster or the demo behind it. */
export interface LocalChannel {
  readonly clusters: Clusters
  readonly slack: NonNullable<Config['slack']>
  /** What `npm start` prints. */
  readonly welcome: string
  /** Slash commands go there from now on; other paths are answered by the routes. */
  connect(eventsUrl: string, routes: readonly Route[]): void
  close(): Promise<void>
}

interface Asked {
  readonly clusters: Clusters
  readonly name: string
  readonly isDemo: boolean
  readonly examples: readonly Example[]
  /** Why it is the demo and no cluster; null: it is none. */
  readonly why: string | null
}

/** The demo: recordings in place of a cluster. */
const demoClusters = async () => {
  const { demoCluster } = await import('../local/demo-cluster.ts')
  const demo = demoCluster()
  return { clusters: toClusters([demo]), examples: demo.examples, name: demo.name }
}

/** Why the cluster cannot be asked; null: it can. */
const problemOf = async (cluster: Cluster): Promise<string | null> => (await cluster.rights()).unknown

/** The cluster of a reachable kubeconfig, else the demo. A kubeconfig named by KUBECONFIG must at least be readable. */
const whomToAsk = async (config: Config, log: Logger): Promise<Asked> => {
  const demo = async (why: string): Promise<Asked> => ({ ...(await demoClusters()), isDemo: true, why })
  let found: Awaited<ReturnType<typeof openClusters>>
  try {
    found = await openClusters(config, log)
  } catch (error) {
    if (config.kubeconfig !== undefined) throw error
    return demo('there is no kubeconfig')
  }
  const problems = await Promise.all(found.opened.map(problemOf))
  const [problem = 'no context'] = problems
  // One that can be reached is enough.
  if (problem !== null && !problems.includes(null)) {
    await found.close()
    return demo(`the cluster ${found.names[0]} of the kubeconfig cannot be reached: ${problem}`)
  }
  await found.prove()
  return { clusters: found, name: found.names.join(', '), isDemo: false, examples: [], why: null }
}

const secret = (): string => randomBytes(24).toString('base64url')

/** Opens the page on PORT. Throws what listening throws, in one line. */
export const openLocalChannel = async (config: Config, log: Logger): Promise<LocalChannel> => {
  const asked = await whomToAsk(config, log)
  const botToken = `xoxb-local-${secret()}`
  const signingSecret = secret()
  let eventsUrl: string | null = null
  let routes: readonly Route[] = []
  const server = await localServer({
    port: config.port,
    signingSecret,
    botToken,
    eventsUrl: () => eventsUrl,
    command: '/podwhy',
    cluster: { name: asked.name, demo: asked.isDemo },
    examples: asked.examples,
    accessToken: asked.isDemo ? null : secret(),
    forward: (request, response) => {
      const path = request.url?.split('?', 1)[0]
      // A webhook that comes while podwhy starts must be sent again; to a 404 it never would be.
      if (eventsUrl === null) {
        response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '5' }).end('podwhy is starting\n')
        return true
      }
      const route = routes.find(each => each.path === path && each.method === request.method)
      route?.handler(request, response)
      return route !== undefined
    },
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Error(`port ${config.port} is in use; set PORT to another one, or to 0 for any free one`)
  })
  const about = asked.isDemo
    ? `It asks a demo cluster made of recordings, because ${asked.why}.`
    : `It asks cluster ${asked.name}; the address carries a token, keep it to yourself.`
  return {
    clusters: asked.clusters,
    slack: { botToken, appToken: null, signingSecret, apiUrl: server.apiUrl },
    welcome: [`podwhy listens: ${server.url}`, about, 'Type /podwhy NAMESPACE/POD there. Stop with Ctrl-C.'].join('\n'),
    connect: (url, given) => {
      eventsUrl = url
      routes = given
    },
    close: async () => {
      await server.close()
      await asked.clusters.close()
    },
  }
}
