import { LogLevel, WebClient } from '@slack/web-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SlackServer } from './slack-server.ts'

const nothing = () => {}
const silent = {
  ...{ debug: nothing, info: nothing, warn: nothing, error: nothing, setLevel: nothing, setName: nothing },
  getLevel: () => LogLevel.ERROR,
}
let slack: SlackServer
let client: WebClient
const channel = 'C1'

beforeEach(async () => {
  slack = await SlackServer.start()
  client = new WebClient('xoxb-test', {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    logger: silent,
    rejectRateLimitedCalls: true,
  })
})
afterEach(() => slack.close())

const post = async (blocks: object[] = [], fields = {}): Promise<string> =>
  ((await client.apiCall('chat.postMessage', { channel, text: 'hello', blocks, ...fields })) as { ts?: string }).ts ??
  ''
const refused = (error: string) => expect.objectContaining({ data: expect.objectContaining({ error }) })
const button = (action_id: string, more = {}) => ({
  ...{ type: 'button', action_id, text: { type: 'plain_text', text: action_id }, value: `value of ${action_id}` },
  ...more,
})
const actions = (...elements: object[]) => ({ type: 'actions', elements })
const option = (value: string, text = value) => ({ text: { type: 'plain_text', text }, value })
const table = (rows: number) => ({
  type: 'table',
  rows: Array.from({ length: rows }, (_, row) => [{ type: 'raw_text', text: `row ${row}` }]),
})

describe('reactions', () => {
  it('stand under the message, each once, until they are taken away', async () => {
    const timestamp = await post()
    await client.reactions.add({ channel, timestamp, name: 'large_green_circle' })
    await expect(client.reactions.add({ channel, timestamp, name: 'large_green_circle' })).rejects.toEqual(
      refused('already_reacted'),
    )
    expect(slack.channel(channel)).toMatchObject([{ reactions: ['large_green_circle'] }])
    const history = await client.conversations.history({ channel })
    expect(history.messages?.[0]?.reactions).toMatchObject([{ name: 'large_green_circle', count: 1 }])
    await client.reactions.remove({ channel, timestamp, name: 'large_green_circle' })
    await expect(client.reactions.remove({ channel, timestamp, name: 'large_green_circle' })).rejects.toEqual(
      refused('no_reaction'),
    )
    expect(slack.channel(channel)).toMatchObject([{ reactions: [] }])
  })
})

describe('files', () => {
  it('are shared into a thread by web-api’s own upload, without metadata', async () => {
    const thread_ts = await post()
    const content = 'line 1\nlíne 2\n'
    await client.filesUploadV2({ channel_id: channel, thread_ts, content, filename: 'web.log', title: 'Log of web' })
    const size = Buffer.byteLength(content)
    const shared = { name: 'web.log', title: 'Log of web', size }
    expect(slack.channel(channel)[0]?.thread).toMatchObject([{ files: [shared], metadata: null, blocks: [] }])
    expect(slack.files.map(file => file.content?.toString())).toEqual([content])
    const replies = await client.conversations.replies({ channel, ts: thread_ts, include_all_metadata: true })
    expect(replies.messages?.[1]).toMatchObject({ files: [shared], bot_id: slack.botId })
    expect(replies.messages?.[1]).not.toHaveProperty('metadata')
  })

  it('may come as a form, and once only', async () => {
    const { upload_url = '', file_id = '' } = await client.files.getUploadURLExternal({ filename: 'a.txt', length: 3 })
    const form = () => {
      const fields = new FormData()
      fields.set('file', new Blob(['abc']), 'a.txt')
      return fields
    }
    expect((await fetch(upload_url, { method: 'POST', body: form() })).status).toBe(200)
    expect((await fetch(upload_url, { method: 'POST', body: form() })).status).toBe(404)
    const share = () => client.files.completeUploadExternal({ files: [{ id: file_id }], channel_id: channel })
    await share()
    await expect(share()).rejects.toEqual(refused('file_not_found'))
    expect(slack.channel(channel)).toMatchObject([{ files: [{ name: 'a.txt', title: 'a.txt', size: 3 }] }])
  })

  it('whose length is not the one that was said, are not taken, and cannot be shared', async () => {
    const { upload_url = '', file_id = '' } = await client.files.getUploadURLExternal({ filename: 'a.txt', length: 4 })
    expect((await fetch(upload_url, { method: 'POST', body: 'abc' })).status).toBe(400)
    const share = client.files.completeUploadExternal({ files: [{ id: file_id }], channel_id: channel })
    await expect(share).rejects.toEqual(refused('file_not_found'))
  })

  it('fail and stand still where a test says so', async () => {
    slack.fail('upload', { kind: 'status', status: 500 })
    const upload = () => client.filesUploadV2({ channel_id: channel, content: 'x', filename: 'x.txt' })
    await expect(upload()).rejects.toThrow()
    const hold = slack.hold('files.completeUploadExternal', 'answer')
    const uploading = upload()
    await hold.reached
    expect(slack.channel(channel)).toHaveLength(1)
    hold.drop()
    await expect(uploading).rejects.toThrow()
  })
})

describe('App Home', () => {
  it('is kept for each user', async () => {
    const publish = (user_id: string, text: string) =>
      client.views.publish({
        user_id,
        view: { type: 'home', blocks: [actions(button(text))] } as never,
      })
    await publish('U1', 'first')
    await publish('U1', 'second')
    await publish('U2', 'other')
    expect(slack.homes.get('U1')).toMatchObject({
      times: 2,
      view: { blocks: [{ elements: [{ action_id: 'second' }] }] },
    })
    expect(slack.pressHome({ user: 'U2', actionId: 'other' })).toMatchObject({
      container: { type: 'view', view_id: slack.homes.get('U2')?.viewId },
      actions: [{ action_id: 'other', value: 'value of other' }],
    })
    expect(slack.openHome('U1')).toMatchObject({ event: { type: 'app_home_opened', user: 'U1', tab: 'home' } })
  })

  it('refuses more than 100 blocks', async () => {
    const blocks = Array.from({ length: 101 }, () => ({ type: 'divider' }))
    await expect(client.views.publish({ user_id: 'U1', view: { type: 'home', blocks } as never })).rejects.toEqual(
      refused('invalid_arguments'),
    )
  })
})

describe('the limit of posts', () => {
  it('lets a burst pass, then answers 429 with Retry-After, for that channel alone', async () => {
    slack.limitPosts({ perSecond: 1, burst: 2 })
    await post()
    await post()
    await expect(post()).rejects.toMatchObject({ retryAfter: 1 })
    await post([], { channel: 'C2' })
    expect(slack.channel(channel)).toHaveLength(2)
    expect(slack.postTimes(channel)).toHaveLength(2)
    expect(slack.callsOf('chat.postMessage')).toHaveLength(4)
    slack.limitPosts(null)
    await post()
    expect(slack.channel(channel)).toHaveLength(3)
  })
})

describe('blocks', () => {
  it.each<[string, object[], string, string]>([
    ['51 blocks', Array.from({ length: 51 }, () => ({ type: 'divider' })), 'invalid_blocks', 'no more than 50'],
    [
      '26 elements',
      [actions(...Array.from({ length: 26 }, (_, at) => button(`b${at}`)))],
      'invalid_blocks',
      'no more than 25',
    ],
    ['no elements', [actions()], 'invalid_blocks', 'no fewer than 1'],
    ['an action_id twice', [actions(button('a'), button('a'))], 'invalid_blocks', 'unique'],
    [
      'a text of 76 characters',
      [actions(button('a', { text: { type: 'plain_text', text: 'x'.repeat(76) } }))],
      'invalid_blocks',
      'less than 76',
    ],
    ['a value of 2,001', [actions(button('a', { value: 'x'.repeat(2001) }))], 'invalid_blocks', 'less than 2001'],
    [
      'an option value of 151',
      [actions({ type: 'overflow', action_id: 'a', options: [option('x'.repeat(151), 'x')] })],
      'invalid_blocks',
      'less than 151',
    ],
    [
      'six options in an overflow menu',
      [actions({ type: 'overflow', action_id: 'a', options: ['1', '2', '3', '4', '5', '6'].map(v => option(v)) })],
      'invalid_blocks',
      'no more than 5',
    ],
    ['101 rows', [table(101)], 'invalid_blocks', 'no more than 100'],
    ['an empty cell', [{ type: 'table', rows: [[{ type: 'raw_text', text: '' }]] }], 'invalid_blocks', 'more than 0'],
    ['two tables', [table(1), table(1)], 'invalid_attachments', 'only_one_table_allowed'],
    ['a kind it does not know', [{ type: 'button' }], 'invalid_blocks', 'unsupported type'],
  ])('are refused with %s', async (_what, blocks, error, line) => {
    await expect(post(blocks)).rejects.toMatchObject({
      data: { error, response_metadata: { messages: [expect.stringContaining(line)] } },
    })
    expect(slack.channel(channel)).toEqual([])
  })

  it('are taken at the limits', async () => {
    const elements = Array.from({ length: 25 }, (_, at) => button(`b${at}`, { value: 'x'.repeat(2000) }))
    const ts = await post([actions(...elements), table(100)])
    await client.chat.update({ channel, ts, text: 'x', blocks: [] })
    expect(slack.channel(channel)).toMatchObject([{ ts, edits: 1, blocks: [] }])
  })
})

describe('a press', () => {
  const menu = {
    ...{ type: 'static_select', action_id: 'choose', placeholder: { type: 'plain_text', text: 'Which?' } },
    options: [option('one'), option('two')],
  }

  it('is Slack’s block_actions of what the message shows now', async () => {
    const root = await post()
    const ts = await post([actions(button('refresh'), menu)], { thread_ts: root })
    expect(slack.pressButton({ channel, ts, actionId: 'refresh', user: 'U7' })).toMatchObject({
      type: 'block_actions',
      ...{ user: { id: 'U7', team_id: slack.teamId }, team: { id: slack.teamId }, channel: { id: channel } },
      ...{ enterprise: null, api_app_id: 'A1', trigger_id: expect.any(String) },
      container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false, thread_ts: root },
      message: { ts, thread_ts: root, text: 'hello' },
      actions: [{ action_id: 'refresh', type: 'button', value: 'value of refresh', block_id: expect.any(String) }],
      response_url: expect.stringContaining(slack.origin),
    })
    expect(slack.pressButton({ channel, ts, actionId: 'choose', value: 'two' })).toMatchObject({
      actions: [{ type: 'static_select', selected_option: option('two') }],
    })
    expect(() => slack.pressButton({ channel, ts, actionId: 'mute' })).toThrow('no element mute')
  })

  it('on what only one user sees is ephemeral', async () => {
    await client.chat.postEphemeral({ channel, user: 'U9', text: 'which?', blocks: [actions(menu)] as never })
    const [whisper] = slack.whispers
    if (whisper === undefined) throw new Error('nothing was whispered')
    const pressed = slack.pressWhisper(whisper, { channel, actionId: 'choose' })
    expect(pressed).toMatchObject({ user: { id: 'U9' }, container: { is_ephemeral: true, channel_id: channel } })
    expect(pressed).not.toHaveProperty('message')
  })
})
