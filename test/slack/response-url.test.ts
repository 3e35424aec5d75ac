import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ResponseUrlSpent, respond } from '../../src/slack/response-url.ts'
import { SlackServer } from '../fakes/slack-server.ts'
import { aMessage } from './a-question.ts'
import { MemoryStore } from './memory-store.ts'

let slack: SlackServer
beforeAll(async () => {
  slack = await SlackServer.start()
})
afterAll(() => slack.close())
beforeEach(() => {
  slack.whispers.length = 0
})
const store = new MemoryStore()
const say = (url: string) => respond(url, aMessage('hello'), { store, apiUrl: slack.apiUrl })

describe('a response_url', () => {
  it('shows a message to the one who asked, and leaves the original', async () => {
    await say(slack.responseUrl())
    expect(slack.whispers).toMatchObject([{ text: 'hello' }])
    const body = JSON.parse(slack.callsOf('response_url').at(-1)?.args['body'] ?? '')
    expect(body).toMatchObject({ response_type: 'ephemeral', replace_original: false })
  })

  it('is used five times, not six', async () => {
    const url = slack.responseUrl()
    for (let use = 0; use < 5; use++) await say(url)
    await expect(say(url)).rejects.toThrow(ResponseUrlSpent)
    expect(slack.whispers).toHaveLength(5)
    await say(slack.responseUrl())
  })

  it('that is too old says so', async () => {
    slack.fail('response_url', { kind: 'status', status: 404 })
    await expect(say(slack.responseUrl())).rejects.toThrow(ResponseUrlSpent)
  })

  it('that answers an error is an error that may pass', async () => {
    slack.fail('response_url', { kind: 'status', status: 500 })
    const problem: unknown = await say(slack.responseUrl()).catch(error => error)
    expect(problem).toBeInstanceOf(Error)
    expect(problem).not.toBeInstanceOf(ResponseUrlSpent)
  })

  it.each([
    'http://hooks.slack.com/commands/1',
    'https://hooks.slack.com.example.com/1',
    'https://169.254.169.254/latest',
    'file:///etc/passwd',
    'no url',
  ])('must be Slack’s: %s is not written to', async url => {
    await expect(say(url)).rejects.toThrow('not a response_url of Slack')
    expect(slack.whispers).toEqual([])
  })
})
