import { expect, test } from 'vitest'
import { explainEntries, type Stations } from '../../src/cli/explain.ts'
import type { FileEntry } from '../../src/cli/snapshot-file.ts'
import { toSnapshots } from '../../src/cli/to-snapshots.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import { withContext } from '../../src/diagnosis/with-context.ts'
import { crashingPod, servingPod } from './pods.ts'

const entry = (pod: unknown, line: number): FileEntry => {
  const [snapshot] = toSnapshots(pod)
  if (snapshot === undefined) throw new Error('no snapshot')
  return { snapshot, line }
}
async function* from(...entries: FileEntry[]): AsyncGenerator<FileEntry> {
  yield* entries
}
const stations: Stations = {
  redact: async snapshot => ({ ...snapshot, target: 'redacted' }),
  diagnose,
  withContext,
  render: ({ pod, takenAt, healthy }) => `${pod} ${takenAt} ${healthy}\n`,
}
const explainAll = async (
  output: 'text' | 'json',
  entries: AsyncIterable<FileEntry>,
  at: string | null = null,
  own: Partial<Stations> = {},
) => {
  let out = ''
  const said: string[] = []
  const status = await explainEntries(
    entries,
    { output, source: 'pods.json', at },
    { ...stations, ...own },
    {
      print: async text => {
        out += text
      },
      say: line => said.push(line),
    },
  )
  return { status, out, said }
}

test('a healthy pod gives 0', async () => {
  expect(await explainAll('json', from(entry(servingPod('a'), 1)))).toEqual({
    status: 0,
    out: 'a null true\n',
    said: [],
  })
})

test('of several the highest status counts, and answers keep their order', async () => {
  const pods = [crashingPod('b'), servingPod('a'), crashingPod('c')].map((pod, at) => entry(pod, at + 1))
  expect(await explainAll('json', from(...pods))).toEqual({
    status: 1,
    out: 'b null false\na null true\nc null false\n',
    said: [],
  })
})

test('as JSON an entry that cannot be read is answered in its place', async () => {
  const { status, out, said } = await explainAll(
    'json',
    from(entry(servingPod('a'), 1), { error: 'not JSON: it ends too early', line: 2 }, entry(servingPod('c'), 3)),
  )
  expect(out.split('\n')).toEqual([
    'a null true',
    '{"schema":"podwhy/v1","error":"not JSON: it ends too early","line":2}',
    'c null true',
    '',
  ])
  expect({ status, said }).toEqual({ status: 2, said: [] })
})

test('as text it is one line on stderr', async () => {
  const { status, out, said } = await explainAll(
    'text',
    from({ error: 'is binary,\n not text', line: 2 }, entry(servingPod('a'), 3)),
  )
  expect({ status, out, said }).toEqual({
    status: 2,
    out: 'a null true\n',
    said: ['podwhy: pods.json, line 2: is binary,  not text'],
  })
})

test('--at is when a bare Pod was read, and leaves the time of a recording alone', async () => {
  const recording = { kind: 'PodSnapshot', takenAt: '2026-05-04T12:00:00Z', pod: servingPod('b') }
  const { out } = await explainAll('text', from(entry(servingPod('a'), 1), entry(recording, 2)), '2026-05-05T00:00:00Z')
  expect(out).toBe('a 2026-05-05T00:00:00Z true\n\nb 2026-05-04T12:00:00Z true\n')
})

test('what is diagnosed has been redacted', async () => {
  const seen: string[] = []
  const spy: Stations['diagnose'] = snapshot => {
    seen.push(snapshot.target)
    return diagnose(snapshot)
  }
  await explainAll('json', from(entry(servingPod('a'), 1)), null, { diagnose: spy })
  expect(seen).toEqual(['redacted'])
})

test('a snapshot that breaks a station does not take the others with it', async () => {
  const breaks: Stations['diagnose'] = snapshot => {
    if (JSON.stringify(snapshot.pod).includes('uid-bad')) throw new Error('boom')
    return diagnose(snapshot)
  }
  const { status, out } = await explainAll('json', from(entry(servingPod('bad'), 1), entry(servingPod('a'), 2)), null, {
    diagnose: breaks,
  })
  expect({ status, out }).toEqual({
    status: 2,
    out: '{"schema":"podwhy/v1","error":"cannot be explained: boom","line":1}\na null true\n',
  })
})

test('an empty source is a usage error', async () => {
  await expect(explainAll('json', from())).rejects.toThrow(UsageError)
})
