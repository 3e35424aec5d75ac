import type {
  MessageShortcut,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
} from '@slack/bolt'
import type { HomeRow } from '../answer/home-view.ts'
import type { alertThreads } from './alert-threads.ts'
import { ask, type Desk } from './ask.ts'
import { messageTargets, targetInLinks } from './message-targets.ts'
import { noTargetNotice, slowNotice, unavailableNotice } from './notices.ts'
import type { Poster } from './poster.ts'
import { plainText } from './slack-text.ts'
import { within } from './within.ts'
import type { Workspace } from './workspace.ts'

/** Slack wants an answer within 3 s; this leaves room for the way there. */
export const ACK_BUDGET_MS = 2_500
/** Of it, for reading the message above a mention. */
const READ_MS = 1_000

export type Listening = {
  own: Workspace
  desk: Desk
  poster: Pick<Poster, 'ephemeral' | 'respond' | 'threadRoot' | 'post' | 'publishHome'>
  alerts: Pick<ReturnType<typeof alertThreads>, 'put' | 'begin' | 'end' | 'over' | 'lastOver'>
  /** Commands of an answer by its question's id; null: it is not remembered any more. */
  commandsOf(question: string): Promise<readonly { purpose: string; command: string }[] | null>
  /** What is open now. */
  openIncidents(): Promise<readonly HomeRow[]>
}

/** Whatever else fails, telling somebody about it must not. */
function tell(telling: Promise<void>, { log }: Desk): void {
  telling.catch((err: unknown) => log.warn({ err }, 'could not tell the one who asked'))
}

/** Words that name nothing: the message above is meant. */
const pointing =
  /^[\s?!.,]*(?:(?:why|what|happened|explain|this|here|please|pls|is|wrong|broken|down|it)(?:[\s?!.,]+|$))*$/i

/** What was typed: where a link to a pod is in it, that pod. */
const typed = (text: string): string => targetInLinks(text) ?? plainText(text)

/** Slack sends commands once and waits 3 s: always acknowledged, with a notice where there will be no answer. */
export async function onCommand({ command, ack }: SlackCommandMiddlewareArgs, { own, desk }: Listening): Promise<void> {
  const text = typed(command.text ?? '')
  const asking = ask(
    {
      via: 'command',
      text,
      trigger: command.trigger_id,
      teamId: command.team_id,
      enterpriseId: command.enterprise_id ?? null,
      // Not among a command's documented fields: believed where it comes.
      isSharedChannel: String(command['is_ext_shared_channel']) === 'true',
      channelId: command.channel_id,
      userId: command.user_id,
      threadTs: null,
      responseUrl: command.response_url,
    },
    own,
    desk,
  ).catch((err: unknown) => {
    desk.log.error({ err, user: command.user_id, channel: command.channel_id }, 'question not queued')
    return unavailableNotice(desk.command, text)
  })
  const notice = await within(ACK_BUDGET_MS, asking, slowNotice(desk.command, text))
  await (notice === null ? ack() : ack({ response_type: 'ephemeral', ...notice }))
}

/** A mention is answered in its thread; alone in a thread it is about the message above. Throws when it could not be queued: Slack then sends it again. */
export async function onMention(
  { event, body }: SlackEventMiddlewareArgs<'app_mention'>,
  { own, desk, poster }: Listening,
): Promise<void> {
  const { user, channel, ts, thread_ts } = event
  if (user === undefined || event.bot_id !== undefined) return
  const threadTs = thread_ts ?? ts
  const text = typed(event.text ?? '')
  const isAlone = pointing.test(text) && thread_ts !== undefined
  const above = isAlone ? await within(READ_MS, poster.threadRoot({ channel, ts: thread_ts }), null) : null
  const meant = above === null ? null : messageTargets(above, desk, channel)
  const notice = await ask(
    {
      via: 'mention',
      ...(meant ?? { text }),
      trigger: ts,
      teamId: event.user_team ?? event.team ?? body.team_id,
      enterpriseId: null,
      isSharedChannel: body.is_ext_shared_channel === true,
      channelId: channel,
      userId: user,
      threadTs,
      responseUrl: null,
    },
    own,
    desk,
  )
  if (notice !== null) tell(poster.ephemeral({ channel, user, threadTs: thread_ts ?? null, message: notice }), desk)
}

/** "Why?" on a message: answered in its thread, about the first target in its text. */
export async function onShortcut(
  { shortcut, ack }: SlackShortcutMiddlewareArgs<MessageShortcut>,
  { own, desk, poster }: Listening,
): Promise<void> {
  const { message, channel, user, team, response_url } = shortcut
  const meant = messageTargets(message, desk, channel.id)
  const threadTs: string = message['thread_ts'] ?? message.ts
  const asking =
    meant === null
      ? noTargetNotice(desk.command)
      : ask(
          {
            via: 'shortcut',
            ...meant,
            trigger: shortcut.trigger_id,
            teamId: user.team_id ?? team?.id ?? '',
            enterpriseId: shortcut.enterprise?.id ?? team?.enterprise_id ?? null,
            isSharedChannel: false,
            channelId: channel.id,
            userId: user.id,
            threadTs,
            responseUrl: response_url,
          },
          own,
          desk,
        ).catch((err: unknown) => {
          desk.log.error({ err, user: user.id, channel: channel.id }, 'question not queued')
          return unavailableNotice(desk.command, meant.text)
        })
  const notice = await within(ACK_BUDGET_MS, Promise.resolve(asking), slowNotice(desk.command, meant?.text ?? ''))
  await ack()
  if (notice !== null) tell(poster.respond(response_url, notice), desk)
}
