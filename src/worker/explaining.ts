import type { Logger } from 'pino'
import { aboutWorst } from '../answer/alert-notices.ts'
import type { Message } from '../answer/block-kit.ts'
import { aboutSuccessor } from '../answer/notices.ts'
import { slackAnswer } from '../answer/slack-answer.ts'
import { ClusterDown } from '../cluster/breaker.ts'
import { ClusterError } from '../cluster/cluster-error.ts'
import { diagnose } from '../diagnosis/diagnose.ts'
import type { Diagnosis } from '../diagnosis/diagnosis.ts'
import type { PodSnapshot } from '../diagnosis/snapshot.ts'
import { withContext } from '../diagnosis/with-context.ts'
import type { Metrics } from '../metrics.ts'
import type { Question, Target } from '../queue/job.ts'
import { RetryLater } from '../queue/retry-later.ts'
import { redact } from '../redaction/redact.ts'
import { redactText } from '../redaction/redact-text.ts'
import { targetText } from '../slack/question.ts'
import { isNamespace } from '../target.ts'
import type { Clusters } from './clusters.ts'
import { askBack, triage } from './triaging.ts'

/** An answer's messages. */
export interface Answer {
  readonly root: Message
  readonly thread: Message[]
}

/** What was found about a target, before it is an answer. */
export interface Read {
  /** Which of the question's targets was there; of those that name no object the pod that was chosen. */
  readonly target: Target
  /** Whether it was chosen so: the worst of several. */
  readonly isChosen: boolean
  /** The cluster's name. */
  readonly cluster: string
  readonly snapshot: PodSnapshot
  readonly diagnosis: Diagnosis
}

/** An answer, and what it was made from; `read` null: there was nothing to explain. */
export interface Explained {
  readonly answer: Answer
  readonly read: Read | null
}

export interface ExplainingOptions {
  readonly clusters: Clusters
  readonly metrics: Metrics
  readonly log: Logger
  /** Which namespaces may be offered to choose from; default all. */
  readonly isAllowed?: (namespace: string) => boolean
}

/** A problem that the one who asked can be told instead of an answer; trying again would not change it. */
export const isExpected = (error: unknown): error is Error =>
  (error instanceof ClusterError && !error.temporary) || (error instanceof Error && error.name === 'NoSuchPod')

/** A problem that another spelling of the target may not have. */
const isElsewhere = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NoSuchPod' || error.name === 'Forbidden')

/** Nobody waits for the answer to an alert: it waits for the cluster, twenty seconds at a time and for ten minutes. */
const DOWN_EVERY_MS = 20_000
const DOWN_PATIENCE_MS = 600_000

/** What may be known later, in the queue's terms; other errors as they are. */
const whenDown = (error: unknown, { via, askedAt }: Question): unknown =>
  error instanceof ClusterDown && via === 'alert' && Date.now() - Date.parse(askedAt) < DOWN_PATIENCE_MS
    ? new RetryLater(DOWN_EVERY_MS, { cause: error })
    : error

/** Kinds of alerts' targets that name no object. */
const choosing = new Set<string | null>(['Container', 'Namespace'])

/** What an answer to an alert says beside what its pod is about; null: nothing. */
const noticeOf = ({ target, isChosen }: Read, given: Target): Message | null => {
  if (isChosen) return aboutWorst(target.namespace)
  // The pod that the alert names is gone, and its owner was read instead.
  return given.kind === 'Pod' && target.kind !== 'Pod' ? aboutSuccessor(targetText(given), targetText(target)) : null
}

const withNotice = ({ root, thread }: Answer, notice: Message): Answer => ({
  root: { ...root, blocks: [...root.blocks, ...notice.blocks] },
  thread,
})

/** Reads, redacts and diagnoses. */
export const explaining = ({ clusters, metrics, log, isAllowed }: ExplainingOptions) => {
  const readOne = async (target: Target, signal: AbortSignal): Promise<Read> => {
    const cluster = clusters.of(target)
    const snapshot = await redact(await cluster.read(target, { signal }))
    const isChosen = choosing.has(target.kind)
    const chosen = isChosen ? { ...target, kind: 'Pod', name: snapshot.target } : target
    const context = clusters.names.length > 1 ? cluster.name : null
    const diagnosis = withContext(diagnose(snapshot).diagnosis, context)
    return { target: chosen, isChosen, cluster: cluster.name, snapshot, diagnosis }
  }

  /** Reads the first of the targets that is there; throws what reading the very first threw where none is. */
  const readFirst = async ({ target: given, alternatives }: Question, signal: AbortSignal): Promise<Read> => {
    let first: unknown
    for (const target of [given, ...alternatives]) {
      try {
        return await readOne(target, signal)
      } catch (error) {
        if (!isElsewhere(error)) throw first ?? error
        first ??= error
      }
    }
    throw first
  }

  return {
    /** One target. Throws ClusterError. */
    read: readOne,

    /** The answer to a question, with one audit line. What cannot be explained is said in the answer; throws what may pass. */
    async explain(question: Question, signal: AbortSignal): Promise<Explained> {
      const stop = metrics.startAnswer()
      const fields = {
        audit: true,
        id: question.id,
        user: question.userId,
        channel: question.channelId,
        target: targetText(question.target),
      }
      try {
        if (isNamespace(question.target) && question.via !== 'alert') {
          const { triage: found, answer } = await triage(clusters.of(question.target), question.target, signal)
          const { cluster, pods, unwell } = found
          log.info({ ...fields, cluster, pods, unwell, seconds: stop('triage') }, 'answered')
          return { answer, read: null }
        }
        const read = await readFirst(question, signal)
        const { diagnosis, cluster } = read
        const seconds = stop(diagnosis.cause.id)
        const isNeeded = !(question.onlyUnhealthy && diagnosis.healthy)
        log.info(
          { ...fields, cluster, status: diagnosis.status, cause: diagnosis.cause.id, seconds },
          isNeeded ? 'answered' : 'an alert about a healthy pod is left alone',
        )
        const answer = slackAnswer(diagnosis)
        const notice = question.via === 'alert' ? noticeOf(read, question.target) : null
        return { answer: notice === null ? answer : withNotice(answer, notice), read }
      } catch (error) {
        const isDownForAlert = error instanceof ClusterDown && question.via === 'alert'
        if (isDownForAlert || !isExpected(error)) throw whenDown(error, question)
        // A refusal may quote the server or an event, as a snapshot does.
        const { text: reason } = await redactText(error.message)
        log.info({ ...fields, reason, seconds: stop('none') }, 'nothing to explain')
        return { answer: { root: askBack(error, reason, question.target, isAllowed), thread: [] }, read: null }
      }
    },
  }
}
