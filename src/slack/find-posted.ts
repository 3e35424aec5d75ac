import type { WebClient } from '@slack/web-api'

export type Wanted = {
  channel: string
  /** Search this thread instead of the channel. */
  threadTs: string | null
  /** When posting began, by this machine's clock; Unix milliseconds. */
  startMs: number
  question: string
  part: string
  /** Only posts of this bot count: any app of the workspace can write the same metadata. */
  botId: string | undefined
}

/** `event_type` of the metadata every part of an answer carries. */
export const METADATA_EVENT = 'podwhy_answer'

/** How far this machine's clock may be ahead of Slack's. */
const CLOCK_SKEW_MS = 60_000
const MAX_PAGES = 20

type Page = {
  messages?: { ts?: string; bot_id?: string; metadata?: { event_type?: string; event_payload?: object } }[]
  response_metadata?: { next_cursor?: string }
}

/**
 * The `ts` of the part of an answer that Slack already has, or null. Throws web-api's errors, `missing_scope` and
 * `not_in_channel` among them.
 */
export async function findPosted(client: WebClient, wanted: Wanted): Promise<string | null> {
  const { channel, threadTs, question, part, botId } = wanted
  const range = {
    channel,
    oldest: String((wanted.startMs - CLOCK_SKEW_MS) / 1000),
    include_all_metadata: true,
    limit: 200,
  }
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const paged = cursor === undefined ? range : { ...range, cursor }
    const { messages = [], response_metadata }: Page =
      threadTs === null
        ? await client.conversations.history(paged)
        : await client.conversations.replies({ ...paged, ts: threadTs })
    for (const { ts, bot_id, metadata } of messages) {
      if (metadata?.event_type !== METADATA_EVENT || (botId !== undefined && bot_id !== botId)) continue
      const payload: { question?: unknown; part?: unknown } = metadata.event_payload ?? {}
      if (ts !== undefined && payload.question === question && payload.part === part) return ts
    }
    cursor = response_metadata?.next_cursor || undefined
    if (cursor === undefined) return null
  }
  return null
}
