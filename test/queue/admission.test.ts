import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { admission } from '../../src/queue/admission.ts'
import type { Backend } from '../../src/queue/backend.ts'
import { type Place, places } from './places.ts'

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
      expect(await admit.accept('a')).toBe(true)
      expect(await admit.isAccepted('a')).toBe(true)
      expect(await admit.isAccepted('a')).toBe(true)
      expect(await admit.ask('a')).toBe('accepted')
    })

    it('makes a worker that is faster than the confirmation wait for it', async () => {
      const admit = admission(backend.store)
      await admit.ask('b')
      const accepted = admit.isAccepted('b')
      expect(await admit.accept('b')).toBe(true)
      expect(await accepted).toBe(true)
    })

    it('never lets a job run whose confirmation came too late', async () => {
      const admit = admission(backend.store)
      await admit.ask('c')
      await vi.waitFor(async () => expect(await backend.store.get('admission/c')).toBeNull(), { timeout: 3000 })
      expect(await admit.accept('c')).toBe(false)
      expect(await admit.isAccepted('c')).toBe(false)
    })

    it('never lets a job run that a worker has dropped, unless it is asked for again', async () => {
      const admit = admission(backend.store)
      expect(await admit.isAccepted('d')).toBe(false)
      expect(await admit.ask('d')).toBe('withdrawn')
      await admit.askAgain('d')
      expect(await admit.accept('d')).toBe(true)
      expect(await admit.isAccepted('d')).toBe(true)
    })

    it('ends the wait for a confirmation that never comes', async () => {
      const admit = admission(backend.store)
      await admit.ask('e')
      expect(await admit.isAccepted('e')).toBe(false)
      expect(await admit.accept('e')).toBe(false)
      expect(await admit.isAccepted('e')).toBe(false)
    })
  })
}
