import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { crashingPod, servingPod } from './pods.ts'
import { podwhy } from './podwhy.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'podwhy-cli-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}
const json = JSON.stringify

test.each([
  [['explain'], /^podwhy: name a TARGET or -f FILE; see podwhy --help\n$/],
  [[], /^podwhy: name a command: explain, record, check or serve; see podwhy --help\n$/],
  [['shop/web'], /^podwhy: there is no command "shop\/web"; did you mean: podwhy explain shop\/web\n$/],
  [['toString'], /^podwhy: there is no command "toString"/],
  [['--nope'], /^podwhy: unknown option "--nope"; see podwhy --help\n$/],
  [['explain', '--nope', 'x'], /^podwhy: unknown option '--nope'; see podwhy --help\n$/],
  [['explain', '-f'], /^podwhy: [^\n]*-f[^\n]* argument missing; see podwhy --help\n$/],
  [['explain', '-f', 'x', 'shop/web'], /^podwhy: name a TARGET or -f FILE, not both\n$/],
  [['explain', '-f', 'x', '-f', 'y'], /^podwhy: one -f FILE at a time; several go through stdin: [^\n]*\n$/],
  [['explain', '-f', 'x', '-n', 'shop'], /^podwhy: -n and --context belong to a TARGET, not to -f\n$/],
  [['explain', '-f', '-', '-o', 'xml'], /^podwhy: -o xml: use text, json, slack\n$/],
  [
    ['explain', '-f', '-', '--at', '2026-02-30T12:00:00Z'],
    /^podwhy: --at 2026-02-30T12:00:00Z: write an RFC 3339 time/,
  ],
  [
    ['explain', '-f', '-', '--at', '2025-02-29T12:00:00+01:00'],
    /^podwhy: --at 2025-02-29T12:00:00\+01:00: write an RFC/,
  ],
  [['explain', '-f', '-', '--at', 'yesterday'], /^podwhy: --at yesterday: write an RFC 3339 time/],
  [['explain', '-f', '-', '--color', 'red'], /^podwhy: --color red: use auto, always, never\n$/],
  [['explain', '-f', '/nonexistent/x.json'], /^podwhy: \/nonexistent\/x\.json: no such file\n$/],
  [['explain', '-f', '/tmp'], /^podwhy: \/tmp is a directory; name a file, or - for stdin\n$/],
  [['explain', '-f', '-'], /^podwhy: stdin is empty; a recording, a Pod or a List of Pods is expected\n$/],
  [['explain', 'shop/web'], /^podwhy: kubeconfig [^\n]* does not exist; set KUBECONFIG\n$/],
  [['record'], /^podwhy: name a TARGET; see podwhy --help\n$/],
  [['check', 'x'], /^podwhy: check takes no TARGET: "x" is one word too many\n$/],
  [['serve', '--role', 'boss'], /^podwhy: --role boss: use all, bot, worker\n$/],
  [['serve', 'x'], /^podwhy: serve takes no TARGET: "x" is one word too many\n$/],
] as [string[], RegExp][])('podwhy %j ends with 2 and one line', async (args, line) => {
  const { status, out, err } = await podwhy(args)
  expect(err).toMatch(line)
  expect({ status, out }).toEqual({ status: 2, out: '' })
})

test.each([['--help'], ['-h'], ['help'], ['explain', '--help']])('podwhy %s %s prints the help', async (...args) => {
  const { status, out, err } = await podwhy(args.filter(Boolean))
  expect(out).toMatch(/podwhy explain TARGET[\s\S]*Exit status/)
  expect({ status, err }).toEqual({ status: 0, err: '' })
})

test('podwhy --version prints the version', async () => {
  expect(await podwhy(['--version'])).toEqual({ status: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: '' })
})

test.each([
  ['a healthy pod', [servingPod('a')], 0],
  ['a crashing pod', [crashingPod('b')], 1],
  ['both', [servingPod('a'), crashingPod('b')], 1],
  ['an unreadable one among them', [servingPod('a'), 1, crashingPod('b')], 2],
] as [string, unknown[], number][])(
  'explaining %s ends with its status, one JSON line each',
  async (_, values, expected) => {
    const { status, out } = await podwhy(['explain', '-f', '-', '-o', 'json'], {
      input: values.map(value => `${json(value)}\n`).join(''),
    })
    const lines = out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.map(({ schema, pod, line }) => [schema, pod ?? line])).toEqual(
      values.map((value, at) => [
        'podwhy/v1',
        typeof value === 'number' ? at + 1 : at === 0 && values.length > 1 ? 'a' : expect.stringMatching(/^[ab]$/),
      ]),
    )
    expect(status).toBe(expected)
  },
)

test('text names the pod; Slack gets its blocks', async () => {
  const path = file('pod.json', json(crashingPod('b')))
  expect((await podwhy(['explain', '-f', path])).out).toMatch(/^b\b.*CrashLoopBackOff/)
  expect(JSON.parse((await podwhy(['explain', '-f', path, '-o', 'slack'])).out)).toMatchObject({
    root: { blocks: expect.any(Array) },
    thread: expect.any(Array),
  })
})

test('a secret of the file is in no output', async () => {
  const secret = `hunter2${'-'}${'x1'.repeat(6)}`
  const pod = crashingPod('b')
  const input = json({
    kind: 'PodSnapshot',
    takenAt: null,
    pod,
    logs: { web: { current: null, previous: `connecting password=${secret}\nfatal: no` } },
  })
  for (const output of ['text', 'json', 'slack']) {
    const { out } = await podwhy(['explain', '-f', '-', '-o', output], { input })
    expect(out).toContain('[redacted]')
    expect(out).not.toContain(secret)
  }
})

test('colours only where they are wanted', async () => {
  const input = json(crashingPod('b'))
  const sequence = '\u001b['
  expect((await podwhy(['explain', '-f', '-'], { input })).out).not.toContain(sequence)
  expect((await podwhy(['explain', '-f', '-', '--color', 'always'], { input, env: { NO_COLOR: '1' } })).out).toContain(
    sequence,
  )
  expect((await podwhy(['explain', '-f', '-', '--color=never'], { input })).out).not.toContain(sequence)
})

test.each([
  ['malformed.json', '{"kind": "Pod",', /malformed\.json, line 1: not JSON: it ends too early\n$/],
  ['binary', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2]), /binary, line 1: is binary, not text\n$/],
  ['empty.json', '', /empty\.json is empty; a recording, a Pod or a List of Pods is expected\n$/],
  ['prose.txt', 'hello\n', /prose\.txt, line 1: a string where a recording/],
  ['second.yaml', '# nothing\n---\nkind: Pod\n  x: [\n', /second\.yaml, line 3: not YAML: /],
])('%s ends with 2 and one line that names file and line', async (name, content, line) => {
  const { status, out, err } = await podwhy(['explain', '-f', file(name, content)])
  expect(err).toMatch(line)
  expect(err.trimEnd().split('\n')).toHaveLength(1)
  expect({ status, out }).toEqual({ status: 2, out: '' })
})

test('a file of 200 MB on one line is refused in one line, in bounded memory', async () => {
  const path = file('large.json', `{"kind":"Pod","x":"${'y'.repeat(200_000_000)}"}`)
  const { status, err } = await podwhy(['explain', '-f', path], { env: { NODE_OPTIONS: '--max-old-space-size=300' } })
  expect(err).toMatch(/large\.json, line 1: a document is longer than 64 MiB\n$/)
  expect(status).toBe(2)
})

test('1,000 lines are answered in order within seconds, in bounded memory', async () => {
  const log = 'GET /healthz 200 1ms\n'.repeat(500)
  const lines = Array.from({ length: 1000 }, (_, at) =>
    json({
      kind: 'PodSnapshot',
      takenAt: '2026-05-04T12:00:00Z',
      pod: crashingPod(`p${at}`),
      logs: { web: { current: null, previous: log } },
    }),
  )
  const path = file('many.jsonl', lines.join('\n'))
  const start = performance.now()
  const { status, out } = await podwhy(['explain', '-f', path, '-o', 'json'], {
    env: { NODE_OPTIONS: '--max-old-space-size=100' },
  })
  expect(performance.now() - start).toBeLessThan(15_000)
  expect(
    out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).pod),
  ).toEqual(lines.map((_, at) => `p${at}`))
  expect(status).toBe(1)
})

test('PODWHY_DEBUG=1 prints the stack of an error', async () => {
  const { status, err } = await podwhy(['explain'], { env: { PODWHY_DEBUG: '1' } })
  expect(err).toMatch(/UsageError: name a TARGET[\s\S]*\n {4}at /)
  expect(status).toBe(2)
})

test('check names every mistake of the configuration', async () => {
  const { status, out, err } = await podwhy(['check'], { env: { PORT: 'x', PODWHY_LOG_LEVEL: 'loud' } })
  expect(out.split('\n')).toEqual([
    'configuration: PORT: "x" is not a port; write a number from 0 to 65535',
    'configuration: PODWHY_LOG_LEVEL: "loud" is not a level; write trace, debug, info, warn, error, fatal or silent',
    expect.stringMatching(/^cluster: kubeconfig .* does not exist; set KUBECONFIG$/),
    '',
  ])
  expect({ status, err }).toEqual({ status: 2, err: '' })
})
