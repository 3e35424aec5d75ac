import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DirectoryInUse, lockDirectory } from '../../src/queue/directory-lock.ts'
import { openEngine } from '../../src/queue/engine.ts'
import { silent } from './places.ts'
import { startProcess } from './working-process.ts'

describe('lockDirectory', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'lock-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it('makes the directory, and refuses it to a second until the first lets go', async () => {
    const inside = join(directory, 'not', 'there')
    const unlock = await lockDirectory(inside)
    await expect(lockDirectory(inside)).rejects.toThrow(DirectoryInUse)
    await unlock()
    await (await lockDirectory(inside))()
  })

  it('locks a directory whose path is too long for a socket', async () => {
    const long = join(directory, 'd'.repeat(120))
    const unlock = await lockDirectory(long)
    await expect(lockDirectory(long)).rejects.toThrow(DirectoryInUse)
    await unlock()
  })

  it('gives the lock of a killed process to one of those who want it at once', async () => {
    const killed = startProcess('lock', directory)
    await killed.line('locked')
    await killed.kill()
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)))
    const winners = results.filter(({ status }) => status === 'fulfilled')
    expect(winners).toHaveLength(1)
    await expect(lockDirectory(directory)).rejects.toThrow(DirectoryInUse)
  })

  it('keeps a second process away from the data of the embedded queue, and says what to do', async () => {
    const first = startProcess('work', 'embedded', directory, 'finish')
    await first.line('ready')
    const second = openEngine({ url: null, dataDir: directory, log: silent })
    await expect(second).rejects.toMatchObject({
      name: 'DirectoryInUse',
      directory,
      message: expect.stringMatching(/running on the data directory .*lock-.*PODWHY_DATA_DIR.*PODWHY_QUEUE_URL/),
    })
    await first.kill()
    const engine = await openEngine({ url: null, dataDir: directory, log: silent })
    expect(engine.ready()).toBe(true)
    await engine.close()
  })
})
