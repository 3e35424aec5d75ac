import { PGlite } from '@electric-sql/pglite'
import type { PgNotification, PgPool } from 'bullmq'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { pglitePool } from '../../src/queue/pglite-pool.ts'

describe('pglitePool', () => {
  let db: PGlite
  let pool: PgPool
  beforeAll(async () => {
    db = await PGlite.create()
    pool = pglitePool(db)
    await pool.query('CREATE TABLE line (id serial, text text)')
  })
  afterAll(() => db.close())

  const lines = async () =>
    (await pool.query<{ text: string }>('SELECT text FROM line ORDER BY id')).rows.map(it => it.text)
  const write = 'INSERT INTO line (text) VALUES ($1) RETURNING text'

  it('keeps others out of a transaction until it ends', async () => {
    await pool.query('DELETE FROM line')
    const [first, second] = await Promise.all([pool.connect(), pool.connect()])
    await first.query('BEGIN')
    const others = [pool.query(write, ['pool']), second.query(write, ['second']), second.query('BEGIN')]
    await first.query(write, ['a'])
    await first.query('SAVEPOINT s')
    await first.query(write, ['undone'])
    await first.query('ROLLBACK TO s')
    await first.query(write, ['b'])
    await first.query('COMMIT')
    await Promise.all(others)
    await second.query('ROLLBACK')
    expect(await lines()).toEqual(['a', 'b', 'pool', 'second'])
    first.release()
    second.release()
  })

  it('lets timers and sockets have their turn, however many statements wait', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const slow = 'SELECT count(*) FROM generate_series(1, 20000) WHERE $1 = $1'
    await Promise.all(Array.from({ length: 200 }, () => pool.query(slow, [1])))
    clearInterval(timer)
    expect(turns).toBeGreaterThan(3)
  })

  it('undoes what a client that goes in the middle of a transaction did, and lets the next in', async () => {
    await pool.query('DELETE FROM line')
    const client = await pool.connect()
    await client.query('BEGIN')
    await client.query(write, ['half'])
    client.release()
    expect(await lines()).toEqual([])
  })

  it('goes on after a statement that fails, alone or in a transaction', async () => {
    await expect(pool.query('SELECT nothing')).rejects.toThrow(/nothing/)
    const client = await pool.connect()
    await client.query('BEGIN')
    await expect(client.query('SELECT nothing')).rejects.toThrow(/nothing/)
    await expect(client.query('COMMIT')).resolves.toBeDefined()
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    client.release()
  })

  it('gives rows and counts as node-postgres does, of the last of several statements', async () => {
    await pool.query('DELETE FROM line')
    expect(await pool.query(write, ['a'])).toEqual({ rows: [{ text: 'a' }], rowCount: 1 })
    expect(await pool.query("UPDATE line SET text = 'b'")).toEqual({ rows: [], rowCount: 1 })
    expect(await pool.query('DELETE FROM line WHERE false')).toEqual({ rows: [], rowCount: 0 })
    expect(await pool.query('SELECT 1 AS x; SELECT 2 AS y')).toEqual({ rows: [{ y: 2 }], rowCount: 1 })
    expect((await pool.query('SELECT $1::jsonb AS it', [{ a: [1] }])).rows).toEqual([{ it: { a: [1] } }])
  })

  it('brings notifications to those who listen, until they are released', async () => {
    const [listener, other] = await Promise.all([pool.connect(), pool.connect()])
    const heard: PgNotification[] = []
    listener.on('notification', it => heard.push(it))
    other.on('notification', it => heard.push(it))
    await listener.query('-- wake me\nLISTEN jobs')
    await listener.query('LISTEN jobs')
    await pool.query("SELECT pg_notify('jobs', 'one')")
    await vi.waitFor(() => expect(heard).toEqual([{ channel: 'jobs', payload: 'one' }]))
    listener.release()
    other.release()
    await pool.query("SELECT pg_notify('jobs', 'two')")
    await pool.query('SELECT 1')
    expect(heard).toHaveLength(1)
  })
})
