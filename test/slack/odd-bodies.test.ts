import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asEvent, messagePayload, postSigned } from '../fakes/slack-request.ts'
import { SlackServer } from '../fakes/slack-server.ts'
import { startApp } from './start-app.ts'

let slack: SlackServer
let running: Awaited<ReturnType<typeof startApp>>

beforeAll(async () => {
  slack = await SlackServer.start()
})
afterAll(() => slack.close())
beforeEach(async () => {
  running = await startApp(slack, 'http')
})
afterEach(() => running.app.stop())

const sendJson = async (text: string) => {
  running.lines.length = 0
  const { status } = await postSigned(running.events, [text, 'application/json'])
  return { status, logged: running.lines }
}

describe('a body that is none of Slack’s is refused at once, with one short line in the log:', () => {
  it.each([
    ...['null', '[]', '[null]', '[{"type":"event_callback"}]', '7', '"text"', 'true', '{"event":null}', '{"event":[]}'],
    ...['{"type":"event_callback"}', '{"type":"event_callback","event":7}', `[${'{"a":1},'.repeat(50_000)}1]`],
  ])('%.40s', async text => {
    const { status, logged } = await sendJson(text)
    expect(status).toBe(400)
    expect(logged).toHaveLength(1)
    expect(JSON.stringify(logged[0]).length).toBeLessThan(300)
  })
})

describe('odd fields of a message leave nothing behind:', () => {
  it.each([
    [{ subtype: 'bot_message', bot_id: 'B1', text: 7, attachments: 'x', blocks: null }],
    [{ subtype: 'bot_message', bot_id: 'B1', attachments: [null, 7, { fields: [null], text: [] }] }],
    [{ subtype: 'message_changed', message: 7, previous_message: 'x' }],
    [{ subtype: 'message_changed', message: [], previous_message: {}, ts: null }],
    [{ subtype: null, bot_id: null, ts: null }],
  ])('%j', async event => {
    running.lines.length = 0
    expect((await postSigned(running.events, asEvent(messagePayload(event)))).status).toBe(200)
    expect(running.lines).toEqual([])
    expect(running.queue).toEqual([])
  })
})
