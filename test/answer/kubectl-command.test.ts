import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { kubectlCommand } from '../../src/answer/kubectl-command.ts'

it('leaves plain words as they are', () => {
  const argv = ['kubectl', '-n', 'shop', 'logs', 'web-5d4f', '-c', 'api', '--tail=20', 'deployment/web', 'a,b', 'x@y:1']
  expect(kubectlCommand(argv)).toBe(argv.join(' '))
})

it('gives a shell exactly the words it was made of', () => {
  const words = [
    'a b',
    '',
    "it's",
    '"quoted"',
    '$HOME',
    '`id`',
    '$(id)',
    'a;b',
    'a|b&c',
    '*',
    '~',
    '#no',
    '!x',
    '\\',
    'line\nbreak',
    '{"a":["b"]}',
    '<in',
    '>out',
    'ü😀',
    '-',
  ]
  const printf = kubectlCommand(['printf', '%s\\0', ...words])
  expect(execFileSync('sh', ['-c', printf], { encoding: 'utf8' })).toBe(words.map(word => `${word}\0`).join(''))
})
