import { RateLimited } from './slack-error.ts'

/** What must be remembered across processes. */
export type PaceStore = {
  claim(key: string, value: string, ttlMs: number): Promise<string | null>
  get(key: string): Promise<string | null>
  replace(key: string, present: string, value: string, ttlMs: number): Promise<boolean>
}

/** Slack's limit of `chat.postMessage`, for each channel. https://docs.slack.dev/apis/web-api/rate-limits */
const EVERY_MS = 1_000
/** A longer wait is left to the queue. */
const MAX_WAIT_MS = 1_500
const KEPT_MS = 60_000

const heldKey = (channel: string): string => `pace-held:${channel}`

/**
 * Shares a channel's messages out, one a second, among all processes that post. Gives the milliseconds to wait for the
 * turn that is now taken; throws RateLimited, taking none, where that would be long.
 */
export async function takeTurn(store: PaceStore, channel: string, now: () => number): Promise<number> {
  await ifNotHeld(store, channel, now)
  const key = `pace:${channel}`
  for (;;) {
    const present = await store.get(key)
    const asked = now()
    const at = Math.max(asked, Number(present ?? 0))
    const waitMs = at - asked
    if (waitMs > MAX_WAIT_MS) throw new RateLimited(waitMs)
    const next = String(at + EVERY_MS)
    const isTaken =
      present === null
        ? (await store.claim(key, next, KEPT_MS)) === null
        : await store.replace(key, present, next, KEPT_MS)
    if (isTaken) return waitMs
  }
}

/** Keeps a channel without messages for so many milliseconds: Slack has refused one, and would refuse the next. */
export async function holdChannel(
  store: PaceStore,
  channel: string,
  { forMs, now }: { forMs: number; now: () => number },
): Promise<void> {
  const until = now() + forMs
  for (;;) {
    const present = await store.get(heldKey(channel))
    if (present !== null && Number(present) >= until) return
    const isHeld =
      present === null
        ? (await store.claim(heldKey(channel), String(until), forMs)) === null
        : await store.replace(heldKey(channel), present, String(until), forMs)
    if (isHeld) return
  }
}

/** Throws RateLimited while a channel is held; to be asked when a turn has come, too: it was taken before. */
export async function ifNotHeld(store: PaceStore, channel: string, now: () => number): Promise<void> {
  const leftMs = Number((await store.get(heldKey(channel))) ?? 0) - now()
  if (leftMs > 0) throw new RateLimited(leftMs)
}
