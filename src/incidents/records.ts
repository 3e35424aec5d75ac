import type { z } from 'zod'

/** What must be remembered: the queue's store. */
export type Store = {
  claim(key: string, value: string, ttlMs: number): Promise<string | null>
  get(key: string): Promise<string | null>
  replace(key: string, present: string, value: string, ttlMs: number): Promise<boolean>
  delete(key: string): Promise<void>
}

/** One kind of record under keys of its own. */
export interface Records<Value> {
  get(id: string): Promise<Value | null>
  /**
   * Changes a record by a pure function of what stands there, atomically: it runs again where somebody else was faster. Null
   * from it: nothing to change. Gives what stands there then.
   */
  change(id: string, by: (before: Value | null) => Value | null): Promise<Value | null>
}

/** Records of one shape in a store. What an older version wrote and cannot be read any more counts as nothing. */
export const records = <Shape extends z.ZodType>(
  store: Store,
  { prefix, shape, ttlMs }: { prefix: string; shape: Shape; ttlMs: number },
): Records<z.infer<Shape>> => {
  type Value = z.infer<Shape>
  const read = (text: string): Value | null => {
    try {
      return shape.parse(JSON.parse(text))
    } catch {
      return null
    }
  }
  return {
    async get(id) {
      const text = await store.get(prefix + id)
      return text === null ? null : read(text)
    },
    async change(id, by) {
      for (;;) {
        const present = await store.get(prefix + id)
        const before = present === null ? null : read(present)
        const after = by(before)
        if (after === null) return before
        const text = JSON.stringify(after)
        if (text === present) return after
        const isWritten =
          present === null
            ? (await store.claim(prefix + id, text, ttlMs)) === null
            : await store.replace(prefix + id, present, text, ttlMs)
        if (isWritten) return after
      }
    },
  }
}
