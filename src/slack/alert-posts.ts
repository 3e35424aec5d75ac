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
type Contents = { text?: unknown; attachments?: unknown; blocks?: unknown }
type Post = { message: object; channel: string; ts: string }

const contents = ({ text, attachments, blocks }: Contents): string => JSON.stringify([text, attachments, blocks])

/** The message of an event: a new one, or the text that an edit has given to one. Null: neither. */
function messageIn(event: object): object | null {
  const { subtype }: Fields = event
  if (subtype === undefined || subtype === 'bot_message') return event
  if (subtype !== 'message_changed') return null
  const { message, previous_message: before }: { message?: object | null; previous_message?: object | null } = event
  return message && before && contents(message) !== contents(before) ? message : null
}

/** A root message of somebody else's bot, new or edited; null: the event is about something else. */
function botsPost(event: object, own: Workspace): Post | null {
  const message = messageIn(event)
  if (message === null) return null
  const { channel }: Fields = event
  const { subtype = 'bot_message', bot_id, ts, thread_ts = ts }: Fields = message
  const isBots = subtype === 'bot_message' && typeof bot_id === 'string' && bot_id !== own.botId
  return isBots && typeof channel === 'string' && typeof ts === 'string' && thread_ts === ts
    ? { message, channel, ts }
    : null
}

/**
 * An alert posted to a channel is answered in its thread, once for each owner however often the post is edited. Where its target is just being answered in another thread it gets
 * a link; where the webhook has asked about it, that answer comes here. Throws when it could not be queued: Slack then
 * sends it again.
 */
export async function onMessage(
  { event, body }: SlackEventMiddlewareArgs<'message'>,
  { own, desk, poster, alerts }: Pick<Listening, 'own' | 'desk' | 'poster' | 'alerts'>,
): Promise<void> {
  const post = botsPost(event, own)
  const alert = post && desk.alertOf(post.message)
  if (!post || !alert) return
  const { channel, ts } = post
  const count = (outcome: AlertOutcome, number = 1): void => {
    desk.countAlerts(outcome, number)
    desk.log.info({ channel, ts, outcome, number }, 'an alert was posted')
  }
  if (alert.status === 'resolved') return count('resolved')
  if (alert.otherCluster > 0) count('other cluster', alert.otherCluster)
  else if (alert.asked.length === 0) return count('without target')
  for (const { owner: name, targets: found, named } of alert.asked.slice(0, MAX_OWNERS)) {
    // An edit that names more pods is one more question.
    const owner = [name, ...named].join(' ')
    const targets = await alerts.begin({ channel, ts, owner }, found)
    if (targets === null) continue
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
        named,
        onlyUnhealthy: !alert.isKnown,
        trigger: [ts, ...named].join(' '),
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
      await alerts.end({ channel, ts, owner })
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
    await alerts.end({ channel, ts, owner })
  }
  if (alert.asked.length > MAX_OWNERS) count('folded', alert.asked.length - MAX_OWNERS)
}
