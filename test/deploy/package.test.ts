import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const recording = join(root, 'src/local/demo/orders-api.json')
const place = mkdtempSync(join(tmpdir(), 'podwhy-package-'))
const modules = join(place, 'node_modules')
const installed = join(modules, 'podwhy')

/** Packs as `npm publish` would, and unpacks it where an installation puts it, beside the packages of this clone. */
beforeAll(() => {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--pack-destination', place], {
    cwd: root,
    encoding: 'utf8',
  })
  // The compiler names mistakes on stdout.
  if (status !== 0) throw new Error(`npm pack failed:\n${stdout}\n${stderr}`)
  mkdirSync(installed, { recursive: true })
  for (const entry of readdirSync(join(root, 'node_modules'))) {
    if (!entry.startsWith('.')) symlinkSync(join(root, 'node_modules', entry), join(modules, entry))
  }
  const tarball = readdirSync(place).find(name => name.endsWith('.tgz')) ?? 'no tarball'
  execFileSync('tar', ['-xzf', join(place, tarball), '-C', installed, '--strip-components=1'])
  // npm makes one such link for each name in `bin`.
  mkdirSync(join(modules, '.bin'))
  for (const [name, file] of Object.entries<string>(manifest().bin)) {
    symlinkSync(join(installed, file), join(modules, '.bin', name))
  }
}, 60_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

const manifest = () => JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))

const start = (command: string, args: readonly string[], env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [join(modules, '.bin', command), ...args], {
    cwd: place,
    env: { PATH: process.env['PATH'], HOME: place, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const run = async (command: string, ...args: string[]) => {
  const child = start(command, args)
  const ended = once(child, 'close')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: (await ended)[0], out, err }
}

test('says its version', async () => {
  expect(await run('podwhy', '--version')).toEqual({ status: 0, out: `${manifest().version}\n`, err: '' })
})

test('explains a recording, as podwhy and as kubectl-podwhy', async () => {
  const answer = await run('podwhy', 'explain', '-f', recording)
  expect(answer).toMatchObject({ status: 1, out: expect.stringContaining('`orders-postgres:5432`'), err: '' })
  expect(await run('kubectl-podwhy', 'explain', '-f', recording)).toEqual(answer)
})

test('serves the demo: the page with its script, and an answer to a question asked there', {
  // A new embedded database takes seconds, on a busy machine many.
  timeout: 60_000,
}, async () => {
  const env = { PORT: '0', PODWHY_DATA_DIR: join(place, 'data') }
  const serving = start('podwhy', ['serve'], env)
  const [line] = await once(createInterface({ input: serving.stdout }), 'line')
  const url = String(line).replace('podwhy listens: ', '')

  expect(await (await fetch(url)).text()).toContain('/local/page.js')
  for (const [file, type] of [
    ['page.js', 'text/javascript'],
    ['page.css', 'text/css'],
  ] as const) {
    const served = await fetch(new URL(`local/${file}`, url))
    expect(served.headers.get('content-type')).toContain(type)
    expect((await served.text()).length).toBeGreaterThan(1000)
  }

  const events = await fetch(new URL('local/events', url), { signal: AbortSignal.timeout(40_000) })
  const asked = await fetch(new URL('local/command', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: '/podwhy shop/orders-api' }),
  })
  expect(asked.status).toBe(200)
  let seen = ''
  for await (const chunk of events.body ?? []) {
    seen += Buffer.from(chunk).toString()
    if (seen.includes('There is no Service')) break
  }
  expect(seen).toContain('There is no Service')

  serving.kill('SIGTERM')
  const [status] = await once(serving, 'close')
  expect(status).toBe(0)
})

test('needs at run time only packages that it names as dependencies', () => {
  const dist = join(installed, 'dist')
  const named = Object.keys(manifest().dependencies)
  const imported = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.js') && file !== join('local', 'page.js'))
    .flatMap(file => [
      ...readFileSync(join(dist, file), 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?['"]([@\w][\w@./:-]*)['"]/g),
    ])
    .map(([, name = '']) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
  expect(imported.length).toBeGreaterThan(50)
  // Bundling the page is for clones; a package brings it bundled.
  const needed = new Set(imported.filter(name => !isBuiltin(name) && name !== 'esbuild'))
  expect([...needed].filter(name => !named.includes(name))).toEqual([])
})

test('carries what installing it in Slack and in a cluster takes, and no sources', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'LICENSE', 'manifest.yml', join('deploy', 'kustomization.yaml')]),
  )
  expect(files.filter(file => /\.tsx?$/.test(file))).toEqual([])
})
