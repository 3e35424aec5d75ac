import { expect, it } from 'vitest'
import { ClusterBusy, openLanes } from '../../src/cluster/lanes.ts'

it('lets so many at once, and gives the others turns one after the other', async () => {
  const lanes = openLanes(2, () => 0)
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const running = ends.map(({ promise }) => lanes.take(() => promise))
  const waits: number[] = []
  for (let index = 0; index < 6; index++) {
    const error = await lanes.take(async () => {}).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ClusterBusy)
    waits.push((error as ClusterBusy).retryAfterMs)
  }
  expect(waits).toEqual([500, 500, 750, 1000, 1250, 1500])
  ends[0]?.resolve()
  await running[0]
  expect(await lanes.take(async () => 'done')).toBe('done')
  ends[1]?.resolve()
  await running[1]
})

it('gives turns as far apart as work has taken', async () => {
  let now = 0
  const lanes = openLanes(1, () => now)
  for (let index = 0; index < 40; index++) {
    await lanes.take(async () => {
      now += 15_000
    })
  }
  const held = Promise.withResolvers<void>()
  const running = lanes.take(() => held.promise)
  const waits = []
  for (let index = 0; index < 5; index++)
    waits.push(await lanes.take(async () => {}).catch((error: ClusterBusy) => Math.round(error.retryAfterMs / 1000)))
  expect(waits).toEqual([15, 30, 45, 60, 60])
  held.resolve()
  await running
})

it('frees the lane of what fails', async () => {
  const lanes = openLanes(1)
  await expect(lanes.take(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await lanes.take(async () => 'done')).toBe('done')
})
