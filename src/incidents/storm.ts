import { z } from 'zod'
import { hashOf } from './incident.ts'

const Digest = z.object({
  id: z.string(),
  startedAt: z.number(),
  /** When its newest incident came. */
  lastAt: z.number(),
  /** Its incidents, and those that were answered just before, in the order they came. */
  keys: z.array(z.string()),
  /** Threads of posts that got a link to it. */
  links: z.number().int(),
})
type Digest = z.infer<typeof Digest>

/** What a channel has lately been told, and the digests of its storms. Times are Unix milliseconds. */
export const Storm = z.object({
  /** Incidents that got an answer of their own within the last minute. */
  opened: z.array(z.object({ key: z.string(), at: z.number() })),
  /** The newest last: the only one that may still grow. The others are kept as they are brought up to date, too. */
  digests: z.array(Digest),
  /** When threads of posts got a link to an answer elsewhere, within the last minute. */
  linked: z.array(z.number()).default([]),
})
export type Storm = z.infer<typeof Storm>

/** More incidents than this a minute, and a channel gets a digest instead of answers. */
export const ANSWERS_A_MINUTE = 5
const MINUTE_MS = 60_000
/** So long without a new incident, and the storm is over. */
const CALM_MS = 5 * MINUTE_MS
const MAX_LINKS = 8
/** Links to answers that the threads of a channel get in a minute. */
const LINKS_A_MINUTE = 8

/** A digest that is full is followed by another one. */
const MAX_KEYS = 200
const MAX_DIGESTS = 8

const NOTHING: Storm = { opened: [], digests: [], linked: [] }

const isOn = (digest: Digest | undefined, at: number): digest is Digest =>
  digest !== undefined && at - digest.lastAt < CALM_MS

/**
 * Whether an incident that opens gets an answer of its own, or a row in the channel's digest, whose id is then given. The
 * same incident is always told the same.
 */
export const enter = (
  before: Storm | null,
  { key, channelId, at }: { key: string; channelId: string; at: number },
): { storm: Storm; digest: string | null } => {
  const { opened: openedBefore, digests, linked } = before ?? NOTHING
  const newest = digests.at(-1)
  const isStorm = isOn(newest, at)
  if (openedBefore.some(each => each.key === key))
    return { storm: { opened: openedBefore, digests, linked }, digest: null }
  if (isStorm && newest.keys.includes(key))
    return { storm: { opened: openedBefore, digests, linked }, digest: newest.id }
  const opened = openedBefore.filter(each => at - each.at < MINUTE_MS)
  if (isStorm && newest.keys.length < MAX_KEYS) {
    const grown = { ...newest, lastAt: at, keys: [...newest.keys, key] }
    return { storm: { opened, digests: [...digests.slice(0, -1), grown], linked }, digest: newest.id }
  }
  if (!isStorm && opened.length < ANSWERS_A_MINUTE) {
    return { storm: { opened: [...opened, { key, at }], digests, linked }, digest: null }
  }
  const id = hashOf('digest', channelId, at)
  const keys = isStorm ? [key] : [...opened.map(each => each.key), key]
  const begun = { id, startedAt: at, lastAt: at, keys, links: 0 }
  return { storm: { opened, digests: [...digests, begun].slice(-MAX_DIGESTS), linked }, digest: id }
}

/**
 * Lets one more post's thread have a link to where its incident is told of: `digest`, or an answer where that is null. Null:
 * the channel has had enough of them.
 */
export const takeLink = (before: Storm | null, { digest, at }: { digest: string | null; at: number }): Storm | null => {
  const storm = before ?? NOTHING
  if (digest === null) {
    const linked = storm.linked.filter(each => at - each < MINUTE_MS)
    return linked.length < LINKS_A_MINUTE ? { ...storm, linked: [...linked, at] } : null
  }
  const hasRoom = storm.digests.some(each => each.id === digest && each.links < MAX_LINKS)
  const taken = storm.digests.map(each => (each.id === digest ? { ...each, links: each.links + 1 } : each))
  return hasRoom ? { ...storm, digests: taken } : null
}
