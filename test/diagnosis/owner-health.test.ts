import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ownerHealth } from '../../src/diagnosis/owner-health.ts'
import type { Json, JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'

type Changeable<T> = { -readonly [Key in keyof T]: T[Key] }

/** A recording, fresh: it may be changed. */
const recording = (name: string): Changeable<PodSnapshot> =>
  JSON.parse(readFileSync(new URL(`../recordings/${name}.json`, import.meta.url), 'utf8'))
const deployment = (name: string) => ({ kind: 'Deployment', name })
const names = (snapshot: PodSnapshot, owner: { kind: string; name: string } | null) =>
  ownerHealth(snapshot, owner).pods.map(({ name }) => name)

/** A pod that another owner has made, newer than all others. */
const stranger = (kind: string, name: string, status: JsonObject = { phase: 'Succeeded' }): JsonObject => ({
  metadata: {
    name: `${name}-x1`,
    creationTimestamp: '2030-01-01T00:00:00Z',
    ownerReferences: [{ kind, name, uid: 'u', controller: true }],
  },
  status,
})
const withPods = (snapshot: Changeable<PodSnapshot>, ...more: readonly JsonObject[]) => {
  snapshot.related = { ...snapshot.related, pods: [...(snapshot.related.pods ?? []), ...more] }
  return snapshot
}
const metadataOf = (object: JsonObject | undefined) => (object?.['metadata'] ?? {}) as { name: string }

describe('the health of an owner', () => {
  it('in a crash loop: not Ready, and when it last ended', () => {
    const snapshot = recording('web-frontend-nginx/crash-loop')
    const health = ownerHealth(snapshot, deployment('web-frontend'))
    expect(health).toMatchObject({ at: snapshot.takenAt, wanted: 1, runsToEnd: false, isComplete: false })
    expect(health.pods).toEqual([
      {
        name: snapshot.target,
        isDone: false,
        isLeaving: false,
        readySince: null,
        lastEndAt: expect.stringMatching(/^20\d\d-.*Z$/),
      },
    ])
  })

  it('that serves again: Ready since its condition changed, after its container last ended', () => {
    const snapshot = recording('catalog-private-init/recovered')
    const [pod] = ownerHealth(snapshot, deployment('catalog')).pods
    expect(pod).toMatchObject({ isDone: false, isLeaving: false, readySince: expect.stringMatching(/^20/) })
    const restarted = recording('quotes-api/recovered')
    const [again] = ownerHealth(restarted, deployment('quotes-api')).pods
    expect(Date.parse(again?.readySince ?? '')).toBeGreaterThanOrEqual(Date.parse(again?.lastEndAt ?? ''))
  })

  it('counts as many pods as it wants', () => {
    const snapshot = recording('catalog-web-scaled/pending')
    expect(ownerHealth(snapshot, deployment('catalog-web'))).toMatchObject({ wanted: 3 })
    expect(names(snapshot, deployment('catalog-web'))).toHaveLength(3)
  })

  it('does not know how many are wanted where only the first pods were read', () => {
    const snapshot = recording('catalog-web-scaled/pending')
    snapshot.partial = { pods: 'app=catalog-web, the first 500' }
    expect(ownerHealth(snapshot, deployment('catalog-web')).wanted).toBeNull()
  })

  it('that has no pods but wants some', () => {
    expect(ownerHealth(recording('coupons-policy-namespace/no-pods'), deployment('coupons'))).toMatchObject({
      wanted: expect.toSatisfy((wanted: number) => wanted > 0),
      isComplete: false,
      pods: [],
    })
  })

  it('of a StatefulSet and a DaemonSet counts all pods they have made, and no others', () => {
    const brokers = recording('stream-broker-set/crash-loop')
    expect(names(brokers, { kind: 'StatefulSet', name: 'stream-broker' })).toHaveLength(3)
    const exporters = recording('node-exporter-hostnetwork/loop')
    expect(exporters.related.pods).toHaveLength(3)
    expect(names(exporters, { kind: 'DaemonSet', name: 'node-exporter' })).toEqual([exporters.target])
  })

  it('does not count an evicted pod that another one has replaced', () => {
    const snapshot = recording('report-builder-memory/replacement')
    const { pods } = ownerHealth(snapshot, deployment('report-builder'))
    expect(pods.map(({ isLeaving }) => isLeaving).sort()).toEqual([false, true])
    expect(pods.find(({ isLeaving }) => !isLeaving)?.name).toBe(snapshot.target)
  })

  it('does not count a pod that is being deleted', () => {
    const { pods } = ownerHealth(recording('orders-api-node-down/terminating'), deployment('orders-api'))
    expect(pods.filter(({ isLeaving }) => isLeaving)).toHaveLength(1)
  })

  it('leaves out what others own, however it came into the snapshot', () => {
    const snapshot = recording('web-frontend-nginx/crash-loop')
    const before = ownerHealth(snapshot, deployment('web-frontend'))
    const more = [
      stranger('Job', 'migrate'),
      stranger('ReplicaSet', 'web-frontend-admin-5f8997cc56', { phase: 'Running' }),
      { metadata: { name: 'alone' }, status: { phase: 'Pending' } },
    ]
    expect(ownerHealth(withPods(snapshot, ...more), deployment('web-frontend'))).toEqual(before)
  })

  it('knows a Deployment’s pods without its ReplicaSets by their name', () => {
    const snapshot = recording('web-frontend-nginx/crash-loop')
    const { replicaSets: _, ...related } = snapshot.related
    snapshot.related = related
    withPods(snapshot, stranger('ReplicaSet', 'web-frontend-admin-5f8997cc56'))
    expect(names(snapshot, deployment('web-frontend'))).toEqual([snapshot.target])
  })

  it('of a pod without an owner is that pod’s, whatever else was read', () => {
    const snapshot = recording('export-scratch-pod/evicted')
    expect(names(withPods(snapshot, stranger('Job', 'x')), null)).toEqual([snapshot.target])
    expect(ownerHealth(snapshot, null)).toMatchObject({ wanted: null, isComplete: false })
  })
})

describe('a Job', () => {
  const failed = () => recording('invoice-run-job/failed')
  const owner = { kind: 'Job', name: 'invoice-run' }
  const withConditions = (snapshot: Changeable<PodSnapshot>, conditions: Json) => {
    const jobs = (snapshot.related.jobs ?? []).map(job => ({ ...job, status: { conditions } }))
    snapshot.related = { ...snapshot.related, jobs }
    return snapshot
  }

  it('that failed is not done', () => {
    expect(metadataOf(failed().related.jobs?.[0]).name).toBe('invoice-run')
    expect(ownerHealth(failed(), owner)).toMatchObject({ runsToEnd: true, isComplete: false })
  })

  it('is done when it says so, and not because one of its pods is', () => {
    const done = { ...stranger('Job', 'invoice-run') }
    expect(ownerHealth(withPods(withConditions(failed(), []), done), owner).isComplete).toBe(false)
    const complete = withConditions(failed(), [{ type: 'Complete', status: 'True' }])
    expect(ownerHealth(complete, owner).isComplete).toBe(true)
  })

  it('that could not be read is done when its newest pod is', () => {
    const snapshot = failed()
    const { jobs: _, ...related } = snapshot.related
    snapshot.related = related
    expect(ownerHealth(snapshot, owner).isComplete).toBe(false)
    expect(ownerHealth(withPods(snapshot, stranger('Job', 'invoice-run')), owner).isComplete).toBe(true)
  })
})

it('of a Deployment is never done, even if a pod of it ended well at a node’s shutdown', () => {
  const snapshot = recording('web-frontend-nginx/crash-loop')
  const set = metadataOf(snapshot.related.replicaSets?.[0]).name
  withPods(snapshot, stranger('ReplicaSet', set))
  const health = ownerHealth(snapshot, deployment('web-frontend'))
  expect(health.isComplete).toBe(false)
  expect(health.pods.map(({ isDone }) => isDone)).toEqual([false, true])
})
