import type { SlackEventMiddlewareArgs } from '@slack/bolt'
import type { Question } from '../queue/job.ts'
import { ask, type Desk } from './ask.ts'
import type { Listening } from './listeners.ts'
import type { AlertOutcome, PostedAlert, ResolvedAlert } from './posted-alert.ts'
import { targetText } from './question.ts'
import type { Workspace } from './workspace.ts'

/** Owners of one post that are asked about; those after these are counted only. Too many at once become a digest. */
const MAX_OWNERS = 20

/** Who asks, when an alert does. */
export const ALERTS_USER = 'alertmanager'

type Fields = { [field in 'subtype' | 'bot_id' | 'channel' | 'ts' | 'thread_ts']?: unknown }
type Contents = { text?: unknown; attachments?: unknown; blocks?: unknown }
/** `edit`: what the message was before, and the edit's `ts`; null: it is new. */
type Post = { message: object; edit: { before: object; ts: string } | null; channel: string; ts: string }

const contents = ({ text, attachments, blocks }: Contents): string => JSON.stringify([text, attachments, blocks])

/** The message of an event: a new one, or the text that an edit has given to one. Null: neither. */
function messageIn(event: object): Pick<Post, 'message' | 'edit'> | null {
  const { subtype, ts }: Fields = event
  if (subtype === undefined || subtype === 'bot_message') return { message: event, edit: null }
  if (subtype !== 'message_changed' || typeof ts !== 'string') return null
  const { message, previous_message: before }: { message?: object | null; previous_message?: object | null } = event
  return message && before && contents(message) !== contents(before) ? { message, edit: { before, ts } } : null
}

/** A root message of somebody else's bot, new or edited; null: the event is about something else. */
function botsPost(event: object, own: Workspace): Post | null {
  const found = messageIn(event)
  if (found === null) return null
  const { channel }: Fields = event
  const { subtype = 'bot_message', bot_id, ts, thread_ts = ts }: Fields = found.message
  const isBots = subtype === 'bot_message' && typeof bot_id === 'string' && bot_id !== own.botId
  return isBots && typeof channel === 'string' && typeof ts === 'string' && thread_ts === ts
    ? { ...found, channel, ts }
    : null
}

type Asked = PostedAlert['asked'][number]

/** All that a post meant by an owner: the look at one of them is enough. */
const allOf = ({ targets, named }: Asked): ResolvedAlert['targets'] => {
  const [first] = targets
  return [first, ...targets.slice(1), ...named.map(name => ({ ...first, name }))]
}

/** Owners that a post is about no more: all of a resolved one, and those that an edit has left out. */
const overIn = (alert: PostedAlert, before: PostedAlert | null): readonly Asked[] => {
  if (alert.status === 'resolved') return alert.asked
  if (before?.status !== 'firing') return []
  return before.asked.filter(({ owner }) => !alert.asked.some(each => each.owner === owner))
}

/**
 * An alert posted to a channel is asked about in its thread, once for each owner however often the post is edited, and once
 * more when it fires again. What is resolved is looked after. Throws when it could not be queued: Slack then sends it again.
 */
export async function onMessage(
  { event, body }: SlackEventMiddlewareArgs<'message'>,
  { own, desk, alerts }: Pick<Listening, 'own' | 'desk' | 'alerts'>,
): Promise<void> {
  const post = botsPost(event, own)
  const alert = post && desk.alertOf(post.message)
  if (!post || !alert) return
  const { channel, ts, edit } = post
  const count = (outcome: AlertOutcome, number = 1): void => {
    desk.countAlerts(outcome, number)
    desk.log.info({ channel, ts, outcome, number }, 'an alert was posted')
  }
  const over = overIn(alert, edit && desk.alertOf(edit.before))
  if (alert.status === 'resolved' || over.length > 0) {
    count('resolved', Math.max(1, over.length))
    if (edit !== null) await alerts.over(post, edit.ts)
    const told = over.map((owner): ResolvedAlert => ({ channelId: channel, threadTs: ts, targets: allOf(owner) }))
    if (told.length > 0) {
      // The looks that follow an incident anyway will see it, too.
      await desk.resolved(told).catch((err: unknown) => desk.log.warn({ err }, 'a resolved alert is not looked after'))
    }
  }
  if (alert.status === 'resolved') return
  if (alert.otherCluster > 0) count('other cluster', alert.otherCluster)
  else if (alert.asked.length === 0) return count('without target')
  const lastOver = edit === null ? '' : await alerts.lastOver(post)
  for (const { owner: name, targets: found, named } of alert.asked.slice(0, MAX_OWNERS)) {
    // An edit that names more pods is one more question, and so is what fires again.
    const owner = [name, ...named, lastOver].filter(Boolean).join(' ')
    const targets = await alerts.begin({ channel, ts, owner }, found)
    if (targets === null) continue
    let queued: { question: Question; id: string } | undefined
    const add: Desk['add'] = async question => {
      const added = await desk.add(question)
      queued = { question, id: added.id }
      return added
    }
    await ask(
      {
        via: 'alert',
        text: targetText(targets[0]),
        targets,
        named,
        onlyUnhealthy: !alert.isKnown,
        trigger: [ts, ...named, lastOver].filter(Boolean).join(' '),
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
    if (queued === undefined) count('refused')
    else {
      const { question, id } = queued
      await alerts.put(channel, question.target, { ts, question: id })
      count(id === question.id ? 'asked' : 'folded')
    }
    await alerts.end({ channel, ts, owner })
  }
  if (alert.asked.length > MAX_OWNERS) count('folded', alert.asked.length - MAX_OWNERS)
}
