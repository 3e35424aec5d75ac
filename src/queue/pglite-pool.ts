import { EventEmitter } from 'node:events'
import { setImmediate as otherWork } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import type { PgPool, PgPoolClient, PgQueryResult } from 'bullmq'
import { turns } from './turns.ts'

const LISTEN = /^\s*(?:--[^\n]*\n\s*)*LISTEN\s+"?(\w+)"?/i
const BEGIN = /^\s*(?:BEGIN|START\s+TRANSACTION)\b/i
const END = /^\s*(?:COMMIT|END|ROLLBACK|ABORT)\b(?!\s+TO\b)/i
const NOTHING: PgQueryResult = { rows: [], rowCount: 0 }

const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value))

/** PGlite works in this thread, and its promises leave nothing to sockets and timers: so often they get their turn. */
const OTHERS_EVERY_MS = 20
let lastOthers = 0

const letOthers = async (): Promise<void> => {
  if (performance.now() - lastOthers < OTHERS_EVERY_MS) return
  await otherWork()
  lastOthers = performance.now()
}

/** Runs one statement – or several, where there are no parameters – and gives the last result, as node-postgres does. */
const run = async (db: PGlite, sql: string, parameters: readonly unknown[] = []): Promise<PgQueryResult> => {
  await letOthers()
  const result =
    parameters.length === 0
      ? (await db.exec(sql)).at(-1)
      : await db.query(
          sql,
          parameters.map(value => (isPlainObject(value) ? JSON.stringify(value) : value)),
        )
  const rows = result?.rows ?? []
  return { rows, rowCount: result?.affectedRows || rows.length }
}

/**
 * PGlite in the shape of node-postgres' pool, as far as BullMQ's PostgreSQL backend uses it. PGlite has one session, so
 * every client is that session: statements take turns, and a transaction keeps its turn from BEGIN to COMMIT. The pool
 * does not own the database.
 */
export const pglitePool = (db: PGlite): PgPool => {
  const turn = turns()
  const query = (sql: string, parameters?: readonly unknown[]) => turn.take(() => run(db, sql, parameters))

  const connect = async (): Promise<PgPoolClient> => {
    const client = new EventEmitter()
    const unlisten = new Map<string, () => Promise<void>>()
    let endTransaction: (() => void) | null = null

    const listen = async (channel: string): Promise<PgQueryResult> => {
      if (unlisten.has(channel)) return NOTHING
      const forward = (payload: string) => client.emit('notification', { channel, payload })
      unlisten.set(channel, await turn.take(() => db.listen(channel, forward)))
      return NOTHING
    }

    const queryInTurn = async (sql: string, parameters?: readonly unknown[]): Promise<PgQueryResult> => {
      const channel = LISTEN.exec(sql)?.[1]
      if (channel !== undefined) return listen(channel)
      if (BEGIN.test(sql)) endTransaction = await turn.hold()
      if (endTransaction === null) return query(sql, parameters)
      try {
        return await run(db, sql, parameters)
      } finally {
        if (END.test(sql)) finish()
      }
    }

    const finish = () => {
      endTransaction?.()
      endTransaction = null
    }

    const release = () => {
      if (endTransaction !== null) void run(db, 'ROLLBACK').finally(finish)
      for (const stop of unlisten.values()) void turn.take(stop).catch(() => {})
      unlisten.clear()
    }

    return Object.assign(client, { query: queryInTurn, release }) as unknown as PgPoolClient
  }

  // keepAlive tells BullMQ that its listener cannot drop unnoticed, so that workers may block for long.
  const options = { keepAlive: true }
  return Object.assign(new EventEmitter().setMaxListeners(0), {
    options,
    query,
    connect,
    end: async () => {},
  }) as unknown as PgPool
}
