import { describe, expect, test } from 'vitest'
import { minorVersion, statusRules } from '../../src/diagnosis/server-version.ts'
import type { ServerVersion } from '../../src/diagnosis/snapshot.ts'

describe('the minor version', () => {
  test.each<[string, ServerVersion | null, number | null]>([
    ['a plain release', { major: '1', minor: '36', gitVersion: 'v1.36.3' }, 36],
    ['gitVersion before minor', { major: '1', minor: '30', gitVersion: 'v1.29.4-eks-036c24b' }, 29],
    ['a vendor build', { gitVersion: 'v1.28.9-gke.1209000' }, 28],
    ['the digits of minor where gitVersion is missing', { major: '1', minor: '29+' }, 29],
    ['the digits of minor where gitVersion is odd', { major: '1', minor: '31', gitVersion: 'custom' }, 31],
    ['no server', null, null],
    ['nothing in it', {}, null],
    ['a minor without digits', { major: '1', minor: 'x' }, null],
    ['another major', { major: '2', minor: '3', gitVersion: 'v2.3.0' }, null],
    ['fields of another type', { minor: 29 } as unknown as ServerVersion, null],
  ])('of %s', (_, server, minor) => {
    expect(minorVersion(server)).toBe(minor)
  })
})

test.each([
  [25, 'a'],
  [27, 'a'],
  [28, 'b'],
  [30, 'b'],
  [31, 'c'],
  [34, 'c'],
  [35, 'd'],
  [99, 'd'],
  [null, 'd'],
] as const)('minor %s prints STATUS by rules %s', (minor, rules) => {
  expect(statusRules(minor)).toBe(rules)
})
