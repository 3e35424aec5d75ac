import type { PGlite } from '@electric-sql/pglite'
import type { Store } from './store.ts'
import { within } from './within.ts'

const TABLE = `
  CREATE SCHEMA IF NOT EXISTS podwhy;
  CREATE TABLE IF NOT EXISTS podwhy.store (
    key text PRIMARY KEY,
    value text NOT NULL,
    expires_at timestamptz NOT NULL
  );
  DELETE FROM podwhy.store WHERE expires_at <= clock_timestamp();`

const EXPIRY = `clock_timestamp() + $3 * interval '1 millisecond'`
const CLAIM = `
  INSERT INTO podwhy.store AS present (key, value, expires_at) VALUES ($1, $2, ${EXPIRY})
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
  WHERE present.expires_at <= clock_timestamp() RETURNING value`
const PUT = `
  INSERT INTO podwhy.store (key, value, expires_at) VALUES ($1, $2, ${EXPIRY})
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`
const REPLACE = `
  UPDATE podwhy.store SET value = $2, expires_at = ${EXPIRY}
  WHERE key = $1 AND value = $4 AND expires_at > clock_timestamp() RETURNING value`
const GET = 'SELECT value FROM podwhy.store WHERE key = $1 AND expires_at > clock_timestamp()'

/** What the store asks of the database: one statement at a time, not inside somebody else's transaction. */
export interface Statements {
  query(sql: string, parameters?: readonly unknown[]): Promise<{ rows: { value: string }[] }>
}

/** Makes the store's table where it is missing, and forgets what has expired. */
export const prepareStore = async (db: PGlite): Promise<void> => {
  await db.exec(TABLE)
}

/** The store on the embedded database; each call is bounded by `limitMs`. */
export const pgliteStore = (database: Statements, limitMs: number): Store => {
  const ask = (sql: string, ...parameters: unknown[]) =>
    within(limitMs, 'The embedded queue did not answer', () => database.query(sql, parameters))
  const get = async (key: string) => (await ask(GET, key)).rows[0]?.value ?? null

  return {
    get,
    claim: async (key, value, ttlMs) => {
      for (;;) {
        const written = await ask(CLAIM, key, value, ttlMs)
        if (written.rows.length > 0) return null
        const present = await get(key)
        if (present !== null) return present // else it expired in between
      }
    },
    put: async (key, value, ttlMs) => {
      await ask(PUT, key, value, ttlMs)
    },
    replace: async (key, present, value, ttlMs) => (await ask(REPLACE, key, value, ttlMs, present)).rows.length > 0,
    delete: async key => {
      await ask('DELETE FROM podwhy.store WHERE key = $1', key)
    },
  }
}
