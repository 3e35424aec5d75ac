import { expect, it } from 'vitest'
import { writable } from '../../src/cli/writable.ts'

it('a store that takes nothing is told at once, one that takes writes is asked every ten seconds', async () => {
  let now = 0
  let isFull = false
  let writes = 0
  const isWritable = writable(
    {
      put: async () => {
        writes++
        if (isFull) throw new Error('could not extend file: No space left on device')
      },
    },
    () => now,
  )
  expect(await Promise.all([isWritable(), isWritable(), isWritable()])).toEqual([true, true, true])
  expect(writes).toBe(1)
  isFull = true
  now += 9_999
  expect(await isWritable()).toBe(true)
  now += 1
  expect(await isWritable()).toBe(false)
  expect(await isWritable()).toBe(false)
  isFull = false
  expect(await isWritable()).toBe(true)
  expect(writes).toBe(4)
})
