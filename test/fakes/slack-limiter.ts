/** So many calls a second in each channel, and so many at once after a rest. */
export type Limit = { perSecond: number; burst: number }

type Bucket = { tokens: number; at: number }

/** Slack's rate limits of methods that it counts by channel: a bucket each, which fills again with time. */
export class SlackLimiter {
  readonly #limits = new Map<string, Limit>()
  readonly #buckets = new Map<string, Bucket>()

  set(method: string, limit: Limit | null): void {
    if (limit === null) this.#limits.delete(method)
    else this.#limits.set(method, limit)
  }

  /** Takes a call; null: it may pass, else the whole seconds after which one may. */
  take(method: string, channel: string, now = Date.now()): number | null {
    const limit = this.#limits.get(method)
    if (limit === undefined) return null
    const key = `${method} ${channel}`
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: limit.burst, at: now }
    const filled = Math.min(limit.burst, tokens + ((now - at) / 1000) * limit.perSecond)
    const isFree = filled >= 1
    this.#buckets.set(key, { tokens: isFree ? filled - 1 : filled, at: now })
    return isFree ? null : Math.max(1, Math.ceil((1 - filled) / limit.perSecond))
  }
}
