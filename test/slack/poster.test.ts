import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { poster } from '../../src/slack/poster.ts'
import { slackClient } from '../../src/slack/slack-client.ts'
import { MessageGone, NotInChannel, RateLimited } from '../../src/slack/slack-error.ts'
import { SlackServer } from '../fakes/slack-server.ts'
import { aMessage } from './a-question.ts'
import { logLines } from './log-lines.ts'
import { MemoryStore } from './memory-store.ts'

let slack: SlackServer
let store: MemoryStore
let channel: string
let channels = 0
const { log, lines } = logLines()

beforeAll(async () => {
  slack = await SlackServer.start()
})
afterAll(() => slack.close())
beforeEach(() => {
  store = new MemoryStore()
  channel = `C${++channels}`
  slack.historyLagMs = 0
  lines.length = 0
})

const open = (delay: (ms: number) => Promise<unknown> = async () => {}) =>
  poster({ client: slackClient({ token: 'xoxb-test', apiUrl: slack.apiUrl, log }), store, log, delay })
const post = (fields: object = {}) => ({
  ...{ question: `q-${channel}`, part: 'root', channel, threadTs: null, message: aMessage('hello') },
  ...fields,
})

describe('posting a part', () => {
  it('carries text, blocks and the metadata by which it is found again, and unfurls nothing', async () => {
    const { ts, stood } = await open().post(post())
    expect(stood).toBe(false)
    expect(slack.channel(channel)).toEqual([
      {
        ...{ ts, text: 'hello', blocks: aMessage('hello').blocks, edits: 0 },
        ...{ reactions: [], files: [], thread: [] },
        metadata: { event_type: 'podwhy_answer', event_payload: { question: `q-${channel}`, part: 'root' } },
      },
    ])
    expect(slack.callsOf('chat.postMessage').at(-1)?.args).toMatchObject({
      unfurl_links: 'false',
      unfurl_media: 'false',
    })
  })

  it('does nothing when it stands', async () => {
    const first = await open().post(post())
    expect(await open().post(post({ message: aMessage('newer') }))).toEqual({ ...first, stood: true })
    expect(slack.channel(channel)).toHaveLength(1)
  })

  it.each(['cutAfter', 'cutBefore'] as const)(
    'is not repeated by itself when the connection is cut (%s)',
    async kind => {
      slack.fail('chat.postMessage', { kind })
      const before = slack.callsOf('chat.postMessage').length
      await expect(open().post(post())).rejects.toThrow()
      expect(slack.callsOf('chat.postMessage')).toHaveLength(before + 1)
    },
  )

  it('adopts what Slack accepted before the connection was cut', async () => {
    slack.fail('chat.postMessage', { kind: 'cutAfter' })
    await expect(open().post(post())).rejects.toThrow()
    const again = await open().post(post())
    expect(again).toEqual({ channel, ts: slack.channel(channel)[0]?.ts, stood: true })
    expect(slack.channel(channel)).toHaveLength(1)
  })

  it('looks a second time, some seconds later, because the history may lag', async () => {
    slack.fail('chat.postMessage', { kind: 'cutAfter' })
    await expect(open().post(post())).rejects.toThrow()
    slack.historyLagMs = 60_000
    const waited: number[] = []
    const patient = open(async ms => {
      waited.push(ms)
      slack.historyLagMs = 0
    })
    expect((await patient.post(post())).stood).toBe(true)
    expect(waited).toEqual([3_000])
    expect(slack.channel(channel)).toHaveLength(1)
  })

  it('finds a part among hundreds of newer messages', async () => {
    slack.fail('chat.postMessage', { kind: 'cutAfter' })
    await expect(open().post(post())).rejects.toThrow()
    for (let n = 0; n < 450; n++) slack.say(channel, `chatter ${n}`)
    expect((await open().post(post())).stood).toBe(true)
  })

  it('looks for a reply in its thread', async () => {
    const threadTs = slack.say(channel, 'an alert')
    slack.fail('chat.postMessage', { kind: 'cutAfter' })
    await expect(open().post(post({ threadTs }))).rejects.toThrow()
    expect((await open().post(post({ threadTs }))).stood).toBe(true)
    expect(slack.channel(channel)[0]?.thread).toHaveLength(1)
  })

  it('does not adopt another part, another question, or what another app wrote', async () => {
    const metadata = (question: string, part: string) => ({
      event_type: 'podwhy_answer',
      event_payload: { question, part },
    })
    const own = slackClient({ token: 'xoxb-test', apiUrl: slack.apiUrl, log }).once
    await own.chat.postMessage({ channel, text: 'a', metadata: metadata(`q-${channel}`, 'thread-0') })
    await own.chat.postMessage({ channel, text: 'b', metadata: metadata('q-other', 'root') })
    slack.say(channel, 'c', metadata(`q-${channel}`, 'root'))
    slack.fail('chat.postMessage', { kind: 'cutBefore' })
    await expect(open().post(post())).rejects.toThrow()
    expect((await open().post(post())).stood).toBe(false)
    expect(slack.channel(channel).map(({ text }) => text)).toEqual(['a', 'b', 'c', 'hello'])
  })

  it('posts at least once, with a warning, where the history cannot be read', async () => {
    slack.fail('chat.postMessage', { kind: 'cutAfter' })
    await expect(open().post(post())).rejects.toThrow()
    slack.fail('conversations.history', { kind: 'error', error: 'missing_scope' })
    expect((await open().post(post())).stood).toBe(false)
    expect(slack.channel(channel)).toHaveLength(2)
    expect(lines).toContainEqual(expect.objectContaining({ level: 40, code: 'missing_scope', part: 'root' }))
  })

  it('does not post when the look-up fails for another reason', async () => {
    slack.fail('chat.postMessage', { kind: 'cutAfter' })
    await expect(open().post(post())).rejects.toThrow()
    slack.fail('conversations.history', { kind: 'rateLimited', retryAfter: 30 })
    await expect(open().post(post())).rejects.toThrow(RateLimited)
    expect(slack.channel(channel)).toHaveLength(1)
  })

  it('says how long Slack asks to wait, and then needs no look-up', async () => {
    slack.fail('chat.postMessage', { kind: 'rateLimited', retryAfter: 7 })
    await expect(open().post(post())).rejects.toMatchObject({ name: 'RateLimited', retryAfterMs: 7_000 })
    const looks = slack.callsOf('conversations.history').length
    expect((await open().post(post())).stood).toBe(false)
    expect(slack.callsOf('conversations.history')).toHaveLength(looks)
  })

  it.each([
    ['that Slack has refused', { kind: 'rateLimited', retryAfter: 1 }],
    ['that never came to Slack', { kind: 'cutBefore' }],
  ] as const)('is posted once where two runs at the same time find one %s', async (_what, fault) => {
    slack.fail('chat.postMessage', fault)
    await expect(open().post(post())).rejects.toThrow()
    const runs = await Promise.allSettled([open().post(post()), open().post(post())])
    expect(slack.channel(channel)).toHaveLength(1)
    expect(runs.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(runs.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { name: 'RateLimited' } })
    expect((await open().post(post())).stood).toBe(true)
  })

  it('keeps other messages that are paced from a channel for as long as Slack asks one of them to wait', async () => {
    slack.fail('chat.postMessage', { kind: 'rateLimited', retryAfter: 7 })
    await expect(open().post(post({ isPaced: true }))).rejects.toThrow(RateLimited)
    const calls = slack.callsOf('chat.postMessage').length
    const other = { question: 'another', isPaced: true }
    await expect(open().post(post(other))).rejects.toSatisfy(
      ({ retryAfterMs }: RateLimited) => retryAfterMs > 5_000 && retryAfterMs <= 7_000,
    )
    expect(slack.callsOf('chat.postMessage')).toHaveLength(calls)
    expect((await open().post(post({ question: 'asked by a person' }))).stood).toBe(false)
  })

  it.each(['not_in_channel', 'channel_not_found', 'is_archived'])(
    'names the channel and the way in on %s',
    async error => {
      slack.fail('chat.postMessage', { kind: 'error', error })
      const problem: unknown = await open()
        .post(post())
        .catch(caught => caught)
      expect(problem).toBeInstanceOf(NotInChannel)
      expect(problem).toMatchObject({ channel, reason: error, message: expect.stringContaining('/invite @podwhy') })
    },
  )

  it.each(['internal_error', 'fatal_error'])('takes %s as perhaps posted', async error => {
    slack.fail('chat.postMessage', { kind: 'error', error })
    await expect(open().post(post())).rejects.toThrow()
    const looks = slack.callsOf('conversations.history').length
    await open().post(post())
    expect(slack.callsOf('conversations.history').length).toBe(looks + 2)
  })
})

describe('editing', () => {
  it('replaces the text, keeps the metadata, and is repeated when the connection is cut', async () => {
    const { ts } = await open().post(post())
    slack.fail('chat.update', { kind: 'cutAfter' })
    await open().update({ channel, ts, message: aMessage('the answer') })
    expect(slack.channel(channel)).toMatchObject([{ text: 'the answer', metadata: { event_type: 'podwhy_answer' } }])
  })

  it('says when the message was deleted', async () => {
    const { ts } = await open().post(post())
    slack.delete(channel, ts)
    await expect(open().update({ channel, ts, message: aMessage('x') })).rejects.toThrow(MessageGone)
  })
})
