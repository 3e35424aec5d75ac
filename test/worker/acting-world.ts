import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { openCluster } from '../../src/cluster/cluster.ts'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { incidentBook } from '../../src/incidents/incident-book.ts'
import { openMetrics } from '../../src/metrics.ts'
import type { Question, Target, Want } from '../../src/queue/job.ts'
import { deliverAnswer } from '../../src/slack/deliver.ts'
import { poster as openPoster } from '../../src/slack/poster.ts'
import { slackClient } from '../../src/slack/slack-client.ts'
import { acting } from '../../src/worker/acting.ts'
import { answerRecord, answerRecords } from '../../src/worker/answer-records.ts'
import { explaining } from '../../src/worker/explaining.ts'
import { withButtons } from '../../src/worker/incident-messages.ts'
import { startKubeApiServer } from '../fakes/kube-api-server.ts'
import { SlackServer } from '../fakes/slack-server.ts'
import { aQuestion } from '../slack/a-question.ts'
import { logLines } from '../slack/log-lines.ts'
import { MemoryStore } from '../slack/memory-store.ts'

/** A cluster with these recordings, a Slack, and the worker's part of buttons between them; all end with the test. */
export const actingWorld = async (recordings: PodSnapshot[]) => {
  const slack = await SlackServer.start()
  const kube = await startKubeApiServer({ recordings })
  const cluster = await openCluster({ kubeconfig: kube.kubeconfig(), name: 'prod' })
  onTestFinished(async () => {
    await Promise.all([cluster.close(), slack.close(), kube.close()])
  })
  const store = new MemoryStore()
  const { log } = logLines()
  const client = slackClient({ token: 'xoxb-test', apiUrl: slack.apiUrl, log })
  const poster = openPoster({ client, store, log, apiUrl: slack.apiUrl, delay: async () => {} })
  const clusters = { names: ['prod'], of: () => cluster, close: async () => {} }
  const records = answerRecords(store)
  const now = () => Date.parse('2026-05-04T12:03:10Z')
  const book = incidentBook(store, now)
  const { explain } = explaining({ clusters, metrics: openMetrics(), log })
  const redrawn: { key: string; mutedUntilMs: number | null }[] = []

  const answer = async (question: Question, signal: AbortSignal) => {
    const { answer: made, read } = await explain(question, signal)
    if (read === null) return null
    const record = answerRecord({ question: question.id, target: read.target, root: made.root }, read.diagnosis)
    await records.put(question.id, record)
    return { ...made, root: withButtons(record) }
  }
  const act = acting({
    ...{ clusters, poster, records, answer, book, log, now },
    redraw: async ({ key }, mutedUntilMs) => void redrawn.push({ key, mutedUntilMs }),
  })
  const { signal } = new AbortController()

  return {
    ...{ slack, kube, store, book, records, redrawn },
    /** Asks, and gives the question and where its answer stands. */
    async answered(target: Target, more: Partial<Question> = {}) {
      const question = aQuestion({ target, ...more })
      const made = async () => {
        const found = await answer(question, signal)
        if (found === null) throw new Error('nothing to explain')
        return found
      }
      await deliverAnswer({ question, poster, placeholder: null, answer: made })
      const { ts } = (await poster.posted(question.id, 'root')) ?? { ts: '' }
      return { question, ts }
    },
    /** The question that a press on a button of that answer becomes. */
    async press({ question, ts }: { question: Question; ts: string }, want: Want, more: Partial<Question> = {}) {
      const about = (await records.get(question.id))?.about
      return aQuestion({
        id: randomBytes(16).toString('hex'),
        ...{ target: about?.target ?? question.target, via: 'button', want, userId: 'U7', threadTs: ts },
        about: {
          ...{ question: question.id, channel: 'C1', ts },
          ...{ uid: about?.uid ?? null, container: about?.container ?? null },
        },
        ...more,
      })
    },
    act: (question: Question) => act(question, signal),
    /** The answer's thread, without the answer's own parts. */
    replies: ({ question }: { question: Question }) =>
      (slack.channel('C1')[0]?.thread ?? []).filter(
        ({ metadata }) => metadata?.event_payload['question'] !== question.id,
      ),
  }
}
