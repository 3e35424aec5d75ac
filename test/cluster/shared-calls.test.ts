import { describe, expect, it } from 'vitest'
import { StatusError } from '../../src/cluster/api.ts'
import type { Calls, Query } from '../../src/cluster/calls.ts'
import { maxItems } from '../../src/cluster/calls.ts'
import { aboutObject } from '../../src/cluster/reader.ts'
import { resourceOfList } from '../../src/cluster/resources.ts'
import { shareCalls } from '../../src/cluster/shared-calls.ts'
import type { JsonObject } from '../../src/diagnosis/snapshot.ts'

const labelled = (name: string, labels: Record<string, string>): JsonObject => ({ metadata: { name, labels } })
const pods = [labelled('a', { app: 'web', tier: 'front' }), labelled('b', { app: 'api' }), labelled('c', {})]
const eventOf = (kind: string, name: string): JsonObject => ({
  metadata: { name: `${name}.1` },
  involvedObject: { kind, name },
})

/** Calls on these lists; what was called is written down. */
const server = (lists: Readonly<Record<string, readonly JsonObject[]>>, { denied = '' } = {}) => {
  const calls: string[] = []
  const at = '2026-05-04T12:00:00Z'
  const own: Calls = {
    async get({ plural }, namespace, name) {
      calls.push(`get ${plural} ${namespace}/${name}`)
      const body = lists[plural]?.find(item => (item['metadata'] as JsonObject)['name'] === name)
      if (!body) throw new StatusError(404, `${plural} "${name}" not found`)
      return { body, at }
    },
    async list({ plural }, namespace, query) {
      calls.push(`list ${plural} ${namespace} ${new URLSearchParams(query)}`.trim())
      if (plural === denied) throw new StatusError(403, 'forbidden')
      const from = Number(query['continue'] ?? 0)
      const all = lists[plural] ?? []
      const next = from + maxItems < all.length ? String(from + maxItems) : ''
      return { items: all.slice(from, from + maxItems), truncated: next !== '', next, at }
    },
    log: async () => draft => draft.addLog('app', 'current', 'read', 0),
  }
  return { calls, shared: shareCalls(own, 'shop', 2) }
}
const names = (items: readonly JsonObject[]) => items.map(item => (item['metadata'] as JsonObject)['name'])

describe('of a list that was read once, a selector takes what the server would', () => {
  it.each([
    [{}, ['a', 'b', 'c']],
    [{ labelSelector: 'app=web' }, ['a']],
    [{ labelSelector: 'app' }, ['a', 'b']],
    [{ labelSelector: '!app' }, ['c']],
    [{ labelSelector: 'app in (web,api),tier=front' }, ['a']],
    [{ labelSelector: 'app notin (web)' }, ['b', 'c']],
    [{ labelSelector: 'app=' }, []],
  ] as [Query, string[]][])('%j', async (query, expected) => {
    const { calls, shared } = server({ pods })
    await shared.list(resourceOfList('pods'), 'shop', {})
    const { items, truncated } = await shared.list(resourceOfList('pods'), 'shop', query)
    expect(names(items)).toEqual(expected)
    expect(truncated).toBe(false)
    expect(calls).toEqual(['list pods shop'])
  })

  it('events of one object', async () => {
    const { shared } = server({ events: [eventOf('Pod', 'a'), eventOf('Job', 'a'), eventOf('Pod', 'b')] })
    const { items } = await shared.list(resourceOfList('events'), 'shop', aboutObject('Pod', 'a'))
    expect(items).toEqual([eventOf('Pod', 'a')])
  })

  it('500 at a time', async () => {
    const many = Array.from({ length: 700 }, (_, index) => labelled(`p${index}`, {}))
    const { shared } = server({ pods: many })
    const first = await shared.list(resourceOfList('pods'), 'shop', {})
    const second = await shared.list(resourceOfList('pods'), 'shop', { continue: first.next })
    expect([first.items.length, first.truncated, second.items.length, second.truncated]).toEqual([
      500,
      true,
      200,
      false,
    ])
  })
})

describe('an object', () => {
  it('comes from its list, and is missing where it is not in it', async () => {
    const { calls, shared } = server({ jobs: [labelled('migrate', {})] })
    const jobs = resourceOfList('jobs')
    expect((await shared.get(jobs, 'shop', 'migrate')).body).toEqual(labelled('migrate', {}))
    await expect(shared.get(jobs, 'shop', 'other')).rejects.toMatchObject({ status: 404 })
    expect(calls).toEqual(['list jobs shop'])
  })

  it('is asked for by itself where its list may not be read, lies elsewhere, or is one of few', async () => {
    const { calls, shared } = server(
      { jobs: [labelled('migrate', {})], configmaps: [labelled('conf', {})] },
      { denied: 'jobs' },
    )
    for (let times = 0; times < 2; times++) {
      await shared.get(resourceOfList('jobs'), 'shop', 'migrate')
      await shared.get(resourceOfList('jobs'), 'other', 'migrate')
      await shared.get(resourceOfList('configMaps'), 'shop', 'conf')
    }
    expect(calls).toEqual([
      'list jobs shop',
      'get jobs shop/migrate',
      'get jobs other/migrate',
      'get configmaps shop/conf',
    ])
  })

  it('beyond a list that was cut is asked for by itself, and so are its events', async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => labelled(`p${index}`, {}))
    const { calls, shared } = server({ pods: many, events: many })
    expect(names([(await shared.get(resourceOfList('pods'), 'shop', 'p10000')).body])).toEqual(['p10000'])
    await shared.list(resourceOfList('events'), 'shop', aboutObject('Pod', 'p1'))
    expect(calls.filter(call => call.startsWith('get'))).toEqual(['get pods shop/p10000'])
    expect(calls.at(-1)).toContain('involvedObject.name%3Dp1')
    await expect(shared.whole(resourceOfList('pods'))).resolves.toMatchObject({ truncated: true })
  })
})

it('logs are read of so many pods and no more; of those, all that are asked for', async () => {
  const { shared } = server({})
  const read = async (pod: string) => {
    const said: string[] = []
    const draft = {
      ...{ setEvents: () => {}, addRelated: () => {}, addAbsent: () => {}, snapshot: () => ({}) as never },
      addLog: () => said.push('read'),
      addLogError: (_container: string, _instance: string, why: string) => said.push(why),
      addUnread: (what: string) => said.push(what),
    }
    ;(await shared.log('shop', pod, { container: 'app', instance: 'current' }))(draft)
    return said
  }
  const said = []
  for (const pod of ['a', 'b', 'c', 'a']) said.push(...(await read(pod)))
  expect(said).toEqual(['read', 'read', 'not read: those of 2 other pods were', 'log of container "app"', 'read'])
})
