import { describe, expect, it, vi } from 'vitest'
import type { Hold } from '../fakes/slack-hold.ts'
import type { SlackServer } from '../fakes/slack-server.ts'
import { hasAnswer, isAnsweredOnce, target } from './crashing.ts'
import { engines, type Killable } from './killable.ts'

/** `PODWHY_KILLS=60` for the long run: so many kills, in turn over engines and points. */
const KILLS = Number(process.env['PODWHY_KILLS'] ?? 8)
/** Services of one engine that are killed side by side. */
const LANES = 2
const RECOVERY_MS = 30_000

const isReply = (args: Record<string, string>): boolean => args['thread_ts'] !== undefined

interface Point {
  readonly at: string
  /** The call to Slack that stands still there. */
  hold(slack: SlackServer): Hold
}

const points: readonly Point[] = [
  { at: 'before the post', hold: slack => slack.hold('chat.postMessage', 'arrival') },
  { at: 'root accepted, ts not stored', hold: slack => slack.hold('chat.postMessage', 'answer') },
  { at: 'between root and thread', hold: slack => slack.hold('chat.update', 'answer') },
  { at: 'reply accepted, ts not stored', hold: slack => slack.hold('chat.postMessage', 'answer', isReply) },
]

interface Round {
  readonly at: string
  /** From the restart until all is answered and nothing left to do; Infinity: never. */
  readonly ms: number
  readonly messages: () => ReturnType<SlackServer['channel']>
}

const killedAt = async ({ at, hold }: Point, podwhy: Killable, channel: string): Promise<Round> => {
  const { slack } = podwhy
  const held = hold(slack)
  expect(await podwhy.asked().ask(target, { channel_id: channel })).toMatchObject({ status: 200, body: '' })
  await held.reached
  await podwhy.kill()
  held.drop()

  const messages = () => slack.channel(channel)
  const restartedAt = performance.now()
  await podwhy.restart()
  const came = await vi
    .waitFor(() => expect(messages()).toSatisfy(hasAnswer), { timeout: 60_000, interval: 20 })
    // Where the answer stood before the kill, what counts is that the job has come to its end.
    .then(() => podwhy.asked().idle())
    .then(
      () => true,
      () => false,
    )
  return { at, ms: came ? performance.now() - restartedAt : Infinity, messages }
}

/** What became of so many questions. */
const tally = (rounds: readonly Round[]) => {
  const lost = rounds.filter(({ messages }) => !hasAnswer(messages())).length
  const once = rounds.filter(({ messages }) => isAnsweredOnce(messages())).length
  return { once, lost, doubled: rounds.length - once - lost }
}

const figures = (rounds: readonly Round[]): string =>
  points
    .map(({ at }) => {
      const there = rounds.filter(round => round.at === at)
      const times = there.map(({ ms }) => ms / 1000).sort((a, b) => a - b)
      const { once, lost, doubled } = tally(there)
      const [median, slowest] = [times[Math.floor(times.length / 2)], times.at(-1)]
      const seconds = `median ${median?.toFixed(1)} s, slowest ${slowest?.toFixed(1)} s`
      return `  ${at}: ${there.length} kills, ${once} answered once, ${doubled} doubled, ${lost} lost; ${seconds}`
    })
    .join('\n')

describe.concurrent.for(engines)('kill -9 on $engine', ({ engine, open, skip }) => {
  const kills = Math.ceil(KILLS / engines.length)

  it.skipIf(skip)(
    `${kills} times at ${points.length} points: each question is answered once, within 30 s`,
    async () => {
      const left = Array.from({ length: kills }, (_, round) => round)
      const rounds: Round[] = []
      const lane = async (podwhy: Killable): Promise<void> => {
        for (let round = left.shift(); round !== undefined; round = left.shift()) {
          const point = points[round % points.length] as Point
          rounds.push(await killedAt(point, podwhy, `C${round}`))
        }
        await podwhy.asked().idle()
      }
      const lanes: Killable[] = []
      try {
        while (lanes.length < LANES) lanes.push(await open())
        await Promise.all(lanes.map(lane))
        console.info(`kill -9 on ${engine}:\n${figures(rounds)}`)
        expect(tally(rounds)).toEqual({ once: kills, lost: 0, doubled: 0 })
        expect(Math.max(...rounds.map(({ ms }) => ms))).toBeLessThan(RECOVERY_MS)
      } finally {
        await Promise.all(lanes.map(podwhy => podwhy.close()))
      }
    },
    60_000 + kills * 60_000,
  )

  it.skipIf(skip)(
    'the connection cut after Slack accepted a post: each part stands once',
    async () => {
      const podwhy = await open()
      try {
        const { slack } = podwhy
        slack.fail('chat.postMessage', { kind: 'cutAfter' })
        const atReply = slack.hold('chat.postMessage', 'answer', isReply)
        await podwhy.asked().ask(target)
        await atReply.reached
        atReply.drop()
        await podwhy.asked().idle()
        expect(slack.channel('C1')).toSatisfy(isAnsweredOnce)
        expect(slack.callsOf('chat.postMessage')).toHaveLength(2)
      } finally {
        await podwhy.close()
      }
    },
    60_000,
  )
})
