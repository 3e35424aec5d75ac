import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { SlackAppOptions } from '../../src/slack/slack-app.ts'
import {
  asEvent,
  asForm,
  asInteraction,
  commandPayload,
  mentionPayload,
  postSigned,
  shortcutPayload,
} from '../fakes/slack-request.ts'
import { SlackServer } from '../fakes/slack-server.ts'
import { startApp } from './start-app.ts'

let slack: SlackServer
let running: Awaited<ReturnType<typeof startApp>> | undefined

beforeAll(async () => {
  slack = await SlackServer.start()
})
afterAll(() => slack.close())
afterEach(async () => {
  await running?.app.stop()
  running = undefined
  slack.enterpriseId = null
  slack.whispers.length = 0
})

const start = async (options: Partial<SlackAppOptions> = {}) => {
  running = await startApp(slack, 'http', options)
  return running
}
const command = (url: string, text: string, fields: Record<string, string> = {}) =>
  postSigned(url, asForm(commandPayload(text, fields)))

const forever = () => new Promise<never>(() => {})
const isDown = () => Promise.reject(new Error('the queue is down'))

describe('/podwhy', () => {
  it('queues the question, then acknowledges silently', async () => {
    const { events, queue } = await start({ now: () => Date.parse('2026-05-04T12:00:00Z') })
    const fields = { trigger_id: '1.2', response_url: 'https://hooks.slack.com/commands/1' }
    expect(await command(events, ' shop/web-1 ', fields)).toMatchObject({ status: 200, body: '' })
    expect(queue).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        target: { cluster: null, namespace: 'shop', kind: null, name: 'web-1' },
        ...{ alternatives: [{ cluster: null, namespace: 'web-1', kind: null, name: 'shop' }], onlyUnhealthy: false },
        ...{
          via: 'command',
          named: [],
          want: 'answer',
          about: null,
          teamId: 'T0PODWHY',
          channelId: 'C1',
          userId: 'U1',
          threadTs: null,
        },
        ...{ responseUrl: fields.response_url, askedAt: '2026-05-04T12:00:00.000Z' },
      },
    ])
  })

  it('leaves one audit line: who, where, about what', async () => {
    const { events, lines, queue } = await start()
    await command(events, 'shop/web-1')
    expect(lines.filter(({ audit }) => audit)).toMatchObject([
      { user: 'U1', team: 'T0PODWHY', channel: 'C1', via: 'command', target: 'shop/web-1', question: queue[0]?.id },
    ])
  })

  it('says what can be asked, with the command as it was typed, when it is not understood', async () => {
    const { events, queue } = await start()
    const { status, body } = await command(events, 'why <@U2|bob> is `web` & co down?')
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject({ response_type: 'ephemeral' })
    expect(body).toContain('/podwhy why is web & co down?')
    expect(body).toContain('a namespace is missing')
    expect(body).toContain('NAMESPACE/POD')
    expect(queue).toEqual([])
  })

  it.each(['', 'help', ' HELP '])('explains itself on %j', async text => {
    const { events } = await start()
    expect((await command(events, text)).body).toContain('/podwhy NAMESPACE/POD')
  })

  it('refuses a namespace that may not be asked about, and says so in the audit', async () => {
    const { events, queue, lines } = await start()
    expect(JSON.parse((await command(events, 'kube-system/etcd')).body)).toMatchObject({
      response_type: 'ephemeral',
      text: expect.stringContaining('kube-system'),
    })
    expect(queue).toEqual([])
    expect(lines).toContainEqual(expect.objectContaining({ audit: true, refused: 'namespace', user: 'U1' }))
  })

  it('refuses users of another workspace', async () => {
    const { events, queue } = await start()
    expect((await command(events, 'shop/web-1', { team_id: 'T0OTHER' })).body).toContain('members of the workspace')
    expect(queue).toEqual([])
  })

  it('answers users of another workspace of the same Grid organisation, not of another organisation', async () => {
    slack.enterpriseId = 'E1'
    const { events, queue } = await start()
    await command(events, 'shop/web-1', { team_id: 'T0OTHER', enterprise_id: 'E1' })
    await command(events, 'shop/web-2', { team_id: 'T0THIRD', enterprise_id: 'E2' })
    expect(queue.map(({ target }) => target.name)).toEqual(['web-1'])
  })

  it('refuses in a channel that an event said is shared with another organisation', async () => {
    const { events, queue } = await start()
    const shared = mentionPayload('shop/web-1', {}, { is_ext_shared_channel: true })
    expect((await postSigned(events, asEvent(shared))).status).toBe(200)
    await vi.waitFor(() => expect(slack.whispers).toMatchObject([{ text: expect.stringContaining('shared') }]))
    expect((await command(events, 'shop/web-1')).body).toContain('shared with another organisation')
    expect((await command(events, 'shop/web-1', { channel_id: 'C2' })).body).toBe('')
    expect(queue).toMatchObject([{ channelId: 'C2' }])
  })

  it('points to the running answer when the same is asked again', async () => {
    const { events, store } = await start({ add: async () => ({ added: false, id: 'f'.repeat(32) }) })
    expect((await command(events, 'shop/web-1')).body).toContain('just been asked about')
    await store.put(`post:${'f'.repeat(32)}:root`, JSON.stringify({ channel: 'C1', start: 1, ts: '17.5' }))
    expect((await command(events, 'shop/web-1')).body).toContain('https://podwhy.slack.com/archives/C1/p17.5')
  })

  it('apologises within 3 s when the queue refuses', async () => {
    const { events, lines } = await start({ add: isDown })
    const answer = await command(events, 'shop/web-1')
    expect(answer.ms).toBeLessThan(3_000)
    expect(JSON.parse(answer.body)).toMatchObject({
      response_type: 'ephemeral',
      text: expect.stringContaining('/podwhy shop/web-1'),
    })
    expect(lines).toContainEqual(expect.objectContaining({ level: 50, msg: 'question not queued' }))
  })

  it('is acknowledged within 3 s even when the queue never answers', async () => {
    const { events } = await start({ add: forever })
    const answer = await command(events, 'shop/web-1')
    expect(answer.ms).toBeLessThan(3_000)
    expect(answer.body).toContain('queue is slow')
  })

  it('is acknowledged within 3 s even when store and queue never answer', async () => {
    const { events } = await start({
      add: forever,
      store: { claim: forever, get: forever, put: forever, replace: forever },
    })
    expect((await command(events, 'shop/web-1')).ms).toBeLessThan(3_000)
  })
})

describe('a request that is not Slack’s', () => {
  it.each([
    ['a wrong signature', { secret: 'another secret' }],
    ['a signature older than five minutes', { ageSeconds: 301 }],
  ])('with %s is answered 401, with a line in the log', async (_, options) => {
    const { events, queue, lines } = await start()
    expect((await postSigned(events, asForm(commandPayload('shop/web-1')), options)).status).toBe(401)
    expect(queue).toEqual([])
    expect(lines).toContainEqual(expect.objectContaining({ level: 40, msg: expect.stringContaining('verify') }))
  })

  it('but four minutes old is still taken', async () => {
    const { events } = await start()
    expect((await postSigned(events, asForm(commandPayload('shop/web-1')), { ageSeconds: 240 })).status).toBe(200)
  })

  it('without any signature is answered 401', async () => {
    const { events } = await start()
    expect((await fetch(events, { method: 'POST', body: 'x' })).status).toBe(401)
  })

  it('smuggled into an ssl_check is not taken', async () => {
    const { events, queue } = await start()
    const body = new URLSearchParams({ ...commandPayload('shop/web-1'), ssl_check: '1' })
    await fetch(events, { method: 'POST', body })
    expect(queue).toEqual([])
  })

  it('larger than 1 MiB is answered 413, and the process goes on', async () => {
    const { events, queue } = await start()
    const large = await postSigned(events, asForm(commandPayload('x'.repeat(1024 * 1024)))).catch(() => ({
      status: 413,
    }))
    expect(large.status).toBe(413)
    await command(events, 'shop/web-1')
    expect(queue).toHaveLength(1)
  })

  it.each(['{', '[]', '{"type":"event_callback"}', '{"type":"event_callback","event":7}'])(
    'signed but meaningless (%s) harms nothing',
    async body => {
      const { events, queue } = await start()
      await postSigned(events, [body, 'application/json']).catch(() => {})
      expect((await command(events, 'shop/web-1')).status).toBe(200)
      expect(queue).toHaveLength(1)
    },
  )
})

describe('a mention', () => {
  it('is answered in its thread', async () => {
    const { events, queue } = await start()
    await postSigned(events, asEvent(mentionPayload('shop/web-1', { thread_ts: '1714000000.000001' })))
    expect(queue).toMatchObject([{ via: 'mention', threadTs: '1714000000.000001', responseUrl: null, userId: 'U1' }])
  })

  it('starts a thread where there is none', async () => {
    const { events, queue } = await start()
    await postSigned(events, asEvent(mentionPayload('shop/web-1')))
    expect(queue).toMatchObject([{ threadTs: '1714824000.000100' }])
  })

  it('is one question however often Slack sends it', async () => {
    const { events, queue } = await start()
    for (const retry of [0, 1, 2, 3]) {
      const headers = retry === 0 ? {} : { 'x-slack-retry-num': `${retry}`, 'x-slack-retry-reason': 'http_timeout' }
      const { status } = await postSigned(events, asEvent(mentionPayload('shop/web-1')), { headers })
      expect(status).toBe(200)
    }
    expect(queue).toHaveLength(1)
    expect(slack.whispers).toEqual([])
  })

  it('that could not be queued is not acknowledged, and taken when Slack sends it again', async () => {
    let isUp = false
    const { events } = await start({ add: async ({ id }) => (isUp ? { added: true, id } : isDown()) })
    expect((await postSigned(events, asEvent(mentionPayload('shop/web-1')))).status).toBe(500)
    isUp = true
    expect((await postSigned(events, asEvent(mentionPayload('shop/web-1')))).status).toBe(200)
  })

  it('not understood gets a hint for its author alone', async () => {
    const { events, queue } = await start()
    await postSigned(events, asEvent(mentionPayload('thanks!')))
    await vi.waitFor(() =>
      expect(slack.whispers).toMatchObject([{ via: 'chat.postEphemeral', channel: 'C1', user: 'U1' }]),
    )
    expect(queue).toEqual([])
  })

  it('by a bot, podwhy included, is passed over', async () => {
    const { events, queue } = await start()
    await postSigned(events, asEvent(mentionPayload('shop/web-1', { bot_id: 'B9' })))
    await postSigned(events, asEvent(mentionPayload('shop/web-1', { user: SlackServer.botUserId })))
    expect(queue).toEqual([])
  })

  it('by somebody of another workspace is refused', async () => {
    const { events, queue } = await start()
    await postSigned(events, asEvent(mentionPayload('shop/web-1', { user_team: 'T0OTHER' })))
    await vi.waitFor(() => expect(slack.whispers).toMatchObject([{ text: expect.stringContaining('members') }]))
    expect(queue).toEqual([])
  })
})

describe('the shortcut "Why?"', () => {
  it('asks about the target in the message, in its thread', async () => {
    const { events, queue } = await start()
    const text = 'see <https://grafana.example/d/1|dashboard>: and `shop/web-1` is crash looping'
    await postSigned(events, asInteraction(shortcutPayload({ text })))
    expect(queue).toMatchObject([{ via: 'shortcut', threadTs: '1714824000.000100', target: { namespace: 'shop' } }])
  })

  it('reads attachments too, where alerts have their text', async () => {
    const { events, queue } = await start()
    await postSigned(events, asInteraction(shortcutPayload({ text: '', attachments: [{ text: 'Pod shop/web-2.' }] })))
    expect(queue).toMatchObject([{ target: { name: 'web-2' } }])
  })

  it('says when there is none', async () => {
    const { events } = await start()
    const response_url = slack.responseUrl()
    const { status } = await postSigned(events, asInteraction(shortcutPayload({ text: 'hello' }, { response_url })))
    expect(status).toBe(200)
    await vi.waitFor(() => expect(slack.whispers).toMatchObject([{ text: expect.stringContaining('no pod') }]))
  })

  it('apologises when the question could not be queued', async () => {
    const { events } = await start({ add: isDown })
    const response_url = slack.responseUrl()
    await postSigned(events, asInteraction(shortcutPayload({ text: 'shop/web-1' }, { response_url })))
    await vi.waitFor(() => expect(slack.whispers).toMatchObject([{ text: expect.stringContaining('again') }]))
  })
})

describe('the port', () => {
  it('serves the other routes too, and 404 else', async () => {
    const { url } = await start()
    expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok')
    expect((await fetch(`${url}/nothing`)).status).toBe(404)
  })

  it('is given up on stop, also by a client that never ends its request', async () => {
    const { app, url } = await start()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n')
    await (await fetch(`${url}/healthz`)).text()
    await app.stop()
    running = undefined
    await expect(fetch(url)).rejects.toThrow()
  })

  it('says which token is wrong when Slack refuses it', async () => {
    slack.fail('auth.test', { kind: 'error', error: 'invalid_auth' })
    await expect(start()).rejects.toThrow(/SLACK_BOT_TOKEN \(invalid_auth\)/)
  })
})
