import { WebClient } from '@slack/web-api'
import { expect, onTestFinished, test } from 'vitest'
import type { LocalServerOptions } from '../../src/local/local-server.ts'
import { loopbackApp } from './loopback-app.ts'
import { botToken, openLocal, send, signingSecret } from './open-local.ts'

const option = (value: string) => ({ text: { type: 'plain_text', text: `Option ${value}` }, value })
const actions = {
  type: 'actions',
  elements: [
    { type: 'button', action_id: 'refresh', text: { type: 'plain_text', text: 'Refresh' }, value: '{"t":"shop/web"}' },
    { type: 'overflow', action_id: 'commands', options: [option('0'), option('1')] },
  ],
}

async function withApp(options: Partial<LocalServerOptions> = {}) {
  const app = await loopbackApp(signingSecret)
  onTestFinished(() => app.close())
  const local = await openLocal({ eventsUrl: () => app.eventsUrl, ...options })
  const client = new WebClient(botToken, { slackApiUrl: local.apiUrl, retryConfig: { retries: 0 } })
  const channel = local.channelId
  const post = async (fields: object = {}): Promise<string> => {
    const answer = await client.apiCall('chat.postMessage', { channel, text: 'hi', blocks: [actions], ...fields })
    return (answer as { ts?: string }).ts ?? ''
  }
  const request = (path: string, body: unknown, headers = {}) =>
    send(new URL(path, local.url).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const press = (ts: string | null, actionId: string, value: string) => request('/local/press', { ts, actionId, value })
  return { app, local, client, channel, post, press, request }
}

test('a pressed button reaches the app as Slack’s signed block_actions, with the message as it stands', async () => {
  const { app, local, channel, post, press } = await withApp()
  const root = await post({ blocks: [] })
  const ts = await post({ thread_ts: root })
  expect(await press(ts, 'refresh', '{"t":"shop/web"}')).toMatchObject({ status: 200 })
  expect(app.interactions).toMatchObject([
    {
      ...{ type: 'block_actions', api_app_id: 'A0PODWHY', enterprise: null, trigger_id: expect.any(String) },
      ...{ team: { id: local.teamId }, user: { id: 'U0YOU', team_id: local.teamId }, channel: { id: channel } },
      container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false, thread_ts: root },
      message: { ts, thread_ts: root, text: 'hi', blocks: [actions] },
      actions: [{ action_id: 'refresh', type: 'button', value: '{"t":"shop/web"}', block_id: expect.any(String) }],
      response_url: expect.stringContaining('/local/respond/'),
    },
  ])
})

test('a chosen option of a menu is sent whole', async () => {
  const { app, post, press } = await withApp()
  const ts = await post()
  await press(ts, 'commands', '1')
  expect(app.interactions).toMatchObject([{ actions: [{ type: 'overflow', selected_option: option('1') }] }])
})

test('what the message does not offer cannot be pressed', async () => {
  const { app, client, channel, post, press } = await withApp()
  const ts = await post()
  const forged = [
    ['refresh', '{"t":"kube-system/x"}'],
    ['commands', '2'],
    ['other', ''],
  ] as const
  for (const [id, value] of forged) {
    expect(await press(ts, id, value)).toMatchObject({ status: 409, body: 'This is no longer there.\n' })
  }
  await client.chat.update({ channel, ts, text: 'edited', blocks: [] })
  expect(await press(ts, 'refresh', '{"t":"shop/web"}')).toMatchObject({ status: 409 })
  expect(await press('1.000001', 'refresh', '{"t":"shop/web"}')).toMatchObject({ status: 409 })
  expect(app.interactions).toEqual([])
})

test('a press on what only you see is ephemeral, and its response URL can replace or delete it', async () => {
  const { app, local, client, channel, press } = await withApp()
  const shown = () => local.station.slack.channel.messages().map(({ text, onlyYou }) => ({ text, onlyYou }))
  const { message_ts: ts = '' } = (await client.apiCall('chat.postEphemeral', {
    ...{ channel, user: 'U0YOU', text: 'which?', blocks: [actions] },
  })) as { message_ts?: string }
  await press(ts, 'refresh', '{"t":"shop/web"}')
  const [payload] = app.interactions
  expect(payload).toMatchObject({ container: { is_ephemeral: true, message_ts: ts } })
  expect(payload).not.toHaveProperty('message')
  const respond = (body: object) =>
    send(String(payload?.['response_url']), { method: 'POST', body: JSON.stringify(body) })
  await respond({ text: 'beside' })
  expect(shown()).toEqual([
    { text: 'which?', onlyYou: true },
    { text: 'beside', onlyYou: true },
  ])
  await respond({ replace_original: true, text: 'that one' })
  expect(shown()[0]).toEqual({ text: 'that one', onlyYou: true })
  await respond({ delete_original: true })
  expect(shown()).toEqual([{ text: 'beside', onlyYou: true }])
})

test('an app that fails or is not there is said to have not taken the press', async () => {
  const { app, post, press } = await withApp()
  const ts = await post()
  await app.close()
  expect(await press(ts, 'refresh', '{"t":"shop/web"}')).toMatchObject({
    status: 409,
    body: expect.stringContaining('http_client_error'),
  })
  const starting = await withApp({ eventsUrl: () => null })
  const early = await starting.press(await starting.post(), 'refresh', '{"t":"shop/web"}')
  expect(early.body).toContain('still starting')
})

test('the Home is opened as an event, published by the app, and its buttons are pressed there', async () => {
  const { app, local, client, press, request } = await withApp()
  expect(await press(null, 'refresh', '{"t":"shop/web"}')).toMatchObject({ status: 409 })
  await request('/local/home', {})
  expect(app.events).toMatchObject([
    { type: 'event_callback', team_id: local.teamId, event: { type: 'app_home_opened', user: 'U0YOU', tab: 'home' } },
  ])
  await client.views.publish({ user_id: 'U0YOU', view: { type: 'home', blocks: [actions] } as never })
  expect(local.station.slack.home.blocks()).toEqual([actions])
  await press(null, 'refresh', '{"t":"shop/web"}')
  expect(app.interactions).toMatchObject([{ container: { type: 'view' }, view: { type: 'home', blocks: [actions] } }])
  expect(app.interactions[0]).not.toHaveProperty('channel')
})

test('other pages cannot press, and without the token nobody can', async () => {
  const { app, post, request } = await withApp()
  const body = { ts: await post(), actionId: 'refresh', value: '{"t":"shop/web"}' }
  for (const path of ['/local/press', '/local/home']) {
    expect(await request(path, body, { origin: 'http://evil.example' })).toMatchObject({ status: 403 })
    expect(await request(path, body, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
  }
  const guarded = await withApp({ accessToken: 'k3y' })
  for (const path of ['/local/press', '/local/home']) {
    expect(await guarded.request(path, body)).toMatchObject({ status: 401 })
  }
  expect([...app.interactions, ...app.events, ...guarded.app.interactions, ...guarded.app.events]).toEqual([])
})
