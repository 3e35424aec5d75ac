import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { createPostgresBackend, runMigrations, withBackend } from 'bullmq'
import { type Backend, type JobQueue, type Payload, QUESTIONS, type QueueName, TASKS } from './backend.ts'
import { unusable } from './data-directory.ts'
import { lockDirectory } from './directory-lock.ts'
import type { Log } from './log.ts'
import { pglitePool } from './pglite-pool.ts'
import { pgliteStore, prepareStore } from './pglite-store.ts'
import type { Store } from './store.ts'

const WARM_UP = 'warm-up'
const STATEMENT_MS = 2000

const { Queue, Worker } = withBackend(createPostgresBackend)

const openDatabase = async (directory: string) => {
  const db = await PGlite.create({ dataDir: directory, relaxedDurability: false })
  const pool = pglitePool(db)
  const client = await pool.connect()
  await runMigrations(client)
  await client.query('SET search_path TO bullmq')
  client.release()
  await prepareStore(db)
  return { db, pool }
}

/** Does what an add does once, so that the first question does not wait while the database compiles its functions. */
const warmUp = async (queue: Pick<JobQueue, 'add'>, store: Store): Promise<void> => {
  await store.put(WARM_UP, 'asked', 60_000)
  await store.claim(WARM_UP, 'withdrawn', 60_000)
  await store.replace(WARM_UP, 'asked', 'accepted', 60_000)
  const job = await queue.add(WARM_UP, {}, { delay: 3_600_000, removeOnFail: true, deduplication: { id: WARM_UP } })
  await job.remove()
}

/**
 * The queue in this process: BullMQ's PostgreSQL backend on PGlite, kept in `dataDir`, which is locked for as long as
 * it is open. Throws `DirectoryInUse` and `DataDirectoryUnusable`.
 */
export const openEmbeddedBackend = async (dataDir: string, log: Log): Promise<Backend> => {
  const unlock = await lockDirectory(dataDir).catch((error: unknown) => {
    throw unusable(dataDir, error)
  })
  const directory = join(dataDir, 'pg')
  const isNew = !existsSync(directory)
  const { db, pool: connection } = await openDatabase(directory).catch(async (error: unknown) => {
    const told = unusable(dataDir, error)
    // Half a database would not open at the next start either.
    if (isNew) rmSync(directory, { recursive: true, force: true })
    await unlock()
    throw told
  })

  const open = (name: QueueName) => {
    const opened = new Queue<Payload, unknown, string>(name, { connection })
    opened.on('error', error => log.warn({ reason: error.message }, 'the embedded queue failed'))
    return opened
  }
  const queue = open(QUESTIONS)
  const tasks = open(TASKS)
  const store = pgliteStore(connection, STATEMENT_MS)
  await warmUp(queue, store)

  return {
    where: `the embedded queue in ${dataDir}`,
    queue,
    tasks,
    store,
    ready: () => !db.closed,
    startWorker: (name, processor, options) => ({
      worker: new Worker<Payload, unknown, string>(name, processor, { ...options, connection }),
      queue: name === QUESTIONS ? queue : tasks,
      disconnect: () => {},
    }),
    close: async () => {
      await queue.close()
      await tasks.close()
      await db.close()
      await unlock()
    },
  }
}
