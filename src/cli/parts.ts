import type { Logger } from 'pino'
import { ownerKey } from '../alerts/owner-name.ts'
import type { Config } from '../config.ts'
import { openMetrics } from '../metrics.ts'
import { openEngine } from '../queue/engine.ts'
import { alertThreads } from '../slack/alert-threads.ts'
import { namespacePolicy } from '../slack/namespace-policy.ts'
import { poster } from '../slack/poster.ts'
import { slackClient } from '../slack/slack-client.ts'
import type { Clusters } from '../worker/clusters.ts'

/** What must be stopped, in the order in which it was started; stopping goes backwards. */
export type Stops = (() => Promise<unknown>)[]

/** Where a process of the service runs. */
export interface Surroundings {
  readonly config: Config
  readonly clusters: Clusters
  readonly slack: NonNullable<Config['slack']>
  readonly log: Logger
  readonly stops: Stops
  /** Bind only to loopback, on any free port: the local channel has the port that people open. */
  readonly isLocal: boolean
}

export type Parts = Awaited<ReturnType<typeof openParts>>

/** What bot and worker both need: the queue with its store, and Slack's Web API. */
export const openParts = async ({ config, clusters, slack, log, stops }: Surroundings) => {
  const engine = await openEngine({ url: config.queueUrl, dataDir: config.dataDir, log })
  stops.push(() => engine.close())
  const apiUrl = slack.apiUrl ?? undefined
  const client = slackClient({ token: slack.botToken, apiUrl, log })
  return {
    engine,
    client,
    apiUrl,
    poster: poster({ client, store: engine.store, log, apiUrl }),
    metrics: openMetrics({ up: () => clusters.up?.() ?? [] }),
    alerts: alertThreads(engine.store, { home: clusters.names[0], ownerOf: ownerKey }),
    isAllowed: namespacePolicy(config.namespaces),
  }
}
