import { describe, expect, it } from 'vitest'
import { metadataOf } from '../../src/cluster/metadata.ts'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { PodSnapshot, Request } from '../../src/diagnosis/snapshot.ts'
import { openTestCluster, recording, shop, testPod } from './open-test-cluster.ts'

const crashLoop = () => recording('billing-api-schema-crash-loop')
const targetOf = ({ namespace, target }: PodSnapshot) => ({ namespace, kind: null, name: target })

describe('a crash loop', () => {
  it('is read with pod, events, log, owners, siblings, node and version, as the server sent them', async () => {
    const recorded = crashLoop()
    const { cluster } = await openTestCluster({ recordings: [recorded] }, { name: 'prod' })
    const read = await cluster.read(targetOf(recorded))

    expect(read).toMatchObject({
      kind: 'PodSnapshot',
      cluster: 'prod',
      takenAt: recorded.takenAt,
      server: recorded.server,
      namespace: recorded.namespace,
      target: recorded.target,
      absent: [],
      unread: [],
      logErrors: {},
    })
    expect(read.pod).toEqual(recorded.pod)
    expect(read.events.map(event => event['message'])).toEqual(recorded.events.map(event => event['message']))
    expect(read.logs).toEqual({ migrate: { current: recorded.logs['migrate']?.current, previous: null } })
    expect<unknown>(read.related).toEqual({
      replicaSets: recorded.related.replicaSets,
      deployments: recorded.related.deployments,
      pods: [{ metadata: recorded.pod?.['metadata'], spec: recorded.pod?.['spec'], status: recorded.pod?.['status'] }],
      nodes: recorded.related.nodes,
    })
    expect(read.partial).toEqual({
      replicaSets: 'only those asked for',
      deployments: 'only those asked for',
      pods: 'pod-template-hash=7df5687c7',
      nodes: 'only those asked for',
    })
    expect(JSON.stringify(read)).not.toContain('managedFields')
  })

  it('takes nine calls, eight once the version is known, all of them reads', async () => {
    const recorded = crashLoop()
    const { kube, cluster } = await openTestCluster({ recordings: [recorded] }, { diagnose })
    await cluster.read(targetOf(recorded))
    expect(
      kube.calls.map(({ method, path }) => `${method} ${path.split('/').slice(-2).join('/')}`).sort(),
    ).toHaveLength(9)
    kube.reset()
    await cluster.read(targetOf(recorded))
    expect(kube.calls).toHaveLength(8)
    expect(new Set(kube.calls.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(kube.calls.every(({ path }) => !/secrets|exec/.test(path))).toBe(true)
  })

  it('that is running again is read with the log of the run before', async () => {
    const recorded = recording('billing-api-schema-in-between')
    const { cluster } = await openTestCluster({ recordings: [recorded] })
    const { logs } = await cluster.read(targetOf(recorded))
    expect(logs).toEqual({ migrate: recorded.logs['migrate'] })
  })

  it('gives the same snapshot whichever answer comes first', async () => {
    const recorded = crashLoop()
    const { cluster } = await openTestCluster({ recordings: [recorded] })
    const reads = await Promise.all([1, 2, 3, 4].map(() => cluster.read(targetOf(recorded))))
    expect(new Set(reads.map(read => JSON.stringify(read))).size).toBe(1)
  })
})

describe('events', () => {
  const event = (uid: string | undefined, message: string) => ({
    metadata: { name: message, namespace: 'shop' },
    involvedObject: { kind: 'Pod', name: 'db-0', namespace: 'shop', ...(uid === undefined ? {} : { uid }) },
    message,
  })

  it('of an earlier pod of the same name are left out, those without a uid are kept', async () => {
    const recorded = shop(
      { pods: [testPod('db-0')] },
      {
        events: [
          event('uid-of-db-0', 'mine'),
          event('another', 'of the pod before'),
          event(undefined, 'taint manager'),
        ],
      },
    )
    const { cluster } = await openTestCluster({ recordings: [recorded] })
    const { events } = await cluster.read({ namespace: 'shop', kind: 'Pod', name: 'db-0' })
    expect(events.map(({ message }) => message)).toEqual(['mine', 'taint manager'])
  })

  it('of a static pod carry the uid of its mirror annotation', async () => {
    const recorded = recording('node-proxy-static-loop')
    const { cluster } = await openTestCluster({ recordings: [recorded] })
    const { events } = await cluster.read(targetOf(recorded))
    expect(events).toHaveLength(4)
  })
})

describe('the Deployment guessed from the names', () => {
  it('is left out when the ReplicaSet belongs to another one', async () => {
    const recorded = crashLoop()
    const uid = metadataOf(recorded.related.deployments?.[0]).uid ?? ''
    const replicaSets = JSON.parse(JSON.stringify(recorded.related.replicaSets).replace(uid, 'of-an-earlier-one'))
    const { cluster } = await openTestCluster({
      recordings: [{ ...recorded, related: { ...recorded.related, replicaSets } }],
    })
    const { related } = await cluster.read(targetOf(recorded))
    expect(related.replicaSets).toHaveLength(1)
    expect(related.deployments).toBeUndefined()
  })

  it('is absent when it was deleted', async () => {
    const recorded = crashLoop()
    const { cluster } = await openTestCluster({
      recordings: [{ ...recorded, related: { ...recorded.related, deployments: [] } }],
    })
    const { absent } = await cluster.read(targetOf(recorded))
    expect(absent).toEqual([`Deployment ${recorded.namespace}/billing-api`])
  })
})

describe('what may not or cannot be read is named:', () => {
  it('refusals', async () => {
    const recorded = crashLoop()
    const denied = ['pods/log', 'events', 'replicasets', 'nodes']
    const { cluster } = await openTestCluster({ recordings: [recorded], denied })
    const read = await cluster.read(targetOf(recorded))
    expect(read.unread).toEqual([
      { what: 'events', why: 'forbidden' },
      { what: 'log of container "migrate"', why: 'forbidden' },
      { what: 'ReplicaSet team-755-bi/billing-api-7df5687c7', why: 'forbidden' },
      { what: 'Node node-1', why: 'forbidden' },
    ])
    expect(read.logErrors).toEqual({ migrate: { current: 'forbidden', previous: null } })
    expect(read.logs).toEqual({ migrate: { current: null, previous: null } })
    expect(read.pod).not.toBeNull()
  })

  it('timeouts, server errors and cut connections', async () => {
    const recorded = crashLoop()
    const { kube, cluster } = await openTestCluster({ recordings: [recorded] }, { timeouts: { callMs: 2_000 } })
    kube.fault(/nodes/, 'hang')
    kube.fault(/version/, { status: 500, message: 'etcd is on holiday' })
    kube.fault(/replicasets/, 'cut')
    const { unread, server, takenAt } = await cluster.read(targetOf(recorded))
    expect(unread).toEqual([
      { what: 'server version', why: 'etcd is on holiday' },
      { what: 'ReplicaSet team-755-bi/billing-api-7df5687c7', why: expect.stringContaining('cannot be reached') },
      { what: 'Node node-1', why: 'timeout' },
    ])
    expect(server).toBeNull()
    expect(takenAt).toBe(recorded.takenAt)
  })

  it('all that was left when the time for everything was over', async () => {
    const recorded = crashLoop()
    const { kube, cluster } = await openTestCluster(
      { recordings: [recorded] },
      {
        timeouts: { totalMs: 2_000 },
        diagnose: () => ({ requests: [{ read: 'list', list: 'services', namespace: recorded.namespace }] }),
      },
    )
    kube.fault(/nodes/, 'hang')
    const { unread } = await cluster.read(targetOf(recorded))
    expect(unread).toEqual([
      { what: 'Node node-1', why: 'timeout' },
      { what: 'services', why: 'timeout' },
    ])
  })

  it('a pod deleted while it was read', async () => {
    const recorded = crashLoop()
    const { kube, cluster } = await openTestCluster({ recordings: [recorded] })
    kube.fault(/\/log\?/, { status: 404, message: `pods "${recorded.target}" not found` })
    const { unread, pod } = await cluster.read(targetOf(recorded))
    expect(pod).not.toBeNull()
    expect(unread).toEqual([
      {
        what: 'log of container "migrate"',
        why: `pods "${recorded.target}" not found: it was deleted while it was read`,
      },
    ])
  })
})

describe('what the rules ask for', () => {
  const asking = (...rounds: Request[][]) => {
    const seen: PodSnapshot[] = []
    const diagnose = (snapshot: PodSnapshot) => ({ requests: rounds[seen.push(snapshot) - 1] ?? [] })
    return { seen, diagnose }
  }
  const service = (name: string, namespace = 'shop') => ({ metadata: { name, namespace, uid: `${namespace}-${name}` } })

  it('is read, and what is not there is absent', async () => {
    const recorded = shop(
      {
        pods: [testPod('web-1')],
        services: [service('orders'), service('cart')],
        resourceQuotas: [service('quota')],
        events: [
          {
            metadata: { name: 'e', namespace: 'shop' },
            involvedObject: { kind: 'PersistentVolumeClaim', name: 'data', namespace: 'shop' },
          },
          { metadata: { name: 'n', namespace: 'default' }, involvedObject: { kind: 'Node', name: 'node-1' } },
        ],
      },
      { logs: {} },
    )
    const { diagnose } = asking([
      { read: 'object', kind: 'Service', namespace: 'shop', name: 'orders' },
      { read: 'object', kind: 'Service', namespace: 'shop', name: 'redis' },
      { read: 'object', kind: 'Node', namespace: '', name: 'node-9' },
      { read: 'list', list: 'resourceQuotas', namespace: 'shop' },
      { read: 'list', list: 'namespaces', namespace: '' },
      { read: 'events', kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'quiet' },
      { read: 'events', kind: 'Node', namespace: 'shop', name: 'node-1' },
      { read: 'events', kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'data' },
      { read: 'log', container: 'app', instance: 'previous' },
    ])
    const { cluster } = await openTestCluster({ recordings: [recorded] }, { diagnose })
    const read = await cluster.read({ namespace: 'shop', kind: null, name: 'web-1' })
    expect(read.related).toMatchObject({
      services: [service('orders')],
      resourceQuotas: [service('quota')],
      namespaces: [{ metadata: { name: 'shop' } }],
      events: [{ metadata: { name: 'n' } }, { metadata: { name: 'e' } }],
    })
    expect(read.absent).toEqual(['Service shop/redis', 'Node node-9', 'Event PersistentVolumeClaim shop/quiet'])
    expect(read.partial).toEqual({
      services: 'only those asked for',
      events: 'only those asked for',
    })
    expect(read.logErrors?.['app']?.previous).toMatch(/waiting to start/)
  })

  it('is asked for once, in at most two rounds', async () => {
    const list = (name: 'services' | 'jobs' | 'endpointSlices'): Request => ({
      read: 'list',
      list: name,
      namespace: 'shop',
    })
    const { seen, diagnose } = asking([list('services')], [list('services'), list('jobs')], [list('endpointSlices')])
    const recorded = shop({ pods: [testPod('web-1')], services: [], jobs: [], endpointSlices: [] })
    const { kube, cluster } = await openTestCluster({ recordings: [recorded] }, { diagnose })
    const read = await cluster.read({ namespace: 'shop', kind: null, name: 'web-1' })
    expect(seen).toHaveLength(2)
    expect(kube.calls.filter(({ path }) => path.endsWith('/services'))).toHaveLength(1)
    expect(read.related).toEqual({ services: [], jobs: [] })
    expect(read.partial).toEqual({})
  })

  it('in another namespace does not pass for a list of this one', async () => {
    const { diagnose } = asking([{ read: 'list', list: 'services', namespace: 'data' }])
    const recorded = shop({ pods: [testPod('web-1')], services: [service('db', 'data')] })
    const { cluster } = await openTestCluster({ recordings: [recorded] }, { diagnose })
    const { related, partial } = await cluster.read({ namespace: 'shop', kind: null, name: 'web-1' })
    expect(related.services).toEqual([service('db', 'data')])
    expect(partial).toEqual({ services: 'all of namespace data' })
  })

  it('is never a Secret', async () => {
    const { diagnose } = asking([{ read: 'object', kind: 'Secret', namespace: 'shop', name: 'db' }])
    const { kube, cluster } = await openTestCluster({ recordings: [shop({ pods: [testPod('web-1')] })] }, { diagnose })
    const { unread } = await cluster.read({ namespace: 'shop', kind: null, name: 'web-1' })
    expect(unread).toEqual([{ what: 'Secret shop/db', why: 'podwhy does not read this kind' }])
    expect(kube.calls.some(({ path }) => path.includes('secrets'))).toBe(false)
  })

  it('of a ConfigMap is its keys alone', async () => {
    const configMap = {
      metadata: {
        name: 'app',
        namespace: 'shop',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"URL":"hunter2"}}', team: 'a' },
      },
      data: { URL: 'hunter2' },
      binaryData: { blob: 'aHVudGVyMg==' },
    }
    const { diagnose } = asking([{ read: 'object', kind: 'ConfigMap', namespace: 'shop', name: 'app' }])
    const recorded = shop({ pods: [testPod('web-1')], configMaps: [configMap] })
    const { cluster } = await openTestCluster({ recordings: [recorded] }, { diagnose })
    const { related } = await cluster.read({ namespace: 'shop', kind: null, name: 'web-1' })
    expect(related.configMaps).toEqual([
      {
        metadata: { name: 'app', namespace: 'shop', annotations: { team: 'a' } },
        data: { URL: '' },
        binaryData: { blob: '' },
      },
    ])
  })

  it('is not read to an end that never comes', async () => {
    const { diagnose } = asking([{ read: 'list', list: 'configMaps', namespace: 'shop' }])
    const { kube, cluster } = await openTestCluster({ recordings: [shop({ pods: [testPod('web-1')] })] }, { diagnose })
    let isOpen = true
    kube.fault(/configmaps/, async (_, response) => {
      response.on('close', () => {
        isOpen = false
      })
      while (isOpen) await new Promise(resolve => response.write(Buffer.alloc(1024 * 1024, ' '), resolve))
    })
    const { unread } = await cluster.read({ namespace: 'shop', kind: null, name: 'web-1' })
    expect(unread).toEqual([{ what: 'configmaps', why: 'the answer is longer than 67108864 bytes' }])
  })

  it('says when a list was too long to be whole', async () => {
    const { diagnose } = asking([{ read: 'list', list: 'services', namespace: 'shop' }])
    const services = Array.from({ length: 501 }, (_, index) => service(`s-${index}`))
    const { cluster } = await openTestCluster(
      { recordings: [shop({ pods: [testPod('web-1')], services })] },
      { diagnose },
    )
    const { related, partial } = await cluster.read({ namespace: 'shop', kind: null, name: 'web-1' })
    expect(related.services).toHaveLength(500)
    expect(partial).toEqual({ services: 'the first 500' })
  })
})

it('a read that is called off rejects with the reason it was called off for', async () => {
  const recorded = crashLoop()
  const { kube, cluster } = await openTestCluster({ recordings: [recorded] })
  const controller = new AbortController()
  kube.fault(/nodes/, () => controller.abort(new Error('shutting down')))
  await expect(cluster.read(targetOf(recorded), { signal: controller.signal })).rejects.toThrow('shutting down')
})
