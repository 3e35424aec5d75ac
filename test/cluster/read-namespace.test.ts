import { describe, expect, it } from 'vitest'
import { NoSuchPod } from '../../src/cluster/no-such-pod.ts'
import { Forbidden } from '../../src/cluster/refusal.ts'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { NamespaceSnapshot } from '../../src/diagnosis/namespace-snapshot.ts'
import type { JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import type { KubeApiServer, KubeApiServerOptions } from '../fakes/kube-api-server.ts'
import { mergedNamespace } from '../fakes/merged-namespace.ts'
import { openTestCluster, shop, testPod } from './open-test-cluster.ts'

const troubled = [
  'orders-wait-postgres/waiting',
  'checkout-wait-database/waiting',
  'web-frontend-nginx/crash-loop',
  'billing-worker-secret/stuck',
  'billing-api-schema/crash-loop',
  'analytics-engine/pending',
  'coupons-policy-namespace/no-pods',
  'export-job-with-sidecar/done',
]
const open = (server: Partial<KubeApiServerOptions> = {}, options: Parameters<typeof openTestCluster>[1] = {}) =>
  openTestCluster({ recordings: mergedNamespace('shop', troubled), ...server }, { diagnose, ...options })
const alone = ({ target, pod }: PodSnapshot) => {
  const [kind = '', name = ''] = pod ? ['Pod', target] : target.split('/')
  return { namespace: 'shop', kind, name }
}
const targets = ({ cases }: NamespaceSnapshot) => cases.map(({ snapshot }) => snapshot.target)
const listCalls = ({ calls }: KubeApiServer) =>
  calls.filter(({ path }) => /\/v1\/(namespaces\/[^/]+\/)?[a-z]+$/.test(path)).map(({ path }) => path)
const logCalls = ({ calls }: KubeApiServer) => calls.filter(({ path }) => path.endsWith('/log'))

describe('a namespace is read', () => {
  it('so that each of its pods gets the cause it gets when asked about alone', async () => {
    const { cluster } = await open()
    const { cases } = await cluster.triage('shop')
    expect(cases.length).toBe(8)
    for (const { snapshot } of cases) {
      const { cause, owner, status } = diagnose(await cluster.read(alone(snapshot))).diagnosis
      expect(diagnose(snapshot).diagnosis).toMatchObject({ cause, owner, status })
    }
  })

  it('with each list asked for once, and one log for each pod that fails', async () => {
    const { kube, cluster } = await open()
    const { cases } = await cluster.triage('shop')
    const lists = listCalls(kube)
    expect(new Set(lists).size).toBe(lists.length)
    expect(lists.length).toBeLessThanOrEqual(12)
    expect(logCalls(kube).length).toBeLessThanOrEqual(cases.length)
  })

  it('by all its pages', async () => {
    const pods = Array.from({ length: 1201 }, (_, index) => readyPod(`web-${index}`))
    const { cluster } = await open({ recordings: [shop({ pods: [...pods, failedPod('last', 'Error')] })] })
    const read = await cluster.triage('shop')
    expect(read).toMatchObject({ pods: 1202, fine: 1201, unread: [] })
    expect(targets(read)).toEqual(['last'])
  })
})

const readyPod = (name: string, restartCount = 0): JsonObject =>
  testPod(name, {
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [{ name: 'app', ready: true, restartCount, state: { running: {} } }],
    },
  })
const failedPod = (name: string, reason: string, owner = name, exitCode = 1): JsonObject =>
  testPod(name, {
    metadata: { ownerReferences: [{ kind: 'StatefulSet', name: owner, uid: `uid-of-${owner}`, controller: true }] },
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'app',
          ready: false,
          restartCount: 3,
          state: { waiting: { reason } },
          lastState: { terminated: { exitCode } },
        },
      ],
    },
  })

describe('only counted are', () => {
  it.each([
    ['ready pods', readyPod('web')],
    ['ready pods that were restarted long ago', readyPod('web', 3)],
    ['pods that have done their work', testPod('job', { status: { phase: 'Succeeded', containerStatuses: [] } })],
  ])('%s', async (_what, pod) => {
    const { kube, cluster } = await open({ recordings: [shop({ pods: [pod] })] })
    expect(await cluster.triage('shop')).toMatchObject({ pods: 1, fine: 1, cases: [] })
    expect(logCalls(kube)).toEqual([])
  })
})

describe('of many pods that fail', () => {
  it('alike, 30 are looked into and the others are counted with them', async () => {
    const pods = Array.from({ length: 200 }, (_, index) => failedPod(`web-${index}`, 'CrashLoopBackOff', 'web'))
    const { kube, cluster } = await open({ recordings: [shop({ pods })] })
    const { cases, fine } = await cluster.triage('shop')
    expect(cases.length).toBe(30)
    expect(cases.map(({ alike }) => alike.length)).toEqual([170, ...Array.from({ length: 29 }, () => 0)])
    expect(cases[0]?.alike[0]).toMatchObject({ status: 'CrashLoopBackOff', ready: '0/1', restarts: '3' })
    expect(fine).toBe(0)
    expect(logCalls(kube).length).toBeLessThanOrEqual(30)
  })

  it('differently, each sort is looked into before a second of any', async () => {
    const pods = [
      ...Array.from({ length: 40 }, (_, index) => failedPod(`web-${index}`, 'CrashLoopBackOff', 'web')),
      failedPod('api-0', 'CrashLoopBackOff', 'api'),
      failedPod('api-1', 'CrashLoopBackOff', 'api', 137),
      failedPod('api-2', 'ImagePullBackOff', 'api'),
    ]
    const { cluster } = await open({ recordings: [shop({ pods })] })
    expect(targets(await cluster.triage('shop'))).toEqual(expect.arrayContaining(['api-0', 'api-1', 'api-2']))
  })

  it('in more ways than that, it is said that some were left', async () => {
    const pods = Array.from({ length: 35 }, (_, index) => failedPod(`web-${index}`, 'CrashLoopBackOff'))
    const { cluster } = await open({ recordings: [shop({ pods })] })
    const { cases, unread } = await cluster.triage('shop')
    expect(cases.length).toBe(30)
    expect(unread).toEqual([{ what: '5 more pods', why: 'too many to look into' }])
  })
})

describe('what could not be read is named:', () => {
  it('a list that is forbidden', async () => {
    const { cluster } = await open({ denied: ['deployments', 'events'] })
    const { unread, cases } = await cluster.triage('shop')
    expect(unread).toEqual(
      expect.arrayContaining([
        { what: 'deployments', why: 'forbidden' },
        { what: 'events', why: 'forbidden' },
      ]),
    )
    expect(cases.length).toBeGreaterThan(5)
  })

  it('logs that do not come in time', async () => {
    const { kube, cluster } = await open({}, { timeouts: { callMs: 200, totalMs: 2_000 } })
    kube.fault(/\/log\?/, 'hang')
    const { cases } = await cluster.triage('shop')
    const unread = cases.flatMap(({ snapshot }) => snapshot.unread)
    expect(unread).toContainEqual({ what: 'log of container "migrate"', why: 'timeout' })
  })

  it('pods, which nothing can be said without', async () => {
    const { cluster } = await open({ denied: ['pods'] })
    await expect(cluster.triage('shop')).rejects.toThrow(Forbidden)
    await expect(cluster.triage('shop')).rejects.toThrow('may not list pods in namespace "shop"')
  })
})

describe('a namespace that is not there', () => {
  const recordings = [shop({ namespaces: ['shop', 'payments'].map(name => ({ metadata: { name } })) })]

  it('comes with those that may have been meant, which the message does not name', async () => {
    const { cluster } = await open({ recordings })
    const error = await cluster.triage('paymets').catch((thrown: NoSuchPod) => thrown)
    expect(error).toBeInstanceOf(NoSuchPod)
    expect(error).toMatchObject({ choices: [{ namespace: 'payments', kind: 'Namespace', name: 'payments' }] })
    expect((error as NoSuchPod).message).toMatch(/^there is no namespace "paymets" in cluster "test" \(\S+\)$/)
  })

  it('comes without any where namespaces may not be listed', async () => {
    const { kube, cluster } = await open({ recordings })
    kube.fault(/\/api\/v1\/namespaces\?/, { status: 403, message: 'forbidden' })
    await expect(cluster.triage('paymets')).rejects.toMatchObject({ name: 'NoSuchPod', choices: [] })
  })

  it('is another thing than an empty one', async () => {
    const { cluster } = await open({ recordings: [shop({})] })
    expect(await cluster.triage('shop')).toMatchObject({ pods: 0, fine: 0, cases: [], unread: [] })
  })
})

it('nothing is read on once the one who asked has gone', async () => {
  const { kube, cluster } = await open()
  kube.fault(/\/log\?/, 'hang')
  const gone = new AbortController()
  const reading = cluster.triage('shop', { signal: gone.signal })
  await expect.poll(() => logCalls(kube).length).toBeGreaterThan(0)
  gone.abort(new Error('stopped'))
  await expect(reading).rejects.toThrow('stopped')
})
