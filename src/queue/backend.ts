import type { Job as BullJob, Processor as BullProcessor, Queue, Worker, WorkerListener, WorkerOptions } from 'bullmq'
import type { Question, Task } from './job.ts'
import type { Store } from './store.ts'

/** BullMQ's names of the two queues: what somebody waits for must not stand behind what is due some time. */
export const QUESTIONS = 'questions'
export const TASKS = 'tasks'
export type QueueName = typeof QUESTIONS | typeof TASKS

/** What a job carries beside its name. As written by this version; a worker trusts none of it. */
export type Payload = { question?: Question; why?: string; task?: Task }

export type QueueJob = BullJob<Payload, unknown, string>
export type Processor = BullProcessor<Payload, unknown, string>

/** The part of BullMQ's queue used here; the same on every engine. */
export type JobQueue = Pick<
  Queue<Payload, unknown, string>,
  'add' | 'getJob' | 'getFailed' | 'getJobCounts' | 'exportPrometheusMetrics' | 'removeDeduplicationKey'
>

type BullWorker = Worker<Payload, unknown, string>

/** The part of BullMQ's worker used here; the same on every engine. */
export interface JobWorker extends Pick<BullWorker, 'close' | 'cancelJob' | 'cancelAllJobs'> {
  on<Event extends keyof WorkerListener<Payload, unknown, string>>(
    event: Event,
    listener: WorkerListener<Payload, unknown, string>[Event],
  ): unknown
}

/** A worker's side of the queue: patient, it waits for an engine that is away. */
export interface Workplace {
  readonly worker: JobWorker
  readonly queue: JobQueue
  /** Drops the connections, without waiting for anything. */
  disconnect(): void
}

/** One engine: where the jobs stand. */
export interface Backend {
  /** Where it is, for messages: `Redis at 10.0.0.7:6379`. Without credentials. */
  readonly where: string
  /** The producer's side: impatient, it fails rather than waits. */
  readonly queue: JobQueue
  readonly tasks: JobQueue
  readonly store: Store
  /** Whether it can be reached, as far as is known without asking. */
  ready(): boolean
  startWorker(name: QueueName, processor: Processor, options: Omit<WorkerOptions, 'connection' | 'prefix'>): Workplace
  close(): Promise<void>
}
