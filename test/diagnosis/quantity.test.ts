import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatCpu, formatMemory, parseQuantity } from '../../src/diagnosis/quantity.ts'

describe('a quantity', () => {
  test.each<[string | number, number]>([
    ['100m', 0.1],
    ['1500m', 1.5],
    ['2', 2],
    [2, 2],
    [0.5, 0.5],
    ['0', 0],
    ['.5', 0.5],
    ['5.', 5],
    ['-1', -1],
    ['+1', 1],
    ['250u', 0.00025],
    ['100n', 1e-7],
    ['1k', 1000],
    ['128M', 128_000_000],
    ['1G', 1e9],
    ['2T', 2e12],
    ['1E', 1e18],
    ['1e3', 1000],
    ['1E3', 1000],
    ['12e-1', 1.2],
    ['1Ki', 1024],
    ['80Mi', 83_886_080],
    ['1Gi', 1_073_741_824],
    ['1.5Gi', 1_610_612_736],
    ['1Ti', 2 ** 40],
    ['9007199254740988Ki', 9007199254740988 * 1024],
  ])('%s is %d units', (written, units) => {
    expect(parseQuantity(written)).toBe(units)
  })

  test.each([
    '',
    ' ',
    '1 Gi',
    'Gi',
    '1gb',
    '1K',
    '1mi',
    'abc',
    '0x10',
    '1e',
    '1e999',
    '1e3Ki',
    'NaN',
    'Infinity',
    '--1',
  ])('%j is none', written => {
    expect(parseQuantity(written)).toBeNull()
  })

  test.each([null, undefined, Number.NaN, Number.POSITIVE_INFINITY])('%s is none', value => {
    expect(parseQuantity(value)).toBeNull()
  })

  test('no text makes the reader throw', () => {
    fc.assert(fc.property(fc.string(), written => void parseQuantity(written)))
  })
})

test.each([
  [0, '0'],
  [512, '512'],
  [1024, '1Ki'],
  [83_886_080, '80Mi'],
  [1_610_612_736, '1.5Gi'],
  [500_000_000, '476.8Mi'],
  [2 ** 30 - 1, '1Gi'],
  [2 ** 50, '1Pi'],
])('%d bytes are written %s', (bytes, written) => {
  expect(formatMemory(bytes)).toBe(written)
})

test.each([
  [0, '0'],
  [0.1, '100m'],
  [0.1 + 0.2, '300m'],
  [1.5, '1500m'],
  [2, '2'],
  [64, '64'],
  [0.0001, '1m'],
])('%d cores are written %s', (cores, written) => {
  expect(formatCpu(cores)).toBe(written)
})
