import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { type FileEntry, readSnapshots } from '../../src/cli/snapshot-file.ts'
import { splitDocuments } from '../../src/cli/split-documents.ts'
import { crashingPod, servingPod } from './pods.ts'

const collect = async <T>(values: AsyncIterable<T>): Promise<T[]> => {
  const collected: T[] = []
  for await (const value of values) collected.push(value)
  return collected
}
async function* bytes(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? new TextEncoder().encode(part) : part
}
const read = async (...parts: (string | Uint8Array)[]): Promise<FileEntry[]> => collect(readSnapshots(bytes(...parts)))
/** `line target` or `line error` of each entry. */
const summary = async (...parts: (string | Uint8Array)[]): Promise<string[]> =>
  (await read(...parts)).map(entry => `${entry.line} ${'error' in entry ? entry.error : entry.snapshot.target}`)

const a = servingPod('a')
const b = crashingPod('b')
/** Lines of the first pod's JSON. */
const LINES = JSON.stringify(a, null, 2).split('\n').length
const recording = {
  kind: 'PodSnapshot',
  takenAt: '2026-05-04T12:00:00Z',
  server: null,
  namespace: 'shop',
  target: 'b',
  pod: b,
  events: [],
  logs: {},
  related: {},
  unread: [],
}

test.each([
  ['a Pod as JSON over lines', JSON.stringify(a, null, 2), ['1 a']],
  ['a Pod on one line', JSON.stringify(a), ['1 a']],
  ['a Pod as YAML', stringify(a), ['1 a']],
  ['a Pod as YAML after a comment and empty lines', `\n# pod\n\n${stringify(a)}`, ['2 a']],
  ['a recording', JSON.stringify(recording, null, 1), ['1 b']],
  ['JSON Lines', `${JSON.stringify(recording)}\n\n${JSON.stringify(a)}\n`, ['1 b', '3 a']],
  [
    'JSON values over lines, one after the other',
    `${JSON.stringify(a, null, 2)}\n${JSON.stringify(b, null, 2)}\n`,
    ['1 a', `${LINES + 1} b`],
  ],
  ['a JSON array on one line', JSON.stringify([a, recording]), ['1 a', '1 b']],
  ['a JSON array over lines', JSON.stringify([a, b], null, 2), ['2 a', `${LINES + 2} b`]],
  ['a JSON array with an element a line', `[\n${JSON.stringify(a)},\n${JSON.stringify(b)}\n]`, ['2 a', '3 b']],
  ['YAML documents', `---\n${stringify(a)}---\n${stringify(b)}---\n`, ['2 a', expect.stringMatching(/^\d+ b$/)]],
  ['a List', JSON.stringify({ kind: 'List', items: [a, { kind: 'Service' }, b] }), ['1 a', '1 b']],
  [
    'a PodList whose items have no kind',
    JSON.stringify({ kind: 'PodList', items: [{ ...a, kind: undefined }] }),
    ['1 a'],
  ],
  ['a byte order mark', `\ufeff${JSON.stringify(a)}`, ['1 a']],
  ['line ends of Windows', `${JSON.stringify(a, null, 2).replaceAll('\n', '\r\n')}\r\n`, ['1 a']],
  ['YAML with line ends of Windows', stringify(a).replaceAll('\n', '\r\n'), ['1 a']],
  ['no line end', JSON.stringify(a).trimEnd(), ['1 a']],
  ['nothing', '', []],
  ['blank lines only', '\n \r\n\n', []],
] as const)('reads %s', async (_, input, expected) => {
  expect(await summary(input)).toEqual(expected)
})

test('reads UTF-16, as PowerShell writes it', async () => {
  expect(await summary(Buffer.from(`\ufeff${JSON.stringify(a)}`, 'utf16le'))).toEqual(['1 a'])
})

test('reads the same however the bytes arrive', async () => {
  const input = new TextEncoder().encode(
    `${JSON.stringify({ ...recording, logs: { web: { current: 'größer ✓ {[', previous: null } } }, null, 2)}\n`,
  )
  const whole = await read(input)
  for (const size of [1, 7]) {
    const parts = Array.from({ length: Math.ceil(input.length / size) }, (_, at) =>
      input.slice(at * size, (at + 1) * size),
    )
    expect(await read(...parts)).toEqual(whole)
  }
})

test.each([
  [
    'a line that is no JSON',
    `${JSON.stringify(a)}\n{bad\n${JSON.stringify(b)}\n`,
    ['1 a', "2 not JSON: Expected property name or '}'", '3 b'],
  ],
  [
    'a first line that is no JSON',
    `{bad\n${JSON.stringify(b)}\n`,
    ["1 not JSON: Expected property name or '}'", '2 b'],
  ],
  [
    'a line that ends too early',
    `${JSON.stringify(a)}\n${JSON.stringify(b).slice(0, 90)}\n`,
    ['1 a', '2 not JSON: it ends too early'],
  ],
  ['JSON over lines that ends too early', JSON.stringify(a, null, 2).slice(0, 200), ['1 not JSON: it ends too early']],
  ['a YAML document that is none', `a: [1\n---\n${stringify(a)}`, [expect.stringMatching(/^1 not YAML: /), '3 a']],
  ['prose', 'hello world\n', ['1 a string where a recording, a Pod or a List of Pods is expected']],
  ['a number', '42\n', ['1 a number where a recording, a Pod or a List of Pods is expected']],
  [
    'another kind',
    JSON.stringify({ kind: 'Deployment', metadata: { name: 'x' } }),
    ['1 a Deployment; a recording, a Pod or a List of Pods is expected'],
  ],
  ['an object without kind', '{}', ['1 an object without kind; a recording, a Pod or a List of Pods is expected']],
  [
    'a List without a Pod',
    JSON.stringify({ kind: 'List', items: [] }),
    ['1 a List without a Pod; a recording, a Pod or a List of Pods is expected'],
  ],
  ['a Pod without a name', JSON.stringify({ kind: 'Pod', metadata: {}, spec: {} }), ['1 a Pod without metadata.name']],
  [
    'a Pod that is no pod',
    JSON.stringify({ kind: 'Pod', metadata: 'x' }),
    ['1 a Pod without metadata, spec or status'],
  ],
  [
    'a recording of nothing',
    JSON.stringify({ kind: 'PodSnapshot' }),
    ['1 a recording without a pod and without a target'],
  ],
  [
    'a recording with events that are no list',
    JSON.stringify({ ...recording, events: {} }),
    ['1 a recording whose events are no list'],
  ],
  ['binary', '\u007fELF\u0000\u0001', ['1 is binary, not text']],
  ['text of two bytes a letter', [...JSON.stringify(recording)].join('\0'), ['1 is binary, not text']],
] as const)('says what is wrong with %s', async (_, input, expected) => {
  expect(await summary(input)).toEqual(expected)
})

test('a NUL that a log holds makes no file binary', async () => {
  const logs = { web: { current: 'before\0after', previous: null } }
  const lines = JSON.stringify({ ...recording, logs }).replace('\\u0000', '\0')
  expect(lines).toContain('\0')
  const [first] = await collect(readSnapshots(bytes(`${lines}\n${lines}\n`)))
  expect(first).toMatchObject({ snapshot: { logs } })
  expect(await summary(`${lines}\n${lines}\n`)).toHaveLength(2)
})

test('a document that is too long is said to be, and the next line is read', async () => {
  const documents = await collect(
    splitDocuments(bytes(`{"a":1}\n${'x'.repeat(2 * 1024 * 1024)}\n{"b":2}\n`), 1024 * 1024),
  )
  expect(documents).toEqual([
    { text: '{"a":1}', line: 1, format: 'json' },
    { problem: 'a document is longer than 1 MiB', line: 2 },
    { text: '{"b":2}', line: 3, format: 'json' },
  ])
})

test('the events of a List go to their pods', async () => {
  const event = (name: string, uid?: string) => ({
    kind: 'Event',
    reason: `of ${name}`,
    involvedObject: { kind: 'Pod', namespace: 'shop', name, uid },
  })
  const [first, second] = await read(
    JSON.stringify({ kind: 'List', items: [event('b', 'uid-b'), a, b, event('a'), event('a', 'uid-older')] }),
  )
  expect(first).toMatchObject({ snapshot: { target: 'a', events: [{ reason: 'of a' }] } })
  expect(second).toMatchObject({ snapshot: { target: 'b', events: [{ reason: 'of b' }] } })
})

test('a bare Pod has no time, and says what is not known', async () => {
  const [entry] = await read(JSON.stringify(a))
  expect(entry).toMatchObject({
    snapshot: {
      takenAt: null,
      server: null,
      namespace: 'shop',
      unread: [{ what: 'events' }, { what: 'logs', why: 'not in the file' }],
    },
  })
})

test('a recording without kind is read: flat objects are filled out, what is no list is left out', async () => {
  const older = {
    id: 'x',
    pod: b,
    events: [{ reason: 'BackOff' }],
    logs: { web: { current: 'x', previous: '' } },
    related: {
      services: [{ name: 'web', ports: [{ port: 80 }] }, {}],
      endpoints: [{ name: 'web', addresses: ['10.0.0.7'] }],
      nodes: 3,
    },
  }
  const [entry] = await read(JSON.stringify(older))
  expect(entry).toEqual({
    line: 1,
    snapshot: {
      kind: 'PodSnapshot',
      // It cannot have been read before the newest time in it.
      takenAt: '2026-05-04T11:58:02Z',
      server: null,
      namespace: 'shop',
      target: 'b',
      pod: b,
      events: [{ reason: 'BackOff' }],
      logs: { web: { current: 'x', previous: '' } },
      logErrors: {},
      related: {
        services: [{ metadata: { name: 'web', namespace: 'shop' }, spec: { ports: [{ port: 80 }] }, status: {} }],
        endpointSlices: [
          {
            metadata: { name: 'web', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } },
            endpoints: [{ addresses: ['10.0.0.7'], conditions: { ready: true } }],
          },
        ],
      },
      unread: [],
    },
  })
})

test('times of YAML stay text', async () => {
  const [entry] = await read('kind: Pod\nmetadata:\n  name: a\n  creationTimestamp: 2026-05-04T11:00:00Z\nspec: {}\n')
  expect(entry).toMatchObject({ snapshot: { pod: { metadata: { creationTimestamp: '2026-05-04T11:00:00Z' } } } })
})

test('a recording without a pod is about the owner that its events name', async () => {
  const events = [
    { reason: 'FailedCreate', involvedObject: { kind: 'ReplicaSet', name: 'web-5d4f', namespace: 'shop' } },
  ]
  const [entry] = await read(JSON.stringify({ pod: null, events, logs: {} }))
  expect(entry).toMatchObject({ snapshot: { pod: null, target: 'ReplicaSet/web-5d4f', namespace: 'shop' } })
})
