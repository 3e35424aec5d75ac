import { expect, it } from 'vitest'
import { duration } from '../../src/answer/duration.ts'

const minute = 60
const hour = 3_600
const day = 86_400
const year = 365 * day

it.each([
  [-5, '0s'],
  [0, '0s'],
  [119.9, '119s'],
  [2 * minute, '2m'],
  [2 * minute + 15, '2m15s'],
  [10 * minute + 15, '10m'],
  [3 * hour - 1, '179m'],
  [3 * hour + 20 * minute, '3h20m'],
  [8 * hour + 20 * minute, '8h'],
  [47 * hour, '47h'],
  [2 * day, '2d'],
  [6 * day + 4 * hour, '6d4h'],
  [8 * day + 4 * hour, '8d'],
  [2 * year - 1, '729d'],
  [2 * year + 5 * day, '2y5d'],
  [9 * year + 5 * day, '9y'],
])('prints %d seconds as kubectl does: %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})
