import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { admission } from '../../src/queue/admission.ts'
import type { Backend } from '../../src/queue/backend.ts'
import type { Store } from '../../src/queue/store.ts'
import { QueueUnavailable } from '../../src/queue/within.ts'
import { type Place, places } from './places.ts'

/** A store that carries out the first replacement without answering, and then cannot be reached for a few calls. */
const losing = (store: Store, calls: number): Store => {
  let left = calls
  const lose = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    if (left-- > 0) throw new QueueUnavailable('connection cut')
    return result
  }
  return {
    ...store,
    get: key => lose(store.get(key)),
    replace: (...replacement) => lose(store.replace(...replacement)),
  }
}

const later = () => performance.now() + 2000

for (const { engine, create, skip } of places) {
  describe.skipIf(skip)(`admission on the engine: ${engine}`, () => {
    let place: Place
    let backend: Backend
    beforeAll(async () => {
      place = await create()
      backend = await place.openBackend()
    })
    afterAll(async () => {
      await backend?.close()
      await place?.remove()
    })

    it('lets a job run that was asked for and confirmed, as often as it must', async () => {
      const admit = admission(backend.store)
      expect(await admit.ask('a')).toBeNull()
      expect(await admit.accept('a', later())).toBe(true)
      expect(await admit.isAccepted('a')).toBe(true)
      expect(await admit.isAccepted('a')).toBe(true)
      expect(await admit.ask('a')).toBe('accepted')
    })

    it('makes a worker that is faster than the confirmation wait for it', async () => {
      const admit = admission(backend.store)
      await admit.ask('b')
      const accepted = admit.isAccepted('b')
      expect(await admit.accept('b', later())).toBe(true)
      expect(await accepted).toBe(true)
    })

    it('never lets a job run whose confirmation came too late', async () => {
      const admit = admission(backend.store)
      await admit.ask('c')
      await vi.waitFor(async () => expect(await backend.store.get('admission/c')).toBeNull(), { timeout: 3000 })
      expect(await admit.accept('c', later())).toBe(false)
      expect(await admit.isAccepted('c')).toBe(false)
    })

    it('never lets a job run that a worker has dropped, unless it is asked for again', async () => {
      const admit = admission(backend.store)
      expect(await admit.isAccepted('d')).toBe(false)
      expect(await admit.ask('d')).toBe('withdrawn')
      await admit.askAgain('d')
      expect(await admit.accept('d', later())).toBe(true)
      expect(await admit.isAccepted('d')).toBe(true)
    })

    it('ends the wait for a confirmation that never comes', async () => {
      const admit = admission(backend.store)
      await admit.ask('e')
      expect(await admit.isAccepted('e')).toBe(false)
      expect(await admit.accept('e', later())).toBe(false)
      expect(await admit.isAccepted('e')).toBe(false)
    })

    it('finds out that a confirmation went through when only its answer was lost', async () => {
      const admit = admission(losing(backend.store, 3))
      await admit.ask('f')
      expect(await admit.accept('f', later())).toBe(true)
      expect(await admit.isAccepted('f')).toBe(true)
    })

    it('withdraws what it finds confirmed only after its asker was sent away', async () => {
      const admit = admission(losing(backend.store, 3))
      await admit.ask('g')
      expect(await admit.accept('g', performance.now() + 60)).toBe(false)
      expect(await admit.isAccepted('g')).toBe(false)
    })
  })
}
