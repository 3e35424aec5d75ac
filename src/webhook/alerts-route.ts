import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { ZodError, z } from 'zod'
import type { Labels } from '../alerts/alert.ts'
import type { AlertClusters } from '../alerts/alert-clusters.ts'
import { type AlertRoute, isChannelId, routedChannel } from '../alerts/alert-routes.ts'
import { type AlertTarget, targetsOfWebhook, type WebhookTargets } from '../alerts/webhook.ts'
import type { Question } from '../queue/job.ts'
import { ALERTS_USER } from '../slack/alert-posts.ts'
import type { AlertOutcome, ResolvedAlert } from '../slack/posted-alert.ts'
import { questionId, targetText } from '../slack/question.ts'
import type { Route } from '../slack/route-server.ts'
import { isAuthorized, LIMIT_MIB, readBody } from './webhook-request.ts'

/** What the webhook needs of the rest of podwhy. */
export interface AlertsDesk {
  /** Bearer token, or password of basic authentication; null: there is no webhook. */
  readonly token: string | null
  /** Where alerts are answered that name no channel, by their labels. */
  readonly routes: readonly AlertRoute[]
  /** Where those are answered that no route is for; null: nowhere. */
  readonly channel: string | null
  readonly clusters: AlertClusters
  /** The workspace; null: podwhy has not started yet. */
  teamId(): string | null
  /** Queues a question, once however often it is called, or throws. */
  add(question: Question): Promise<{ added: boolean; id: string }>
  isAllowed(namespace: string): boolean
  isSharedChannel(channelId: string): Promise<boolean>
  count(outcome: AlertOutcome, number: number): void
  /** Queues a look at what resolved alerts were about, or throws. */
  resolved(alerts: readonly ResolvedAlert[]): Promise<void>
  /** Says in a channel that a webhook was too large. */
  tooLarge(channel: string): Promise<void>
  log: Logger
  now?: () => number
}

const AT_ONCE = 4

const isChannel = (text: string): boolean => /^(?:[CG][A-Z0-9]{6,}|#?[a-z0-9][\w.-]{0,79})$/.test(text)

const channelOf = (labels: Labels, desk: AlertsDesk): string | null => {
  const named = labels['podwhy_channel'] ?? labels['slack_channel']
  if (named === undefined) return routedChannel(labels, desk.routes) ?? desk.channel
  if (!isChannel(named)) return null
  return isChannelId(named) ? named : `#${named.replace(/^#/, '')}`
}

/** Queues what is asked, a few at once. Throws as soon as one could not be queued. */
const askAll = async (found: WebhookTargets, teamId: string, desk: AlertsDesk): Promise<void> => {
  const { log, now = Date.now } = desk
  const askOne = async (asked: AlertTarget): Promise<AlertOutcome> => {
    const [target, ...others] = asked.targets
    const { alert, folded, named, onlyUnhealthy } = asked
    const channelId = channelOf(asked.alert.labels, desk)
    if (channelId === null) return 'without channel'
    const audit = { audit: true, user: ALERTS_USER, via: 'alert', channel: channelId, target: targetText(target) }
    const isRefused = !desk.isAllowed(target.namespace) || (await desk.isSharedChannel(channelId))
    if (isRefused) {
      log.info({ ...audit, refused: 'namespace or shared channel' }, 'question refused')
      return 'refused'
    }
    // A group that has grown is one more question.
    const trigger = [alert.fingerprint, alert.startsAt, ...named].join(' ')
    const id = questionId({ teamId, channelId, trigger, target })
    const queued = await desk.add({
      ...{ id, target, alternatives: others.filter(({ namespace }) => desk.isAllowed(namespace)) },
      ...{
        via: 'alert',
        named: [...named],
        want: 'answer',
        about: null,
        onlyUnhealthy,
        teamId,
        channelId,
        userId: ALERTS_USER,
      },
      ...{ threadTs: null, responseUrl: null, askedAt: new Date(now()).toISOString() },
    })
    const alertname = alert.labels['alertname']
    log.info({ ...audit, alertname, folded, question: queued.id, added: queued.added }, 'question asked')
    return queued.id === id ? 'asked' : 'folded'
  }
  const waiting = found.asked.values()
  const lane = async (): Promise<void> => {
    for (const asked of waiting) desk.count(await askOne(asked), 1)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

/** Queues looks at what recovered. Throws where that cannot be queued. */
const lookAfter = async ({ recovered }: WebhookTargets, desk: AlertsDesk): Promise<void> => {
  const told = recovered.flatMap(({ alert, targets }): ResolvedAlert[] => {
    const channelId = channelOf(alert.labels, desk)
    return channelId === null ? [] : [{ channelId, threadTs: null, targets }]
  })
  if (told.length > 0) await desk.resolved(told)
}

/** Tells the channel for alerts, as the body that would name another is not read. Nothing depends on it. */
const tellTooLarge = async (desk: AlertsDesk): Promise<void> => {
  const channel = desk.channel ?? desk.routes[0]?.channel
  if (channel === undefined) return
  await desk.tooLarge(channel).catch((error: Error) => {
    desk.log.warn({ channel, reason: error.message }, 'a channel was not told that a webhook was too large')
  })
}

const countRest = (
  { asked, ignored, otherCluster, resolved, truncated }: WebhookTargets,
  { count, log }: AlertsDesk,
): void => {
  const folded = asked.reduce((sum, each) => sum + each.folded, 0)
  for (const [outcome, number] of [
    ['folded', folded],
    ['without target', ignored],
    ['other cluster', otherCluster],
    ['resolved', resolved],
  ] as const) {
    if (number > 0) count(outcome, number)
  }
  if (truncated > 0) log.warn({ truncated }, 'Alertmanager left alerts out of a webhook: raise its max_alerts')
}

const handle = async (request: IncomingMessage, desk: AlertsDesk & { token: string }): Promise<[number, string]> => {
  const { log } = desk
  if (!isAuthorized(request.headers.authorization, desk.token)) {
    request.resume()
    log.warn('a webhook with a wrong token, or none, was refused')
    return [401, 'the bearer token, or the password of basic authentication, is not PODWHY_ALERTS_TOKEN']
  }
  const body = await readBody(request)
  if (body === null) {
    log.warn({ limitMiB: LIMIT_MIB }, 'a webhook was too large, its alerts are not answered: set max_alerts')
    await tellTooLarge(desk)
    return [413, 'too large, set max_alerts']
  }
  let found: WebhookTargets
  try {
    found = targetsOfWebhook(JSON.parse(body.toString()), desk.clusters, labels => channelOf(labels, desk))
  } catch (error) {
    const why = error instanceof ZodError ? z.prettifyError(error) : 'it is not JSON'
    const reason = why.replace(/\s+/g, ' ').slice(0, 300)
    log.warn({ reason }, 'a webhook that is none of Alertmanager, version 4, was refused')
    return [400, `no webhook of Alertmanager, version 4: ${reason}`]
  }
  const teamId = desk.teamId()
  if (teamId === null) return [503, 'podwhy is starting']
  try {
    await askAll(found, teamId, desk)
    await lookAfter(found, desk)
  } catch (error) {
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'alerts could not be queued')
    return [503, 'the queue is away; send it again']
  }
  countRest(found, desk)
  return [200, 'ok']
}

/**
 * `POST /alerts/alertmanager`, Alertmanager's webhook: answered 200 once every question is queued, 503 where that is to be
 * tried again. Without a token it is not there, which is said in the log.
 */
export const alertsRoutes = (desk: AlertsDesk): readonly Route[] => {
  const { token, log } = desk
  if (token === null) {
    log.info('no webhook for alerts: PODWHY_ALERTS_TOKEN is not set')
    return []
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [status, text] = await handle(request, { ...desk, token })
    const challenge = status === 401 ? { 'www-authenticate': 'Bearer realm="podwhy", Basic realm="podwhy"' } : {}
    const ending = status === 401 || status === 413 ? { connection: 'close' } : {}
    response
      .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...challenge, ...ending })
      .end(`${text}\n`)
  }
  return [
    {
      path: '/alerts/alertmanager',
      method: 'POST',
      handler: (request, response) => {
        answer(request, response).catch((error: Error) => {
          log.warn({ reason: error.message }, 'a webhook was not read to its end')
          response.destroy()
        })
      },
    },
  ]
}
