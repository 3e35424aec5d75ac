import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { incidentBook } from '../../src/incidents/incident-book.ts'
import { records } from '../../src/incidents/records.ts'
import { Storm } from '../../src/incidents/storm.ts'
import type { Backend } from '../../src/queue/backend.ts'
import { type Place, places } from '../queue/places.ts'
import { aCause, aSighting, minute } from './a-sighting.ts'

const now = () => Date.parse(minute(0))
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

for (const { engine, create, skip } of places) {
  describe.skipIf(skip)(`the incidents on the engine: ${engine}`, () => {
    let place: Place
    let backend: Backend
    let channels = 0
    let channelId: string
    beforeAll(async () => {
      place = await create()
      backend = await place.openBackend()
    })
    afterAll(async () => {
      await backend?.close()
      await place?.remove()
    })
    /** A process of its own, as far as the book goes; each test has a channel of its own. */
    const open = () => incidentBook(backend.store, now)
    const fresh = () => {
      channelId = `C${++channels}`
      return open()
    }

    it('lets one of fifty alerts that come at once open an incident; all others join it, and every pod counts', async () => {
      fresh()
      const seen = times(50, at => aSighting({ channelId, pod: `web-${at}` }))
      const results = await Promise.all(seen.map(each => open().join(each)))
      expect(results.map(({ outcome }) => outcome).sort()).toEqual([...times(49, () => 'joined'), 'opened'])
      const opened = results.find(({ outcome }) => outcome === 'opened')?.incident
      const incident = await open().get(opened?.key ?? '')
      expect(incident?.question).toBe(opened?.question)
      expect(Object.keys(incident?.pods ?? {})).toHaveLength(50)
      for (const { question } of seen) expect((await open().of(question))?.key).toBe(opened?.key)
    })

    it('gives each of several owners one incident when their alerts come mixed', async () => {
      fresh()
      const owners = ['api', 'web', 'jobs', 'mail']
      const seen = times(40, at =>
        aSighting({ channelId, pod: `p-${at}`, owner: { kind: 'Deployment', name: owners[at % 4] ?? '' } }),
      )
      const results = await Promise.all(seen.map(each => open().join(each)))
      expect(results.filter(({ outcome }) => outcome === 'opened')).toHaveLength(4)
      const keys = [...new Set(results.map(({ incident }) => incident.key))]
      const found = await Promise.all(keys.map(key => open().get(key)))
      expect(found.map(incident => Object.keys(incident?.pods ?? {}).length)).toEqual([10, 10, 10, 10])
    })

    it('loses no pod to a change that somebody makes at the same time', async () => {
      const book = fresh()
      const { incident } = await book.join(aSighting({ channelId }))
      await Promise.all([
        ...times(20, at => open().join(aSighting({ channelId, pod: `new-${at}` }))),
        ...times(20, () => open().update(incident.key, each => ({ ...each, relapses: each.relapses + 1 }))),
      ])
      const after = await book.get(incident.key)
      expect(after?.relapses).toBe(20)
      expect(Object.keys(after?.pods ?? {})).toHaveLength(21)
    })

    it('keeps an incident with as many pods as it may have', async () => {
      const book = fresh()
      const name = (at: number) => `${'long-name-'.repeat(24)}${at}`
      const { incident } = await book.join(aSighting({ channelId, pod: name(0) }))
      const pods = Object.fromEntries(times(500, at => [name(at), 'image.not-found api']))
      await book.update(incident.key, each => ({ ...each, pods }))
      await Promise.all(times(10, at => open().join(aSighting({ channelId, pod: name(at), cause: aCause(`c.${at}`) }))))
      const after = await book.get(incident.key)
      expect(Object.keys(after?.pods ?? {})).toHaveLength(500)
      expect(after?.causes).toHaveLength(11)
    })

    it('tells of five in a minute by themselves and of all others in one digest, however they come', async () => {
      const book = fresh()
      const opened = await Promise.all(
        times(12, at => open().join(aSighting({ channelId, owner: { kind: 'Deployment', name: `app-${at}` } }))),
      )
      const digests = await Promise.all(opened.map(({ incident }) => open().enterStorm(incident)))
      expect(digests.filter(each => each === null)).toHaveLength(5)
      const [id, ...more] = new Set(digests.filter(each => each !== null))
      expect(more).toEqual([])
      const again = await Promise.all(opened.map(({ incident }) => open().enterStorm(incident)))
      expect(again).toEqual(digests)
      const stored = await Promise.all(opened.map(({ incident }) => book.get(incident.key)))
      expect(stored.map(incident => incident?.digest)).toEqual(digests)
      const links = await Promise.all(times(20, () => open().takeLink(channelId, id ?? '')))
      expect(links.filter(Boolean)).toHaveLength(8)
    })

    it('lets one of many take over an incident that was never told of', async () => {
      const book = fresh()
      const { incident } = await book.join(aSighting({ channelId }))
      const by = (at: number) => ({ question: `q${at}`, threadTs: `${at}`, at: minute(5) })
      const taken = await Promise.all(times(10, at => open().takeOver(incident, by(at))))
      const [winner, ...others] = taken.filter(each => each !== null)
      expect(others).toEqual([])
      expect(await book.get(incident.key)).toEqual(winner)
      expect(winner?.openedAt).toBe(minute(5))
    })

    it('finds what goes on, the newest first, and not what has ended', async () => {
      const book = fresh()
      const join = async (name: string) =>
        (await book.join(aSighting({ channelId, owner: { kind: 'Deployment', name } }))).incident
      const [one, two, three] = [await join('one'), await join('two'), await join('three')]
      await book.update(two.key, each => ({ ...each, ended: { how: 'recovered', at: minute(1) } }))
      const open = (await book.open()).filter(incident => incident.channelId === channelId)
      expect(open.map(({ key }) => key)).toEqual([three.key, one.key])
    })

    it('finds the incident of an alert’s target, whether its cluster was named or not', async () => {
      const book = fresh()
      const { incident } = await book.join(aSighting({ channelId }))
      const target = { cluster: null, namespace: 'shop', kind: 'Pod', name: 'web-1' }
      await book.remember(channelId, target, incident)
      expect(await book.at(channelId, { ...target, cluster: 'test' }, 'other')).toEqual(incident)
      expect(await book.at(channelId, target, 'test')).toEqual(incident)
      expect(await book.at(channelId, { ...target, cluster: 'other' }, 'test')).toBeNull()
      expect(await book.at(`${channelId}x`, target, 'test')).toBeNull()
    })

    it('is silent until a mute is over, or taken back', async () => {
      const book = fresh()
      await book.mute(channelId, { userId: 'U1', until: minute(60) })
      expect(await book.muted(channelId)).toEqual({ userId: 'U1', until: minute(60) })
      expect(await incidentBook(backend.store, () => Date.parse(minute(60))).muted(channelId)).toBeNull()
      await book.unmute(channelId)
      expect(await book.muted(channelId)).toBeNull()
    })

    it('takes a record that cannot be read any more for none, and writes over it', async () => {
      const storms = records(backend.store, { prefix: 'storm:', shape: Storm, ttlMs: 60_000 })
      for (const text of ['{"opened":1}', 'not JSON']) {
        await backend.store.put('storm:old', text, 60_000)
        expect(await storms.get('old')).toBeNull()
        const storm = { opened: [], digests: [], linked: [] }
        expect(await storms.change('old', before => (before === null ? storm : null))).toEqual(storm)
        expect(await storms.get('old')).toEqual(storm)
      }
    })
  })
}
