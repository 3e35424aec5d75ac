import type { Logger } from 'pino'
import { apology, placeholder, unanswerable } from '../answer/notices.ts'
import { slackAnswer } from '../answer/slack-answer.ts'
import { ClusterError } from '../cluster/cluster-error.ts'
import { diagnose } from '../diagnosis/diagnose.ts'
import type { Question } from '../queue/job.ts'
import { RetryLater } from '../queue/retry-later.ts'
import type { Handlers } from '../queue/worker.ts'
import { redact } from '../redaction/redact.ts'
import { redactText } from '../redaction/redact-text.ts'
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
  readonly metrics: Metrics
  readonly log: Logger
}

/** A problem that the one who asked can be told instead of an answer; trying again would not change it. */
const isExpected = (error: unknown): error is Error =>
  (error instanceof ClusterError && !error.temporary) || (error instanceof Error && error.name === 'NoSuchPod')

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

/** What the worker does with a job: read, redact, diagnose, render, post. */
export const answering = ({ clusters, poster, metrics, log }: AnsweringOptions): Handlers => {
  const explain = async (question: Question, signal: AbortSignal) => {
    const stop = metrics.startAnswer()
    const fields = {
      audit: true,
      id: question.id,
      user: question.userId,
      channel: question.channelId,
      target: targetText(question.target),
    }
    try {
      const cluster = clusters.of(question.target)
      const snapshot = await redact(await cluster.read(question.target, { signal }))
      const { diagnosis } = diagnose(snapshot)
      const seconds = stop(diagnosis.cause.id)
      log.info(
        { ...fields, cluster: cluster.name, status: diagnosis.status, cause: diagnosis.cause.id, seconds },
        'answered',
      )
      return slackAnswer(diagnosis)
    } catch (error) {
      if (!isExpected(error)) throw error
      // A refusal may quote the server or an event, as a snapshot does.
      const { text: reason } = await redactText(error.message)
      log.info({ ...fields, reason, seconds: stop('none') }, 'nothing to explain')
      return { root: unanswerable(reason), thread: [] }
    }
  }
  return {
    answer: (question, { signal }) =>
      inQueueTerms(
        () =>
          deliverAnswer({
            question,
            poster,
            placeholder: placeholder(targetText(question.target)),
            answer: () => explain(question, signal),
          }),
        question,
        log,
      ),
    apologise: (question, why) =>
      inQueueTerms(() => deliverApology({ question, poster, message: apology(why, question.id) }), question, log),
  }
}
