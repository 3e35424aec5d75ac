import type { Logger } from 'pino'
import { apology, placeholder } from '../answer/notices.ts'
import { incidentBook } from '../incidents/incident-book.ts'
import type { Store as IncidentStore } from '../incidents/records.ts'
import type { Metrics } from '../metrics.ts'
import type { Question, Task } from '../queue/job.ts'
import { RetryLater } from '../queue/retry-later.ts'
import type { Handlers } from '../queue/worker.ts'
import type { alertThreads } from '../slack/alert-threads.ts'
import { deliverAnswer, deliverApology } from '../slack/deliver.ts'
import type { AlertOutcome } from '../slack/posted-alert.ts'
import type { Poster, Store as PosterStore } from '../slack/poster.ts'
import { targetText } from '../slack/question.ts'
import { ResponseUrlSpent } from '../slack/response-url.ts'
import { NotInChannel, RateLimited } from '../slack/slack-error.ts'
import { acting } from './acting.ts'
import { alerting } from './alerting.ts'
import { answerRecord, answerRecords } from './answer-records.ts'
import type { Clusters } from './clusters.ts'
import { type Answer, type Explained, explaining, type Read } from './explaining.ts'
import { incidentMessages, withButtons } from './incident-messages.ts'
import { incidentTasks } from './incident-tasks.ts'
import { lookingAtNamed } from './named-pods.ts'
import { scheduling } from './schedule.ts'
import { sighted } from './sighted.ts'

export interface AnsweringOptions {
  readonly clusters: Clusters
  readonly poster: Poster
  readonly alerts: Pick<ReturnType<typeof alertThreads>, 'of'>
  readonly store: IncidentStore & PosterStore
  /** Queues a task; see the engine. */
  later(task: Task, options: { readonly id: string; readonly delayMs: number }): Promise<void>
  readonly metrics: Metrics
  readonly log: Logger
  /** Which namespaces may be offered to choose from; default all. */
  readonly isAllowed?: (namespace: string) => boolean
  /** How long Ready counts as recovered. */
  readonly readyMs: number
  /** Unix milliseconds. */
  readonly now?: () => number
}

/** Slack's wishes in the queue's terms; where nobody can be reached any more, the job is over. */
const inQueueTerms = async (work: () => Promise<unknown>, question: Question, log: Logger): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof RateLimited) throw new RetryLater(error.retryAfterMs, { cause: error })
    if (!(error instanceof NotInChannel) && !(error instanceof ResponseUrlSpent)) throw error
    log.warn({ id: question.id, reason: error.message }, 'nobody can be answered any more')
  }
}

/** What the worker does with a job: read, redact, diagnose, render, post; and what it does later, unasked. */
export const answering = (options: AnsweringOptions): Handlers => {
  const { poster, alerts, store, metrics, log, readyMs, now = Date.now } = options
  const { read, explain } = explaining(options)
  const book = incidentBook(store, now)
  const records = answerRecords(store)
  const schedule = scheduling(options.later, now)
  const messages = incidentMessages({ book, records })
  const count = (outcome: AlertOutcome) => metrics.countAlerts('post', outcome, 1)
  const lookAtNamed = lookingAtNamed({ book, schedule, read, log, now })
  const home = options.clusters.names[0] ?? ''
  const answerAlert = alerting({
    ...{ book, schedule, alerts, records, messages, poster, home, log, now },
    ...{ explain, lookAtNamed, count },
  })
  const doTask = incidentTasks({ book, records, messages, schedule, poster, read, log, readyMs, now })

  /** The answer as it is to be shown, remembered for when it is edited and for its buttons. */
  const make = async (question: Question, signal: AbortSignal): Promise<Explained> => {
    const { answer, read: found } = await explain(question, signal)
    if (found === null) return { answer, read: null }
    const record = answerRecord({ question: question.id, target: found.target, root: answer.root }, found.diagnosis)
    await records.put(question.id, record)
    const incident = await book.of(question.id)
    const root = incident?.question === question.id ? await messages.root(incident) : null
    return { answer: { ...answer, root: root ?? withButtons(record) }, read: found }
  }

  /** Answers, and from then on looks whether what was wrong has recovered. */
  const answerOne = async (question: Question, signal: AbortSignal): Promise<void> => {
    let found: Read | null = null
    const answer = async (): Promise<Answer> => {
      const made = await make(question, signal)
      found = made.read
      return made.answer
    }
    const standing = placeholder(targetText(question.target))
    const delivered = await deliverAnswer({ question, poster, placeholder: standing, answer })
    if (delivered === 'thread' && found !== null) await follow(question, found)
  }

  const act = acting({
    ...{ clusters: options.clusters, poster, records, book, log, now },
    answer: async (question, signal) => {
      const { answer, read: found } = await make(question, signal)
      return found === null ? null : answer
    },
    redraw: async (incident, mutedUntilMs) => {
      // At once: somebody has pressed a button.
      await schedule.redrawAt(incident, now())
      // A second later, so that what is drawn then is drawn after the end.
      if (mutedUntilMs !== null) await schedule.redrawAt(incident, mutedUntilMs + 1_000)
    },
  })

  const follow = async (question: Question, read: Read): Promise<void> => {
    const seen = sighted(question, read, question.threadTs, new Date(now()).toISOString())
    const { incident } = await book.join(seen)
    if (incident.ended === null) await schedule.recheck(incident, 1)
  }

  const apologise = async (question: Question, why: string): Promise<void> => {
    // The post of an alert has a question of its own, which says in its thread what became of it.
    const isTold = question.via === 'alert' && question.threadTs === null && (await alerts.of(question)).in === 'post'
    if (!isTold) await deliverApology({ question, poster, message: apology(why, question.id) })
  }

  return {
    answer: (question, { signal }) => {
      const isPressed = question.want !== 'answer'
      const work = isPressed ? act : question.via === 'alert' ? answerAlert : answerOne
      return inQueueTerms(() => work(question, signal), question, log)
    },
    apologise: (question, why) => inQueueTerms(() => apologise(question, why), question, log),
    task: doTask,
  }
}
