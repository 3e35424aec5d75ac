import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SlackAppOptions } from '../../src/slack/slack-app.ts'
import { commandPayload, mentionPayload } from '../fakes/slack-request.ts'
import { SlackServer } from '../fakes/slack-server.ts'
import { startApp } from './start-app.ts'

let slack: SlackServer
let running: Awaited<ReturnType<typeof startApp>> | undefined

beforeEach(async () => {
  slack = await SlackServer.start()
})
afterEach(async () => {
  await running?.app.stop()
  running = undefined
  await slack.close()
})

const start = async (options: Partial<SlackAppOptions> = {}) => {
  running = await startApp(slack, 'socket', options)
  return running
}
const acknowledged = (envelope: string) =>
  vi.waitFor(() => {
    if (!slack.socket.acknowledged.has(envelope)) throw new Error('not acknowledged')
    return slack.socket.acknowledged.get(envelope)
  }, 3_000)

/** A command after it was handled: what came before was then handled too. */
const settled = async () => void (await acknowledged(slack.socket.send('slash_commands', commandPayload('help'))))

describe('over Socket Mode', () => {
  it('a command is queued, then acknowledged', async () => {
    const { queue } = await start()
    const seen: number[] = []
    const envelope = slack.socket.send('slash_commands', commandPayload('shop/web-1'))
    await acknowledged(envelope).then(() => seen.push(queue.length))
    expect(seen).toEqual([1])
  })

  it('a notice comes with the acknowledgement', async () => {
    await start()
    const answer = await acknowledged(slack.socket.send('slash_commands', commandPayload('kube-system/etcd')))
    expect(answer).toMatchObject({ response_type: 'ephemeral', text: expect.stringContaining('kube-system') })
  })

  it('a command is acknowledged with an apology while the queue is down', async () => {
    await start({ add: () => Promise.reject(new Error('down')) })
    const answer = await acknowledged(slack.socket.send('slash_commands', commandPayload('shop/web-1')))
    expect(answer).toMatchObject({ text: expect.stringContaining('/podwhy shop/web-1') })
  })

  it('an event is not acknowledged before it is queued', async () => {
    let queueIt = () => {}
    const queued = new Promise<void>(resolve => {
      queueIt = resolve
    })
    const { queue } = await start({
      add: async question => {
        await queued
        return { added: true, id: question.id }
      },
    })
    const envelope = slack.socket.send('events_api', mentionPayload('shop/web-1'))
    await settled()
    expect(slack.socket.acknowledged.has(envelope)).toBe(false)
    queueIt()
    await acknowledged(envelope)
    expect(queue).toEqual([])
  })

  it('an event that could not be queued is not acknowledged; the repetition is one question', async () => {
    let isUp = false
    const ids: string[] = []
    await start({
      add: async ({ id }) => {
        if (!isUp) throw new Error('down')
        return { added: !ids.includes(id) && ids.push(id) > 0, id }
      },
    })
    const envelope = slack.socket.send('events_api', mentionPayload('shop/web-1'))
    await settled()
    expect(slack.socket.acknowledged.has(envelope)).toBe(false)
    isUp = true
    await acknowledged(slack.socket.send('events_api', mentionPayload('shop/web-1'), envelope))
    await acknowledged(slack.socket.send('events_api', mentionPayload('shop/web-1')))
    expect(ids).toHaveLength(1)
  })

  it('reconnects when the connection is cut', async () => {
    const { app, queue } = await start()
    expect(app.ready()).toBe(true)
    slack.socket.cut()
    await vi.waitFor(() => expect(app.ready()).toBe(false))
    await vi.waitFor(() => expect(app.ready()).toBe(true), 5_000)
    await acknowledged(slack.socket.send('slash_commands', commandPayload('shop/web-1')))
    expect(queue).toHaveLength(1)
  })

  it('stops after what it was handling is acknowledged', async () => {
    let queueIt = () => {}
    const { app } = await start({
      add: ({ id }) =>
        new Promise(resolve => {
          queueIt = () => resolve({ added: true, id })
        }),
    })
    const envelope = slack.socket.send('events_api', mentionPayload('shop/web-1'))
    await settled()
    const stopped = app.stop()
    queueIt()
    await stopped
    running = undefined
    expect(slack.socket.acknowledged.has(envelope)).toBe(true)
    await vi.waitFor(() => expect(slack.socket.connections).toBe(0))
  })

  it('stops even while the queue never answers', async () => {
    const { app } = await start({ add: () => new Promise(() => {}) })
    slack.socket.send('events_api', mentionPayload('shop/web-1'))
    await settled()
    await app.stop()
    running = undefined
    await vi.waitFor(() => expect(slack.socket.connections).toBe(0))
  })

  it('stops even while Slack is away', async () => {
    const { app } = await start()
    await slack.close()
    await vi.waitFor(() => expect(app.ready()).toBe(false))
    await app.stop()
    running = undefined
    slack = await SlackServer.start()
  })

  it('a refused app token is named, and the port is free again', async () => {
    slack.fail('apps.connections.open', { kind: 'error', error: 'invalid_auth' })
    await expect(start()).rejects.toThrow(/SLACK_APP_TOKEN \(invalid_auth\)/)
  })

  it('the other routes have the port for themselves', async () => {
    const { url } = await start()
    expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok')
    expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(405)
    expect((await fetch(`${url}/slack/events`, { method: 'POST' })).status).toBe(404)
  })
})
