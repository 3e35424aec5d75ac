import type { SlackEventMiddlewareArgs } from '@slack/bolt'
import type { Question } from '../queue/job.ts'
import { ask, type Desk } from './ask.ts'
import type { Listening } from './listeners.ts'
import type { AlertOutcome } from './posted-alert.ts'
import { targetText } from './question.ts'
import type { Workspace } from './workspace.ts'

/** Answers under one post; the owners after these are counted only. */
const MAX_OWNERS = 3

/** Who asks, when an alert does. */
export const ALERTS_USER = 'alertmanager'

type Fields = { [field in 'subtype' | 'bot_id' | 'channel' | 'ts' | 'thread_ts']?: unknown }

/** What may be a new root message of somebody else's bot. */
function isBotsRoot(event: object, own: Workspace): event is { ts: string; channel: string } {
  const { subtype, bot_id, channel, ts, thread_ts }: Fields = event
  const isNew = subtype === undefined || subtype === 'bot_message'
  const isWhole = typeof channel === 'string' && typeof ts === 'string'
  return (
    isNew &&
    isWhole &&
    typeof bot_id === 'string' &&
    bot_id !== own.botId &&
    (thread_ts === undefined || thread_ts === ts)
  )
}

/**
 * An alert posted to a channel is answered in its thread. Where its target is just being answered in another thread it gets
 * a link; where the webhook has asked about it, that answer comes here. Throws when it could not be queued: Slack then
 * sends it again.
 */
export async function onMessage(
  { event, body }: SlackEventMiddlewareArgs<'message'>,
  { own, desk, poster, alerts }: Pick<Listening, 'own' | 'desk' | 'poster' | 'alerts'>,
): Promise<void> {
  if (!isBotsRoot(event, own)) return
  const alert = desk.alertOf(event)
  if (alert === null) return
  const { channel, ts } = event
  const count = (outcome: AlertOutcome, number = 1): void => {
    desk.countAlerts(outcome, number)
    desk.log.info({ channel, ts, outcome, number }, 'an alert was posted')
  }
  if (alert.status === 'resolved') return count('resolved')
  if (alert.asked.length === 0) return count('without target')
  for (const targets of alert.asked.slice(0, MAX_OWNERS)) {
    let queued: { question: Question; id: string } | undefined
    const add: Desk['add'] = async question => {
      const added = await desk.add(question)
      queued = { question, id: added.id }
      return added
    }
    const notice = await ask(
      {
        via: 'alert',
        text: targetText(targets[0]),
        targets,
        onlyUnhealthy: !alert.isKnown,
        trigger: ts,
        teamId: body.team_id,
        enterpriseId: null,
        isSharedChannel: body.is_ext_shared_channel === true,
        channelId: channel,
        userId: ALERTS_USER,
        threadTs: ts,
        responseUrl: null,
      },
      own,
      { ...desk, add },
    )
    if (queued === undefined) {
      count('refused')
      continue
    }
    const { question, id } = queued
    const before = await alerts.posted(channel, question.target)
    const isAnother = id !== question.id && before !== null && before.ts !== ts
    if (isAnother && notice !== null) {
      const link = { question: question.id, part: 'root', channel, threadTs: ts, message: notice }
      poster.post(link).catch((err: unknown) => desk.log.warn({ err }, 'an alert was not told where its answer is'))
    } else await alerts.put(channel, question.target, { ts, question: id })
    count(id === question.id ? 'asked' : 'folded')
  }
  if (alert.asked.length > MAX_OWNERS) count('folded', alert.asked.length - MAX_OWNERS)
}
