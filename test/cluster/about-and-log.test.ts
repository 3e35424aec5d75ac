import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/diagnosis/snapshot.ts'
import { openTestCluster, shop, testPod } from './open-test-cluster.ts'

const ownedBy = (kind: string, name: string) => ({
  ownerReferences: [{ kind, name, uid: `uid-of-${name}`, controller: true }],
})
const eventOf = (kind: string, name: string, reason: string): JsonObject => ({
  metadata: { name: `${name}.${reason}`, namespace: 'shop' },
  involvedObject: { kind, namespace: 'shop', name, ...(kind === 'Pod' ? { uid: `uid-of-${name}` } : {}) },
  reason,
})
const hash = { 'pod-template-hash': '5d4f' }
const inShop = () =>
  shop(
    {
      pods: [testPod('web-5d4f-x1', { metadata: { ...ownedBy('ReplicaSet', 'web-5d4f'), labels: hash } })],
      replicaSets: [testPod('web-5d4f', { metadata: ownedBy('Deployment', 'web') })],
      deployments: [testPod('web')],
      events: [
        eventOf('Pod', 'web-5d4f-x1', 'BackOff'),
        eventOf('ReplicaSet', 'web-5d4f', 'SuccessfulCreate'),
        eventOf('Deployment', 'web', 'ScalingReplicaSet'),
        eventOf('Deployment', 'other', 'ScalingReplicaSet'),
      ],
    },
    { target: 'web-5d4f-x1', logs: { app: { current: 'now\n', previous: 'before\n' } } },
  )
const reasons = (events: readonly JsonObject[] | undefined) => events?.map(({ reason }) => reason)

it('about a pod are read its events and those of all its owners, and no log', async () => {
  const { kube, cluster } = await openTestCluster({ recordings: [inShop()] })
  const snapshot = await cluster.about({ namespace: 'shop', kind: 'Pod', name: 'web-5d4f-x1' })
  expect(snapshot.pod).toMatchObject({ metadata: { name: 'web-5d4f-x1' } })
  expect(reasons(snapshot.events)).toEqual(['BackOff'])
  expect(reasons(snapshot.related.events)).toEqual(['SuccessfulCreate', 'ScalingReplicaSet'])
  expect(kube.calls.filter(({ path }) => path.endsWith('/log'))).toEqual([])
})

it('about a pod that is gone there is the error of reading it', async () => {
  const { cluster } = await openTestCluster({ recordings: [inShop()] })
  const gone = cluster.about({ namespace: 'shop', kind: 'Pod', name: 'web-5d4f-x0' })
  await expect(gone).rejects.toMatchObject({ name: 'NoSuchPod' })
})

const logOf = { namespace: 'shop', pod: 'web-5d4f-x1', container: 'app', instance: 'current' } as const

it.each(['current', 'previous'] as const)('the log of the %s instance is read, with times', async instance => {
  const { kube, cluster } = await openTestCluster({ recordings: [inShop()] })
  const log = await cluster.log({ ...logOf, instance }, { maxBytes: 1000 })
  expect(log).toEqual({
    text: instance === 'current' ? 'now\n' : 'before\n',
    omittedBytes: 0,
    cut: null,
    missing: null,
  })
  const { query } = kube.calls.at(-1) ?? {}
  expect(query?.get('timestamps')).toBe('true')
  expect(query?.get('limitBytes')).toBeNull()
})

it('of a longer log the newest bytes are kept, from the beginning of a line', async () => {
  const { kube, cluster } = await openTestCluster({ recordings: [inShop()] })
  const lines = Array.from({ length: 100 }, (_, at) => `2026-05-04T10:00:00Z line ${at}\n`)
  kube.fault(/\/log\?/, (_, response) => void response.end(lines.join('')))
  const log = await cluster.log(logOf, { maxBytes: 100 })
  expect(log.text).toBe(lines.slice(-3).join(''))
  expect(log.omittedBytes).toBe(lines.slice(0, -3).join('').length)
})

it('why there is no log is said in the words of the kubelet', async () => {
  const { kube, cluster } = await openTestCluster({ recordings: [inShop()] })
  const said = 'unable to retrieve container logs for containerd://4e2f'
  kube.fault(/\/log\?/, (_, response) => void response.end(said))
  expect(await cluster.log(logOf, { maxBytes: 100 })).toMatchObject({ text: '', missing: said })
  kube.fault(/\/log\?/, { status: 400, message: 'previous terminated container "app" in pod "web" not found' })
  expect((await cluster.log(logOf, { maxBytes: 100 })).missing).toContain('previous terminated container')
})

it('a run that is meant is found as the previous one once the next has started', async () => {
  const { kube, cluster } = await openTestCluster({ recordings: [inShop()] })
  kube.fault(/\/log\?/, (request, response) => {
    const isPrevious = request.url?.includes('previous=true')
    response.end(isPrevious ? '2026-05-04T10:00:05Z meant\n' : '2026-05-04T10:00:21Z later\n')
  })
  const ended = { startedAt: '2026-05-04T10:00:00Z', finishedAt: '2026-05-04T10:00:10Z' }
  expect((await cluster.log({ ...logOf, ended }, { maxBytes: 1000 })).text).toContain('meant')
})
