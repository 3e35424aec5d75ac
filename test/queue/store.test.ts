import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Backend } from '../../src/queue/backend.ts'
import { type Place, places } from './places.ts'

const MINUTE_MS = 60_000

for (const { engine, create, skip } of places) {
  describe.skipIf(skip)(`the store on the engine: ${engine}`, () => {
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

    it('gives a key to one of many who claim it at once, and its value to the others', async () => {
      const names = Array.from({ length: 20 }, (_, claimant) => `claimant ${claimant}`)
      const results = await Promise.all(names.map(name => backend.store.claim('race', name, MINUTE_MS)))
      const winners = names.filter((_, claimant) => results[claimant] === null)
      expect(winners).toHaveLength(1)
      expect(new Set(results)).toEqual(new Set([null, winners[0]]))
      expect(await backend.store.get('race')).toBe(winners[0])
    })

    it('forgets a value when its time is up, whoever wrote it', async () => {
      const { store } = backend
      await store.claim('claimed', 'a', 50)
      await store.put('put', 'b', 50)
      await vi.waitFor(async () => {
        expect([await store.get('claimed'), await store.get('put')]).toEqual([null, null])
      })
      expect(await store.replace('put', 'b', 'c', MINUTE_MS)).toBe(false)
      expect(await store.claim('claimed', 'd', MINUTE_MS)).toBeNull()
      expect(await store.get('claimed')).toBe('d')
    })

    it('counts the time from the last writing', async () => {
      const { store } = backend
      await store.put('renewed', 'a', 1)
      await store.put('renewed', 'b', MINUTE_MS)
      await store.put('other', 'a', 50)
      await vi.waitFor(async () => expect(await store.get('other')).toBeNull())
      expect(await store.get('renewed')).toBe('b')
    })

    it('puts over what is there, and replaces only what is there', async () => {
      const { store } = backend
      expect(await store.replace('thread', '', 'x', MINUTE_MS)).toBe(false)
      expect(await store.get('thread')).toBeNull()
      await store.put('thread', '17.1', MINUTE_MS)
      await store.put('thread', '17.2', MINUTE_MS)
      expect(await store.replace('thread', '17.1', '17.3', MINUTE_MS)).toBe(false)
      expect(await store.replace('thread', '17.2', '17.3', MINUTE_MS)).toBe(true)
      expect(await store.get('thread')).toBe('17.3')
    })

    it('deletes, also what is not there', async () => {
      const { store } = backend
      await store.put('gone', 'x', MINUTE_MS)
      await store.delete('gone')
      await store.delete('gone')
      expect(await store.get('gone')).toBeNull()
      expect(await store.claim('gone', 'y', MINUTE_MS)).toBeNull()
    })

    it('keeps any text as it is, under any key, after a restart too', async () => {
      const text = `it's "quoted" $1 {"a":[1]} ünï\n\u2028`
      await backend.store.put(text, text, MINUTE_MS)
      await backend.close()
      backend = await place.openBackend()
      expect(await backend.store.get(text)).toBe(text)
    })
  })
}
