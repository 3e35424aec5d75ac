import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { answerButtons } from '../../src/answer/buttons.ts'
import { choice } from '../../src/answer/choice.ts'
import type { SlackAppOptions } from '../../src/slack/slack-app.ts'
import { asEvent, asInteraction, postSigned } from '../fakes/slack-request.ts'
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
  slack.whispers.length = 0
  slack.outside.clear()
})

const question = 'a'.repeat(32)
const buttonsOf = (changed: object = {}) =>
  answerButtons({
    ...{
      question,
      target: 'shop/web-1',
      uid: 'uid-1',
      container: 'app',
      hasLog: true,
      hasEarlier: true,
      isHealthy: false,
    },
    ...{
      commands: [{ purpose: 'See the log', command: 'kubectl logs web-1', changes: false }],
      mute: 'mute',
      ...changed,
    },
  })
/** A message of podwhy's with these blocks; in a thread or not. */
const shows = (blocks: unknown[], threadTs: string | null = null): string =>
  slack.messages.add({ channel: 'C1', text: 'an answer', blocks, threadTs, botId: slack.botId })
const pressed = (ts: string, actionId: string, more: object = {}) =>
  slack.pressButton({ channel: 'C1', ts, actionId, ...more })
const start = async (inbound: 'http' | 'socket' = 'http', options: Partial<SlackAppOptions> = {}) => {
  running = await startApp(slack, inbound, options)
  return running
}
const press = (events: string, payload: object) => postSigned(events, asInteraction(payload))
const whispered = (text: string) =>
  vi.waitFor(() => expect(slack.whispers).toMatchObject([{ text: expect.stringContaining(text) }]))

describe('a press on a button', () => {
  const actions = ['refresh', 'log', 'earlier', 'events', 'describe', 'mute']
  it.each(actions)('%s is queued with the answer it is about, then acknowledged silently', async want => {
    const { events, queue, lines } = await start()
    const ts = shows([buttonsOf()])
    expect(await press(events, pressed(ts, `podwhy_${want}`, { user: 'U7' }))).toMatchObject({ status: 200, body: '' })
    expect(queue).toMatchObject([
      {
        ...{ via: 'button', want, userId: 'U7', channelId: 'C1', threadTs: ts, teamId: 'T0PODWHY' },
        target: { namespace: 'shop', name: 'web-1' },
        about: { question, channel: 'C1', ts, uid: 'uid-1', container: 'app' },
        responseUrl: expect.stringContaining('/response/'),
      },
    ])
    expect(lines).toContainEqual(
      expect.objectContaining({ audit: true, via: 'button', user: 'U7', target: 'shop/web-1' }),
    )
  })

  it('in a thread is answered in that thread', async () => {
    const { events, queue } = await start()
    const root = slack.say('C1', 'an alert')
    const ts = shows([buttonsOf()], root)
    await press(events, pressed(ts, 'podwhy_events'))
    expect(queue).toMatchObject([{ threadTs: root, about: { ts } }])
  })

  it('over Socket Mode is queued before it is acknowledged', async () => {
    const { queue } = await start('socket')
    const ts = shows([buttonsOf()])
    const envelope = slack.socket.send('interactive', pressed(ts, 'podwhy_events'))
    await vi.waitFor(() => expect(slack.socket.acknowledged.has(envelope)).toBe(true))
    expect(queue).toMatchObject([{ want: 'events', about: { ts } }])
  })

  it('twice within a minute says that it is on its way', async () => {
    const add: SlackAppOptions['add'] = async () => ({ added: false, id: 'b'.repeat(32) })
    const { events } = await start('http', { add })
    expect((await press(events, pressed(shows([buttonsOf()]), 'podwhy_log'))).status).toBe(200)
    await whispered('already on its way')
  })

  it('that the queue does not take is apologised for, and acknowledged', async () => {
    const { events } = await start('http', { add: () => Promise.reject(new Error('down')) })
    expect((await press(events, pressed(shows([buttonsOf()]), 'podwhy_log'))).status).toBe(200)
    await whispered('Please press again')
  })

  it('that the queue takes too slowly is acknowledged within 3 s', async () => {
    const { events } = await start('http', { add: () => new Promise(() => {}) })
    expect((await press(events, pressed(shows([buttonsOf()]), 'podwhy_log'))).ms).toBeLessThan(3_000)
    await whispered('press again')
  })

  it('in a namespace that may not be asked about is refused', async () => {
    const { events, queue } = await start()
    const ts = shows([buttonsOf({ target: 'kube-system/etcd' })])
    await press(events, pressed(ts, 'podwhy_log'))
    await whispered('kube-system')
    expect(queue).toEqual([])
  })

  it('by somebody of another workspace is refused', async () => {
    const { events, queue } = await start()
    const payload = pressed(shows([buttonsOf()]), 'podwhy_log')
    await press(events, { ...payload, user: { id: 'U1', team_id: 'T0OTHER' } })
    await whispered('members of the workspace')
    expect(queue).toEqual([])
  })

  it('where the bot is not in the channel tells through the response_url', async () => {
    const { events } = await start('http', { add: () => Promise.reject(new Error('down')) })
    slack.outside.add('C1')
    await press(events, pressed(shows([buttonsOf()]), 'podwhy_log'))
    await vi.waitFor(() => expect(slack.whispers).toMatchObject([{ via: 'response_url' }]))
  })

  it('on a whisper has no thread to answer in', async () => {
    const { events, queue } = await start()
    const whisper = { via: 'response_url', channel: null, user: 'U1', text: '', blocks: [buttonsOf()] }
    await press(events, slack.pressWhisper(whisper, { actionId: 'podwhy_events', channel: 'C1' }))
    expect(queue).toMatchObject([{ threadTs: null, want: 'events' }])
  })
})

describe('a value that this version does not write', () => {
  const values = ['', 'null', '{', '[]', '{"t":"shop/web-1"}', JSON.stringify({ t: '', q: question, u: null, c: null })]
  const odd = [...values, JSON.stringify({ t: 'no target', q: question, u: null, c: null })]
  it.each(odd)('%s is answered in one line and queued as nothing', async value => {
    const { events, queue, lines } = await start()
    const text = { type: 'plain_text', text: 'x' }
    const ts = shows([{ type: 'actions', elements: [{ type: 'button', action_id: 'podwhy_log', text, value }] }])
    expect((await press(events, pressed(ts, 'podwhy_log'))).status).toBe(200)
    await whispered('another version')
    expect(queue).toEqual([])
    expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([])
  })

  it('such as a button that is not known is answered in one line', async () => {
    const { events, queue } = await start()
    const text = { type: 'plain_text', text: 'x' }
    const button = { type: 'button', action_id: 'podwhy_reboot', text, value: '{}' }
    await press(events, pressed(shows([{ type: 'actions', elements: [button] }]), 'podwhy_reboot'))
    await whispered('another version')
    expect(queue).toEqual([])
  })

  it('and payloads that are none are acknowledged', async () => {
    const { events, queue } = await start()
    const payload = pressed(shows([buttonsOf()]), 'podwhy_log') as { actions: object[] }
    for (const broken of [{ user: {} }, { container: 7 }, { actions: [{ action_id: 'podwhy_x' }] }])
      expect((await press(events, { ...payload, ...broken })).status).toBeLessThan(500)
    expect(queue).toEqual([])
  })
})

describe('a choice', () => {
  it('from a menu is asked about in the thread of the menu', async () => {
    const { events, queue } = await start()
    const choices = ['a', 'b', 'c', 'd', 'e', 'f'].map(name => ({ label: name, target: `shop/web-${name}` }))
    const ts = shows(choice('which?', choices).blocks)
    const value = JSON.stringify({ t: 'shop/web-c' })
    await press(events, pressed(ts, 'podwhy_choose', { value }))
    expect(queue).toMatchObject([{ want: 'answer', about: null, target: { name: 'web-c' }, threadTs: ts }])
  })

  it('of one of several buttons too', async () => {
    const { events, queue } = await start()
    const choices = ['a', 'b'].map(name => ({ label: name, target: `shop/web-${name}` }))
    const ts = shows(choice('which?', choices).blocks)
    await press(events, pressed(ts, 'podwhy_choose-1'))
    expect(queue).toMatchObject([{ want: 'answer', target: { name: 'web-b' }, threadTs: ts }])
  })
})

describe('a command chosen from the menu', () => {
  const commandsOf = async (id: string) =>
    id === question ? [{ purpose: 'See the log', command: 'kubectl logs web-1' }] : null

  it('is shown alone to the one who chose it', async () => {
    const { events, queue } = await start('http', { commandsOf })
    await press(events, pressed(shows([buttonsOf()]), 'podwhy_commands', { user: 'U7' }))
    await whispered('See the log')
    const [whisper] = slack.whispers
    expect(whisper).toMatchObject({ user: 'U7', channel: 'C1' })
    expect(JSON.stringify(whisper?.blocks)).toContain('kubectl logs web-1')
    expect(queue).toEqual([])
  })

  it('of an answer that is not remembered any more says so', async () => {
    const { events } = await start('http', { commandsOf: async () => null })
    await press(events, pressed(shows([buttonsOf()]), 'podwhy_commands'))
    await whispered('too old')
  })

  it('is not shown to somebody of another workspace', async () => {
    const { events } = await start('http', { commandsOf })
    const payload = pressed(shows([buttonsOf()]), 'podwhy_commands')
    await press(events, { ...payload, user: { id: 'U1', team_id: 'T0OTHER' } })
    await whispered('members of the workspace')
  })
})

describe('the App Home', () => {
  const row = {
    ...{ subject: 'Deployment web', namespace: 'shop', cluster: 'prod', cause: { summary: 'it crashes' }, pods: 1 },
    ...{ since: '2026-05-04T12:00:00Z', permalink: null, mutedUntil: null },
  }

  it('shows who opens it what is open now, as far as it may be asked about', async () => {
    const openIncidents = async () => [row, { ...row, subject: 'Deployment dns', namespace: 'kube-system' }]
    const { events } = await start('http', { openIncidents })
    expect((await postSigned(events, asEvent(slack.openHome('U1')))).status).toBe(200)
    await vi.waitFor(() => expect(JSON.stringify(slack.homes.get('U1'))).toContain('Deployment web'))
    expect(JSON.stringify(slack.homes.get('U1'))).not.toContain('Deployment dns')
  })

  it('is not published for the messages tab, nor for another workspace', async () => {
    const { events } = await start()
    await postSigned(events, asEvent(slack.openHome('U2', 'messages')))
    await postSigned(events, asEvent({ ...slack.openHome('U3'), team_id: 'T0OTHER' }))
    await postSigned(events, asEvent(slack.openHome('U4')))
    await vi.waitFor(() => expect(slack.homes.has('U4')).toBe(true))
    expect([slack.homes.has('U2'), slack.homes.has('U3')]).toEqual([false, false])
  })

  it('that cannot be made is acknowledged and logged', async () => {
    const { events, lines } = await start('http', { openIncidents: () => Promise.reject(new Error('no store')) })
    expect((await postSigned(events, asEvent(slack.openHome('U5')))).status).toBe(200)
    await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining({ user: 'U5', level: 40 })))
  })
})
