import { afterEach, beforeEach, expect, it } from 'vitest'
import { poster } from '../../src/slack/poster.ts'
import { slackClient } from '../../src/slack/slack-client.ts'
import type { Upload } from '../../src/slack/upload.ts'
import { SlackServer } from '../fakes/slack-server.ts'
import { logLines } from './log-lines.ts'
import { Crash, MemoryStore } from './memory-store.ts'

let slack: SlackServer
let store: MemoryStore
let threadTs: string
beforeEach(async () => {
  slack = await SlackServer.start()
  store = new MemoryStore()
  threadTs = slack.say('C1', 'an answer')
})
afterEach(() => slack.close())

const { log } = logLines()
const upload = (changed: Partial<Upload> = {}) => {
  const client = slackClient({ token: 'xoxb-test', apiUrl: slack.apiUrl, log })
  return poster({ client, store, log, apiUrl: slack.apiUrl, delay: async () => {} }).upload({
    ...{ question: 'q', part: 'log', channel: 'C1', threadTs, name: 'web-1-app-0a1b2c3d.log', title: 'Log of app' },
    ...{ text: 'one\nzwö\n', comment: 'Log of app &lt;here&gt;' },
    ...changed,
  })
}
const thread = () => slack.channel('C1')[0]?.thread ?? []

it('a file is shared in the thread, with its comment', async () => {
  await upload()
  expect(thread()).toMatchObject([
    { text: 'Log of app &lt;here&gt;', files: [{ name: 'web-1-app-0a1b2c3d.log', title: 'Log of app', size: 9 }] },
  ])
  expect(slack.files[0]?.content?.toString()).toBe('one\nzwö\n')
})

it('a second run of the same shares nothing again', async () => {
  await upload()
  await upload()
  expect(thread()).toHaveLength(1)
  expect(slack.callsOf('files.completeUploadExternal')).toHaveLength(1)
})

it('a file whose sharing was cut off after Slack did it is found, not shared again', async () => {
  slack.fail('files.completeUploadExternal', { kind: 'cutAfter' })
  await expect(upload()).rejects.toThrow()
  await upload()
  expect(thread()).toHaveLength(1)
  expect(slack.callsOf('files.completeUploadExternal')).toHaveLength(1)
})

it('a file whose sharing was cut off before Slack did it is shared by the next run', async () => {
  slack.fail('files.completeUploadExternal', { kind: 'cutBefore' })
  await expect(upload()).rejects.toThrow()
  await upload()
  expect(thread()).toHaveLength(1)
})

it.each([0, 1] as const)('a process that ends around write %i leaves one file in the end', async at => {
  for (const when of ['before', 'after'] as const) {
    const question = `q-${at}-${when}`
    Object.assign(store, { writes: 0, crash: { at, when } })
    await expect(upload({ question, name: `${question}.log` })).rejects.toThrow(Crash)
    store.crash = null
    await upload({ question, name: `${question}.log` })
    const shown = thread().flatMap(({ files }) => files.filter(({ name }) => name === `${question}.log`))
    expect(shown, `${when} write ${at}`).toHaveLength(1)
  }
})

it('what Slack certainly did not do is done again without looking', async () => {
  slack.fail('files.completeUploadExternal', { kind: 'rateLimited', retryAfter: 7 })
  await expect(upload()).rejects.toMatchObject({ name: 'RateLimited', retryAfterMs: 7_000 })
  await upload()
  expect(thread()).toHaveLength(1)
  expect(slack.callsOf('conversations.replies')).toEqual([])
})

it('an app without the scope says which one', async () => {
  slack.fail('files.getUploadURLExternal', { kind: 'error', error: 'missing_scope' })
  await expect(upload()).rejects.toMatchObject({ name: 'ScopeMissing', scope: 'files:write' })
})

it('outside of the channel that is said', async () => {
  slack.outside.add('C1')
  await expect(upload()).rejects.toMatchObject({ name: 'NotInChannel' })
})
