import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NoSuchPod } from '../../src/cluster/no-such-pod.ts'
import { openMetrics } from '../../src/metrics.ts'
import type { Question, Target } from '../../src/queue/job.ts'
import { RetryLater } from '../../src/queue/retry-later.ts'
import { alertThreads } from '../../src/slack/alert-threads.ts'
import { poster } from '../../src/slack/poster.ts'
import { slackClient } from '../../src/slack/slack-client.ts'
import { answering } from '../../src/worker/answering.ts'
import type { AnyCluster } from '../../src/worker/clusters.ts'
import { crashing } from '../end-to-end/crashing.ts'
import { SlackServer } from '../fakes/slack-server.ts'
import { aQuestion } from '../slack/a-question.ts'
import { logLines } from '../slack/log-lines.ts'
import { MemoryStore } from '../slack/memory-store.ts'

const { log, lines } = logLines()
let slack: SlackServer
/** Names that exist, and what was read, in order. */
let existing: Set<string>
let read: string[]
let isHealthy = false
let store: MemoryStore
let now: number

beforeAll(async () => {
  slack = await SlackServer.start()
})
afterAll(() => slack.close())
beforeEach(() => {
  existing = new Set(['web'])
  read = []
  isHealthy = false
  store = new MemoryStore()
  now = Date.parse('2026-05-04T12:01:00Z')
  lines.length = 0
})

const cluster: AnyCluster = {
  name: 'test',
  read: async ({ name }: Target) => {
    read.push(name)
    if (!existing.has(name)) throw new NoSuchPod(`no pod "${name}"`)
    const snapshot = crashing()
    if (isHealthy) Object.assign(snapshot.pod ?? {}, { status: { phase: 'Succeeded' } })
    return snapshot
  },
  triage: () => Promise.reject(new Error('nobody asks about a namespace')),
  about: () => Promise.reject(new Error('nobody presses a button')),
  log: () => Promise.reject(new Error('nobody presses a button')),
}
const handlers = () => {
  const client = slackClient({ token: 'xoxb-test', apiUrl: slack.apiUrl, log })
  return answering({
    clusters: { names: ['test'], of: () => cluster, close: async () => {} },
    poster: poster({ client, store, log, delay: async () => {} }),
    alerts: alertThreads(store, { now: () => now }),
    ...{ store, later: async () => {}, readyMs: 600_000, now: () => now },
    ...{ metrics: openMetrics(), log },
  })
}
const target = (name: string, kind: string | null = 'Pod'): Target => ({ cluster: null, namespace: 'shop', kind, name })
let channels = 0
const answered = async (fields: Partial<Question>) => {
  const question = aQuestion({ channelId: `A${++channels}`, via: 'alert', ...fields })
  const signal = new AbortController().signal
  await handlers().answer(question, { started: 1, attempt: 1, attempts: 5, signal })
  return slack.channel(question.channelId)
}

describe('an alert', () => {
  it('about a pod is answered, without a placeholder before', async () => {
    const [answer, ...others] = await answered({ target: target('web') })
    expect(answer).toMatchObject({ text: expect.stringContaining('CrashLoopBackOff'), edits: 0 })
    expect(answer?.thread.length).toBeGreaterThan(0)
    expect(others).toEqual([])
  })

  it('about nothing that exists gets no answer, only a line in the log', async () => {
    expect(await answered({ target: target('a'), alternatives: [target('b')] })).toEqual([])
    expect(read).toEqual(['a', 'b'])
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'nothing to explain', target: 'shop/Pod/a' }))
  })

  it('is answered about the first of its guesses that exists', async () => {
    const [answer] = await answered({ target: target('a'), alternatives: [target('web'), target('c')] })
    expect(answer?.text).toContain('CrashLoopBackOff')
    expect(JSON.stringify(answer?.blocks)).not.toContain('is gone')
    expect(read).toEqual(['a', 'web'])
  })

  it('about a pod that is gone says so, and is answered about its owner', async () => {
    const [answer] = await answered({ target: target('gone'), alternatives: [target('web', 'Deployment')] })
    expect(JSON.stringify(answer?.blocks)).toContain('of the alert is gone; this is about')
    expect(answer?.text).toContain('CrashLoopBackOff')
  })

  it('that names no pod is answered about the worst that it may mean, and says so', async () => {
    const [answer] = await answered({
      target: target('a', 'Container'),
      alternatives: [{ ...target('web', 'Namespace'), namespace: 'shop' }],
    })
    expect(answer?.text).toContain('CrashLoopBackOff')
    expect(JSON.stringify(answer?.blocks)).toContain('This alert names no pod.')
    expect(read).toEqual(['a', 'web'])
  })

  it('that a pod’s state does not explain is left alone while the pod is healthy', async () => {
    isHealthy = true
    expect(await answered({ target: target('web'), onlyUnhealthy: true })).toEqual([])
    isHealthy = false
    expect(await answered({ target: target('web'), onlyUnhealthy: true })).toHaveLength(1)
  })
})

describe('an alert of the webhook', () => {
  const asked = () => aQuestion({ channelId: `A${++channels}`, via: 'alert', target: target('web') })
  const answer = (question: Question) =>
    handlers().answer(question, { started: 1, attempt: 1, attempts: 5, signal: new AbortController().signal })
  const run = { started: 1, attempt: 1, attempts: 5, signal: new AbortController().signal }
  const post = async ({ channelId }: Question, question: string) => {
    const ts = slack.sayAs(channelId, {})
    await alertThreads(store, { now: () => now }).put(channelId, target('web'), { ts, question })
    return ts
  }

  it('waits ten seconds for its post in Slack, then is answered in the channel', async () => {
    const question = asked()
    now = Date.parse(question.askedAt)
    await expect(answer(question)).rejects.toThrow(RetryLater)
    now += 9_999
    await expect(answer(question)).rejects.toMatchObject({ delayMs: 1 })
    expect(slack.channel(question.channelId)).toEqual([])
    now += 1
    await answer(question)
    expect(slack.channel(question.channelId)).toHaveLength(1)
  })

  it('is left to the question of its post', async () => {
    const question = asked()
    await post(question, aQuestion().id)
    await answer(question)
    expect(slack.channel(question.channelId)).toMatchObject([{ thread: [] }])
  })

  it('that could not be answered is told of where its answer would stand, unless its post tells of it', async () => {
    const [alone, withPost] = [asked(), asked()]
    const apologise = (question: Question) => handlers().apologise(question, 'the cluster is away', run)
    await apologise(alone)
    expect(slack.channel(alone.channelId)).toMatchObject([{ text: expect.stringContaining('the cluster is away') }])
    await post(withPost, aQuestion().id)
    await apologise(withPost)
    expect(slack.channel(withPost.channelId)).toMatchObject([{ thread: [] }])
    const underPost = { ...asked(), threadTs: slack.sayAs('A0POST', {}), channelId: 'A0POST' }
    await apologise(underPost)
    expect(slack.channel('A0POST')).toMatchObject([{ thread: [{ text: expect.stringContaining('is away') }] }])
  })

  it('is answered although there is an old post about the same', async () => {
    const question = asked()
    now = Date.parse(question.askedAt) - 61_000
    await post(question, aQuestion().id)
    now += 80_000
    await answer(question)
    expect(slack.channel(question.channelId)).toHaveLength(2)
  })

  it('stays where it was begun when a worker dies and the post comes late', async () => {
    const question = asked()
    slack.fail('chat.postMessage', { kind: 'cutAfter' })
    await expect(answer(question)).rejects.toThrow()
    await post(question, aQuestion().id)
    await answer(question)
    const roots = slack.channel(question.channelId)
    expect(roots.map(({ thread }) => thread.length > 0)).toEqual([true, false])
  })
})

describe('a question', () => {
  it('with namespace and pod swapped is answered all the same', async () => {
    const [answer] = await answered({ via: 'mention', target: target('a'), alternatives: [target('web')] })
    expect(answer?.text).toContain('CrashLoopBackOff')
  })

  it('about nothing is answered in the words of what was typed', async () => {
    const [answer] = await answered({ via: 'mention', target: target('a'), alternatives: [target('b')] })
    expect(answer?.text).toContain('No pod "a"')
  })
})
