import { createHash } from 'node:crypto'
import type { JobsOptions } from 'bullmq'
import { ASKED_MS, admission } from './admission.ts'
import type { Backend, JobQueue } from './backend.ts'
import { Question, type Task } from './job.ts'
import { turns } from './turns.ts'
import { QueueUnavailable, within } from './within.ts'

const DAY_SECONDS = 24 * 3600
const ADD_MS = 2000
const AT_ONCE = 8
const ASK_AGAIN_AFTER_MS = 60_000

/** Whether the question is on the queue as a new job, and the id of the job that answers it. */
export interface Added {
  /** False: the same user asked the same within the last minute; `id` is that job's. */
  readonly added: boolean
  readonly id: string
}

/** How often, and how far apart, a job is tried before an apology takes its place. */
export interface Attempts {
  readonly attempts: number
  /** The pause after the first failure; it doubles with each further one. */
  readonly backoffMs: number
}

const options = ({ attempts, backoffMs }: Attempts): JobsOptions => ({
  attempts,
  backoff: { type: 'exponential', delay: backoffMs },
  removeOnComplete: { age: DAY_SECONDS },
  removeOnFail: { age: 7 * DAY_SECONDS },
})

/**
 * The same for what one user wants of one target in one channel; of an alert, in one thread. To mute and to unmute is
 * something new each time: who changes their mind within a minute is not told that it is on its way.
 */
const deduplicationId = (question: Question): string => {
  const { id, teamId, channelId, userId, target, via, want, about, named, threadTs } = question
  const isSwitch = want === 'mute' || want === 'unmute'
  const pressed = [want, about?.question, ...(isSwitch ? [id] : [])]
  const more = want === 'answer' ? [...(via === 'alert' ? [threadTs] : []), ...named] : pressed
  const asked = [teamId, channelId, userId, target.cluster, target.namespace, target.kind, target.name, ...more]
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 32)
}

/**
 * Adds the apology for a question. Its id follows from `id`, the question's, so there is one however often it is added.
 * It is kept a day longer than the failed job, which a sweep must not take for one without an apology.
 */
export const addApology = async (
  queue: JobQueue,
  id: string,
  payload: { question: Question; why: string },
  attempts: Attempts,
): Promise<void> => {
  const kept = { age: 8 * DAY_SECONDS }
  await queue.add('apologise', payload, {
    ...options(attempts),
    jobId: `${id}-apology`,
    removeOnComplete: kept,
    removeOnFail: kept,
  })
}

/** Puts questions and apologies on the queue; each call answers within 2 s or throws `QueueUnavailable`. */
export const producer = (backend: Backend, attempts: Attempts) => {
  const { queue, tasks, store, where } = backend
  const admit = admission(store)

  const lanes = Array.from({ length: AT_ONCE }, turns)
  let next = 0

  /** So many at once, that they do not make each other slow between the steps of an add. */
  const bounded = <T>(work: (until: number) => Promise<T>): Promise<T> => {
    const what = `${where} did not take the question`
    const until = performance.now() + ADD_MS - 20 // before the bound around it strikes
    const workInTurn = async () => {
      const leftMs = until - performance.now()
      if (!backend.ready()) throw new Error('not connected')
      if (leftMs < ASKED_MS + 100) throw new Error('too many wait already')
      return within(leftMs + 20, what, () => work(until))
    }
    return within(ADD_MS, what, () => (lanes[next++ % AT_ONCE] ?? turns()).take(workInTurn))
  }

  const addJob = async (question: Question): Promise<string> => {
    const deduplication = { id: deduplicationId(question), ttl: ASK_AGAIN_AFTER_MS }
    const add = () => queue.add('answer', { question }, { ...options(attempts), jobId: question.id, deduplication })
    const { id } = await add()
    if (id === undefined || id === question.id || (await admit.isAccepted(id))) return id ?? question.id
    // The earlier job was withdrawn: it stands for nothing.
    await queue.removeDeduplicationKey(deduplication.id)
    return (await add()).id ?? question.id
  }

  const add = async (question: Question, until: number): Promise<Added> => {
    const { id } = question
    const before = await admit.ask(id)
    if (before === 'accepted') return { added: true, id }
    if (before === 'withdrawn') {
      await (await queue.getJob(id))?.remove()
      await admit.askAgain(id)
    }
    if (until - performance.now() < ASKED_MS + 80) throw new QueueUnavailable(`${where} is too slow`)
    const answering = await addJob(question)
    if (answering !== id) return { added: false, id: answering }
    if (await admit.accept(id, until)) return { added: true, id }
    throw new QueueUnavailable(`${where} took the question too late; it will not be answered`)
  }

  return {
    add: async (question: Question): Promise<Added> => {
      const valid = Question.parse(question)
      return bounded(until => add(valid, until))
    },
    apologise: (question: Question, why: string): Promise<void> =>
      bounded(() => addApology(queue, question.id, { question, why }, attempts)),
    later: (task: Task, { id, delayMs }: { id: string; delayMs: number }): Promise<void> =>
      bounded(async () => {
        const delay = Math.max(0, Math.round(delayMs))
        await tasks.add('task', { task }, { ...options(attempts), jobId: `task-${id}`, delay })
      }),
  }
}
