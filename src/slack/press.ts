import { z } from 'zod'

/** Some of Slack's payload of a press on a button or menu. https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
const BlockActions = z.object({
  user: z.object({ id: z.string(), team_id: z.string().optional() }),
  team: z.object({ id: z.string(), enterprise_id: z.string().optional() }).nullish(),
  enterprise: z.object({ id: z.string() }).nullish(),
  channel: z.object({ id: z.string() }),
  container: z.object({
    message_ts: z.string(),
    thread_ts: z.string().optional(),
    is_ephemeral: z.boolean().optional(),
  }),
  message: z.object({ ts: z.string(), thread_ts: z.string().optional() }).optional(),
  response_url: z.string().nullish(),
  actions: z.tuple(
    [
      z.object({
        action_id: z.string(),
        action_ts: z.string(),
        value: z.string().optional(),
        selected_option: z.object({ value: z.string() }).nullish(),
      }),
    ],
    z.unknown(),
  ),
})

/** One press on a button, or one choice from a menu. */
export type Press = {
  /** `podwhy_refresh` … */
  actionId: string
  /** What the button or option carries; not to be trusted: another version may have written it. */
  value: string
  /** The same for every delivery of this press. */
  trigger: string
  channel: string
  /** The message pressed on. */
  ts: string
  /** The thread it stands in; null: in the channel itself. */
  threadTs: string | null
  /** Only the one who pressed sees the message. */
  isWhisper: boolean
  userId: string
  teamId: string
  enterpriseId: string | null
  responseUrl: string | null
}

/** Null: not a press on a message. */
export function pressOf(body: unknown): Press | null {
  const parsed = BlockActions.safeParse(body)
  if (!parsed.success) return null
  const { user, team, enterprise, channel, container, message, response_url, actions } = parsed.data
  const [{ action_id, action_ts, value, selected_option }] = actions
  const ts = message?.ts ?? container.message_ts
  const threadTs = message?.thread_ts ?? container.thread_ts ?? null
  return {
    actionId: action_id,
    value: selected_option?.value ?? value ?? '',
    trigger: `${action_ts} ${action_id}`,
    ...{ channel: channel.id, ts },
    threadTs: threadTs === ts ? null : threadTs,
    isWhisper: container.is_ephemeral === true,
    userId: user.id,
    teamId: user.team_id ?? team?.id ?? '',
    enterpriseId: enterprise?.id ?? team?.enterprise_id ?? null,
    responseUrl: response_url ?? null,
  }
}
