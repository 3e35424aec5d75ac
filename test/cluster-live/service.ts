import { Queue, QueueEvents } from 'bullmq'
import { QUESTIONS } from '../../src/queue/backend.ts'
import { startRedis } from '../fakes/redis-server.ts'
import { asForm, commandPayload, postSigned, SIGNING_SECRET } from '../fakes/slack-request.ts'
import { type Shown, SlackServer } from '../fakes/slack-server.ts'
import { type LogLine, type ServeProcess, startServe } from './serve-process.ts'

const ANSWER_MS = 60_000

/** What became of a question. Times in ms since Slack sent the command. */
export interface Answered {
  readonly root: Shown
  /** The worker's line about it. */
  readonly line: LogLine
  readonly acknowledgedMs: number
  /** The answer stands in the channel. */
  readonly answeredMs: number
  /** Its thread is complete. */
  readonly completeMs: number
}

/** podwhy as it is deployed: a bot and a worker, each a process of its own, on a Redis, with a loopback Slack before them. */
export interface Service {
  readonly slack: SlackServer
  readonly bot: ServeProcess & { readonly port: number }
  readonly worker: ServeProcess & { readonly port: number }
  /** Sends `/podwhy TEXT`, signed, in a channel of its own; gives what the one who asked is told at once. */
  command(text: string): Promise<{ reply: string; channel: string; at: number; ms: number }>
  /** Waits until the answer to a command stands complete. */
  answerTo(command: { channel: string; at: number; ms: number }): Promise<Answered>
  /** Asks and waits for the answer. */
  ask(text: string): Promise<Answered>
  stop(): Promise<void>
}

/** Starts podwhy with a kubeconfig. */
export const startService = async (kubeconfig: string, env: Record<string, string> = {}): Promise<Service> => {
  const [redis, slack] = await Promise.all([startRedis(), SlackServer.start()])
  const settings = {
    KUBECONFIG: kubeconfig,
    PODWHY_QUEUE_URL: redis.url,
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: 'xoxb-of-a-test',
    ...env,
  }
  const [bot, worker] = await Promise.all([
    startServe(['--role', 'bot'], { ...settings, SLACK_SIGNING_SECRET: SIGNING_SECRET }),
    startServe(['--role', 'worker'], settings),
  ])
  const connection = { host: '127.0.0.1', port: Number(new URL(redis.url).port), maxRetriesPerRequest: null }
  const queue = new Queue(QUESTIONS, { connection, prefix: 'podwhy' })
  const events = new QueueEvents(QUESTIONS, { connection, prefix: 'podwhy' })
  let asked = 0

  const command: Service['command'] = async text => {
    const channel = `C${++asked}`
    const at = Date.now()
    const payload = commandPayload(text, { channel_id: channel, response_url: slack.responseUrl() })
    const { status, body, ms } = await postSigned(`http://127.0.0.1:${bot.port}/slack/events`, asForm(payload))
    if (status !== 200) throw new Error(`/podwhy ${text} was answered with ${status}: ${body}`)
    return { reply: body, channel, at, ms }
  }
  const answerTo: Service['answerTo'] = async ({ channel, at, ms }) => {
    const { question } = await bot.line(line => line.msg === 'question asked' && line['channel'] === channel)
    const job = await queue.getJob(String(question))
    if (!job) throw new Error(`no job ${question}`)
    await job.waitUntilFinished(events, ANSWER_MS)
    const line = await worker.line(line => line['audit'] === true && line['id'] === question)
    const calls = slack.calls.filter(({ args }) => args['channel'] === channel)
    const update = calls.find(({ method }) => method === 'chat.update')
    const [root, ...others] = slack.channel(channel)
    if (!root || !update || others.length > 0) throw new Error(`${others.length + 1} messages, no answer among them`)
    const completeMs = (calls.at(-1)?.at ?? 0) - at
    return { root, line, acknowledgedMs: ms, answeredMs: update.at - at, completeMs }
  }
  return {
    ...{ slack, bot, worker, command, answerTo },
    ask: async text => answerTo(await command(text)),
    stop: async () => {
      await Promise.all([bot.stop(), worker.stop(), queue.close(), events.close()])
      await Promise.all([redis.remove(), slack.close()])
    },
  }
}
