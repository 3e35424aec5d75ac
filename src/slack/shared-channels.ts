import type { Logger } from 'pino'
import type { Desk } from './ask.ts'
import type { Store } from './poster.ts'
import { within } from './within.ts'

const REMEMBER_MS = 30 * 24 * 60 * 60_000

/** Remembering must not keep anybody from an answer for longer. */
const LOOK_UP_MS = 300

/**
 * Channels that Slack said are shared with another organisation. Events say so (`is_ext_shared_channel`), commands do
 * not, and asking for it (`conversations.info`) would take scopes that podwhy does not have: so it is remembered.
 */
export function sharedChannels(store: Pick<Store, 'get' | 'put'>, log: Logger): Desk['sharedChannels'] {
  const key = (channelId: string): string => `shared-channel:${channelId}`
  const warn = (err: unknown): null => {
    log.warn({ err }, 'shared channels not remembered')
    return null
  }
  return {
    async add(channelId) {
      await within(LOOK_UP_MS, store.put(key(channelId), '1', REMEMBER_MS).catch(warn), null)
    },
    async has(channelId) {
      return (await within(LOOK_UP_MS, store.get(key(channelId)).catch(warn), null)) !== null
    },
  }
}
