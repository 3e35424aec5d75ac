import { describe, expect, it } from 'vitest'
import { causeKey, type Incident, podsWith } from '../../src/incidents/incident.ts'
import { fold, incidentKey, type Sighting, wasFine, withFreshLook } from '../../src/incidents/sighting.ts'
import { aCause, aSighting, minute } from './a-sighting.ts'

const HOUR = 60

/** The incident after sightings one after the other. */
const folded = (...seen: readonly Sighting[]): Incident => {
  const last = seen.reduce<Incident | null>((before, each) => fold(before, each).incident, null)
  if (last === null) throw new Error('nothing was seen')
  return last
}
const ended = (incident: Incident, how: 'recovered' | 'gone' | 'unwatched', at: string): Incident => ({
  ...incident,
  ended: { how, at },
})

describe('the incident of a sighting', () => {
  it('is one for each cluster, namespace, owner and channel', () => {
    const keys = [
      aSighting(),
      aSighting({ cluster: 'other' }),
      aSighting({ namespace: 'team-a' }),
      aSighting({ owner: { kind: 'StatefulSet', name: 'web' } }),
      aSighting({ owner: { kind: 'Deployment', name: 'api' } }),
      aSighting({ channelId: 'C2' }),
    ].map(incidentKey)
    expect(new Set(keys).size).toBe(keys.length)
    expect(incidentKey(aSighting({ pod: 'web-9', cause: aCause('oom.limit'), at: minute(90) }))).toBe(keys[0])
  })

  it('is a pod’s own where nobody owns it', () => {
    const bare = (name: string) =>
      aSighting({ owner: null, target: { cluster: 'test', namespace: 'shop', kind: 'Pod', name }, pod: name })
    expect(incidentKey(bare('one'))).not.toBe(incidentKey(bare('two')))
  })

  it('is never shared by what somebody asked', () => {
    const [alert, one, two] = [aSighting(), aSighting({ isAsked: true }), aSighting({ isAsked: true })]
    expect(new Set([alert, one, two].map(incidentKey)).size).toBe(3)
  })
})

describe('folding', () => {
  it('opens an incident with the first sighting', () => {
    const seen = aSighting()
    const { incident, outcome } = fold(null, seen)
    expect(outcome).toBe('opened')
    expect(incident).toMatchObject({
      question: seen.question,
      openedAt: minute(0),
      watchedFrom: minute(0),
      pods: { 'web-1': 'image.not-found api' },
      causes: [{ id: 'image.not-found', firstAt: minute(0) }],
      ended: null,
      relapses: 0,
    })
  })

  it('counts one pod more, and keeps the question that opened it', () => {
    const first = aSighting()
    const { incident, outcome } = fold(folded(first), aSighting({ pod: 'web-2', at: minute(1) }))
    expect(outcome).toBe('joined')
    expect(incident).toMatchObject({ question: first.question, openedAt: minute(0), seenAt: minute(1) })
    expect(Object.keys(incident.pods)).toEqual(['web-1', 'web-2'])
  })

  it('adds another cause once, however many pods have it', () => {
    const memory = (pod: string) => aSighting({ pod, cause: aCause('oom.limit') })
    const incident = folded(aSighting(), memory('web-2'), memory('web-3'), memory('web-2'))
    expect(incident.causes.map(({ id }) => id)).toEqual(['image.not-found', 'oom.limit'])
    expect(incident.causes.map(cause => podsWith(incident, cause))).toEqual([['web-1'], ['web-2', 'web-3']])
  })

  it('tells the same cause in two containers apart', () => {
    expect(folded(aSighting(), aSighting({ cause: aCause('image.not-found', 'sidecar') })).causes).toHaveLength(2)
  })

  it('counts a pod under its newest cause alone', () => {
    const incident = folded(aSighting(), aSighting({ cause: aCause('oom.limit') }))
    expect(incident.pods).toEqual({ 'web-1': 'oom.limit api' })
  })

  it.each([
    ['that opened', 0],
    ['that joined', 1],
  ])('changes nothing when the question %s runs again', (_, which) => {
    const seen = [aSighting(), aSighting({ pod: 'web-2', cause: aCause('oom.limit'), at: minute(1) })] as const
    const incident = folded(...seen)
    const again = fold(incident, seen[which] ?? seen[0])
    expect(again.incident).toEqual(incident)
    expect(again.outcome).toBe(which === 0 ? 'opened' : 'joined')
  })

  it('leaves an incident ended when the question that opened it runs again', () => {
    const seen = aSighting()
    const over = ended(folded(seen), 'recovered', minute(20))
    expect(fold(over, { ...seen, cause: aCause('healthy', null), at: minute(21) })).toEqual({
      incident: over,
      outcome: 'opened',
    })
  })

  it('goes on within an hour after a recovery, and is watched from the relapse on', () => {
    const over = ended(folded(aSighting()), 'recovered', minute(20))
    const { incident, outcome } = fold(over, aSighting({ at: minute(80) }))
    expect(outcome).toBe('relapsed')
    expect(incident).toMatchObject({ question: over.question, ended: null, relapses: 1, watchedFrom: minute(80) })
    const twice = fold(ended(incident, 'recovered', minute(100)), aSighting({ at: minute(110) }))
    expect(twice.incident.relapses).toBe(2)
  })

  it.each<[string, Partial<Incident>, number]>([
    ['an hour after its recovery', { ended: { how: 'recovered', at: minute(20) } }, 81],
    ['a day after it was last heard of', { ended: { how: 'unwatched', at: minute(6 * HOUR) } }, 24 * HOUR + 1],
    ['a day after it was last heard of, though nobody ended it', {}, 24 * HOUR + 1],
    ['as soon as its owner was deleted', { ended: { how: 'gone', at: minute(20) } }, 21],
    ['six days after it began, when the place of its answer will be forgotten', { seenAt: minute(8_640) }, 8_641],
  ])('opens a new one %s', (_, fields, at) => {
    const seen = aSighting({ at: minute(at), pod: 'web-7' })
    const { incident, outcome } = fold({ ...folded(aSighting()), ...fields }, seen)
    expect(outcome).toBe('opened')
    expect(incident).toMatchObject({ question: seen.question, openedAt: minute(at), relapses: 0, ended: null })
    expect(Object.keys(incident.pods)).toEqual(['web-7'])
  })

  it('watches again what nobody looked at any more, without calling it a relapse', () => {
    const over = ended(folded(aSighting()), 'unwatched', minute(6 * HOUR))
    const { incident, outcome } = fold(over, aSighting({ at: minute(7 * HOUR) }))
    expect(outcome).toBe('joined')
    expect(incident).toMatchObject({ ended: null, relapses: 0, watchedFrom: minute(7 * HOUR) })
  })

  it('keeps a healthy verdict as one that nothing has to become of', () => {
    const incident = folded(aSighting({ cause: aCause('healthy', null) }))
    expect(incident.ended).toEqual({ how: 'unwatched', at: minute(0) })
    expect(wasFine(incident)).toBe(true)
  })

  it('opens a new one when something fails that was healthy, and joins what is healthy again', () => {
    const healthy = folded(aSighting({ cause: aCause('healthy', null) }))
    expect(fold(healthy, aSighting({ at: minute(1) })).outcome).toBe('opened')
    expect(fold(healthy, aSighting({ cause: aCause('completed', null), at: minute(1) }))).toEqual({
      incident: healthy,
      outcome: 'joined',
    })
  })

  it('lets a healthy pod neither end an incident nor bring it back', () => {
    const failing = folded(aSighting())
    const over = ended(failing, 'recovered', minute(20))
    for (const incident of [failing, over]) {
      const seen = aSighting({ pod: 'web-2', cause: aCause('healthy', null), at: minute(21) })
      expect(fold(incident, seen)).toEqual({ incident, outcome: 'joined' })
    }
  })

  it('is not heard of earlier by a sighting that comes late', () => {
    expect(folded(aSighting({ at: minute(5) }), aSighting({ at: minute(1) })).seenAt).toBe(minute(5))
  })

  it('stays bounded with 2,000 pods and 50 causes', () => {
    const many = Array.from({ length: 2_000 }, (_, at) =>
      aSighting({ pod: `web-${at}-${'x'.repeat(200)}`, cause: aCause(`cause.${at % 50}`) }),
    )
    const incident = folded(...many)
    expect(Object.keys(incident.pods)).toHaveLength(500)
    expect(incident.causes).toHaveLength(12)
    expect(JSON.stringify(incident).length).toBeLessThan(200_000)
  })
})

describe('a fresh look', () => {
  const two = folded(aSighting(), aSighting({ pod: 'web-2', cause: aCause('oom.limit') }))
  const look = { cause: aCause('oom.limit'), pod: 'web-2', failing: ['web-2'], before: two, at: minute(5) }

  it('lets the cause it has seen lead, with the time it was first seen', () => {
    const incident = withFreshLook(two, look)
    expect(incident?.causes.map(causeKey)).toEqual(['oom.limit api', 'image.not-found api'])
    expect(incident?.causes[0]?.firstAt).toBe(minute(0))
    expect(incident).toMatchObject({ pod: 'web-2', seenAt: minute(5) })
  })

  it('counts pods that fail no more no longer', () => {
    expect(Object.keys(withFreshLook(two, look)?.pods ?? {})).toEqual(['web-2'])
  })

  it('keeps a pod that an alert has named while it looked', () => {
    const meanwhile = fold(two, aSighting({ pod: 'web-3' })).incident
    expect(Object.keys(withFreshLook(meanwhile, look)?.pods ?? {}).sort()).toEqual(['web-2', 'web-3'])
  })

  it('changes nothing where the incident has ended meanwhile, or another one began', () => {
    expect(withFreshLook(ended(two, 'recovered', minute(4)), look)).toBeNull()
    expect(withFreshLook({ ...two, question: 'f'.repeat(32) }, look)).toBeNull()
  })
})

it('stays one that the same question opened, though it runs again after more than a day', () => {
  const seen = aSighting()
  const over = ended(folded(seen), 'gone', minute(1))
  expect(fold(over, { ...seen, at: minute(25 * HOUR) }).incident).toMatchObject({
    openedAt: minute(0),
    ended: over.ended,
  })
})
