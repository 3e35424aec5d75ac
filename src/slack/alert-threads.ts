import type { Question, Target } from '../queue/job.ts'
import type { Store } from './poster.ts'
import { targetText } from './question.ts'

/** A post about an owner, the question that answers it, and when that was known, in Unix milliseconds. */
type AlertPost = { ts: string; question: string; at: number }

/**
 * What becomes of an alert of the webhook: it is answered, or left to the question of its post in Slack. `wait`: for the
 * post, so many milliseconds.
 */
export type AlertThread = { in: 'channel' } | { in: 'post' } | { in: 'wait'; ms: number }

type Post = { channel: string; ts: string }
/** A post, for one of the owners it is about. */
type OwnersPost = Post & { owner: string }

const ASKED = 'asked'
const ownersKey = ({ channel, ts, owner }: OwnersPost): string => `alert-owner:${channel}:${ts}:${owner}`
const endKey = ({ channel, ts }: Post): string => `alert-end:${channel}:${ts}`

/** Alertmanager tells its receivers at about the same time; Slack hands a post on within seconds. */
const WAIT_MS = 10_000
const LOOK_EVERY_MS = 2_000
/** How much older than the webhook's question its post may be. */
const SAME_MS = 60_000
const REMEMBER_MS = 60 * 60_000
const DECIDED_MS = 7 * 24 * 60 * 60_000

export type AlertThreadsOptions = {
  /** The cluster that is meant where none is named. */
  home?: string | undefined
  /** The same for targets whose pods one owner has made; default the target itself. */
  ownerOf?: (target: Target) => string
  now?: () => number
}

/**
 * Brings together what Alertmanager says of one alert in two ways, and again and again: posts in Slack and webhooks. Each
 * post has a question of its own, so that its thread gets an answer or a link to one; a webhook's alert is answered only
 * where no post is.
 */
export function alertThreads(store: Store, options: AlertThreadsOptions = {}) {
  const { home, ownerOf = targetText, now = Date.now } = options
  const key = (channelId: string, target: Target): string =>
    `alert-post:${channelId}:${ownerOf({ ...target, cluster: target.cluster === home ? null : target.cluster })}`

  async function find({ channelId, target, askedAt }: Question): Promise<AlertThread> {
    const asked = Date.parse(askedAt)
    const record = await store.get(key(channelId, target))
    const post: AlertPost | null = record === null ? null : JSON.parse(record)
    if (post !== null && post.at > asked - SAME_MS) return { in: 'post' }
    const leftMs = asked + WAIT_MS - now()
    return leftMs > 0 ? { in: 'wait', ms: Math.min(leftMs, LOOK_EVERY_MS) } : { in: 'channel' }
  }

  return {
    /** Remembers a post, and the question that answers it. */
    async put(channelId: string, target: Target, post: Omit<AlertPost, 'at'>): Promise<void> {
      await store.put(key(channelId, target), JSON.stringify({ ...post, at: now() }), REMEMBER_MS)
    },

    /**
     * What to ask because of a post about an owner: `targets`, or what was begun with before, so that an edited post asks
     * nothing anew. Null: that has been asked.
     */
    async begin<Targets extends readonly Target[]>(post: OwnersPost, targets: Targets): Promise<Targets | null> {
      const before = await store.claim(ownersKey(post), JSON.stringify(targets), DECIDED_MS)
      return before === null ? targets : before === ASKED ? null : JSON.parse(before)
    },

    /** Remembers that it has been asked. */
    async end(post: OwnersPost): Promise<void> {
      await store.put(ownersKey(post), ASKED, DECIDED_MS)
    },

    /** Remembers that an edit (its `ts`) has said of some alerts of a post that they are over: they may fire again. */
    async over(post: Post, edit: string): Promise<void> {
      await store.put(endKey(post), edit, DECIDED_MS)
    },

    /** The last edit that said so; '' for none. */
    async lastOver(post: Post): Promise<string> {
      return (await store.get(endKey(post))) ?? ''
    },

    /** What becomes of a question of the webhook; once that is decided it stays, whatever runs again. */
    async of(question: Question): Promise<AlertThread> {
      const decided = `alert-thread:${question.id}`
      const before = await store.get(decided)
      if (before !== null) return JSON.parse(before)
      const found = await find(question)
      if (found.in === 'wait') return found
      const claimed = await store.claim(decided, JSON.stringify(found), DECIDED_MS)
      return claimed === null ? found : JSON.parse(claimed)
    },
  }
}
