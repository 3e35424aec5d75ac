import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasRedisServer, startRedis } from '../fakes/redis-server.ts'
import { asForm, commandPayload, postSigned } from '../fakes/slack-request.ts'
import { hasAnswer, isAnsweredOnce, target } from './crashing.ts'
import type { Service } from './service.ts'
import { openSurroundings, type Surroundings } from './surroundings.ts'

const soon = { timeout: 20_000, interval: 20 }

describe('/podwhy over HTTP', () => {
  let around: Surroundings
  let service: Service
  let questions = 0
  beforeAll(async () => {
    around = await openSurroundings()
    service = await around.start()
  })
  afterEach(() => around.kube.reset())
  afterAll(() => around?.close())

  /** Asks in a channel of its own, and waits until all that follows is done. */
  const ask = async (text: string, fields: Record<string, string> = {}) => {
    const channel = fields['channel_id'] ?? `C${questions++}`
    const response = await service.ask(text, { ...fields, channel_id: channel })
    expect(response).toMatchObject({ status: 200 })
    expect(response.ms).toBeLessThan(3000)
    await service.idle()
    return { channel, body: response.body, messages: around.slack.channel(channel) }
  }
  /** The text of the one message that came, which has no thread. */
  const onlyAnswer = async (text: string): Promise<string> => {
    const { body, messages } = await ask(text)
    expect(body).toBe('')
    expect(messages).toMatchObject([{ thread: [] }])
    return messages[0]?.text ?? ''
  }

  it('is answered by a message that says why, with the evidence in its thread', async () => {
    const { body, messages } = await ask(target)
    expect(body).toBe('')
    expect(messages).toSatisfy(isAnsweredOnce)
    const [root] = messages
    expect(root?.metadata).toMatchObject({ event_type: 'podwhy_answer', event_payload: { part: 'root' } })
    expect(root?.thread[0]?.metadata).toMatchObject({ event_payload: { part: 'thread-0' } })
    const thread = JSON.stringify(root?.thread)
    expect(thread).toContain('rich_text_preformatted')
    expect(thread).toContain('kubectl -n team-234-we logs web-frontend-5f8997cc56-mv5hn -c nginx')
  })

  it('about an unknown pod: says so, and which may have been meant', async () => {
    const answer = await onlyAnswer('team-234-we/web-frontend-5f8997cc56-zzzzz')
    expect(answer).toContain('web-frontend-5f8997cc56-zzzzz')
    expect(answer).toContain('did you mean "web-frontend-5f8997cc56-mv5hn"?')
  })

  it('in a namespace without rights: names the right that is missing', async () => {
    const message =
      'pods "vault-0" is forbidden: User "system:serviceaccount:podwhy:podwhy" cannot get resource "pods" in API group "" in the namespace "vault"'
    around.kube.fault(/namespaces\/vault\//, { status: 403, message })
    expect(await onlyAnswer('vault/vault-0')).toContain('may not get pods in namespace "vault" of cluster "test" (')
  })

  it('with credentials that have expired: says that they have', async () => {
    around.tokens.clear()
    const answer = await onlyAnswer(target).finally(() => around.tokens.add('first-token'))
    expect(answer).toContain("does not accept podwhy's credentials (401): they have expired or were revoked")
  })

  it('in kube-system: refused, to the asker alone', async () => {
    const { body, messages } = await ask('kube-system/coredns-6f6b679f8f-abcde')
    expect(JSON.parse(body)).toMatchObject({
      response_type: 'ephemeral',
      text: expect.stringContaining('Namespace kube-system is not among those that may be asked about'),
    })
    expect(messages).toEqual([])
    expect(around.kube.calls).toEqual([])
  })

  it.for(['', 'help', 'web', 'a/b/c/d', '--namespace', 'shop/web extra words'])(
    'with "%s": a usage hint, to the asker alone',
    async text => {
      const { body, messages } = await ask(text)
      expect(JSON.parse(body)).toMatchObject({
        response_type: 'ephemeral',
        text: expect.stringContaining('/podwhy NAMESPACE/POD'),
      })
      expect(messages).toEqual([])
    },
  )

  it.for([
    { wrong: 'a forged signature', how: { secret: 'another-signing-secret' } },
    { wrong: 'a signature more than five minutes old', how: { ageSeconds: 301 } },
    { wrong: 'no signature', how: { headers: { 'x-slack-signature': '' } } },
  ])('with $wrong: 401, and nothing happens', async ({ how }) => {
    const request = asForm(commandPayload(target, { channel_id: 'CFORGED' }))
    expect(await postSigned(`${service.url}/slack/events`, request, how)).toMatchObject({ status: 401 })
    await service.idle()
    expect(around.slack.channel('CFORGED')).toEqual([])
  })

  it('in a channel without the bot: answers the asker alone, and says how to invite it', async () => {
    const { slack } = around
    slack.outside.add('CELSEWHERE')
    const { messages } = await ask(target, { channel_id: 'CELSEWHERE', response_url: slack.responseUrl() })
    expect(messages).toEqual([])
    const whispers = slack.whispers.filter(({ via }) => via === 'response_url')
    expect(whispers[0]?.text).toContain('CrashLoopBackOff')
    const shown = JSON.stringify(whispers)
    expect(shown).toContain('/invite @podwhy')
    expect(shown).toContain('rich_text_preformatted')
    expect(whispers.length).toBeLessThanOrEqual(5)
  })

  it('asked again by the same user within a minute: points to the answer', async () => {
    const { channel } = await ask(target)
    const { body, messages } = await ask(target, { channel_id: channel })
    expect(JSON.parse(body)).toMatchObject({ text: expect.stringContaining(`${target} has just been asked about.`) })
    expect(body).toContain(`https://podwhy.slack.com/archives/${channel}/p${messages[0]?.ts}`)
    expect(messages).toSatisfy(isAnsweredOnce)
  })

  it('has written nothing but its log, each entry one line, and no error', () => {
    const entries = service
      .stderr()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(entries.filter(({ level }) => level >= 50)).toEqual([])
    expect(service.stderr()).not.toMatch(/\\n\s+at /)
  })
})

describe('/podwhy over Socket Mode', () => {
  let around: Surroundings
  afterAll(() => around?.close())

  it('is acknowledged, and answered by a message and its thread', async () => {
    around = await openSurroundings()
    const { slack } = around
    const service = await around.start({ env: { SLACK_APP_TOKEN: 'xapp-test-token' } })
    const envelope = slack.socket.send('slash_commands', commandPayload(target))
    await vi.waitFor(() => expect(slack.socket.acknowledged.has(envelope)).toBe(true), soon)
    await service.idle()
    expect(slack.channel('C1')).toSatisfy(isAnsweredOnce)

    const refused = slack.socket.send('slash_commands', commandPayload('kube-system/x'))
    await vi.waitFor(() => expect(slack.socket.acknowledged.has(refused)).toBe(true), soon)
    expect(slack.socket.acknowledged.get(refused)).toMatchObject({ response_type: 'ephemeral' })
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
  }, 60_000)
})

describe.skipIf(!hasRedisServer)(
  hasRedisServer ? 'bot and worker apart, on Redis' : 'bot and worker apart (no redis-server installed)',
  () => {
    let around: Surroundings
    let redis: Awaited<ReturnType<typeof startRedis>>
    afterAll(async () => {
      await around?.close()
      await redis?.remove()
    })

    it('the bot takes questions without a worker, the worker answers them without Slack reaching it', async () => {
      ;[around, redis] = await Promise.all([openSurroundings(), startRedis()])
      const env = { PODWHY_QUEUE_URL: redis.url }
      const bot = await around.start({ role: 'bot', env })
      expect(await bot.ask(target)).toMatchObject({ status: 200, body: '' })
      expect(await bot.jobs('waiting')).toBe(1)
      expect(around.kube.calls).toEqual([])

      const worker = await around.start({ role: 'worker', env })
      await vi.waitFor(() => expect(around.slack.channel('C1')).toSatisfy(hasAnswer), soon)
      await bot.idle()
      expect(around.slack.channel('C1')).toSatisfy(isAnsweredOnce)
      expect((await worker.ask(target)).status).toBe(404)
      for (const service of [bot, worker]) {
        expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
        expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
        expect(service.stderr()).not.toMatch(/\n\s+at /)
      }
    })
  },
)
