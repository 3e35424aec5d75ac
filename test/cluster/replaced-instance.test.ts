import { expect, test } from 'vitest'
import { openTestCluster, shop, testPod } from './open-test-cluster.ts'

const run = { exitCode: 1, startedAt: '2026-05-04T10:00:00Z', finishedAt: '2026-05-04T10:00:06Z' }
const ofRun = '2026-05-04T10:00:00.300000000Z begin\n2026-05-04T10:00:06.100000000Z ERROR no vat_id\n'
const ofNextRun = '2026-05-04T10:00:07.200000000Z begin\n'
const ofRunBefore = '2026-05-04T09:59:30.000000000Z begin\n2026-05-04T09:59:36.000000000Z ERROR another one\n'

type Logs = { readonly current: string; readonly previous?: string }

/** Reads a pod whose container has ended, from a server that has these logs by the time they are asked for. */
const readLog = async (logs: Logs, state: object = { state: { terminated: run } }) => {
  const status = { containerStatuses: [{ name: 'app', ready: false, restartCount: 1, ...state }] }
  const { kube, cluster } = await openTestCluster({ recordings: [shop({ pods: [testPod('web-1', { status })] })] })
  kube.fault(/\/log\?/, (request, response) => {
    const text = request.url?.includes('previous=true') ? logs.previous : logs.current
    if (text === undefined)
      response.writeHead(400).end('{"kind":"Status","message":"previous terminated container not found"}')
    else response.end(text)
  })
  const { logs: read, logErrors } = await cluster.read({ namespace: 'shop', kind: 'Pod', name: 'web-1' })
  const calls = kube.calls.filter(({ path }) => path.endsWith('/log')).length
  return { log: read['app']?.current ?? null, error: logErrors?.['app']?.current ?? null, calls }
}

test('the log of the run that ended is read once', async () => {
  expect(await readLog({ current: ofRun })).toEqual({ log: ofRun, error: null, calls: 1 })
})

test.each([
  ['has written something', ofNextRun],
  ['has written nothing yet', ''],
])(
  'a run that began meanwhile and %s: the log of the run that ended is the previous one by then',
  async (_, current) => {
    expect(await readLog({ current, previous: ofRun })).toEqual({ log: ofRun, error: null, calls: 2 })
  },
)

test('the same while the next start was waited for', async () => {
  const state = { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: run } }
  expect(await readLog({ current: ofNextRun, previous: ofRun }, state)).toMatchObject({ log: ofRun })
})

test('where the log of the run that ended is gone, no other is taken for it', async () => {
  for (const previous of [ofRunBefore, '']) {
    const { log, error } = await readLog({ current: ofNextRun, previous })
    expect(log).toBeNull()
    expect(error).toBe('the next instance has started meanwhile, and the log of the one that ended is no longer there')
  }
})

test('a run that wrote nothing is not given the words of the run before', async () => {
  expect(await readLog({ current: '', previous: ofRunBefore })).toMatchObject({ log: '', error: null })
  expect(await readLog({ current: '' })).toMatchObject({ log: '', error: null })
})

test('a run that wrote only in its last second keeps its words', async () => {
  const late = '2026-05-04T10:00:06.500000000Z ERROR\n'
  expect(await readLog({ current: late, previous: ofRunBefore })).toMatchObject({ log: late, error: null })
})
