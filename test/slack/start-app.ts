import type { Question, Target } from '../../src/queue/job.ts'
import { namespacePolicy } from '../../src/slack/namespace-policy.ts'
import { poster } from '../../src/slack/poster.ts'
import { type SlackAppOptions, slackApp } from '../../src/slack/slack-app.ts'
import { slackClient } from '../../src/slack/slack-client.ts'
import { SIGNING_SECRET } from '../fakes/slack-request.ts'
import type { SlackServer } from '../fakes/slack-server.ts'
import { logLines } from './log-lines.ts'
import { MemoryStore } from './memory-store.ts'

const parseTarget = (text: string): Target => {
  const [namespace, name] = text.split('/')
  if (!namespace || !name) throw new Error('a namespace is missing: write `NAMESPACE/POD`.')
  return { cluster: null, namespace, kind: null, name }
}

/** The app on free ports against a loopback Slack, with a queue that is an array: the same id is added once. */
export async function startApp(slack: SlackServer, inbound: 'http' | 'socket', options: Partial<SlackAppOptions> = {}) {
  const { log, lines } = logLines()
  const store = new MemoryStore()
  const client = slackClient({ token: 'xoxb-test', apiUrl: slack.apiUrl, log })
  const queue: Question[] = []
  const app = slackApp({
    botToken: 'xoxb-test',
    inbound: inbound === 'http' ? { signingSecret: SIGNING_SECRET } : { appToken: 'xapp-test' },
    ...{ client, store, log, parseTarget },
    poster: poster({ client, store, log, apiUrl: slack.apiUrl }),
    add: async question => {
      const isNew = !queue.some(({ id }) => id === question.id)
      if (isNew) queue.push(question)
      return { added: isNew, id: question.id }
    },
    isAllowed: namespacePolicy(),
    routes: [{ path: '/healthz', method: 'GET', handler: (_, response) => void response.end('ok') }],
    ...{ port: 0, host: '127.0.0.1', apiUrl: slack.apiUrl, clientPingTimeoutMs: 200 },
    ...options,
  })
  const { port } = await app.start()
  const url = `http://127.0.0.1:${port}`
  return { app, queue, lines, store, url, events: `${url}/slack/events` }
}
