import type { Question, Target } from '../queue/job.ts'
import type { Store } from './poster.ts'
import { targetText } from './question.ts'

/** A post about a target, the question that answers it, and when that was known, in Unix milliseconds. */
export type AlertPost = { ts: string; question: string; at: number }

/**
 * Where an alert of the webhook is answered: in the thread of its post in Slack, in a message of its own, or not at all,
 * because the post has a question of its own. `wait`: for the post, so many milliseconds.
 */
export type AlertThread = { in: 'thread'; ts: string } | { in: 'channel' } | { in: 'post' } | { in: 'wait'; ms: number }

/** A post, for one of the owners it is about. */
type OwnersPost = { channel: string; ts: string; owner: string }

const ASKED = 'asked'
const ownersKey = ({ channel, ts, owner }: OwnersPost): string => `alert-owner:${channel}:${ts}:${owner}`

/** Alertmanager tells its receivers at about the same time; Slack hands a post on within seconds. */
const WAIT_MS = 10_000
const LOOK_EVERY_MS = 2_000
/** How much older than the webhook's question its post may be. */
const SAME_MS = 60_000
const REMEMBER_MS = 60 * 60_000
const DECIDED_MS = 7 * 24 * 60 * 60_000

/**
 * Brings together what Alertmanager says of one alert in two ways: a post in Slack and a webhook. `home`: the cluster that
 * is meant where none is named.
 */
export function alertThreads(store: Store, options: { home?: string | undefined; now?: () => number } = {}) {
  const { home, now = Date.now } = options
  const key = (channelId: string, target: Target): string =>
    `alert-post:${channelId}:${targetText({ ...target, cluster: target.cluster === home ? null : target.cluster })}`
  const posted = async (channelId: string, target: Target): Promise<AlertPost | null> => {
    const record = await store.get(key(channelId, target))
    return record === null ? null : JSON.parse(record)
  }

  async function find({ id, channelId, target, askedAt }: Question): Promise<AlertThread> {
    const asked = Date.parse(askedAt)
    const post = await posted(channelId, target)
    if (post !== null && post.at > asked - SAME_MS) {
      return post.question === id ? { in: 'thread', ts: post.ts } : { in: 'post' }
    }
    const leftMs = asked + WAIT_MS - now()
    return leftMs > 0 ? { in: 'wait', ms: Math.min(leftMs, LOOK_EVERY_MS) } : { in: 'channel' }
  }

  return {
    /** The newest post about a target in a channel; null: none within an hour. */
    posted,

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

    /** Where a question of the webhook is answered; once that is decided it stays, whatever runs again. */
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
