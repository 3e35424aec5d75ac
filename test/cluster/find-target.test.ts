import { describe, expect, it } from 'vitest'
import type { Cluster } from '../../src/cluster/cluster.ts'
import { AmbiguousTarget, NoSuchPod } from '../../src/cluster/no-such-pod.ts'
import type { JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { openTestCluster, recording, shop, testPod } from './open-test-cluster.ts'

const owner = (kind: string, name: string) => ({ kind, name, uid: `uid-of-${name}`, controller: true })
const ownedPod = (
  name: string,
  kind: string,
  by: string,
  rest: { labels?: object; ready?: boolean; created?: string } = {},
) =>
  testPod(name, {
    metadata: {
      labels: { app: 'web', ...rest.labels },
      ownerReferences: [owner(kind, by)],
      creationTimestamp: rest.created ?? '2026-05-04T10:00:00Z',
    },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: rest.ready === false ? 'False' : 'True' }] },
  })
const workload = (name: string, rest: { owners?: object[]; labels?: object; created?: string; spec?: object } = {}) =>
  ({
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-of-${name}`,
      labels: { app: 'web', ...rest.labels },
      ownerReferences: rest.owners ?? [],
      creationTimestamp: rest.created ?? '2026-05-04T09:00:00Z',
    },
    spec: { selector: { matchLabels: { app: 'web' } }, ...rest.spec },
  }) as unknown as JsonObject

const rollout = (): PodSnapshot =>
  shop({
    deployments: [workload('web')],
    replicaSets: [
      workload('web-1', { owners: [owner('Deployment', 'web')] }),
      workload('web-2', { owners: [owner('Deployment', 'web')], created: '2026-05-04T11:00:00Z' }),
      workload('other-1', { owners: [owner('Deployment', 'other')] }),
    ],
    pods: [
      ownedPod('web-1-aaaaa', 'ReplicaSet', 'web-1', { labels: { 'pod-template-hash': '1' } }),
      ownedPod('web-2-bbbbb', 'ReplicaSet', 'web-2', { labels: { 'pod-template-hash': '2' }, ready: false }),
      ownedPod('web-2-ccccc', 'ReplicaSet', 'web-2', {
        labels: { 'pod-template-hash': '2' },
        ready: false,
        created: '2026-05-04T09:30:00Z',
      }),
      ownedPod('other-1-ddddd', 'ReplicaSet', 'other-1', { ready: false, created: '2026-05-04T01:00:00Z' }),
    ],
  })
const read = (cluster: Cluster, name: string, kind: string | null = null) =>
  cluster.read({ namespace: 'shop', kind, name })
const nameOf = (object: JsonObject | null | undefined) => (object?.['metadata'] as JsonObject | undefined)?.['name']

describe('a Deployment is answered by', () => {
  it('its pod, however many old ReplicaSets come before the one that owns it', async () => {
    const own = { owners: [owner('Deployment', 'web')] }
    const old = Array.from({ length: 600 }, (_, index) => workload(`web-old-${index}`, own))
    const snapshot = shop({
      deployments: [workload('web')],
      replicaSets: [...old, workload('web-1', { ...own, created: '2026-05-04T11:00:00Z' })],
      pods: [ownedPod('web-1-aaaaa', 'ReplicaSet', 'web-1', { ready: false })],
    })
    const { cluster } = await openTestCluster({ recordings: [snapshot] })
    expect(nameOf((await read(cluster, 'web', 'Deployment')).pod)).toBe('web-1-aaaaa')
  })

  it('its worst pod, the oldest of the unready, not by one that only shares its labels', async () => {
    const { cluster } = await openTestCluster({ recordings: [rollout()] })
    const { target, pod, related, partial } = await read(cluster, 'web', 'Deployment')
    expect(target).toBe('web-2-ccccc')
    expect(pod).toMatchObject({ kind: 'Pod', apiVersion: 'v1' })
    expect(related.deployments?.map(nameOf)).toEqual(['web'])
    expect(related.replicaSets?.map(nameOf)).toEqual(['web-1', 'web-2'])
    expect(related.pods?.map(nameOf)).toEqual(['web-1-aaaaa', 'web-2-bbbbb', 'web-2-ccccc'])
    expect(partial).toMatchObject({ pods: 'app=web', replicaSets: 'app=web' })
  })

  it('its worst pod too when no kind was said', async () => {
    const { cluster } = await openTestCluster({ recordings: [rollout()] })
    expect((await read(cluster, 'web')).target).toBe('web-2-ccccc')
  })

  it('itself, its newest ReplicaSet and their events where its pods never appeared', async () => {
    const recorded = recording('coupons-policy-namespace-no-pods')
    const { cluster } = await openTestCluster({ recordings: [recorded] })
    const { namespace } = recorded
    const snapshot = await cluster.read({ namespace, kind: null, name: 'coupons' })
    expect(snapshot).toMatchObject({ pod: null, target: 'Deployment/coupons', events: [], logs: {}, unread: [] })
    expect(snapshot.related.deployments?.map(nameOf)).toEqual(['coupons'])
    expect(snapshot.related.replicaSets?.map(nameOf)).toEqual(['coupons-9846dd644'])
    expect(snapshot.related.events?.map(event => event['reason']).sort()).toEqual(['FailedCreate', 'ScalingReplicaSet'])
  })

  it('its pods by selector alone where ReplicaSets may not be listed', async () => {
    const { cluster } = await openTestCluster({ recordings: [rollout()], denied: ['replicasets'] })
    const { target, unread } = await read(cluster, 'web', 'Deployment')
    expect(target).toBe('other-1-ddddd')
    expect(unread[0]).toEqual({ what: 'replicasets', why: 'forbidden' })
  })
})

describe('a Deployment of more pods than one page holds', () => {
  const many = () => {
    const pods = Array.from({ length: 600 }, (_, index) =>
      ownedPod(`web-1-${String(index).padStart(4, '0')}`, 'ReplicaSet', 'web-1', { ready: index !== 599 }),
    )
    const replicaSets = [workload('web-1', { owners: [owner('Deployment', 'web')] })]
    return shop({ deployments: [workload('web')], replicaSets, pods })
  }

  it('is answered by its worst pod on whatever page', async () => {
    const { cluster } = await openTestCluster({ recordings: [many()] })
    const { target, related, partial, unread } = await read(cluster, 'web', 'Deployment')
    expect(target).toBe('web-1-0599')
    expect(related.pods).toHaveLength(500)
    expect(partial?.pods).toBe('app=web, the first 500')
    expect(unread).toEqual([])
  })

  it('says how many were read where a later page fails', async () => {
    const { kube, cluster } = await openTestCluster({ recordings: [many()] })
    kube.fault(/\/pods\?.*continue=/, { status: 410, message: 'the continue parameter is too old' })
    const { unread } = await read(cluster, 'web', 'Deployment')
    expect(unread).toEqual([{ what: 'pods of Deployment shop/web', why: 'only the first 500 were read' }])
  })
})

describe('other workloads are answered by their pods:', () => {
  it.each([
    ['StatefulSet', 'statefulSets'],
    ['DaemonSet', 'daemonSets'],
    ['ReplicaSet', 'replicaSets'],
    ['Job', 'jobs'],
  ] as const)('%s', async (kind, list) => {
    const pods = [
      ownedPod('db-0', kind, 'db', { ready: false }),
      ownedPod('mine-not', kind, 'another', { ready: false }),
    ]
    const { cluster } = await openTestCluster({ recordings: [shop({ [list]: [workload('db')], pods })] })
    const { target, related } = await read(cluster, 'db', kind)
    expect(target).toBe('db-0')
    expect(related[list]?.map(nameOf)).toEqual(['db'])
    expect(related.pods?.map(nameOf)).toEqual(['db-0'])
  })

  it('CronJob, by those of its newest Job', async () => {
    const recorded = shop({
      cronJobs: [workload('nightly', { spec: {} })],
      jobs: [
        workload('nightly-1', { owners: [owner('CronJob', 'nightly')] }),
        workload('nightly-2', { owners: [owner('CronJob', 'nightly')], created: '2026-05-04T11:00:00Z' }),
      ],
      pods: [ownedPod('nightly-1-x', 'Job', 'nightly-1'), ownedPod('nightly-2-x', 'Job', 'nightly-2')],
    })
    const { cluster } = await openTestCluster({ recordings: [recorded] })
    const snapshot = await read(cluster, 'nightly')
    expect(snapshot.target).toBe('nightly-2-x')
    expect(snapshot.related.cronJobs?.map(nameOf)).toEqual(['nightly'])
    expect(snapshot.related.jobs?.map(nameOf)).toEqual(['nightly-2', 'nightly-1'])
  })

  it('CronJob, however many Jobs of others come before its own', async () => {
    const others = Array.from({ length: 1200 }, (_, index) => workload(`other-${index}`))
    const snapshot = shop({
      cronJobs: [workload('nightly')],
      jobs: [...others, workload('nightly-1', { owners: [owner('CronJob', 'nightly')] })],
      pods: [ownedPod('nightly-1-aaaaa', 'Job', 'nightly-1')],
    })
    const { cluster } = await openTestCluster({ recordings: [snapshot] })
    const { pod, unread } = await read(cluster, 'nightly', 'CronJob')
    expect(nameOf(pod)).toBe('nightly-1-aaaaa')
    expect(unread).toEqual([])
  })

  it('a CronJob that has not run yet stands for itself', async () => {
    const { cluster } = await openTestCluster({ recordings: [shop({ cronJobs: [workload('nightly')], jobs: [] })] })
    expect(await read(cluster, 'nightly', 'CronJob')).toMatchObject({ pod: null, target: 'CronJob/nightly' })
  })
})

describe('a name that begins pods', () => {
  it('means the one pod that begins so', async () => {
    const { cluster } = await openTestCluster({ recordings: [rollout()] })
    expect((await read(cluster, 'web-2-b')).target).toBe('web-2-bbbbb')
  })

  it('means the worst pod where all belong to one owner', async () => {
    const { cluster } = await openTestCluster({ recordings: [rollout()] })
    expect((await read(cluster, 'web-2-')).target).toBe('web-2-ccccc')
  })

  it('is asked back where they belong to several', async () => {
    const recorded = shop({ pods: [testPod('web-a'), testPod('web-b')] })
    const { cluster } = await openTestCluster({ recordings: [recorded] })
    await expect(read(cluster, 'web')).rejects.toThrow(
      '2 pods of 2 owners in namespace "shop" begin with "web"; did you mean "web-a", "web-b"?',
    )
  })

  it('offers the worst pod of each owner to choose from, on whatever page', async () => {
    const many = Array.from({ length: 600 }, (_, index) => testPod(`a-${index}`))
    const { cluster } = await openTestCluster({
      recordings: [shop({ pods: [...many, ...(rollout().related.pods ?? []), testPod('web-admin-0')] })],
    })
    await expect(read(cluster, 'web')).rejects.toMatchObject({
      name: 'AmbiguousTarget',
      choices: ['web-2-ccccc', 'web-admin-0'].map(name => ({ namespace: 'shop', kind: 'Pod', name })),
    })
  })

  it('does not count after a kind', async () => {
    const { cluster } = await openTestCluster({ recordings: [rollout()] })
    await expect(read(cluster, 'web-2-b', 'Pod')).rejects.toThrow(NoSuchPod)
  })
})

it('a name of two workloads is asked back', async () => {
  const recorded = shop({ deployments: [workload('web')], statefulSets: [workload('web')] })
  const { cluster } = await openTestCluster({ recordings: [recorded] })
  const error = await read(cluster, 'web').catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AmbiguousTarget)
  expect(error).toMatchObject({
    choices: [
      { namespace: 'shop', kind: 'Deployment', name: 'web' },
      { namespace: 'shop', kind: 'StatefulSet', name: 'web' },
    ],
  })
})

describe('a name that begins workloads without pods', () => {
  it('means the one workload that begins so', async () => {
    const { cluster } = await openTestCluster({ recordings: [shop({ deployments: [workload('checkout')] })] })
    expect((await read(cluster, 'check')).target).toBe('Deployment/checkout')
  })

  it('is asked back where there are several', async () => {
    const recorded = shop({ deployments: [workload('web-a')], statefulSets: [workload('web-b')] })
    const { cluster } = await openTestCluster({ recordings: [recorded] })
    await expect(read(cluster, 'web')).rejects.toThrow(
      '2 workloads in namespace "shop" begin with "web"; did you mean "Deployment/web-a", "StatefulSet/web-b"?',
    )
  })
})

describe('what is not there', () => {
  const missing = async (recorded: PodSnapshot, name: string, kind: string | null = null) => {
    const { cluster } = await openTestCluster({ recordings: [recorded] })
    const error: unknown = await read(cluster, name, kind).then(
      () => null,
      thrown => thrown,
    )
    expect(error).toBeInstanceOf(NoSuchPod)
    const { message, choices } = error as NoSuchPod
    const near = choices.map(({ kind, name }) => `${kind}/${name}`)
    expect(message).not.toContain('\n')
    return { message, near }
  }

  it('comes with names that may have been meant', async () => {
    const { message, near } = await missing(
      shop({ pods: [testPod('checkout-7d9f8b6c5-x2x4z'), testPod('web-1')] }),
      'chekout',
    )
    expect(near).toEqual(['Pod/checkout-7d9f8b6c5-x2x4z'])
    expect(message).toMatch(
      /^no pod or workload "chekout" in namespace "shop" of cluster "test" .*did you mean "checkout-7d9/,
    )
  })

  it('comes with the last event of a pod that is gone', async () => {
    const involvedObject = { kind: 'Pod', name: 'web-9', namespace: 'shop', uid: 'gone' }
    const event = (name: string, at: string, message: string) => ({
      metadata: { name, namespace: 'shop' },
      involvedObject,
      reason: 'Killing',
      message,
      lastTimestamp: at,
    })
    const events = [
      event('b', '2026-05-04T11:59:00Z', 'Stopping container app'),
      event('a', '2026-05-04T11:00:00Z', 'earlier'),
    ]
    const { message } = await missing(shop({ pods: [testPod('other')] }, { events }), 'web-9')
    expect(message).toContain('its last event, 2026-05-04T11:59:00Z: Killing, Stopping container app')
  })

  it('may be the namespace', async () => {
    const { message } = await missing(shop({ namespaces: [], pods: [] }), 'web')
    expect(message).toMatch(/^there is no namespace "shop" in cluster "test"/)
  })

  it('may be a workload', async () => {
    const { message, near } = await missing(shop({ deployments: [workload('web-shop')] }), 'web', 'Deployment')
    expect(message).toMatch(/^no Deployment shop\/web in cluster "test" .*; did you mean "web-shop"\?$/)
    expect(near).toEqual(['Deployment/web-shop'])
  })

  it('is said without names where the namespace may not be listed', async () => {
    const { kube, cluster } = await openTestCluster({ recordings: [shop({ pods: [testPod('web-1')] })] })
    kube.fault(/\/pods\?/, { status: 403, message: 'forbidden' })
    await expect(read(cluster, 'web')).rejects.toThrow(
      /^no pod or workload "web" in namespace "shop" of cluster "test" \(\S+\)$/,
    )
  })
})

it('a Status object is no pod, even in an answer of 200', async () => {
  const { kube, cluster } = await openTestCluster({ recordings: [shop({ pods: [testPod('web-1')] })] })
  kube.fault(/\/pods\/web-1/, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 500, message: 'etcd is away' }),
    )
  })
  await expect(read(cluster, 'web-1', 'Pod')).rejects.toThrow('etcd is away')
})
