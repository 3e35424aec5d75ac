import type { Store } from '../../src/slack/poster.ts'

/** The process ended here. */
export class Crash extends Error {
  override name = 'Crash' as const
}

/** A store in memory that can end the process before or after its n-th write. Time to live is not kept. */
export class MemoryStore implements Store {
  readonly values = new Map<string, string>()
  writes = 0
  /** `at` counts writes from 0 since `writes` was reset. */
  crash: { at: number; when: 'before' | 'after' } | null = null

  async claim(key: string, value: string): Promise<string | null> {
    const taken = this.values.get(key)
    if (taken !== undefined) return taken
    await this.put(key, value)
    return null
  }

  async get(key: string): Promise<string | null> {
    return this.values.get(key) ?? null
  }

  async put(key: string, value: string): Promise<void> {
    const isLast = this.crash?.at === this.writes++
    if (isLast && this.crash?.when === 'before') throw new Crash(`before writing ${key}`)
    this.values.set(key, value)
    if (isLast) throw new Crash(`after writing ${key}`)
  }

  async replace(key: string, present: string, value: string): Promise<boolean> {
    if (this.values.get(key) !== present) return false
    await this.put(key, value)
    return true
  }

  async delete(key: string): Promise<void> {
    this.values.delete(key)
  }
}
