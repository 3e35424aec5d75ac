import type { Backend } from './backend.ts'
import type { Question, Task } from './job.ts'
import type { Log } from './log.ts'
import { mergedMetrics } from './merged-metrics.ts'
import { type Added, type Attempts, producer } from './producer.ts'
import type { Store } from './store.ts'
import { within } from './within.ts'
import { type Handlers, type Recovery, startWorker, type WorkerHandle, type WorkOptions } from './worker.ts'

const READ_MS = 1000

export interface EngineOptions {
  /** `redis://` or `rediss://`; null: the embedded engine in `dataDir`. */
  readonly url: string | null
  /** Where the embedded engine keeps its data, locked for this process; not used with a `url`. */
  readonly dataDir: string
  readonly log: Log
  /** Default 5 attempts, 1 s after the first. */
  readonly attempts?: Attempts
  /** Default a lock of 10 s, looked after every 5 s: a killed worker's job runs again within about 15 s. */
  readonly recovery?: Recovery
}

/** The queue of questions, wherever it stands. */
export interface Engine {
  /**
   * Adds a question. Answers within 2 s or throws `QueueUnavailable`; then this question will not be answered later
   * either. Adding a question again, by its id, changes nothing.
   */
  add(question: Question): Promise<Added>
  /** Queues an apology for a question, once however often it is called. Throws `QueueUnavailable`. */
  apologise(question: Question, why: string): Promise<void>
  /**
   * Queues a task that is due in `delayMs`. Once for each `id`, however often it is called, for a day after it was done.
   * Throws `QueueUnavailable`.
   */
  later(task: Task, options: { readonly id: string; readonly delayMs: number }): Promise<void>
  /** Starts to work on what is queued. A process that only asks never calls it. */
  work(handlers: Handlers, options: WorkOptions): WorkerHandle
  readonly store: Store
  /** Whether questions can be taken right now. */
  ready(): boolean
  /** How many questions are waiting, active, delayed, failed … Throws `QueueUnavailable`. */
  counts(): Promise<Record<string, number>>
  /** The same, and of tasks, in Prometheus' text format. Throws `QueueUnavailable`. */
  metrics(): Promise<string>
  /** Closes the workers, then the queue. */
  close(): Promise<void>
}

const openBackend = async ({ url, dataDir, log }: EngineOptions): Promise<Backend> => {
  if (url === null) return (await import('./embedded-backend.ts')).openEmbeddedBackend(dataDir, log)
  return (await import('./redis-backend.ts')).openRedisBackend(url, log)
}

/**
 * Opens the queue: on Redis, which need not be there yet, or embedded in this process. Throws `DirectoryInUse` where
 * another process works on `dataDir`.
 */
export const openEngine = async (options: EngineOptions): Promise<Engine> => {
  const { log, attempts = { attempts: 5, backoffMs: 1000 } } = options
  const recovery = options.recovery ?? { lockDurationMs: 10_000, stalledIntervalMs: 5000 }
  const backend = await openBackend(options)
  const workers: WorkerHandle[] = []
  const read = <T>(work: () => Promise<T>) => within(READ_MS, `${backend.where} did not answer`, work)

  return {
    ...producer(backend, attempts),
    store: backend.store,
    ready: backend.ready,
    work: (handlers, workOptions) => {
      const worker = startWorker(backend, handlers, { log, ...workOptions }, { attempts, recovery })
      workers.push(worker)
      return worker
    },
    counts: () => read(() => backend.queue.getJobCounts()),
    metrics: () =>
      read(async () => {
        const { queue, tasks } = backend
        return mergedMetrics(await Promise.all([queue, tasks].map(each => each.exportPrometheusMetrics())))
      }),
    close: async () => {
      await Promise.all(workers.map(worker => worker.close()))
      await backend.close()
    },
  }
}
