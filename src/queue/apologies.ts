import { z } from 'zod'
import type { JobQueue, QueueJob } from './backend.ts'
import { Question, Target } from './job.ts'
import type { Log } from './log.ts'
import { type Attempts, addApology } from './producer.ts'

const KEPT_MS = 7 * 24 * 3600 * 1000
const AT_ONCE = 1000

/** What is left of a question that cannot be read any more: enough to apologise in the right place. */
const Salvaged = z.object({
  target: Target.catch({ cluster: null, namespace: '?', kind: null, name: '?' }),
  alternatives: z.array(Target).catch([]),
  named: z.array(z.string()).catch([]),
  via: Question.shape.via.catch('command'),
  want: Question.shape.want.catch('answer'),
  about: Question.shape.about.catch(null),
  onlyUnhealthy: z.boolean().catch(false),
  teamId: z.string().catch(''),
  channelId: z.string().min(1),
  userId: z.string().catch(''),
  threadTs: z.string().nullable().catch(null),
  responseUrl: z.string().nullable().catch(null),
  askedAt: z.string().catch(''),
})

const questionOf = (job: QueueJob): Question | null => {
  const raw: unknown = job.data?.question
  const question = Question.safeParse(raw)
  if (question.success) return question.data
  const salvaged = Salvaged.safeParse(raw)
  return salvaged.success ? { id: job.id ?? '', ...salvaged.data } : null
}

/**
 * Turns questions that failed for good into apologies, one each: when they fail, and by sweeping what a process that
 * died in between left behind.
 */
export const apologies = (queue: JobQueue, attempts: Attempts, log: Log) => {
  const follow = async (job: QueueJob): Promise<void> => {
    const { id } = job
    if (job.name !== 'answer' || id === undefined) return
    const question = questionOf(job)
    if (question === null) return log.error({ id, reason: job.failedReason }, 'a question without a channel was lost')
    await addApology(queue, id, { question, why: job.failedReason ?? 'unknown' }, attempts)
    await job.removeDeduplicationKey() // who asks again gets a new try, not a pointer to this one
  }

  /** Looks at the jobs that failed within `lastMs`, a week at most. */
  const sweep = async (lastMs: number): Promise<void> => {
    const since = Date.now() - Math.min(lastMs, KEPT_MS)
    for (const job of await queue.getFailed(0, AT_ONCE - 1)) {
      if ((job.finishedOn ?? 0) >= since) await follow(job)
    }
  }

  return { follow, sweep }
}
