import { describe, expect, it, vi } from 'vitest'
import { appPod, crashedPod, logOf, running, secondsAgo, terminated } from './crashing-pods.ts'
import { testPod } from './open-test-cluster.ts'
import { openKubeWatch, openWatch, positions } from './watch-harness.ts'

const current = (text: string) => ({ logs: { app: { current: text, previous: null } } })
const crashes = (seen: Awaited<ReturnType<typeof openWatch>>['seen']) => seen.map(({ snapshot }) => snapshot.target)
const until = (check: () => void) => vi.waitFor(check, { timeout: 5_000, interval: 5 })

describe('a first crash', () => {
  it('is read when it happens: the log of that run, the events, the pod', async () => {
    const fake = await openKubeWatch()
    const { seen } = await openWatch(fake)
    await until(() => expect(fake.open).toBe(1))
    const event = {
      involvedObject: { kind: 'Pod', name: 'web', uid: 'uid-of-web' },
      reason: 'BackOff',
      metadata: { name: 'e', namespace: 'shop' },
    }
    fake.apply(crashedPod('web', 3), { ...current(logOf('starting', 'no such table')), events: [event] })
    await until(() => expect(seen).toHaveLength(1))
    expect(seen[0]?.end).toMatchObject({ container: 'app', restart: 0, exitCode: 3 })
    expect(seen[0]?.snapshot).toMatchObject({
      cluster: 'test',
      namespace: 'shop',
      target: 'web',
      pod: { metadata: { uid: 'uid-of-web' } },
      events: [{ reason: 'BackOff' }],
      logs: { app: { current: logOf('starting', 'no such table'), previous: null } },
    })
  })

  it('is read once, however often its pod changes', async () => {
    const fake = await openKubeWatch()
    const { seen, counts } = await openWatch(fake)
    const pod = crashedPod('web')
    for (let change = 0; change < 5; change++) fake.apply(pod, current(logOf('no')))
    fake.apply(crashedPod('other'), current(logOf('no')))
    await until(() => expect(seen).toHaveLength(2))
    expect(crashes(seen).toSorted()).toEqual(['other', 'web'])
    expect(counts['events-list']).toBe(2)
  })

  it('has the log of the previous instance where the next one runs already', async () => {
    const fake = await openKubeWatch()
    const { seen } = await openWatch(fake)
    const logs = { app: { current: logOf('the second run'), previous: logOf('the first run') } }
    fake.apply(appPod('web', { lastState: terminated(1), state: running(), restartCount: 1 }), { logs })
    await until(() => expect(seen).toHaveLength(1))
    expect(seen[0]?.snapshot.logs['app']?.current).toBe(logOf('the first run'))
  })

  it('has the right log also where the next run began between seeing and reading', async () => {
    const fake = await openKubeWatch()
    const { seen } = await openWatch(fake)
    const short = { startedAt: secondsAgo(2), finishedAt: secondsAgo(2) }
    const logs = { app: { current: logOf('the second run'), previous: logOf('the first run') } }
    fake.apply(crashedPod('web', 1, short), { logs })
    await until(() => expect(seen).toHaveLength(1))
    expect(seen[0]?.snapshot.logs['app']?.current).toBe(logOf('the first run'))
  })

  it('has no log rather than that of another run', async () => {
    const fake = await openKubeWatch()
    const { seen } = await openWatch(fake)
    const times = { startedAt: secondsAgo(60), finishedAt: secondsAgo(50) }
    const logs = { app: { current: logOf('the third run'), previous: logOf('the second run') } }
    fake.apply(crashedPod('web', 1, times), { logs })
    await until(() => expect(seen).toHaveLength(1))
    expect(seen[0]?.snapshot.logs['app']?.current).toBeNull()
  })

  it('is found in the first list as well, page by page, where it is one right now', async () => {
    const fake = await openKubeWatch()
    for (let index = 0; index < 501; index++) fake.apply(testPod(`idle-${index}`, { status: {} }))
    fake.apply(crashedPod('web'), current(logOf('no')))
    fake.apply(appPod('old', { state: terminated(1), lastState: terminated(1), restartCount: 9 }))
    const { seen } = await openWatch(fake)
    await until(() => expect(fake.open).toBe(1))
    await until(() => expect(crashes(seen)).toEqual(['web']))
    expect(fake.lists).toBe(2)
  })

  it('is none in a namespace that may not be asked about', async () => {
    const fake = await openKubeWatch()
    const { seen } = await openWatch(fake, { isWanted: namespace => namespace !== 'secret' })
    fake.apply(crashedPod('shown'), current(logOf('no')))
    fake.apply({ ...crashedPod('other'), metadata: { name: 'other', namespace: 'secret', uid: 'u' } })
    fake.apply(crashedPod('last'), current(logOf('no')))
    await until(() => expect(seen).toHaveLength(2))
    expect(crashes(seen).toSorted()).toEqual(['last', 'shown'])
  })

  it('is left out, and counted, where more happen at once than can be read', async () => {
    const fake = await openKubeWatch()
    const { counts } = await openWatch(fake, { readsPerSecond: 1 })
    await until(() => expect(fake.open).toBe(1))
    for (let index = 0; index < 130; index++) fake.apply(crashedPod(`web-${index}`), current(logOf('no')))
    await until(() => expect(counts['events']).toBe(130))
    expect(counts['too-many']).toBeGreaterThanOrEqual(28)
    expect(counts['too-many']).toBeLessThanOrEqual(30)
  })
})

describe('named namespaces', () => {
  it('are watched one by one, and nothing else is', async () => {
    const fake = await openKubeWatch()
    const { seen } = await openWatch(fake, { namespaces: ['shop', 'pay'] })
    await until(() => expect(fake.open).toBe(2))
    fake.apply({ ...crashedPod('elsewhere'), metadata: { name: 'elsewhere', namespace: 'other', uid: 'u' } })
    fake.apply(crashedPod('web'), current(logOf('no')))
    await until(() => expect(crashes(seen)).toEqual(['web']))
    expect(new Set(fake.kube.calls.map(({ path }) => path).filter(path => path.endsWith('/pods')))).toEqual(
      new Set(['/api/v1/namespaces/shop/pods', '/api/v1/namespaces/pay/pods']),
    )
  })
})

describe('a watch that ends', () => {
  it('goes on where it was cut, without a new list, and nothing in between is missed', async () => {
    const fake = await openKubeWatch()
    const { seen, said } = await openWatch(fake)
    fake.apply(crashedPod('first'), current(logOf('no')))
    await until(() => expect(crashes(seen)).toEqual(['first']))
    fake.cut()
    await until(() => expect(fake.open).toBe(0))
    fake.apply(crashedPod('second'), current(logOf('no')))
    await until(() => expect(crashes(seen)).toEqual(['first', 'second']))
    expect({ lists: fake.lists, watches: fake.watches }).toEqual({ lists: 1, watches: 2 })
    expect(said).toEqual([])
  })

  it('goes on from a bookmark', async () => {
    const fake = await openKubeWatch()
    const { values, of } = positions()
    await openWatch(fake, { position: of })
    await until(() => expect(fake.open).toBe(1))
    for (let times = 0; times < 3; times++) fake.bookmark()
    await until(() => expect(values.get('*')).toBe('103'))
    fake.forget()
    fake.cut()
    await until(() => expect(fake.from).toEqual(['100', '103']))
    expect(fake.lists).toBe(1)
  })

  it.each(['event', 'status'] as const)(
    'lists anew where the server has forgotten its place (410 as %s)',
    async how => {
      const fake = await openKubeWatch()
      const { seen } = await openWatch(fake)
      await until(() => expect(fake.open).toBe(1))
      fake.cut()
      await until(() => expect(fake.open).toBe(0))
      fake.apply(crashedPod('missed'), current(logOf('no')))
      fake.forget(how)
      await until(() => expect(crashes(seen)).toEqual(['missed']))
      await until(() => expect(fake.open).toBe(1))
      expect(fake.lists).toBe(2)
    },
  )

  it('goes on after a restart of podwhy, without a list', async () => {
    const fake = await openKubeWatch()
    const { values, of } = positions()
    const before = await openWatch(fake, { position: of })
    fake.apply(crashedPod('first'), current(logOf('no')))
    await until(() => expect(crashes(before.seen)).toEqual(['first']))
    await until(() => expect(values.get('*')).toBe('101'))
    await before.stop()
    fake.apply(crashedPod('between'), current(logOf('no')))
    const after = await openWatch(fake, { position: of })
    await until(() => expect(crashes(after.seen)).toEqual(['between']))
    expect(fake.lists).toBe(1)
  })

  it('does not list again and again where the server forgets at once', async () => {
    const fake = await openKubeWatch()
    fake.isForgetful = true
    const { said } = await openWatch(fake, {
      patience: { firstMs: 50, longestMs: 60_000, forbiddenMs: 50, streamMs: 60_000, saveMs: 0 },
    })
    await until(() => expect(said.join()).toMatch(/cannot be watched: too old/))
    expect(fake.lists).toBeLessThanOrEqual(3)
  })
})

describe('a server that', () => {
  it('refuses is asked again later, and that is said once', async () => {
    const fake = await openKubeWatch()
    fake.isAllowed = false
    const { seen, said } = await openWatch(fake)
    await until(() => expect(fake.kube.calls.length).toBeGreaterThan(3))
    expect(said).toEqual([
      expect.stringMatching(/^warn podwhy may not watch pods of cluster "test" .* first crashes are not remembered/),
    ])
    fake.isAllowed = true
    fake.apply(crashedPod('web'), current(logOf('no')))
    await until(() => expect(crashes(seen)).toEqual(['web']))
    expect(said[1]).toMatch(/^info pods of cluster "test" .* can be watched again$/)
  })

  it.each(['end', 410] as const)('ends each watch after one event (%s) is not asked without a pause', async short => {
    const fake = await openKubeWatch()
    fake.short = short
    const startedAt = performance.now()
    const firstMs = 100
    const { counts } = await openWatch(fake, {
      patience: { firstMs, longestMs: firstMs, forbiddenMs: 50, streamMs: 60_000, saveMs: 0 },
    })
    await until(() => expect(counts['watch']).toBeGreaterThan(3))
    const spans = Math.ceil((performance.now() - startedAt) / firstMs)
    expect(counts['watch']).toBeLessThanOrEqual(spans + 1)
    expect(counts['list']).toBeLessThanOrEqual(spans + 1)
  })

  it('is away is asked again, more and more rarely, and that is said once', async () => {
    const fake = await openKubeWatch()
    const { said, counts } = await openWatch(fake)
    await until(() => expect(fake.open).toBe(1))
    await fake.kube.close()
    await until(() => expect(counts['watch']).toBeGreaterThan(5))
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(/^warn pods of cluster "test" .* cannot be watched/)
  })
})

it('what it costs is counted', async () => {
  const fake = await openKubeWatch()
  const { seen, counts } = await openWatch(fake)
  await until(() => expect(fake.open).toBe(1))
  fake.apply(crashedPod('web'), current(logOf('no')))
  await until(() => expect(seen).toHaveLength(1))
  expect(counts).toMatchObject({ list: 1, watch: 1, events: 1, log: 2, 'events-list': 1 })
  expect(counts['bytes']).toBeGreaterThan(500)
})

it('a pod that has long been well is told', async () => {
  const fake = await openKubeWatch()
  const steady: string[] = []
  await openWatch(fake, {
    onSteady: (pod, since) => void steady.push(`${(pod['metadata'] as { name: string }).name} ${since}`),
  })
  const ready = (name: string, since: string) =>
    testPod(name, { status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: since }] } })
  const since = secondsAgo(700)
  fake.apply(ready('young', secondsAgo(30)))
  fake.apply(ready('web', since))
  await until(() => expect(steady).toEqual([`web ${since}`]))
})
