import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { asEvent, asInteraction, postSigned } from '../fakes/slack-request.ts'
import type { Shown, SlackServer } from '../fakes/slack-server.ts'
import { target } from './crashing.ts'
import { engines, type Killable } from './killable.ts'

const patience = { timeout: 40_000, interval: 50 }
const textOf = (shown: unknown): string => JSON.stringify(shown)
const hasButtons = ({ blocks }: Shown): boolean => textOf(blocks).includes('podwhy_refresh')

/** Asks in a channel of its own, and gives what it shows once the answer stands. */
const answered = async (podwhy: Killable, channel: string) => {
  await podwhy.asked().ask(target, { channel_id: channel })
  const root = (): Shown => podwhy.slack.channel(channel)[0] as Shown
  await vi.waitFor(
    () => expect(podwhy.slack.channel(channel)).toSatisfy((all: Shown[]) => all.some(hasButtons)),
    patience,
  )
  await podwhy.asked().idle()
  const before = root().thread.length
  return { root, replies: () => root().thread.slice(before) }
}
const press = (podwhy: Killable, channel: string, actionId: string) => {
  const { ts } = podwhy.slack.channel(channel)[0] as Shown
  const payload = podwhy.slack.pressButton({ channel, ts, actionId, user: 'U7' })
  return postSigned(`${podwhy.asked().url}/slack/events`, asInteraction(payload))
}

describe('buttons under an answer', () => {
  const open = engines[0]?.open
  let podwhy: Killable
  let slack: SlackServer
  beforeAll(async () => {
    if (!open) throw new Error('no engine')
    podwhy = await open()
    slack = podwhy.slack
  }, 60_000)
  afterAll(() => podwhy?.close())

  const shown: readonly [string, (replies: readonly Shown[]) => boolean][] = [
    ['podwhy_log', ([file]) => /^Log of container nginx/.test(file?.text ?? '') && file?.files.length === 1],
    ['podwhy_events', replies => textOf(replies).includes('Events of')],
    ['podwhy_describe', replies => /Description of|Pod team-234-we/.test(textOf(replies))],
    ['podwhy_earlier', replies => textOf(replies).includes('run')],
  ]
  it.each(shown)(
    '%s is acknowledged within 3 s, and answered in the thread once',
    { timeout: 60_000 },
    async (action, isShown) => {
      const { replies } = await answered(podwhy, `C-${action}`)
      const { status, body, ms } = await press(podwhy, `C-${action}`, action)
      expect({ status, body }).toEqual({ status: 200, body: '' })
      expect(ms).toBeLessThan(3_000)
      await vi.waitFor(() => expect(replies()).toSatisfy(isShown), patience)
      await podwhy.asked().idle()
      expect(replies()).toHaveLength(1)
    },
  )

  it('Refresh edits the answer in place, a second press within a minute is told to wait', {
    timeout: 60_000,
  }, async () => {
    const { root, replies } = await answered(podwhy, 'C-refresh')
    await press(podwhy, 'C-refresh', 'podwhy_refresh')
    await vi.waitFor(() => expect(textOf(root().blocks)).toContain('Refreshed at'), patience)
    await press(podwhy, 'C-refresh', 'podwhy_refresh')
    await vi.waitFor(() => expect(textOf(slack.whispers)).toContain('already on its way'), patience)
    expect(slack.channel('C-refresh')).toHaveLength(1)
    expect(replies()).toEqual([])
    expect(hasButtons(root())).toBe(true)
  })

  it('the menu shows a command alone', { timeout: 60_000 }, async () => {
    await answered(podwhy, 'C-commands')
    await press(podwhy, 'C-commands', 'podwhy_commands')
    await vi.waitFor(() => expect(slack.whispers).toContainEqual(expect.objectContaining({ channel: 'C-commands' })))
    expect(textOf(slack.whispers.filter(({ channel }) => channel === 'C-commands'))).toContain('kubectl ')
  })

  it('the App Home says what is open', { timeout: 60_000 }, async () => {
    await postSigned(`${podwhy.asked().url}/slack/events`, asEvent(slack.openHome('U1')))
    await vi.waitFor(() => expect(textOf(slack.homes.get('U1'))).toMatch(/open/), patience)
  })
})

// Each moment on one engine: what differs between engines is not how files are shared.
const moments = engines.map((engine, at) => ({ ...engine, at: at === 0 ? 'answer' : 'arrival' }) as const)

describe.for(moments)('kill -9 on $engine at the $at of the call that shares a log', ({ open, skip, at }) => {
  it.skipIf(skip)('leaves one file in the end', { timeout: 120_000 }, async () => {
    const podwhy = await open()
    try {
      const { replies } = await answered(podwhy, 'C1')
      const hold = podwhy.slack.hold('files.completeUploadExternal', at)
      await press(podwhy, 'C1', 'podwhy_log')
      await hold.reached
      await podwhy.kill()
      hold.drop()
      await podwhy.restart()
      await vi.waitFor(() => expect(replies().flatMap(({ files }) => files)).toHaveLength(1), patience)
      await podwhy.asked().idle()
      expect(replies().flatMap(({ files }) => files)).toHaveLength(1)
    } finally {
      await podwhy.close()
    }
  })
})
