import { setTimeout as delay } from 'node:timers/promises'
import type { Store } from './store.ts'

/**
 * How long a request stands. Shorter than what a store waits for an answer and what `add` may take, so that a request
 * has expired before its asker is told so.
 */
export const ASKED_MS = 1000
const SETTLED_MS = 7 * 24 * 3600 * 1000
const POLL_MS = 10
const INSIST_EVERY_MS = 50
const INSIST_MS = 300_000

type State = 'asked' | 'accepted' | 'withdrawn'

/**
 * Decides whether a job on the queue is meant to be there. A command to a frozen Redis is carried out when it thaws,
 * long after its sender gave up: so that an add nobody waits for any more is never worked on, each goes in three steps,
 *
 * 1. `ask` notes the request, for a second by the store's own clock,
 * 2. the job is added,
 * 3. `accept` confirms the request if it still stands,
 *
 * and the worker runs only what was accepted. A step that arrives late finds the request expired.
 */
export interface Admission {
  /** Notes the request. What it gives is the state before: null where the question is new. */
  ask(id: string): Promise<State | null>
  /** Asks again for a question whose earlier job was withdrawn and has been removed. */
  askAgain(id: string): Promise<void>
  /**
   * False: too late, the job will not run. Where the store's answer is lost it asks what became of the request; one
   * found confirmed only after `until` (of `performance.now()`) is withdrawn, if no worker has begun with it by then.
   */
  accept(id: string, until: number): Promise<boolean>
  /** Whether the job may run; waits for a request that is still open, and withdraws one that never was confirmed. */
  isAccepted(id: string): Promise<boolean>
}

/** Asks a store that cannot be reached until it answers; false after `giveUpAt`. */
const insist = async (work: () => Promise<boolean>, giveUpAt: number): Promise<boolean> => {
  while (performance.now() < giveUpAt) {
    try {
      return await work()
    } catch {
      await delay(INSIST_EVERY_MS, undefined, { ref: false })
    }
  }
  return false
}

/** The admission of jobs, kept in `store`. */
export const admission = (store: Store): Admission => {
  const key = (id: string) => `admission/${id}`
  const withdraw = (id: string) => store.replace(key(id), 'accepted', 'withdrawn', SETTLED_MS)
  const confirm = async (id: string) =>
    (await store.replace(key(id), 'asked', 'accepted', SETTLED_MS)) || (await store.get(key(id))) === 'accepted'

  return {
    ask: async id => (await store.claim(key(id), 'asked', ASKED_MS)) as State | null,
    askAgain: id => store.put(key(id), 'asked', ASKED_MS),
    accept: async (id, until) => {
      const giveUpAt = until + INSIST_MS
      const confirmed = await insist(() => confirm(id), giveUpAt)
      if (!confirmed || performance.now() < until) return confirmed
      await insist(() => withdraw(id), giveUpAt)
      return false
    },
    isAccepted: async id => {
      for (;;) {
        const state = await store.claim(key(id), 'withdrawn', SETTLED_MS)
        if (state !== 'asked') return state === 'accepted'
        await delay(POLL_MS)
      }
    },
  }
}
