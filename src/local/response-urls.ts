import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { structured } from './arguments.ts'
import type { Channel } from './channel.ts'

/** A `response_url` works five times within thirty minutes. https://docs.slack.dev/interactivity/handling-user-interaction */
const uses = 5
const lifetimeMs = 30 * 60_000

/** What may be posted to a `response_url`, or be the body of a command's acknowledgement. */
const Reply = z.object({
  response_type: z.enum(['ephemeral', 'in_channel']).default('ephemeral'),
  text: z.string().default(''),
  blocks: z.array(z.record(z.string(), z.unknown())).default([]),
  thread_ts: z.string().optional(),
  replace_original: z.boolean().default(false),
  delete_original: z.boolean().default(false),
})

export interface ResponseUrls {
  /** A new id to end a `response_url` with. `original`: the `ts` of the message that was pressed, if one was. */
  issue(original?: string | null): string
  /** Takes what was posted to the URL of that id; gives Slack's error word, or null if it was taken. */
  take(id: string, body: string): 'used_url' | 'expired_url' | 'invalid_payload' | null
}

export function responseUrls(channel: Channel, now: () => number = Date.now): ResponseUrls {
  const issued = new Map<string, { left: number; until: number; original: string | null }>()
  return {
    issue(original = null) {
      for (const [id, { until }] of issued) if (until < now()) issued.delete(id)
      const id = randomBytes(16).toString('base64url')
      issued.set(id, { left: uses, until: now() + lifetimeMs, original })
      return id
    },
    take(id, body) {
      const entry = issued.get(id)
      if (!entry || entry.until < now()) return 'expired_url'
      if (entry.left === 0) return 'used_url'
      if (!showReply(channel, body, entry.original)) return 'invalid_payload'
      entry.left -= 1
      return null
    },
  }
}

/**
 * Shows a reply to a command or a press: JSON with `text` or `blocks`, anew or in place of the `original` message.
 * False if it is no such thing.
 */
export function showReply(channel: Channel, body: string, original: string | null = null): boolean {
  const reply = Reply.safeParse(structured(body))
  if (!reply.success) return false
  const { response_type, text, blocks, thread_ts, replace_original, delete_original } = reply.data
  if (delete_original && original) {
    channel.drop(original)
    return true
  }
  if (!text && blocks.length === 0) return false
  if (replace_original && original && channel.change(original, { text, blocks, edited: true })) return true
  channel.add({ from: 'podwhy', onlyYou: response_type === 'ephemeral', text, blocks, threadTs: thread_ts ?? null })
  return true
}
