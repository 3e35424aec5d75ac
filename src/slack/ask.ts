import type { Logger } from 'pino'
import type { Message } from '../answer/block-kit.ts'
import { onItsWay } from '../answer/button-notices.ts'
import { alreadyAsked } from '../answer/notices.ts'
import type { Question, Target } from '../queue/job.ts'
import { namespaceRefusal, sharedChannelRefusal, strangerRefusal, usageNotice } from './notices.ts'
import type { AlertOutcome, PostedAlert, ResolvedAlert } from './posted-alert.ts'
import type { Place } from './poster.ts'
import { questionId, targetText } from './question.ts'
import { isMember, type Origin, type Workspace } from './workspace.ts'

/** What a listener needs of the rest of podwhy. */
export type Desk = {
  /** Queues a question within 2 s, or throws. `added: false`: `id` is that of the same question, still running. */
  add(question: Question): Promise<{ added: boolean; id: string }>
  /** Throws an error whose message says in one sentence what is wrong with `text`. */
  parseTarget(text: string, channelId: string): Target
  /** The alert that a message is; null: it is none. */
  alertOf(message: unknown): PostedAlert | null
  /** Counts what became of alerts in messages. */
  countAlerts(outcome: AlertOutcome, number: number): void
  /** Queues a look at what resolved alerts were about, or throws. */
  resolved(alerts: readonly ResolvedAlert[]): Promise<void>
  /** Whether a namespace may be asked about. */
  isAllowed(namespace: string): boolean
  /** Where a part of an answer stands, and a link to it. */
  poster: {
    posted(question: string, part: string): Promise<Place | null>
    permalink(place: Place): Promise<string | null>
  }
  /** Remembers which channels Slack said are shared with another organisation. */
  sharedChannels: { add(channelId: string): Promise<void>; has(channelId: string): Promise<boolean> }
  log: Logger
  /** Unix milliseconds. */
  now(): number
  /** The slash command, `/podwhy`. */
  command: string
}

/** One command, mention or shortcut. */
export type Request = Origin & {
  via: Question['via']
  /** What was typed, without Slack's markup. */
  text: string
  /** What is meant, in order, where it does not stand in `text`. */
  targets?: readonly Target[]
  /** Alerts only: other pods of the same owner. */
  named?: readonly string[]
  /** Default `answer`. */
  want?: Question['want']
  /** Buttons only: the answer they stand under. */
  about?: Question['about']
  /** Alerts only: no answer about a healthy pod. */
  onlyUnhealthy?: boolean
  /** A `trigger_id`, or an event's `ts`. */
  trigger: string
  channelId: string
  userId: string
  threadTs: string | null
  responseUrl: string | null
}

const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** The target, and after `a/b` also `b/a`: a slip that only the cluster can tell. */
function withSwapped(target: Target, text: string): Target[] {
  const { namespace, kind, name } = target
  const isSwappable = kind === null && text.includes('/') && namespaceName.test(name) && name !== namespace
  return isSwappable ? [target, { ...target, namespace: name, name: namespace }] : [target]
}

/**
 * Queues the question, and leaves one audit line whatever becomes of it. Gives what to tell the one who asked, and them
 * alone; null: nothing, the answer comes. Throws when the question could not be queued.
 */
export async function ask(request: Request, own: Workspace, desk: Desk): Promise<Message | null> {
  const { text, channelId, userId, teamId, via } = request
  const audit = { audit: true, user: userId, team: teamId, channel: channelId, via }
  const refuse = (why: string, message: Message): Message => {
    desk.log.info({ ...audit, refused: why }, 'question refused')
    return message
  }
  if (!isMember(request, own)) return refuse('another workspace', strangerRefusal())
  if (request.isSharedChannel) await desk.sharedChannels.add(channelId)
  if (request.isSharedChannel || (await desk.sharedChannels.has(channelId))) {
    return refuse('shared channel', sharedChannelRefusal())
  }
  if (request.targets === undefined && (text === '' || text.toLowerCase() === 'help'))
    return usageNotice(desk.command, text, null)
  let targets: readonly Target[]
  try {
    targets = request.targets ?? withSwapped(desk.parseTarget(text, channelId), text)
  } catch (error) {
    return usageNotice(desk.command, text, error instanceof Error ? error.message : String(error))
  }
  const [target, ...others] = targets
  if (target === undefined || !desk.isAllowed(target.namespace)) {
    return refuse('namespace', namespaceRefusal(target?.namespace ?? ''))
  }
  const alternatives = others.filter(({ namespace }) => desk.isAllowed(namespace))

  const id = questionId({ teamId, channelId, trigger: request.trigger, target })
  const { threadTs, responseUrl, onlyUnhealthy = false, want = 'answer', about = null, named = [] } = request
  const askedAt = new Date(desk.now()).toISOString()
  const asked = { target, alternatives, named: [...named], via, want, about, onlyUnhealthy }
  const queued = await desk.add({ id, ...asked, teamId, channelId, userId, threadTs, responseUrl, askedAt })
  const isRepeat = !queued.added && queued.id !== id
  desk.log.info(
    { ...audit, target: targetText(target), question: queued.id, added: queued.added },
    isRepeat ? 'question already being answered' : 'question asked',
  )
  if (!isRepeat) return null
  if (want !== 'answer') return onItsWay()
  const root = await desk.poster.posted(queued.id, 'root').catch(() => null)
  return alreadyAsked(targetText(target), root === null ? null : await desk.poster.permalink(root))
}
