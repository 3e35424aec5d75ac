import { expect, it } from 'vitest'
import { nearNames } from '../../src/cluster/near-names.ts'

const pods = [
  'checkout-7d9f8b6c5-x2x4z',
  'checkout-7d9f8b6c5-q8q8q',
  'cart-5c6d7f8b9-abcde',
  'db-0',
  'db-1',
  'agent-z9z9z',
]

it.each([
  ['chekout', ['checkout-7d9f8b6c5-q8q8q']],
  ['checkout-7d9f8b6c5-zzzzz', ['checkout-7d9f8b6c5-q8q8q']],
  ['checkout-api', ['checkout-7d9f8b6c5-q8q8q']],
  ['cartt', ['cart-5c6d7f8b9-abcde']],
  ['db-3', ['db-0']],
  ['agents', ['agent-z9z9z']],
  ['something-else-entirely', []],
])('%s', (name, expected) => {
  expect(nearNames(name, pods)).toEqual(expected)
})

it('at most three, one per workload', () => {
  expect(nearNames('web', ['web-a-0', 'web-b-0', 'web-c-0', 'web-d-0', 'web-a-1'])).toEqual([
    'web-a-0',
    'web-b-0',
    'web-c-0',
  ])
})
