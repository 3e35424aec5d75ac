import { describe, expect, it } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import { isLogExcuse, logLines } from '../../src/diagnosis/log-lines.ts'
import type { JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { aContainer, aPod, aSnapshot, crashLoop, current, ended, running, waiting } from './builders.ts'

const both = { api: { current: 'line of current', previous: 'line of previous' } }
const logOf = (status: JsonObject, overrides: Partial<PodSnapshot> = {}) =>
  diagnose(
    aSnapshot({
      pod: aPod({ containers: [aContainer({ name: 'api', ready: false, ...status })] }),
      logs: both,
      ...overrides,
    }),
  )

// Which instance a request returns: kubelet, validateContainerLogStatus.
describe('the log that explains a container', () => {
  it.each<[string, JsonObject, 'current' | 'previous', number]>([
    ['of one that runs and never ended', { state: running() }, 'current', 0],
    ['of one that ended, before its back-off', { state: ended(1), restartCount: 3 }, 'current', 3],
    ['of one that ended twice: the newest', { state: ended(1), lastState: ended(2), restartCount: 3 }, 'current', 3],
    ['of one that waits after a run', crashLoop(1), 'current', 2],
    [
      'of one that could not be started again',
      { state: waiting('RunContainerError', 'no'), lastState: ended(1), restartCount: 2 },
      'current',
      2,
    ],
    [
      'of one that runs again after a crash',
      { state: running(2), lastState: ended(1), restartCount: 3 },
      'previous',
      2,
    ],
  ])('%s is of that instance', (_, status, instance, restart) => {
    expect(logOf(status).diagnosis.log).toMatchObject({ instance, restart, lines: [`line of ${instance}`] })
  })

  it('is asked for where it was not read, and only the one instance', () => {
    expect(logOf(crashLoop(1), { logs: {} }).requests).toContainEqual({
      read: 'log',
      container: 'api',
      instance: 'current',
    })
    const again = logOf({ state: running(2), lastState: ended(1), restartCount: 3 }, { logs: {} }).requests
    expect(again.filter(({ read }) => read === 'log')).toEqual([
      { read: 'log', container: 'api', instance: 'previous' },
    ])
  })

  it('may be read as `previous` while the container waits: both are the same run', () => {
    const logs = { api: { current: null, previous: 'same run' } }
    expect(logOf(crashLoop(1), { logs }).diagnosis.log).toMatchObject({ lines: ['same run'], restart: 2 })
  })

  it('that never was is not blamed on the reader: the process did not start', () => {
    const status = crashLoop(128, { reason: 'StartError', message: 'exec: "x": executable file not found in $PATH' })
    const { log } = logOf(status, { logs: { api: current('') } }).diagnosis
    expect(log).toMatchObject({ lines: [], missing: 'the process never started, so it wrote nothing' })
  })

  it('cannot exist before the container has started', () => {
    const { log } = logOf({ state: waiting('ContainerCreating') }, { logs: {} }).diagnosis
    expect(log?.lines ?? []).toEqual([])
    expect(log?.restart ?? null).toBeNull()
  })

  it('carries the reason of the server where it could not be read', () => {
    const error = 'pods "web-5d4f-x2x9k" is forbidden: User "bot" cannot get resource "pods/log"'
    const { log, cause } = logOf(crashLoop(1), { logs: {}, logErrors: { api: current(error) } }).diagnosis
    expect(log?.missing).toBe(error)
    expect(cause).toMatchObject({ id: 'app.crash', confidence: 'possible' })
  })
})

describe("the kubelet's excuse in a 200", () => {
  it.each([
    'unable to retrieve container logs for containerd://4f1d2c',
    'unable to retrieve container logs for cri-o://4f1d2c\n',
    'failed to try resolving symlinks in path "/var/log/pods/shop_web/api/0.log": lstat: no such file or directory',
    'failed to open log file "/var/log/pods/x": permission denied',
    'failed to get parse function: unsupported log format: "x"',
    'failed to tail 2000 lines of log file "x": unexpected EOF',
  ])('%j is no log', body => {
    expect(isLogExcuse(body)).toBe(true)
    const { log, cause } = logOf(crashLoop(3), { logs: { api: current(body) } }).diagnosis
    expect(log?.lines).toEqual([])
    expect(log?.missing).not.toBeNull()
    expect(cause.summary).not.toContain(body.slice(0, 20))
  })

  it.each([
    'unable to retrieve container logs for a living\nbut we go on',
    'error: failed to open log file settings',
    '',
  ])('%j is the program speaking', body => {
    expect(isLogExcuse(body)).toBe(false)
  })
})

describe('log lines', () => {
  it('lose their timestamps and are put in the order of their own times', () => {
    const body = [
      '2026-05-04T11:59:02.5Z second',
      '2026-05-04T11:59:02.123456789Z first',
      '2026-05-04T11:59:03Z fourth',
      '2026-05-04T11:59:02.6Z third',
    ].join('\n')
    expect(logLines(body).map(({ text }) => text)).toEqual(['first', 'second', 'third', 'fourth'])
  })

  it('stay as they are where not every line has a time', () => {
    expect(logLines('b\n2026-05-04T11:59:02Z a\n').map(({ text }) => text)).toEqual(['b', 'a'])
  })

  it('lose colours, carriage returns and control characters, and keep tabs', () => {
    expect(logLines('\u001b[31mERROR\u001b[0m\tdisk\r\n\u0000\u0008x\u001b]0;title\u0007y').map(l => l.text)).toEqual([
      'ERROR\tdisk',
      'xy',
    ])
  })

  it('of a huge log are those of its end', () => {
    const body = `${'old line\n'.repeat(200_000)}the end\n`
    const lines = logLines(body)
    expect(lines.at(-1)?.text).toBe('the end')
    expect(lines.length).toBeLessThan(60_000)
    expect(lines[0]?.text).toBe('old line')
  })

  it('of one line without an end are cut to what is scanned', () => {
    const lines = logLines('x'.repeat(3_000_000))
    expect(lines.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(512 * 1024)
  })
})
