import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../../src/queue/engine.ts'
import { type Place, places } from './places.ts'
import { question } from './question.ts'
import { startProcess, type WorkingProcess } from './working-process.ts'

for (const { engine: name, create, skip } of places) {
  describe.skipIf(skip)(`a worker killed on the engine: ${name}`, () => {
    let place: Place
    let running: WorkingProcess | null = null
    beforeAll(async () => {
      place = await create()
    })
    afterEach(() => running?.kill())
    afterAll(() => place?.remove())

    const start = (how: 'hang' | 'finish') => {
      const { url, dataDir } = place.options
      running = startProcess('work', url ?? 'embedded', dataDir, how)
      return running
    }

    it('leaves its job to the next worker, which answers within 30 s', async () => {
      const asked = question()
      const engine = await openEngine(place.options)
      await engine.add(asked)
      await engine.close()

      const killed = start('hang')
      expect(await killed.line('started')).toBe(asked.id)
      await killed.kill()

      const restartedAt = performance.now()
      const next = start('finish')
      expect(await next.line('answered')).toBe(`${asked.id} 2`)
      expect(performance.now() - restartedAt).toBeLessThan(30_000)
    }, 120_000)
  })
}
