import { pino } from 'pino'
import { Registry } from 'prom-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openCluster } from '../../src/cluster/cluster.ts'
import type { JsonObject, PodSnapshot, RememberedCrash } from '../../src/diagnosis/snapshot.ts'
import { watchMetrics } from '../../src/watch/watch-metrics.ts'
import { type WatchingOptions, watchedNamespaces, watching } from '../../src/watch/watching.ts'
import { rememberingClusters, withMemory } from '../../src/watch/with-memory.ts'
import { toClusters } from '../../src/worker/clusters.ts'
import { appPod, crashedPod, logOf, running, secondsAgo, terminated } from '../cluster/crashing-pods.ts'
import { shop } from '../cluster/open-test-cluster.ts'
import { impatience, openKubeWatch } from '../cluster/watch-harness.ts'
import type { KubeWatch } from '../fakes/kube-watch.ts'
import { expiringStore } from '../worker/expiring-store.ts'

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 5_000, interval: 5 })
const current = (text: string) => ({ logs: { app: { current: text, previous: null } } })

/** A store whose values end, which counts what is kept; it can be away. */
const openStore = () => {
  const inner = expiringStore(Date.now)
  const keys = new Set<string>()
  const store = {
    isAway: false,
    get: async (key: string) => {
      if (store.isAway) throw new Error('Redis did not answer')
      return inner.get(key)
    },
    put: async (key: string, value: string, ttlMs: number) => {
      if (store.isAway) throw new Error('Redis did not answer')
      keys.add(key)
      await inner.put(key, value, ttlMs)
    },
    claim: async (key: string, value: string, ttlMs: number) => {
      if (store.isAway) throw new Error('Redis did not answer')
      return inner.claim(key, value, ttlMs)
    },
    replace: async (key: string, present: string, value: string, ttlMs: number) => {
      if (store.isAway) throw new Error('Redis did not answer')
      return inner.replace(key, present, value, ttlMs)
    },
    delete: async (key: string) => {
      keys.delete(key)
      await inner.put(key, '', 0)
    },
    keys,
  }
  return store
}
type TestStore = ReturnType<typeof openStore>

/** One process that watches. */
const openWatching = async (fake: KubeWatch, store: TestStore, rest: Partial<WatchingOptions> = {}) => {
  const cluster = await openCluster({ kubeconfig: fake.kube.kubeconfig(), name: 'prod' })
  const registry = new Registry()
  const watch = watching({
    clusters: [cluster],
    store,
    namespaces: ['*'],
    metrics: watchMetrics(registry),
    log: pino({ level: 'silent' }),
    patience: impatience,
    lease: { ttlMs: 400, everyMs: 100 },
    ...rest,
  })
  onTestFinished(async () => {
    await watch.close()
    await cluster.close()
  })
  const metric = async (name: string) =>
    new RegExp(`^${name}\\{[^}]*\\} (\\d+)$`, 'm').exec(await registry.metrics())?.[1]
  return { watch, metric, cluster }
}

const keptOf = async (store: TestStore, name: string): Promise<RememberedCrash | null> => {
  const text = await store.get(`first-crash:prod:shop:uid-of-${name}:app`)
  return text === null ? null : JSON.parse(text)
}

const snapshotOf = (pod: JsonObject): PodSnapshot => shop({}, { pod, target: 'web', cluster: 'prod' })

describe('a first crash', () => {
  it('is kept redacted, with state, log and events', async () => {
    const [fake, store] = [await openKubeWatch(), openStore()]
    const { metric } = await openWatching(fake, store)
    const pod = {
      ...crashedPod('web', 3, { message: 'token ghp_0123456789abcdefghijABCDEFGHIJ012345 refused' }),
      spec: { containers: [{ name: 'app', env: [{ name: 'DB_PASSWORD', value: 'hunter2-and-more' }] }] },
    }
    const event = {
      metadata: { name: 'e', namespace: 'shop', uid: 'x', resourceVersion: '9' },
      involvedObject: { kind: 'Pod', name: 'web', uid: 'uid-of-web' },
      reason: 'BackOff',
      message: 'postgres://shop:geheim99@db:5432/orders',
      type: 'Warning',
    }
    const log = logOf('connecting to postgres://shop:geheim99@db:5432/orders', 'DB_PASSWORD was hunter2-and-more')
    fake.apply(pod, { ...current(log), events: [event] })
    await until(async () => expect(await keptOf(store, 'web')).not.toBeNull())
    const kept = await keptOf(store, 'web')
    expect(kept).toMatchObject({
      pod: 'web',
      uid: 'uid-of-web',
      container: 'app',
      restart: 0,
      exitCode: 3,
      reason: 'Error',
    })
    expect(kept?.log).toContain('connecting to postgres://')
    expect(kept?.events).toMatchObject([{ reason: 'BackOff', metadata: { name: 'e', namespace: 'shop' } }])
    const all = JSON.stringify(kept)
    for (const secret of ['geheim99', 'hunter2-and-more', 'ghp_0123456789']) expect(all).not.toContain(secret)
    expect(all.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(4)
    await until(async () => expect(await metric('podwhy_watch_kept_total')).toBe('1'))
  })

  it('is bounded in bytes', async () => {
    const [fake, store] = [await openKubeWatch(), openStore()]
    await openWatching(fake, store)
    const lines = Array.from({ length: 1_500 }, (_, line) => `line ${line} ${'x'.repeat(300)}`)
    const events = Array.from({ length: 60 }, (_, index) => ({
      metadata: { name: `e-${index}`, namespace: 'shop' },
      involvedObject: { kind: 'Pod', name: 'web', uid: 'uid-of-web' },
      reason: 'BackOff',
      message: 'm'.repeat(5_000),
      lastTimestamp: secondsAgo(100 - index),
    }))
    fake.apply(crashedPod('web', 1, { startedAt: secondsAgo(3_000) }), { ...current(logOf(...lines)), events })
    await until(async () => expect(await keptOf(store, 'web')).not.toBeNull())
    const kept = await keptOf(store, 'web')
    expect(kept?.log?.length).toBeLessThanOrEqual(16 * 1024)
    expect(kept?.log).toContain('line 1499 ')
    expect(kept?.log).toMatch(/^\d{4}-/)
    expect(kept?.events).toHaveLength(20)
    expect(kept?.events.at(-1)).toMatchObject({ metadata: { name: 'e-59' } })
    expect(JSON.stringify(kept).length).toBeLessThan(48 * 1024)
  })

  it('is bounded in number: the oldest makes room', async () => {
    const [fake, store] = [await openKubeWatch(), openStore()]
    await openWatching(fake, store, { maxKept: 3 })
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      fake.apply(crashedPod(name), current(logOf('no')))
      await until(async () => expect(await keptOf(store, name)).not.toBeNull())
      await until(async () => expect(await store.get('first-crashes:prod')).toContain(`uid-of-${name}`))
    }
    await until(() =>
      expect([...store.keys].filter(key => key.startsWith('first-crash:'))).toEqual(
        ['c', 'd', 'e'].map(name => `first-crash:prod:shop:uid-of-${name}:app`),
      ),
    )
  })

  it('stays the first: a process that starts anew, and later failures, do not overwrite it', async () => {
    const [fake, store] = [await openKubeWatch(), openStore()]
    const before = await openWatching(fake, store)
    fake.apply(crashedPod('web', 3), current(logOf('the first')))
    await until(async () => expect(await store.get('first-crashes:prod')).toContain('uid-of-web'))
    await before.watch.close()
    await store.delete('watch-position:prod:*')
    fake.apply(crashedPod('web', 4), current(logOf('another')))
    await openWatching(fake, store)
    fake.apply(crashedPod('last'), current(logOf('no')))
    await until(async () => expect(await keptOf(store, 'last')).not.toBeNull())
    expect((await keptOf(store, 'web'))?.exitCode).toBe(3)
  })

  it('is skipped, and counted, where the store is away; the watch goes on', async () => {
    const [fake, store] = [await openKubeWatch(), openStore()]
    const { metric } = await openWatching(fake, store, { lease: { ttlMs: 60_000, everyMs: 30_000 } })
    await until(() => expect(fake.open).toBe(1))
    store.isAway = true
    fake.apply(crashedPod('lost'), current(logOf('no')))
    await until(async () => expect(await metric('podwhy_watch_skipped_total')).toBe('1'))
    store.isAway = false
    fake.apply(crashedPod('web'), current(logOf('no')))
    await until(async () => expect(await keptOf(store, 'web')).not.toBeNull())
  })
})

const ofReplicaSet = (name: string, hash = '5d4f') => ({
  metadata: {
    name,
    namespace: 'shop',
    uid: `uid-of-${name}`,
    labels: { 'pod-template-hash': hash },
    ownerReferences: [{ kind: 'ReplicaSet', name: `web-${hash}`, uid: 'rs', controller: true }],
  },
})

describe('what is read about a pod', () => {
  const failing = { state: terminated(1, { startedAt: secondsAgo(1), finishedAt: secondsAgo(1) }), restartCount: 3 }

  it('has the first crash of its container, and that of an earlier pod of its owner', async () => {
    const [fake, store] = [await openKubeWatch(), openStore()]
    await openWatching(fake, store)
    fake.apply(
      { ...crashedPod('web-1', 137, { reason: 'OOMKilled' }), ...ofReplicaSet('web-1') },
      current(logOf('migrating')),
    )
    await until(async () => expect(await store.get('first-crashes:prod')).toContain('uid-of-web-1'))
    fake.apply({ ...crashedPod('web-2', 5), ...ofReplicaSet('web-2', '77bb') }, current(logOf('exists')))
    await until(async () => expect(await store.get('first-crashes:prod')).toContain('uid-of-web-2'))
    const second = { ...appPod('web-2', failing), ...ofReplicaSet('web-2', '77bb') }
    const third = { ...appPod('web-3', failing), ...ofReplicaSet('web-3', '77bb') }
    const exits = async (pod: JsonObject) =>
      (await withMemory(snapshotOf(pod), store)).remembered?.map(({ pod: of, exitCode }) => [of, exitCode])
    expect(await exits(second)).toEqual([
      ['web-2', 5],
      ['web-1', 137],
    ])
    expect(await exits(third)).toEqual([['web-1', 137]])
  })

  it('has nothing of what was before the pods of its owner were well', async () => {
    const [fake, store] = [await openKubeWatch(), openStore()]
    await openWatching(fake, store)
    fake.apply({
      ...crashedPod('web-1', 1, { startedAt: secondsAgo(5_000), finishedAt: secondsAgo(4_000) }),
      ...ofReplicaSet('web-1'),
    })
    await until(async () => expect(await store.get('first-crashes:prod')).toContain('uid-of-web-1'))
    const ready = [{ type: 'Ready', status: 'True', lastTransitionTime: secondsAgo(3_000) }]
    fake.apply({
      ...appPod('web-2', { ready: true }),
      ...ofReplicaSet('web-2'),
      status: { phase: 'Running', conditions: ready },
    })
    const third = snapshotOf({ ...appPod('web-3', failing), ...ofReplicaSet('web-3') })
    await until(async () => expect(await withMemory(third, store)).toBe(third))
  })

  it('stays as it is where nothing is kept, and where the store is away', async () => {
    const store = openStore()
    const snapshot = snapshotOf(appPod('web', failing))
    expect(await withMemory(snapshot, store)).toBe(snapshot)
    store.isAway = true
    expect(await withMemory(snapshot, store)).toBe(snapshot)
  })

  it('has it through the clusters that questions are asked of', async () => {
    const [fake, store] = [await openKubeWatch(), openStore()]
    const { cluster } = await openWatching(fake, store)
    fake.apply(crashedPod('web', 3), current(logOf('the first')))
    await until(async () => expect(await keptOf(store, 'web')).not.toBeNull())
    fake.apply(appPod('web', { ...failing, state: running(), lastState: terminated(1) }))
    const remembering = rememberingClusters(toClusters([cluster]), store)
    const target = { cluster: 'prod', namespace: 'shop', kind: 'Pod', name: 'web' }
    const { remembered } = await remembering.of(target).read(target)
    expect(remembered).toMatchObject([{ container: 'app', exitCode: 3 }])
  })
})

describe('several processes', () => {
  it('watch a cluster once; where one ends, another goes on from there without a list', async () => {
    const [fake, store] = [await openKubeWatch(), openStore()]
    const first = await openWatching(fake, store)
    await until(() => expect(fake.open).toBe(1))
    const second = await openWatching(fake, store)
    fake.apply(crashedPod('web'), current(logOf('no')))
    await until(async () => expect(await keptOf(store, 'web')).not.toBeNull())
    expect(await second.metric('podwhy_watch_active')).toBeUndefined()
    expect(fake.watches).toBe(1)
    await first.watch.close()
    fake.apply(crashedPod('next'), current(logOf('no')))
    await until(async () => expect(await keptOf(store, 'next')).not.toBeNull())
    expect(await second.metric('podwhy_watch_active')).toBe('1')
    expect({ lists: fake.lists, watches: fake.watches, open: fake.open }).toEqual({ lists: 1, watches: 2, open: 1 })
  })

  it('watch on for one that was killed, once its lease has run out', async () => {
    const [fake, store] = [await openKubeWatch(), openStore()]
    const killed = { ...store, isKilled: false }
    const unlessKilled = async (write: () => Promise<boolean>) => {
      if (killed.isKilled) throw new Error('killed')
      return write()
    }
    await openWatching(fake, {
      ...killed,
      replace: (...change: Parameters<TestStore['replace']>) => unlessKilled(() => store.replace(...change)),
      claim: async (...claim: Parameters<TestStore['claim']>) => (killed.isKilled ? 'another' : store.claim(...claim)),
    })
    await until(() => expect(fake.open).toBe(1))
    const second = await openWatching(fake, store)
    killed.isKilled = true
    await until(async () => expect(await second.metric('podwhy_watch_active')).toBe('1'))
    await until(() => expect(fake.open).toBe(1))
    expect({ lists: fake.lists, watches: fake.watches }).toEqual({ lists: 1, watches: 2 })
  })

  it('stop watching when they can no longer be sure that nobody else does', async () => {
    const [fake, store] = [await openKubeWatch(), openStore()]
    await openWatching(fake, store)
    await until(() => expect(fake.open).toBe(1))
    store.isAway = true
    await until(() => expect(fake.open).toBe(0))
    store.isAway = false
    await until(() => expect(fake.open).toBe(1))
  })
})

it('the server is asked to leave out namespaces that are forbidden by name', async () => {
  const [fake, store] = [await openKubeWatch(), openStore()]
  await openWatching(fake, store, { namespaces: ['*', '!kube-system', '!team-*', '!pay'] })
  await until(() => expect(fake.open).toBe(1))
  const selectors = fake.kube.calls.map(({ query }) => query.get('fieldSelector'))
  expect(selectors).toEqual(Array(2).fill('metadata.namespace!=kube-system,metadata.namespace!=pay'))
})

it.each<[readonly string[], readonly string[] | null]>([
  [['*', '!kube-system'], null],
  [['!kube-system'], null],
  [['team-*'], null],
  [
    ['shop', 'pay'],
    ['shop', 'pay'],
  ],
  [['shop', 'pay', 'shop', '!pay'], ['shop']],
  [['shop', 'team-*'], null],
])('of the namespaces %j these are watched one by one: %j', (patterns, names) => {
  expect(watchedNamespaces(patterns)).toEqual(names)
})
