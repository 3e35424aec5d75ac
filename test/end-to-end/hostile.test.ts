import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { asEvent, asForm, asInteraction, commandPayload, mentionPayload, postSigned } from '../fakes/slack-request.ts'
import { isAnsweredOnce, target } from './crashing.ts'
import type { Service } from './service.ts'
import { openSurroundings, type Surroundings } from './surroundings.ts'

const MIB = 1024 * 1024
/** What reading a log of any size may take: the newest 2 MiB a few times over, and what the collector leaves lying. */
const BOUND_MIB = 80

/** Resident memory of a process, in MiB, now or at its highest; null where there is no /proc. */
const memory = (pid: number, field: 'VmRSS' | 'VmHWM'): number | null => {
  if (!existsSync('/proc/self/clear_refs')) return null
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kib) / 1024)
}

/** Lets the highest (VmHWM) begin anew. */
const forgetPeak = (pid: number): void => {
  if (existsSync('/proc/self/clear_refs')) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

let around: Surroundings
let service: Service
beforeAll(async () => {
  around = await openSurroundings()
  service = await around.start()
  // What is loaded on first use belongs to the memory before.
  await service.ask(target, { channel_id: 'CFIRST' })
  await service.idle()
})
afterEach(() => around.kube.reset())
afterAll(() => around?.close())

/** Asks in a channel of its own and waits for its answer; `log`: what the server gives for the container's log. */
const answerWith = async (channel: string, text = target) => {
  expect(await service.ask(text, { channel_id: channel })).toMatchObject({ status: 200, body: '' })
  await service.idle(60_000)
  return around.slack.channel(channel)
}

const isAlive = async (): Promise<boolean> => (await fetch(`${service.url}/healthz`)).status === 200

describe('a log', () => {
  it('of one line of 100 MB: is cut, and memory stays bounded', async () => {
    forgetPeak(service.pid)
    const before = memory(service.pid, 'VmRSS')
    let sent = 0
    const hundredMegabytes = async (response: ServerResponse) => {
      const piece = Buffer.alloc(MIB, 'all work and no play ')
      response.writeHead(200, { 'content-type': 'text/plain' })
      response.write('2026-11-30T20:58:40.000000000Z ')
      for (; sent < 100 && !response.destroyed; sent++) if (!response.write(piece)) await once(response, 'drain')
      response.end('the last words\n')
    }
    around.kube.fault(/\/log\?/, (_, response) => void hundredMegabytes(response))
    const messages = await answerWith('CLONG')
    const highest = memory(service.pid, 'VmHWM')
    console.info(`one line of 100 MB: resident ${before} MiB before, ${highest} MiB at most`)
    expect(sent).toBe(100)
    expect(messages).toSatisfy(isAnsweredOnce)
    expect(JSON.stringify(messages)).toContain('the last words')
    if (before !== null && highest !== null) expect(highest - before).toBeLessThan(BOUND_MIB)
  }, 60_000)

  it('of 8 MB of binary: is answered with what can be shown of it', async () => {
    const binary = randomBytes(8 * MIB)
    around.kube.fault(/\/log\?/, (_, response) => void response.writeHead(200).end(binary))
    const messages = await answerWith('CBINARY')
    expect(messages).toSatisfy(isAnsweredOnce)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
    expect(JSON.stringify(messages)).not.toMatch(/\\u00(?:0[0-8bcef]|1)|[\u0000-\u001f\u007f]/)
  }, 60_000)

  it('that never comes: is named as unread, the rest is answered', async () => {
    around.kube.fault(/\/log\?/, 'hang')
    const messages = await answerWith('CHANGS')
    expect(messages).toSatisfy(isAnsweredOnce)
    expect(JSON.stringify(messages)).toContain('timeout')
  }, 60_000)
})

describe('a pod', () => {
  it('deleted while it was being read: is explained from what was read', async () => {
    const message = 'pods "web-frontend-5f8997cc56-mv5hn" not found'
    around.kube.fault(/\/log\?/, { status: 404, message })
    const messages = await answerWith('CDELETED')
    expect(messages).toSatisfy(isAnsweredOnce)
    expect(JSON.stringify(messages)).toContain('it was deleted while it was read')
  }, 60_000)

  it('whose API server never answers: one line that says so', async () => {
    around.kube.fault(/./, 'hang')
    await service.ask(target, { channel_id: 'CSILENT' })
    const said = () => around.slack.channel('CSILENT')[0]?.text
    await vi.waitFor(() => expect(said()).toMatch(/^Cluster test cannot be reached .*\(timeout\)/), { timeout: 90_000 })
    await service.idle()
    expect(around.slack.channel('CSILENT')).toMatchObject([{ thread: [] }])
    expect(await isAlive()).toBe(true)
  }, 120_000)
})

describe('what Slack would never send, but signed', () => {
  const json = 'application/json'
  const form = 'application/x-www-form-urlencoded'
  const without = (field: string): [string, string] => {
    const { [field]: _, ...rest } = commandPayload(target, { channel_id: 'CODD' })
    return asForm(rest)
  }
  const odd: readonly { what: string; gets: number; request: [string, string] }[] = [
    { what: 'nothing', gets: 404, request: ['', form] },
    { what: 'JSON that breaks off', gets: 400, request: ['{"type":"event_callback"', json] },
    { what: 'JSON null', gets: 400, request: ['null', json] },
    { what: 'a list', gets: 400, request: ['[1,2]', json] },
    { what: 'an interaction that breaks off', gets: 400, request: ['payload=%7B', form] },
    { what: 'an interaction of null', gets: 400, request: ['payload=null', form] },
    { what: 'an event without an event', gets: 400, request: asEvent(mentionPayload('x', {}, { event: null })) },
    { what: 'an event of a list', gets: 400, request: asEvent(mentionPayload('x', {}, { event: [] })) },
    { what: 'a mention without a channel', gets: 500, request: asEvent(mentionPayload(target, { channel: null })) },
    { what: 'a mention without a text', gets: 200, request: asEvent(mentionPayload('', { text: null })) },
    { what: 'an unknown shortcut', gets: 500, request: asInteraction({ type: 'message_action', callback_id: 'x' }) },
    {
      what: 'the shortcut without a message',
      gets: 500,
      request: asInteraction({ type: 'message_action', callback_id: 'why' }),
    },
    { what: 'a type of its own', gets: 400, request: ['<xml/>', 'text/xml'] },
    { what: 'two megabytes', gets: 413, request: asForm(commandPayload('x'.repeat(2 * MIB))) },
    { what: 'a command without a channel', gets: 200, request: without('channel_id') },
    { what: 'a command without a user', gets: 200, request: without('user_id') },
    { what: 'a command without a workspace', gets: 200, request: without('team_id') },
    { what: 'a command without a trigger', gets: 200, request: without('trigger_id') },
    { what: 'a command without a text', gets: 200, request: without('text') },
  ]
  it.for(odd)('$what: gets $gets, and podwhy goes on', async ({ gets, request }) => {
    const before = service.stderr().length
    const { status } = await postSigned(`${service.url}/slack/events`, request)
    expect(status).toBe(gets)
    expect(await isAlive()).toBe(true)
    const lines = service.stderr().slice(before).split('\n').filter(Boolean)
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ msg: expect.any(String) })
    expect(lines.length).toBeLessThanOrEqual(2)
  })
})
