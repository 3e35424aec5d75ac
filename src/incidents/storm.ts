import { z } from 'zod'
import { hashOf } from './incident.ts'

/** What a channel has lately been told, and its digest while there is a storm. Times are Unix milliseconds. */
export const Storm = z.object({
  /** Incidents that got an answer of their own within the last minute. */
  opened: z.array(z.object({ key: z.string(), at: z.number() })),
  digest: z
    .object({
      id: z.string(),
      startedAt: z.number(),
      /** When its newest incident came. */
      lastAt: z.number(),
      /** Its incidents, and those that were answered just before, in the order they came. */
      keys: z.array(z.string()),
      /** Threads of posts that got a link to it. */
      links: z.number().int(),
    })
    .nullable(),
})
export type Storm = z.infer<typeof Storm>

/** More incidents than this a minute, and a channel gets a digest instead of answers. */
export const ANSWERS_A_MINUTE = 5
const MINUTE_MS = 60_000
/** So long without a new incident, and the storm is over. */
const CALM_MS = 5 * MINUTE_MS
const MAX_LINKS = 8

const isOn = ({ digest }: Storm, at: number): boolean => digest !== null && at - digest.lastAt < CALM_MS

/**
 * Whether an incident that opens gets an answer of its own, or a row in the channel's digest, whose id is then given. The
 * same incident is always told the same.
 */
export const enter = (
  before: Storm | null,
  { key, channelId, at }: { key: string; channelId: string; at: number },
): { storm: Storm; digest: string | null } => {
  const known = before ?? { opened: [], digest: null }
  if (known.opened.some(each => each.key === key)) return { storm: known, digest: null }
  if (known.digest?.keys.includes(key) && isOn(known, at)) return { storm: known, digest: known.digest.id }
  const opened = known.opened.filter(each => at - each.at < MINUTE_MS)
  if (known.digest !== null && isOn(known, at)) {
    const digest = { ...known.digest, lastAt: at, keys: [...known.digest.keys, key] }
    return { storm: { opened, digest }, digest: digest.id }
  }
  if (opened.length < ANSWERS_A_MINUTE)
    return { storm: { opened: [...opened, { key, at }], digest: null }, digest: null }
  const id = hashOf('digest', channelId, at)
  const keys = [...opened.map(each => each.key), key]
  return { storm: { opened, digest: { id, startedAt: at, lastAt: at, keys, links: 0 } }, digest: id }
}

/** Lets one more post's thread have a link to the digest; null: it has given enough. */
export const takeLink = (storm: Storm): Storm | null =>
  storm.digest !== null && storm.digest.links < MAX_LINKS
    ? { ...storm, digest: { ...storm.digest, links: storm.digest.links + 1 } }
    : null
