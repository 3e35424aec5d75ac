import { expect, test } from 'vitest'
import { anEvent } from '../builders.ts'
import { crashed, log } from './crashed-app.ts'

const spec = { livenessProbe: { httpGet: { path: '/healthz', port: 8080 } } }
const killed = (secondsAgo = 21) => ({
  events: [
    anEvent('Killing', 'Container api failed liveness probe, will be restarted', {
      container: 'api',
      secondsAgo,
      type: 'Normal',
    }),
  ],
})

test.each([
  'INFO  [alembic.runtime.migration] Running upgrade 4f1d -> 9a2c, add index on orders',
  'Applying migration 0042_backfill_totals ...',
  'INFO: Migrating schema "public" to version "12 - backfill totals"',
])('is killed in the middle of a migration: %s', line => {
  const { cause } = crashed({ log: `booting\n${line}\n`, exitCode: 143, spec, snapshot: killed() })
  expect(cause.id).toBe('probe.kills-migration')
  expect(cause.summary).toContain('in the middle of a migration')
})

test.each([
  'error: Dirty database version 17. Fix and force version.',
  'Error: P3009 migrate found failed migrations in the target database, new migrations will not be applied.',
  'Schema "public" contains a failed migration to version 12 !',
  'Waiting for changelog lock....',
])('an older kill is the cause, a later run meets what it left: %s', line => {
  const { cause } = crashed({ log: `booting\n${line}\n`, spec, snapshot: killed(500) })
  expect(cause.id).toBe('probe.kills-migration')
  expect(cause.evidence.map(({ source }) => source.split(' ')[0])).toContain('event')
})

test('a dirty version without a kill is not blamed on a probe', () => {
  const { cause } = crashed({ log: 'error: Dirty database version 17. Fix and force version.\n', spec })
  expect(cause.id).toBe('app.crash')
})

test('a migration that was over before the kill is not the cause', () => {
  const text = log(`
    Applying migration 0042_backfill_totals ...
    migrations done
    listening on :8080
    GET /orders 200
  `)
  const { cause } = crashed({ log: text, exitCode: 143, spec, snapshot: killed() })
  expect(cause.id).toMatch(/^probe\./)
  expect(cause.id).not.toBe('probe.kills-migration')
})
