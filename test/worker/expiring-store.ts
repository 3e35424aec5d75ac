import type { Store } from '../../src/slack/poster.ts'

/** A store in memory whose values end by the given clock. */
export const expiringStore = (now: () => number): Store => {
  const values = new Map<string, { value: string; until: number }>()
  const at = (key: string): string | null => {
    const found = values.get(key)
    return found !== undefined && found.until > now() ? found.value : null
  }
  const put = (key: string, value: string, ttlMs: number) => void values.set(key, { value, until: now() + ttlMs })
  return {
    get: async key => at(key),
    put: async (key, value, ttlMs) => put(key, value, ttlMs),
    claim: async (key, value, ttlMs) => {
      const before = at(key)
      if (before === null) put(key, value, ttlMs)
      return before
    },
    replace: async (key, present, value, ttlMs) => {
      const isPresent = at(key) === present
      if (isPresent) put(key, value, ttlMs)
      return isPresent
    },
  }
}
