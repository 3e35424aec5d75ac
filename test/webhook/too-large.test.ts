import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { poster } from '../../src/slack/poster.ts'
import { slackClient } from '../../src/slack/slack-client.ts'
import { tooLargeNotice } from '../../src/webhook/too-large.ts'
import { SlackServer } from '../fakes/slack-server.ts'
import { logLines } from '../slack/log-lines.ts'
import { expiringStore } from '../worker/expiring-store.ts'

let slack: SlackServer
let now: number
let channel: string
let tell: ReturnType<typeof tooLargeNotice>
let channels = 0

beforeAll(async () => {
  slack = await SlackServer.start()
})
afterAll(() => slack.close())
beforeEach(() => {
  now = Date.parse('2026-12-01T10:59:00Z')
  channel = `L${++channels}`
  const { log } = logLines()
  const client = slackClient({ token: 'xoxb-test', apiUrl: slack.apiUrl, log })
  const store = expiringStore(() => now)
  tell = tooLargeNotice({ poster: poster({ client, store, log, delay: async () => {} }), store, now: () => now })
})
const minutesLater = (minutes: number) => {
  now += minutes * 60_000
}

it('a channel is told once an hour that a webhook was too large', async () => {
  await Promise.all([tell(channel), tell(channel)])
  for (const minutes of [1, 5, 53]) {
    minutesLater(minutes)
    await tell(channel)
  }
  expect(slack.channel(channel)).toMatchObject([{ text: expect.stringMatching(/more than 8 MiB.*max_alerts/) }])
  minutesLater(2)
  await tell(channel)
  expect(slack.channel(channel)).toHaveLength(2)
})

it('what could not be posted is posted by the next delivery, and what Slack took in spite of an error is found', async () => {
  slack.fail('chat.postMessage', { kind: 'cutAfter' })
  await expect(tell(channel)).rejects.toThrow()
  minutesLater(2)
  await tell(channel)
  expect(slack.channel(channel)).toHaveLength(1)
  const other = `${channel}B`
  slack.fail('chat.postMessage', { kind: 'cutBefore' })
  await expect(tell(other)).rejects.toThrow()
  minutesLater(2)
  await tell(other)
  expect(slack.channel(other)).toHaveLength(1)
})
