import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Question } from '../../src/queue/job.ts'
import { deliverAnswer, deliverApology } from '../../src/slack/deliver.ts'
import { type Poster, poster } from '../../src/slack/poster.ts'
import { slackClient } from '../../src/slack/slack-client.ts'
import { type Fault, SlackServer } from '../fakes/slack-server.ts'
import { aMessage, aQuestion } from './a-question.ts'
import { logLines } from './log-lines.ts'
import { MemoryStore } from './memory-store.ts'

let slack: SlackServer
let store: MemoryStore
const { log } = logLines()
const thread = [aMessage('how we know'), aMessage('the log')]
const answer = async () => ({ root: aMessage('the answer'), thread })
const placeholder = aMessage('Looking …')
const whole = [{ text: 'the answer', thread: [{ text: 'how we know' }, { text: 'the log' }] }]

beforeAll(async () => {
  slack = await SlackServer.start()
})
afterAll(() => slack.close())
beforeEach(() => {
  store = new MemoryStore()
  slack.outside.clear()
})

/** As after a restart: nothing but the store is left. */
const restart = (): Poster =>
  poster({
    client: slackClient({ token: 'xoxb-test', apiUrl: slack.apiUrl, log }),
    ...{ store, log, apiUrl: slack.apiUrl, delay: async () => {} },
  })
const deliver = (question: Question) => deliverAnswer({ question, poster: restart(), answer, placeholder })
const untilDelivered = async (question: Question): Promise<void> => {
  for (let run = 0; run < 5; run++) {
    try {
      await deliver(question)
      return
    } catch {
      store.crash = null
    }
  }
  throw new Error('not delivered in five runs')
}
let channels = 0
const inNewChannel = (fields: Partial<Question> = {}) => aQuestion({ channelId: `D${++channels}`, ...fields })

describe('an answer', () => {
  it('is one message that becomes the answer, with the details in its thread', async () => {
    const question = inNewChannel()
    let during: unknown
    const late = async () => {
      while (slack.channel(question.channelId).length === 0) await new Promise(setImmediate)
      during = slack.channel(question.channelId)
      return answer()
    }
    expect(await deliverAnswer({ question, poster: restart(), answer: late, placeholder })).toBe('thread')
    expect(during).toMatchObject([{ text: 'Looking …', thread: [] }])
    expect(slack.channel(question.channelId)).toMatchObject(whole)
  })

  it('goes into the thread it was asked in', async () => {
    const question = inNewChannel()
    const threadTs = slack.say(question.channelId, 'an alert')
    await deliver({ ...question, threadTs })
    expect(slack.channel(question.channelId)).toMatchObject([
      { text: 'an alert', thread: [{ text: 'the answer' }, { text: 'how we know' }, { text: 'the log' }] },
    ])
  })

  it('leaves the placeholder when it cannot be made, and the next run goes on from there', async () => {
    const question = inNewChannel()
    const fail = () => Promise.reject(new Error('cluster down'))
    await expect(deliverAnswer({ question, poster: restart(), answer: fail, placeholder })).rejects.toThrow(
      'cluster down',
    )
    expect(slack.channel(question.channelId)).toMatchObject([{ text: 'Looking …' }])
    await deliver(question)
    expect(slack.channel(question.channelId)).toMatchObject(whole)
  })

  it('run again gives standing parts the newest text', async () => {
    const question = inNewChannel()
    await deliver(question)
    const newer = async () => ({ root: aMessage('newer'), thread: [aMessage('newer evidence'), aMessage('newer log')] })
    await deliverAnswer({ question, poster: restart(), answer: newer, placeholder })
    expect(slack.channel(question.channelId)).toMatchObject([
      { text: 'newer', thread: [{ text: 'newer evidence' }, { text: 'newer log' }] },
    ])
  })

  it('ends quietly when somebody deleted its message', async () => {
    const question = inNewChannel()
    const { ts } = await restart().post({
      ...{ question: question.id, part: 'root', channel: question.channelId, threadTs: null, message: placeholder },
    })
    slack.delete(question.channelId, ts)
    expect(await deliver(question)).toBe('deleted')
    expect(slack.channel(question.channelId)).toEqual([])
  })

  it('ends quietly when the message it was to answer is deleted', async () => {
    expect(await deliver(inNewChannel({ threadTs: '1714824000.000100' }))).toBe('deleted')
  })

  it('run again goes on where somebody deleted one reply', async () => {
    const question = inNewChannel()
    slack.fail('chat.postMessage', { kind: 'delay', ms: 0 }, 2)
    slack.fail('chat.postMessage', { kind: 'rateLimited', retryAfter: 1 })
    await expect(deliver(question)).rejects.toThrow('429')
    slack.delete(question.channelId, slack.channel(question.channelId)[0]?.thread[0]?.ts ?? '')
    expect(await deliver(question)).toBe('thread')
    expect(slack.channel(question.channelId)).toMatchObject([{ text: 'the answer', thread: [{ text: 'the log' }] }])
  })
})

describe('an answer stands once, whole and newest', () => {
  const REPETITIONS = 30
  const cuts = [...Array(8).keys()].flatMap(at => [
    { at, when: 'before' as const },
    { at, when: 'after' as const },
  ])

  it('needs eight writes, all of which are cut below', async () => {
    await deliver(inNewChannel())
    expect(store.writes).toBe(8)
  })

  it.each(cuts)(`after the process ended $when write $at, ${REPETITIONS} times`, async crash => {
    for (let repetition = 0; repetition < REPETITIONS; repetition++) {
      const question = inNewChannel()
      store = new MemoryStore()
      store.crash = crash
      await expect(deliver(question)).rejects.toThrow('writing')
      // Every other time the second run ends early as well.
      store.writes = 0
      store.crash =
        repetition % 2 === 0 ? null : { at: repetition % 5, when: repetition % 3 === 0 ? 'before' : 'after' }
      await untilDelivered(question)
      expect(slack.channel(question.channelId)).toMatchObject(whole)
      expect(slack.channel(question.channelId)[0]?.thread).toHaveLength(2)
    }
  })

  const faults: Fault[] = [
    { kind: 'cutBefore' },
    { kind: 'cutAfter' },
    { kind: 'garbled' },
    { kind: 'status', status: 500 },
    { kind: 'rateLimited', retryAfter: 1 },
  ]
  const broken = faults.flatMap(fault => [0, 1, 2].map(nth => ({ ...fault, nth })))
  it.each(broken)(`after post $nth went wrong ($kind), ${REPETITIONS} times`, async ({ nth, ...fault }) => {
    for (let repetition = 0; repetition < REPETITIONS; repetition++) {
      const question = inNewChannel()
      store = new MemoryStore()
      slack.fail('chat.postMessage', { kind: 'delay', ms: 0 }, nth)
      slack.fail('chat.postMessage', fault as Fault)
      await expect(deliver(question)).rejects.toThrow()
      await untilDelivered(question)
      expect(slack.channel(question.channelId)).toMatchObject(whole)
      expect(slack.channel(question.channelId)[0]?.thread).toHaveLength(2)
    }
  })
})

describe('where the bot is not in the channel', () => {
  const outsideWith = (responseUrl: string | null): Question => {
    const question = inNewChannel({ responseUrl })
    slack.outside.add(question.channelId)
    slack.whispers.length = 0
    return question
  }

  it('the one who asked gets all of it, and how to invite the bot', async () => {
    expect(await deliver(outsideWith(slack.responseUrl()))).toBe('ephemeral')
    expect(slack.whispers).toHaveLength(1)
    const shown = JSON.stringify(slack.whispers[0]?.blocks)
    for (const text of ['the answer', 'how we know', 'the log', '/invite @podwhy']) expect(shown).toContain(text)
    expect(JSON.parse(slack.calls.at(-1)?.args['body'] ?? '')).toMatchObject({ response_type: 'ephemeral' })
  })

  it('a second run says nothing more', async () => {
    const question = outsideWith(slack.responseUrl())
    await deliver(question)
    expect(await deliver(question)).toBe('ephemeral')
    expect(slack.whispers).toHaveLength(1)
  })

  it('an answer too long for one message takes several, at most five', async () => {
    const long = async () => ({ root: aMessage('the answer'), thread: Array(8).fill(aMessage('x'.repeat(8_000))) })
    const question = outsideWith(slack.responseUrl())
    await deliverAnswer({ question, poster: restart(), answer: long, placeholder })
    expect(slack.whispers).toHaveLength(5)
    for (const { blocks } of slack.whispers) expect(JSON.stringify(blocks).length).toBeLessThanOrEqual(12_000)
    expect(JSON.stringify(slack.whispers[0]?.blocks).includes('/invite')).toBe(true)
  })

  it('and there is no response_url, the error says where and what to do', async () => {
    await expect(deliver(outsideWith(null))).rejects.toThrow('/invite @podwhy')
  })
})

describe('an apology', () => {
  const apologise = (question: Question) => deliverApology({ question, poster: restart(), message: aMessage('Sorry') })

  it('takes the place of the placeholder', async () => {
    const question = inNewChannel()
    const fail = () => Promise.reject(new Error('x'))
    await expect(deliverAnswer({ question, poster: restart(), answer: fail, placeholder })).rejects.toThrow()
    await apologise(question)
    expect(slack.channel(question.channelId)).toMatchObject([{ text: 'Sorry', thread: [] }])
  })

  it('is posted when nothing stands, once', async () => {
    const question = inNewChannel()
    await apologise(question)
    await apologise(question)
    expect(slack.channel(question.channelId)).toMatchObject([{ text: 'Sorry' }])
  })

  it('takes the place of a placeholder whose ts was never stored', async () => {
    const question = inNewChannel()
    slack.fail('chat.postMessage', { kind: 'cutAfter' })
    await expect(deliver(question)).rejects.toThrow()
    await apologise(question)
    expect(slack.channel(question.channelId)).toMatchObject([{ text: 'Sorry' }])
    expect(slack.channel(question.channelId)).toHaveLength(1)
  })

  it('does not replace an answer that stands: it goes below it', async () => {
    const question = inNewChannel()
    slack.fail('chat.postMessage', { kind: 'delay', ms: 0 })
    slack.fail('chat.postMessage', { kind: 'error', error: 'invalid_blocks' })
    await expect(deliver(question)).rejects.toThrow('invalid_blocks')
    await apologise(question)
    expect(slack.channel(question.channelId)).toMatchObject([{ text: 'the answer', thread: [{ text: 'Sorry' }] }])
  })

  it('reaches the one who asked where the bot is not in the channel', async () => {
    const question = inNewChannel({ responseUrl: slack.responseUrl() })
    slack.outside.add(question.channelId)
    slack.whispers.length = 0
    expect(await apologise(question)).toBe('ephemeral')
    expect(slack.whispers).toMatchObject([{ via: 'response_url', text: 'Sorry' }])
  })
})
