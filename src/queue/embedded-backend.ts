import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { createPostgresBackend, runMigrations, withBackend } from 'bullmq'
import { type Backend, type Payload, QUEUE_NAME } from './backend.ts'
import { lockDirectory } from './directory-lock.ts'
import type { Log } from './log.ts'
import { pglitePool } from './pglite-pool.ts'
import { pgliteStore, prepareStore } from './pglite-store.ts'

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

/**
 * The queue in this process: BullMQ's PostgreSQL backend on PGlite, kept in `dataDir`, which is locked for as long as
 * it is open. Throws `DirectoryInUse`.
 */
export const openEmbeddedBackend = async (dataDir: string, log: Log): Promise<Backend> => {
  const unlock = await lockDirectory(dataDir)
  const { db, pool: connection } = await openDatabase(join(dataDir, 'pg')).catch(async error => {
    await unlock()
    throw error
  })

  const queue = new Queue<Payload, unknown, string>(QUEUE_NAME, { connection })
  queue.on('error', error => log.warn({ reason: error.message }, 'the embedded queue failed'))

  return {
    where: `the embedded queue in ${dataDir}`,
    queue,
    store: pgliteStore(connection, STATEMENT_MS),
    ready: () => !db.closed,
    startWorker: (processor, options) => ({
      worker: new Worker<Payload, unknown, string>(QUEUE_NAME, processor, { ...options, connection }),
      queue,
      disconnect: () => {},
    }),
    close: async () => {
      await queue.close()
      await db.close()
      await unlock()
    },
  }
}
