import { describe, expect, test } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { JsonObject, PodSnapshot } from '../../../src/diagnosis/snapshot.ts'
import { aContainer, aLog, aPod, aSnapshot, aWaitingContainer, crashLoop, current } from '../builders.ts'

/** The cause where init container `step` crash-loops with this log. */
const step = (
  name: string,
  lines: readonly string[],
  { spec = {}, labels = {}, related = {} }: { spec?: JsonObject; labels?: JsonObject; related?: JsonObject } = {},
) =>
  diagnose(
    aSnapshot({
      pod: aPod({
        init: [aContainer({ name, spec, ready: false, started: false, ...crashLoop(1) })],
        containers: [aWaitingContainer('api')],
        initialized: false,
        metadata: { labels },
      }),
      logs: { [name]: current(aLog(lines)) },
      related: related as PodSnapshot['related'],
    }),
  ).diagnosis.cause

describe('a migration that meets another', () => {
  test('a lock that only a live session holds proves another run, also where no other pod was read', () => {
    const { id, summary } = step('migrate', [
      'rails aborted!',
      'ActiveRecord::ConcurrentMigrationError: ',
      'Cannot run migrations because another migration process is currently running.',
    ])
    expect(id).toBe('init.migration-race')
    expect(summary).toContain('another process')
    expect(summary).not.toContain('replicas run')
  })

  test('a table that is already there proves no race by itself', () => {
    expect(step('migrate', ['ERROR:  relation "users" already exists']).id).toBe('init.not-idempotent')
  })
})

describe('a wait for migrations that others run', () => {
  const waits = [
    'INFO - Waiting for migrations... 59 second(s)',
    'TimeoutError: There are still unapplied migrations after 60 seconds.',
  ]
  const spec = { args: ['airflow', 'db', 'check-migrations'] }

  test('the database answers: what is missing is the run', () => {
    const { id, summary } = step('wait-for-airflow-migrations', waits, { spec })
    expect(id).toBe('init.wait-not-ready')
    expect(summary).toContain('the database answers')
  })

  test('in a Helm release without a Job that migrates, the two likely wait for each other', () => {
    const labels = { 'app.kubernetes.io/managed-by': 'Helm' }
    expect(step('wait-for-airflow-migrations', waits, { spec, labels, related: { jobs: [] } }).id).toBe(
      'init.wait-deadlock',
    )
    const related = { jobs: [{ metadata: { name: 'airflow-run-migrations', namespace: 'shop' } }] }
    const { id, summary } = step('wait-for-airflow-migrations', waits, { spec, labels, related })
    expect(id).toBe('init.wait-not-ready')
    expect(summary).toContain('`airflow-run-migrations`')
  })

  test('a container that migrates itself is not told to wait', () => {
    expect(step('load-schema', ['Waiting for migrations to be applied', 'boom: bad column']).id).toBe('init.crash')
  })
})

describe('the traffic redirection of a mesh', () => {
  test('a table that the kernel of the node lacks is no missing privilege', () => {
    const { id, confidence, summary } = step('istio-init', [
      "xtables parameter problem: iptables-restore: unable to initialize table 'nat'",
      'Failed to execute: iptables-restore --noflush, exit status 2',
    ])
    expect(id).toBe('init.mesh-redirect')
    expect(confidence).toBe('likely')
    expect(summary).toContain('node `node-a`')
    expect(summary).not.toContain('NET_ADMIN')
  })

  test('where iptables is refused, the capability is what is missing', () => {
    const { summary } = step('istio-init', [
      "iptables v1.8.4: can't initialize iptables table `nat': Permission denied (you must be root)",
    ])
    expect(summary).toContain('NET_ADMIN')
  })
})
