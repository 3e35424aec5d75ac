import { createHash } from 'node:crypto'
import { webhookTooLarge } from '../answer/alert-notices.ts'
import type { Poster, Store } from '../slack/poster.ts'
import { LIMIT_MIB } from './webhook-request.ts'

const HOUR_MS = 60 * 60_000
/** Longer than a post takes: who comes meanwhile leaves it to the one before. */
const TURN_MS = 60_000

/**
 * Says in a channel that a webhook was too large, once an hour however often Alertmanager sends it. The hour's notice has
 * one id, remembered before it is posted: what failed is posted by the next delivery, what stands is not posted again.
 */
export const tooLargeNotice =
  ({
    poster,
    store,
    now = Date.now,
  }: {
    poster: Pick<Poster, 'post'>
    store: Pick<Store, 'claim'>
    now?: () => number
  }) =>
  async (channel: string): Promise<void> => {
    const fresh = createHash('sha256').update(`${channel} ${now()}`).digest('hex').slice(0, 32)
    const question = (await store.claim(`too-large:${channel}`, fresh, HOUR_MS)) ?? fresh
    if ((await store.claim(`too-large-turn:${question}`, '1', TURN_MS)) !== null) return
    await poster.post({ question, part: 'root', channel, threadTs: null, message: webhookTooLarge(LIMIT_MIB) })
  }
