import { DelayedError, UnrecoverableError, WaitingError } from 'bullmq'
import { z } from 'zod'
import { type Admission, admission } from './admission.ts'
import { apologies } from './apologies.ts'
import {
  type Backend,
  type Processor,
  QUESTIONS,
  type QueueJob,
  type QueueName,
  TASKS,
  type Workplace,
} from './backend.ts'
import { Job, type Question, type Task } from './job.ts'
import type { Log } from './log.ts'
import type { Attempts } from './producer.ts'
import { RetryLater } from './retry-later.ts'
import { QueueUnavailable } from './within.ts'

const ENGINE_AWAY_MS = 1000
const SWEEP_MS = 60_000
const MAX_STARTS = 50
/** Tasks that run at once: nobody waits for one. */
const TASKS_AT_ONCE = 3
const HANDED_BACK = 'podwhy stops'

/** One run of a job. */
export interface Run {
  /** How often the job has been started, this run included; more than 1: an earlier run may have posted already. */
  readonly started: number
  /** The attempt, from 1, of so many; after the last one fails, an apology follows. */
  readonly attempt: number
  readonly attempts: number
  /** Aborted when this run must not go on: podwhy stops, or another worker has taken the job over. */
  readonly signal: AbortSignal
}

/** What is done with jobs. A handler that throws is tried again; `RetryLater` says when, and costs no attempt. */
export interface Handlers {
  answer(question: Question, run: Run): Promise<void>
  apologise(question: Question, why: string, run: Run): Promise<void>
  /** What is due; nobody is told where it fails for good. Without it tasks fail. */
  task?(task: Task, run: Run): Promise<void>
}

/** When a job whose worker died is given to another; milliseconds. */
export interface Recovery {
  /** How long a worker holds a job without a sign of life. */
  readonly lockDurationMs: number
  /** How often jobs without a living worker are looked for; a job is taken over in the second round. */
  readonly stalledIntervalMs: number
}

export interface WorkOptions {
  /** How many jobs run at once. */
  readonly concurrency: number
  /** How long running jobs may go on when the worker closes; then they are handed back. Default 8 s. */
  readonly graceMs?: number
  readonly log?: Log
}

/** A running worker. */
export interface WorkerHandle {
  /** Takes no more jobs, lets the running ones finish or hands them back, then resolves. */
  close(): Promise<void>
}

const readJob = (job: QueueJob): Job => {
  const parsed = Job.safeParse({ ...job.data, name: job.name })
  if (parsed.success) return parsed.data
  throw new UnrecoverableError(`the job cannot be read: ${z.prettifyError(parsed.error)}`)
}

/** Resolves or rejects as `work` does, or rejects as soon as `signal` aborts. */
const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new Error(String(signal.reason)))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop))
}

const processor = (handlers: Handlers, admit: Admission, log: Log) => {
  const handle = async (job: QueueJob, signal: AbortSignal): Promise<void> => {
    if (job.name === 'answer' && !(await admit.isAccepted(job.id ?? ''))) {
      return log.warn({ id: job.id }, 'a question that came too late is dropped; its asker was told to ask again')
    }
    const read = readJob(job)
    const attempts = job.opts.attempts ?? 1
    const run = { started: job.attemptsStarted, attempt: job.attemptsMade + 1, attempts, signal }
    if (read.name === 'answer') await handlers.answer(read.question, run)
    else if (read.name === 'apologise') await handlers.apologise(read.question, read.why, run)
    else if (handlers.task) await handlers.task(read.task, run)
    else throw new UnrecoverableError('this worker takes no tasks')
  }

  // BullMQ gives a signal only to a processor that declares three parameters.
  return async (job: QueueJob, token?: string, given?: AbortSignal): Promise<void> => {
    const signal = given ?? new AbortController().signal
    try {
      await unlessAborted(handle(job, signal), signal)
    } catch (error) {
      if (signal.reason === HANDED_BACK) {
        await job.moveToWait(token)
        throw new WaitingError()
      }
      const delayMs =
        error instanceof RetryLater ? error.delayMs : error instanceof QueueUnavailable ? ENGINE_AWAY_MS : null
      if (delayMs === null || job.attemptsStarted >= MAX_STARTS) throw error
      await job.moveToDelayed(Date.now() + delayMs, token)
      throw new DelayedError()
    }
  }
}

/** Works on one of the queues. */
const run = (
  backend: Backend,
  name: QueueName,
  processor: Processor,
  { concurrency, recovery, log }: { concurrency: number; recovery: Recovery; log: Log },
): Workplace => {
  const workplace = backend.startWorker(name, processor, {
    concurrency,
    lockDuration: recovery.lockDurationMs,
    stalledInterval: recovery.stalledIntervalMs,
    maxStalledCount: 5,
    maxStartedAttempts: MAX_STARTS,
  })
  const { worker } = workplace
  worker.on('failed', (job, error) => {
    if (job === undefined) return
    log.warn({ id: job.id, attempt: job.attemptsMade, reason: error.message }, `a job failed: ${job.name}`)
  })
  worker.on('stalled', id => log.warn({ id }, 'a job lost its worker and runs again'))
  worker.on('lockRenewalFailed', ids => {
    for (const id of ids) worker.cancelJob(id, 'another worker has taken the job over')
  })
  worker.on('error', error => {
    if ('syscall' in error) return // a connection's; the backend reports it once, not at each try
    log.warn({ reason: error.message }, 'the worker had trouble with the queue')
  })
  return workplace
}

/** Starts a worker on the backend: for questions, and beside them for tasks that are due. */
export const startWorker = (
  backend: Backend,
  handlers: Handlers,
  { concurrency, graceMs = 8000, log }: WorkOptions & { log: Log },
  { attempts, recovery }: { attempts: Attempts; recovery: Recovery },
): WorkerHandle => {
  const process = processor(handlers, admission(backend.store), log)
  const questions = run(backend, QUESTIONS, process, { concurrency, recovery, log })
  const tasks = run(backend, TASKS, process, { concurrency: TASKS_AT_ONCE, recovery, log })
  const { follow, sweep } = apologies(questions.queue, attempts, log)
  const following = new Set<Promise<void>>()
  const inBackground = (work: Promise<void>) => {
    const done = work
      .catch(error => log.error({ reason: error.message }, 'an apology could not be queued; it is tried again'))
      .finally(() => following.delete(done))
    following.add(done)
  }

  questions.worker.on('failed', job => {
    if (job?.finishedOn !== undefined) inBackground(follow(job))
  })

  inBackground(sweep(Number.POSITIVE_INFINITY))
  const sweeper = setInterval(() => inBackground(sweep(10 * SWEEP_MS)), SWEEP_MS)

  const close = async (): Promise<void> => {
    clearInterval(sweeper)
    const workers = [questions.worker, tasks.worker]
    const handBack = setTimeout(() => {
      for (const worker of workers) worker.cancelAllJobs(HANDED_BACK)
    }, graceMs)
    const giveUp = Promise.withResolvers<void>()
    const limit = setTimeout(giveUp.resolve, graceMs + 3000)
    const done = Promise.all(workers.map(worker => worker.close())).then(() => Promise.all(following))
    await Promise.race([done.catch(() => {}), giveUp.promise])
    clearTimeout(handBack)
    clearTimeout(limit)
    questions.disconnect()
    tasks.disconnect()
  }
  let closed: Promise<void> | undefined
  return {
    close: () => {
      closed ??= close()
      return closed
    },
  }
}
