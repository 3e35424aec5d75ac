import { targetsOfPost } from '../alerts/post.ts'
import { incidentBook } from '../incidents/incident-book.ts'
import type { ResolvedAlert } from '../slack/posted-alert.ts'
import type { Route } from '../slack/route-server.ts'
import { sharedChannels } from '../slack/shared-channels.ts'
import { type SlackApp, slackApp } from '../slack/slack-app.ts'
import { parseTyped } from '../typed-target.ts'
import { alertsRoutes } from '../webhook/alerts-route.ts'
import { tooLargeNotice } from '../webhook/too-large.ts'
import { answerRecords } from '../worker/answer-records.ts'
import { scheduling } from '../worker/schedule.ts'
import { alertClusters } from './cluster-sources.ts'
import { openIncidents } from './open-incidents.ts'
import type { Parts, Surroundings } from './parts.ts'
import { resolving } from './resolving.ts'

/** Slack's way in, once it listens. */
export interface Bot {
  readonly app: SlackApp
  readonly port: number
  /** What else is answered over HTTP there. */
  readonly routes: readonly Route[]
}

/** Starts what takes questions and alerts and puts them on the queue; `health` is answered on the same port. */
export const startBot = async (
  { config, clusters, slack, log, stops, isLocal }: Surroundings,
  { engine, client, apiUrl, poster, metrics, alerts, isAllowed }: Parts,
  health: readonly Route[],
): Promise<Bot> => {
  const { store } = engine
  const alertsOf = alertClusters(config, clusters.names)
  const [home = ''] = clusters.names
  const book = incidentBook(store)
  const look = resolving({ book, schedule: scheduling(engine.later), home })
  const resolved = async (over: readonly ResolvedAlert[]): Promise<void> => {
    for (const { channelId, targets } of over) await look(channelId, targets)
  }
  let started: SlackApp | undefined
  const webhook = alertsRoutes({
    ...{ token: config.alertsToken, channel: config.alertsChannel, routes: config.alertsRoutes, clusters: alertsOf },
    ...{ isAllowed, log, resolved },
    teamId: () => started?.teamId() ?? null,
    add: question => engine.add(question),
    isSharedChannel: sharedChannels(store, log).has,
    count: (outcome, number) => metrics.countAlerts('webhook', outcome, number),
    tooLarge: tooLargeNotice({ poster, store }),
  })
  const routes = [...health, ...webhook]
  const app = slackApp({
    botToken: slack.botToken,
    inbound: slack.appToken === null ? { signingSecret: slack.signingSecret ?? '' } : { appToken: slack.appToken },
    ...{ client, poster, store, alerts, resolved, isAllowed, routes, apiUrl, log },
    add: question => engine.add(question),
    parseTarget: (text, channelId) =>
      parseTyped(text, {
        clusters: clusters.names,
        channelNamespace: config.channelNamespaces.get(channelId),
        defaultNamespace: config.defaultNamespace,
      }),
    alertOf: message => targetsOfPost(message, alertsOf, config.alertsBots),
    countAlerts: (outcome, number) => metrics.countAlerts('post', outcome, number),
    commandsOf: async question => (await answerRecords(store).get(question))?.commands ?? null,
    openIncidents: openIncidents({ book, poster }),
    port: isLocal ? 0 : config.port,
    ...(isLocal ? { host: '127.0.0.1' } : {}),
  })
  const { port } = await app.start()
  started = app
  stops.push(() => app.stop())
  return { app, port, routes }
}
