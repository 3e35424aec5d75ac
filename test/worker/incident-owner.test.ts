import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import { ownerHealth } from '../../src/diagnosis/owner-health.ts'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { incidentOwner } from '../../src/worker/incident-owner.ts'

/** A recording whose text was changed before. */
const read = (name: string, change: (text: string) => string = text => text) => {
  const file = new URL(`../recordings/${name}.json`, import.meta.url)
  const snapshot: PodSnapshot = JSON.parse(change(readFileSync(file, 'utf8')))
  return { snapshot, diagnosis: diagnose(snapshot).diagnosis }
}
const madeBy = (kind: string, name: string) =>
  `"ownerReferences":[{"kind":"${kind}","name":"${name}","controller":true}],`

it.each([
  ['a Deployment’s pod', 'web-frontend-nginx/crash-loop', { kind: 'Deployment', name: 'web-frontend' }],
  ['a StatefulSet’s pod', 'stream-broker-set/crash-loop', { kind: 'StatefulSet', name: 'stream-broker' }],
  ['a Job’s pod', 'invoice-run-job/failed', { kind: 'Job', name: 'invoice-run' }],
  ['a static pod', 'node-proxy-static/loop', null],
  ['a pod that nobody owns', 'export-scratch-pod/evicted', null],
  ['an owner without pods', 'coupons-policy-namespace/no-pods', { kind: 'Deployment', name: 'coupons' }],
])('knows whose incident it is: of %s', (_, name, owner) => {
  expect(incidentOwner(read(name))).toEqual(owner)
})

it('is the CronJob’s where one has made the Job: each of its runs has a Job of its own', () => {
  const made = read('invoice-run-job/failed', text =>
    text.replace(/("jobs":\[\{"metadata":\{)/, `$1${madeBy('CronJob', 'invoices')}`),
  )
  expect(incidentOwner(made)).toEqual({ kind: 'CronJob', name: 'invoices' })
  const health = ownerHealth(made.snapshot, incidentOwner(made))
  expect(health).toMatchObject({ runsToEnd: true, isComplete: false })
  expect(health.pods.length).toBeGreaterThan(0)
})

it('is the ReplicaSet’s where a kind has made it that cannot be read', () => {
  const made = read('web-frontend-nginx/crash-loop', text => text.replaceAll('"kind":"Deployment"', '"kind":"Rollout"'))
  expect(made.diagnosis.owner?.kind).toBe('Rollout')
  expect(incidentOwner(made)).toMatchObject({ kind: 'ReplicaSet' })
})
