import { expect, test } from 'vitest'
import { humanDuration } from '../../src/diagnosis/human-duration.ts'

const minute = 60
const hour = 3600
const day = 86_400
const year = 365 * day

test.each([
  [-2, '<invalid>'],
  [Number.NaN, '<invalid>'],
  [-1.9, '0s'],
  [-1, '0s'],
  [0, '0s'],
  [0.99, '0s'],
  [119.99, '119s'],
  [120, '2m'],
  [121, '2m1s'],
  [599, '9m59s'],
  [600, '10m'],
  [3600, '60m'],
  [3 * hour - 1, '179m'],
  [3 * hour, '3h'],
  [3 * hour + minute, '3h1m'],
  [3 * hour + minute - 1, '3h'],
  [8 * hour - 1, '7h59m'],
  [8 * hour, '8h'],
  [2 * day - 1, '47h'],
  [2 * day, '2d'],
  [2 * day + hour, '2d1h'],
  [8 * day - 1, '7d23h'],
  [8 * day, '8d'],
  [2 * year - 1, '729d'],
  [2 * year, '2y'],
  [2 * year + day, '2y1d'],
  [8 * year - 1, '7y364d'],
  [8 * year, '8y'],
])('%d seconds are printed as %s', (seconds, printed) => {
  expect(humanDuration(seconds)).toBe(printed)
})
