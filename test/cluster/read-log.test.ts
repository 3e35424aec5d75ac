import type { ServerResponse } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import type { Fault } from '../fakes/kube-api-server.ts'
import { openTestCluster, shop, testPod } from './open-test-cluster.ts'

const MiB = 1024 * 1024

/** A pod whose container runs and is not ready, so that its current log is read. */
const unready = () =>
  shop({
    pods: [
      testPod('web-1', { status: { containerStatuses: [{ name: 'app', state: { running: {} }, restartCount: 0 }] } }),
    ],
  })

const readLog = async (fault: Fault, callMs = 20_000) => {
  const { kube, cluster } = await openTestCluster(
    { recordings: [unready()] },
    { timeouts: { callMs, totalMs: 30_000 } },
  )
  kube.fault(/\/log\?/, fault)
  const snapshot = await cluster.read({ namespace: 'shop', kind: 'Pod', name: 'web-1' })
  const call = kube.calls.find(({ path }) => path.endsWith('/log'))
  return { snapshot, call, ...logOf(snapshot) }
}
const logOf = ({ logs, logErrors, logOmittedBytes, unread }: PodSnapshot) => ({
  text: logs['app']?.current,
  error: logErrors?.['app']?.current ?? null,
  omittedBytes: logOmittedBytes?.['app'],
  unread,
})

const send = (response: ServerResponse, chunk: Buffer | string) =>
  new Promise(resolve => response.write(chunk, resolve))

/** Bytes of buffers that are still in use. */
const buffersInUse = (): number => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().arrayBuffers
}

it('the last 2000 lines are asked for, with times and without limitBytes', async () => {
  const { call, text, omittedBytes } = await readLog((_, response) => void response.end('2026-05-04T10:00:00Z hello\n'))
  expect(Object.fromEntries(call?.query ?? [])).toEqual({ container: 'app', tailLines: '2000', timestamps: 'true' })
  expect(text).toBe('2026-05-04T10:00:00Z hello\n')
  expect(omittedBytes).toBeUndefined()
})

it('an empty log is a log', async () => {
  expect(await readLog((_, response) => void response.end())).toMatchObject({ text: '', error: null, unread: [] })
})

it('one line of 100 MB is read to its end, in little memory', async () => {
  const block = Buffer.alloc(MiB, 'x')
  const before = buffersInUse()
  const { text, omittedBytes, unread } = await readLog(async (_, response) => {
    for (let sent = 0; sent < 100; sent++) await send(response, block)
    // Buffers are swept beside the program: what is not kept is gone in a moment, what is kept stays.
    await vi.waitFor(() => expect(buffersInUse() - before).toBeLessThan(64 * MiB), { timeout: 10_000 })
    response.end(' and the end\n')
  })
  expect(text).toHaveLength(2 * MiB)
  expect(text).toMatch(/x and the end\n$/)
  expect(omittedBytes).toBe(98 * MiB + ' and the end\n'.length)
  expect(unread).toEqual([])
})

it('long lines: the newest whole ones are kept', async () => {
  const line = (number: number) => `${number} ${'y'.repeat(15_000)}\n`
  const { text } = await readLog(async (_, response) => {
    for (let number = 0; number < 400; number++) await send(response, line(number))
    response.end()
  })
  const lines = text?.trimEnd().split('\n') ?? []
  expect(lines.at(-1)).toMatch(/^399 y/)
  expect(lines[0]).toMatch(/^\d+ y{15000}$/)
})

it('a log without end is given up on, named, and no danger', async () => {
  const block = Buffer.alloc(MiB, 'z')
  let stopped = false
  const { text, unread } = await readLog(async (_, response) => {
    response.on('close', () => {
      stopped = true
    })
    while (!stopped) await send(response, block)
  })
  expect(text).toHaveLength(2 * MiB)
  expect(unread).toEqual([
    { what: 'log of container "app"', why: expect.stringMatching(/^only the first 134217728 bytes were read/) },
  ])
})

it('a log that stalls is kept as far as it came', async () => {
  const { text, unread } = await readLog((_, response) => void response.write('2026-05-04T10:00:00Z so far\n'), 1_000)
  expect(text).toBe('2026-05-04T10:00:00Z so far\n')
  expect(unread).toEqual([{ what: 'log of container "app"', why: expect.stringMatching(/^timeout while reading/) }])
})

it('a log whose connection breaks is kept as far as it came', async () => {
  const { text, unread } = await readLog((_, response) => {
    response.writeHead(200, { 'content-length': 1000 })
    response.write('2026-05-04T10:00:00Z so far\n', () => response.destroy())
  })
  expect(text).toBe('2026-05-04T10:00:00Z so far\n')
  expect(unread).toEqual([{ what: 'log of container "app"', why: expect.stringMatching(/^the connection broke/) }])
})

it('bytes that are not text become replacement characters', async () => {
  const { text } = await readLog(
    (_, response) => void response.end(Buffer.from([0x61, 0xff, 0xfe, 0x00, 0xc3, 0x0a, 0x62])),
  )
  expect(text).toBe('a\ufffd\ufffd\0\ufffd\nb')
})

describe('why there is no log stands in logErrors:', () => {
  it.each([
    'unable to retrieve container logs for containerd://0a1b2c',
    'failed to try resolving symlinks in path "/var/log/pods/x/0.log": lstat: no such file or directory\n',
  ])('a 200 whose body is the kubelet: %s', async body => {
    const { text, error, unread } = await readLog((_, response) => void response.end(body))
    expect({ text, error, unread }).toEqual({ text: null, error: body.trim(), unread: [] })
  })

  it('a 400 with the reason', async () => {
    const message = 'container "app" in pod "web-1" is waiting to start: image can\'t be pulled'
    const { text, error, unread } = await readLog({ status: 400, message })
    expect({ text, error, unread }).toEqual({ text: null, error: message, unread: [] })
  })

  it('a 204 of a pod without a node', async () => {
    const { text, error } = await readLog((_, response) => void response.writeHead(204).end())
    expect({ text, error }).toEqual({ text: null, error: 'no log: the pod is on no node yet' })
  })

  it('a node that cannot be reached, which is unread too', async () => {
    const message = 'Get "https://node-1:10250/containerLogs/shop/web-1/app": dial tcp: connect: connection refused'
    const { error, unread } = await readLog({ status: 500, message })
    expect(error).toBe(message)
    expect(unread).toEqual([{ what: 'log of container "app"', why: message }])
  })

  it('a line that only quotes the kubelet is a log', async () => {
    const line = '2026-05-04T10:00:00Z unable to retrieve container logs for x\n'
    expect(await readLog((_, response) => void response.end(line))).toMatchObject({ text: line, error: null })
  })
})
