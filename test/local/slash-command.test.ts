import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { type LoopbackApp, loopbackApp } from './loopback-app.ts'
import { openLocal, send, signingSecret, type } from './open-local.ts'

type Command = Readonly<Record<string, string>>

async function withApp(
  onCommand?: (command: Command, response: ServerResponse) => void,
  { secret = signingSecret, ...options }: { secret?: string; acknowledgeWithinMs?: number } = {},
) {
  const app: LoopbackApp = await loopbackApp(secret, onCommand)
  onTestFinished(() => app.close())
  const local = await openLocal({ eventsUrl: () => app.eventsUrl, ...options })
  const said = () => local.station.slack.channel.messages().map(({ from, text, onlyYou }) => ({ from, text, onlyYou }))
  return { app, local, said }
}

test('a typed line reaches the app as a signed slash command with all that Slack sends', async () => {
  const { app, local, said } = await withApp()
  await type(local, '  /podwhy   shop/web-7d9c -n x ')
  expect(app.commands).toEqual([
    expect.objectContaining({
      command: '/podwhy',
      text: 'shop/web-7d9c -n x',
      team_id: local.teamId,
      channel_id: local.channelId,
      user_id: expect.stringMatching(/^U/),
      response_url: expect.stringContaining(`${new URL(local.url).origin}/local/respond/`),
      trigger_id: expect.any(String),
    }),
  ])
  expect(said()).toEqual([{ from: 'you', text: '/podwhy shop/web-7d9c -n x', onlyYou: true }])
})

test('a line without a slash is a question too', async () => {
  const { app, local } = await withApp()
  await type(local, 'shop/web')
  expect(app.commands).toMatchObject([{ command: '/podwhy', text: 'shop/web' }])
})

test('another command never reaches the app, and the page says so', async () => {
  const { app, local, said } = await withApp()
  await type(local, '/weather')
  expect(app.commands).toEqual([])
  expect(said().at(-1)).toMatchObject({ from: 'podwhy', text: expect.stringContaining('/weather'), onlyYou: true })
})

test('two questions are two triggers', async () => {
  const { app, local } = await withApp()
  await type(local, '/podwhy shop/web')
  await type(local, '/podwhy shop/web')
  const [first, second] = app.commands.map(({ trigger_id }) => trigger_id)
  expect(first).not.toBe(second)
})

test.each([
  ['text', 'text/plain', 'Which namespace?'],
  ['JSON', 'application/json; charset=utf-8', JSON.stringify({ text: 'Which namespace?' })],
])('an acknowledgement of %s is shown only to the one who asked', async (_what, contentType, body) => {
  const { local, said } = await withApp((_command, response) => {
    response.writeHead(200, { 'content-type': contentType }).end(body)
  })
  await type(local, '/podwhy web')
  expect(said().at(-1)).toEqual({ from: 'podwhy', text: 'Which namespace?', onlyYou: true })
})

test('an app that refuses, is not there or has not started is said to fail, in Slack’s words', async () => {
  const refusing = await withApp(undefined, { secret: 'another secret' })
  await type(refusing.local, '/podwhy shop/web')
  expect(refusing.said().at(-1)?.text).toContain('http_service_error')

  const gone = await withApp()
  await gone.app.close()
  await type(gone.local, '/podwhy shop/web')
  expect(gone.said().at(-1)?.text).toContain('http_client_error')

  const starting = await openLocal()
  await type(starting, '/podwhy shop/web')
  expect(starting.station.slack.channel.messages().at(-1)?.text).toContain('still starting')
})

test('an app that does not acknowledge in time has timed out', async () => {
  const { local, said } = await withApp(() => {}, { acknowledgeWithinMs: 50 })
  await type(local, '/podwhy shop/web')
  expect(said().at(-1)?.text).toContain('operation_timeout')
})

test('the response URL takes five replies, private or for all, and then no more', async () => {
  const { app, local, said } = await withApp()
  await type(local, '/podwhy shop/web')
  const reply = (body: object) =>
    send(app.commands[0]?.['response_url'] ?? '', { method: 'POST', body: JSON.stringify(body) })
  expect(await reply({ text: 'a' })).toMatchObject({ status: 200, body: 'ok\n' })
  expect(await reply({ text: 'b', response_type: 'in_channel' })).toMatchObject({ status: 200 })
  expect(await reply({})).toMatchObject({ status: 400, body: 'invalid_payload\n' })
  for (const text of ['c', 'd', 'e']) await reply({ text })
  expect(await reply({ text: 'f' })).toMatchObject({ status: 404, body: 'used_url\n' })
  expect(said().slice(1)).toEqual(
    ['a', 'b', 'c', 'd', 'e'].map(text => ({ from: 'podwhy', text, onlyYou: text !== 'b' })),
  )
})

test('a response URL that was never given out is refused', async () => {
  const { local } = await withApp()
  const guessed = new URL('/local/respond/guess', local.url).href
  expect(await send(guessed, { method: 'POST', body: '{"text":"x"}' })).toMatchObject({ status: 404 })
})
