/**
 * Small facts that outlive a process: what was posted where, what was asked. Every value has an expiry, after which it
 * is as if it had never been written. Values are plain strings. A store that cannot answer throws `QueueUnavailable`.
 */
export interface Store {
  /** Writes where nothing is yet. Gives null when this call wrote it, else the value that stands there. */
  claim(key: string, value: string, ttlMs: number): Promise<string | null>
  /** The value, or null where there is none. */
  get(key: string): Promise<string | null>
  /** Writes, whatever stood there. */
  put(key: string, value: string, ttlMs: number): Promise<void>
  /** Writes only where `present` still stands; false where it does not. */
  replace(key: string, present: string, value: string, ttlMs: number): Promise<boolean>
  /** Removes; nothing to remove is no error. */
  delete(key: string): Promise<void>
}
