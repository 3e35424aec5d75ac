import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { help } from '../src/cli/help.ts'
import { variables } from '../src/config.ts'
import { podwhy } from './cli/podwhy.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const readme = read('README.md')
const contributing = read('CONTRIBUTING.md')
/** What stands between fences. */
const blocks = (text: string) => [...text.matchAll(/^ *```(?:sh)?\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) => block)
const code = [readme, contributing].flatMap(text => [
  ...blocks(text),
  ...[...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span),
])
const { scripts } = JSON.parse(read('package.json'))

describe('the README', () => {
  test('lists every variable that podwhy reads, in the words of its configuration', () => {
    const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (.+) \|$/gm)].map(([, name, doc]) => ({ name, doc }))
    expect(rows).toEqual(variables)
  })

  test('shows what the command it names prints, leaving out lines only where it says so', async () => {
    const shown = blocks(readme)[0]?.trimEnd().split('\n') ?? []
    const [, args = ''] = /^\$ node bin\/podwhy (.+)$/.exec(shown[0] ?? '') ?? []
    const { out, status } = await podwhy(
      args.split(' ').map(word => (word.startsWith('src/') ? join(root, word) : word)),
    )
    expect(status).toBe(1)
    let rest = out.split('\n')
    for (const [index, line] of shown.entries()) {
      if (index === 0 || line.trim() === '…') continue
      const mayLeaveOut = shown[index - 1]?.trim() === '…'
      const at = mayLeaveOut ? rest.indexOf(line) : 0
      expect(rest[at], 'paste the output again').toBe(line)
      rest = rest.slice(at + 1)
    }
  })

  test('has the exit statuses of the help', () => {
    const statuses = [...readme.matchAll(/^\| (\d) \|/gm)].map(([, status]) => status)
    expect(statuses).toEqual([...help.matchAll(/(?<=[:,] )\d(?= )/g)].map(([status]) => status))
  })
})

test('named npm scripts exist', () => {
  const named = code.flatMap(text => [...text.matchAll(/\bnpm (start|test|run [\w:]+)/g)].map(([, name = '']) => name))
  expect(named).toEqual(expect.arrayContaining(['start', 'run accuracy', 'run test:cluster']))
  for (const name of named) expect(Object.keys(scripts)).toContain(name.replace('run ', ''))
})

test('named commands of podwhy exist', () => {
  const commands = [...help.matchAll(/^podwhy (\w+) .* {2}/gm)].map(([, name]) => name)
  const named = code.flatMap(text =>
    [...text.matchAll(/(?:^|bin\/|kubectl |&& |\| )podwhy ([a-z]+)\b/gm)].map(([, name]) => name),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(commands).toEqual(expect.arrayContaining([...new Set(named)]))
})

test.each(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'])('%s links and names only files that exist', file => {
  const text = read(file)
  const links = [...text.matchAll(/\]\(([^)#]+)\)/g)]
    .map(([, link = '']) => link)
    .filter(link => !/^https?:/.test(link))
  const paths = [...text.matchAll(/(?:^|[\s`])((?:bin|deploy|src|test)\/[\w./-]*[\w/])/gm)].map(([, path = '']) => path)
  // Capitals stand for what the reader chooses.
  const named = [...links.map(link => join(dirname(file), link)), ...paths].filter(
    path => !/\/[A-Z]+(?:[./]|$)/.test(path),
  )
  expect(named.filter(path => !existsSync(join(root, path)))).toEqual([])
})

test('CONTRIBUTING has a row for every folder of src', () => {
  const rows = [...contributing.matchAll(/^\| `([\w.]+)\/?` \|/gm)].map(([, name = '']) => name)
  expect(rows.filter(name => !existsSync(join(root, 'src', name)))).toEqual([])
  expect(rows).toEqual(
    expect.arrayContaining(['diagnosis', 'cluster', 'redaction', 'queue', 'answer', 'slack', 'local', 'cli']),
  )
})
