import { ErrorCode, WebClient } from '@slack/web-api'
import { describe, expect, test } from 'vitest'
import { botToken, openLocal } from './open-local.ts'

async function open(options = {}) {
  const local = await openLocal(options)
  const client = new WebClient(botToken, { slackApiUrl: local.apiUrl, retryConfig: { retries: 0 } })
  return { local, client, channel: local.channelId }
}

const metadata = { event_type: 'podwhy_answer', event_payload: { question: 'q1', part: 'root' } }
const blocks = [
  { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'a & <b>' }] }] },
]

describe('Slack’s client finds in the local channel', () => {
  test('who it is', async () => {
    const { client, local } = await open()
    expect(await client.auth.test()).toMatchObject({
      ok: true,
      team_id: local.teamId,
      user_id: expect.stringMatching(/^U/),
      bot_id: expect.stringMatching(/^B/),
    })
  })

  test('what it posted, with blocks and metadata, only where metadata is asked for', async () => {
    const { client, channel } = await open()
    const { ts } = await client.chat.postMessage({ channel, text: 'plain', blocks, metadata })
    expect(ts).toMatch(/^\d{10}\.\d{6}$/)
    const withMetadata = await client.conversations.history({ channel, include_all_metadata: true })
    expect(withMetadata.messages).toEqual([
      expect.objectContaining({ ts, text: 'plain', blocks, metadata, bot_id: (await client.auth.test()).bot_id }),
    ])
    const without = await client.conversations.history({ channel })
    expect(without.messages?.[0]).not.toHaveProperty('metadata')
  })

  test('replies in their thread and not in the channel', async () => {
    const { client, channel } = await open()
    const root = (await client.chat.postMessage({ channel, text: 'root' })).ts ?? ''
    const reply = (await client.chat.postMessage({ channel, text: 'one', thread_ts: root, metadata })).ts ?? ''
    await client.chat.postMessage({ channel, text: 'two', thread_ts: reply })
    const history = await client.conversations.history({ channel })
    expect(history.messages).toMatchObject([{ text: 'root', reply_count: 2, thread_ts: root }])
    const replies = await client.conversations.replies({ channel, ts: root, include_all_metadata: true })
    expect(replies.messages).toMatchObject([
      { text: 'root' },
      { text: 'one', thread_ts: root, metadata },
      { text: 'two', thread_ts: root },
    ])
  })

  test('history newest first, from a start on, page by page', async () => {
    const { client, channel } = await open()
    const posted: string[] = []
    for (const text of ['1', '2', '3', '4']) posted.push((await client.chat.postMessage({ channel, text })).ts ?? '')
    const since = await client.conversations.history({ channel, oldest: posted[1] ?? '' })
    expect(since.messages?.map(({ text }) => text)).toEqual(['4', '3'])
    const inclusive = await client.conversations.history({ channel, oldest: posted[1] ?? '', inclusive: true })
    expect(inclusive.messages?.map(({ text }) => text)).toEqual(['4', '3', '2'])
    const pages: string[][] = []
    for await (const page of client.paginate('conversations.history', { channel, limit: 3 }))
      pages.push((page as { messages?: { text: string }[] }).messages?.map(({ text }) => text) ?? [])
    expect(pages).toEqual([['4', '3', '2'], ['1']])
  })

  test('an update under the same ts, keeping the metadata it does not mention', async () => {
    const { client, channel } = await open()
    const ts = (await client.chat.postMessage({ channel, text: 'looking', metadata })).ts ?? ''
    await client.chat.update({ channel, ts, text: 'found', blocks })
    const { messages } = await client.conversations.history({ channel, include_all_metadata: true })
    expect(messages).toMatchObject([{ ts, text: 'found', blocks, metadata }])
    await client.chat.update({ channel, ts, text: 'found without blocks' })
    expect((await client.conversations.history({ channel })).messages?.[0]).not.toHaveProperty('blocks')
  })

  test('a message of an earlier run by its update, because a durable queue goes on with it', async () => {
    const { client, channel } = await open()
    const ts = '1500000000.000001'
    await client.chat.update({ channel, ts, text: 'finished after a restart' })
    expect((await client.conversations.history({ channel })).messages).toMatchObject([{ ts }])
    await expect(client.chat.update({ channel, ts: '9999999999.000001', text: 'x' })).rejects.toMatchObject({
      data: { error: 'message_not_found' },
    })
  })

  test('permalinks that open the page at that message', async () => {
    const { client, channel, local } = await open()
    const ts = (await client.chat.postMessage({ channel, text: 'root' })).ts ?? ''
    const { permalink } = await client.chat.getPermalink({ channel, message_ts: ts })
    expect(permalink).toBe(`${local.url}#p${ts.replace('.', '')}`)
  })

  test('no ephemeral message in its history, though the page has it', async () => {
    const { client, channel, local } = await open()
    await client.chat.postEphemeral({ channel, user: 'U0YOU', text: 'psst' })
    expect((await client.conversations.history({ channel })).messages).toEqual([])
    expect(local.station.slack.channel.messages()).toMatchObject([{ text: 'psst', onlyYou: true }])
  })

  test('its reactions on the message, each once', async () => {
    const { client, channel, local } = await open()
    const timestamp = (await client.chat.postMessage({ channel, text: 'root' })).ts ?? ''
    await client.reactions.add({ channel, timestamp, name: 'white_check_mark' })
    await expect(client.reactions.add({ channel, timestamp, name: 'white_check_mark' })).rejects.toMatchObject({
      data: { error: 'already_reacted' },
    })
    expect(local.station.slack.channel.find(timestamp)?.reactions).toEqual(['white_check_mark'])
    const { messages } = await client.conversations.history({ channel })
    expect(messages?.[0]?.reactions).toMatchObject([{ name: 'white_check_mark', count: 1 }])
    await client.reactions.remove({ channel, timestamp, name: 'white_check_mark' })
    await expect(client.reactions.remove({ channel, timestamp, name: 'white_check_mark' })).rejects.toMatchObject({
      data: { error: 'no_reaction' },
    })
    expect(local.station.slack.channel.find(timestamp)?.reactions).toEqual([])
  })
})

describe('Slack’s client is refused, in Slack’s words,', () => {
  test.each([
    ['another channel', { channel: 'C0OTHER', text: 'x' }, 'channel_not_found'],
    ['nothing to say', { text: '' }, 'no_text'],
  ])('%s', async (_what, given, error) => {
    const { client, channel } = await open()
    const posted = client.apiCall('chat.postMessage', { channel, ...given })
    await expect(posted).rejects.toMatchObject({ code: ErrorCode.PlatformError, data: { error } })
  })

  test('an unknown method and an unknown thread', async () => {
    const { client, channel } = await open()
    await expect(client.apiCall('chat.delete', { channel })).rejects.toMatchObject({
      data: { error: 'unknown_method' },
    })
    const replies = client.conversations.replies({ channel, ts: '1.000001' })
    await expect(replies).rejects.toMatchObject({ data: { error: 'thread_not_found' } })
  })

  test('another token, also with the token of the page', async () => {
    const { local } = await open({ accessToken: 'of-the-page' })
    for (const token of ['xoxb-other', 'of-the-page']) {
      const stranger = new WebClient(token, { slackApiUrl: local.apiUrl, retryConfig: { retries: 0 } })
      await expect(stranger.auth.test()).rejects.toMatchObject({ data: { error: 'invalid_auth' } })
    }
    const nobody = new WebClient(undefined, { slackApiUrl: local.apiUrl, retryConfig: { retries: 0 } })
    await expect(nobody.auth.test()).rejects.toMatchObject({ data: { error: 'not_authed' } })
  })
})

test('the oldest message goes with its thread when the channel is full', async () => {
  const { client, channel, local } = await open({ keep: 3 })
  const first = (await client.chat.postMessage({ channel, text: 'first' })).ts ?? ''
  await client.chat.postMessage({ channel, text: 'reply to first', thread_ts: first })
  await client.chat.postMessage({ channel, text: 'second' })
  await client.chat.postMessage({ channel, text: 'third' })
  expect(local.station.slack.channel.messages().map(({ text }) => text)).toEqual(['second', 'third'])
})

test('messages of one moment have different ts, in order', async () => {
  const { client, channel } = await open({ now: () => 1_700_000_000_000 })
  const posted = await Promise.all([1, 2, 3].map(n => client.chat.postMessage({ channel, text: String(n) })))
  const all = posted.map(({ ts }) => ts ?? '')
  expect(new Set(all).size).toBe(3)
  for (const ts of all) expect(ts).toMatch(/^1700000000\.\d{6}$/)
})
