import type { Logger } from 'pino'
import type { Message } from '../answer/block-kit.ts'
import { aboutSuccessor, apology, placeholder, unanswerable } from '../answer/notices.ts'
import { slackAnswer } from '../answer/slack-answer.ts'
import { ClusterError } from '../cluster/cluster-error.ts'
import { diagnose } from '../diagnosis/diagnose.ts'
import type { Question, Target } from '../queue/job.ts'
import { RetryLater } from '../queue/retry-later.ts'
import type { Handlers } from '../queue/worker.ts'
import { redact } from '../redaction/redact.ts'
import { redactText } from '../redaction/redact-text.ts'
import type { alertThreads } from '../slack/alert-threads.ts'
import { deliverAnswer, deliverApology } from '../slack/deliver.ts'
import type { Poster } from '../slack/poster.ts'
import { targetText } from '../slack/question.ts'
import { ResponseUrlSpent } from '../slack/response-url.ts'
import { NotInChannel, RateLimited } from '../slack/slack-error.ts'
import type { Clusters } from './clusters.ts'
import type { Metrics } from './metrics.ts'

export interface AnsweringOptions {
  readonly clusters: Clusters
  readonly poster: Poster
  readonly alerts: Pick<ReturnType<typeof alertThreads>, 'of'>
  readonly metrics: Metrics
  readonly log: Logger
}

/** A problem that the one who asked can be told instead of an answer; trying again would not change it. */
const isExpected = (error: unknown): error is Error =>
  (error instanceof ClusterError && !error.temporary) || (error instanceof Error && error.name === 'NoSuchPod')

/** A problem that another spelling of the target may not have. */
const isElsewhere = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NoSuchPod' || error.name === 'Forbidden')

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

interface Answer {
  readonly root: Message
  readonly thread: Message[]
}

interface Explained {
  readonly answer: Answer
  /** False: under an alert it would say nothing, or nothing that helps. */
  readonly isNeeded: boolean
}

/** Whether the pod that an alert names is gone and its owner was read instead. */
const isSuccessor = (read: Target, given: Target): boolean => given.kind === 'Pod' && read.kind !== 'Pod'

const withNotice = ({ root, thread }: Answer, notice: Message): Answer => ({
  root: { ...root, blocks: [...root.blocks, ...notice.blocks] },
  thread,
})

/** What the worker does with a job: read, redact, diagnose, render, post. */
export const answering = ({ clusters, poster, alerts, metrics, log }: AnsweringOptions): Handlers => {
  /** Reads the first of the targets that is there; throws what reading the very first threw where none is. */
  const readFirst = async ({ target: given, alternatives }: Question, signal: AbortSignal) => {
    let first: unknown
    for (const target of [given, ...alternatives]) {
      try {
        const cluster = clusters.of(target)
        return { target, cluster, snapshot: await redact(await cluster.read(target, { signal })) }
      } catch (error) {
        if (!isElsewhere(error)) throw first ?? error
        first ??= error
      }
    }
    throw first
  }

  const explain = async (question: Question, signal: AbortSignal): Promise<Explained> => {
    const stop = metrics.startAnswer()
    const fields = {
      audit: true,
      id: question.id,
      user: question.userId,
      channel: question.channelId,
      target: targetText(question.target),
    }
    try {
      const { target, cluster, snapshot } = await readFirst(question, signal)
      const { diagnosis } = diagnose(snapshot)
      const seconds = stop(diagnosis.cause.id)
      const isNeeded = !(question.onlyUnhealthy && diagnosis.healthy)
      log.info(
        { ...fields, cluster: cluster.name, status: diagnosis.status, cause: diagnosis.cause.id, seconds },
        isNeeded ? 'answered' : 'an alert about a healthy pod is left alone',
      )
      const answer = slackAnswer(diagnosis)
      if (question.via !== 'alert' || !isSuccessor(target, question.target)) return { answer, isNeeded }
      const notice = aboutSuccessor(targetText(question.target), targetText(target))
      return { answer: withNotice(answer, notice), isNeeded }
    } catch (error) {
      if (!isExpected(error)) throw error
      // A refusal may quote the server or an event, as a snapshot does.
      const { text: reason } = await redactText(error.message)
      log.info({ ...fields, reason, seconds: stop('none') }, 'nothing to explain')
      return { answer: { root: unanswerable(reason), thread: [] }, isNeeded: false }
    }
  }
  return {
    answer: (question, { signal }) =>
      inQueueTerms(
        async () => {
          if (question.via !== 'alert') {
            const answer = async () => (await explain(question, signal)).answer
            await deliverAnswer({ question, poster, placeholder: placeholder(targetText(question.target)), answer })
            return
          }
          const place = question.threadTs === null ? await alerts.of(question) : null
          if (place?.in === 'wait') throw new RetryLater(place.ms)
          if (place?.in === 'post') return log.info({ id: question.id }, 'the alert is answered under its post')
          const placed = place?.in === 'thread' ? { ...question, threadTs: place.ts } : question
          const { answer, isNeeded } = await explain(question, signal)
          if (isNeeded) await deliverAnswer({ question: placed, poster, placeholder: null, answer: async () => answer })
        },
        question,
        log,
      ),
    apologise: (question, why) =>
      inQueueTerms(() => deliverApology({ question, poster, message: apology(why, question.id) }), question, log),
  }
}
