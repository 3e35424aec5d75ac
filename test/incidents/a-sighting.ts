import type { Sighting } from '../../src/incidents/sighting.ts'

const START_MS = Date.parse('2026-05-04T12:00:00Z')

/** So many minutes after the first sighting, as RFC 3339. */
export const minute = (minutes: number): string => new Date(START_MS + minutes * 60_000).toISOString()

/** A cause of the catalogue, in a container. */
export const aCause = (id: string, container: string | null = 'api'): Sighting['cause'] => ({
  id,
  container,
  summary: `Container \`${container ?? 'none'}\` has ${id}`,
  facts: [],
})

let questions = 0

/** A sighting of Deployment web by a question of its own; pod web-1, an image that does not exist. */
export const aSighting = (fields: Partial<Sighting> = {}): Sighting => ({
  isAsked: false,
  question: (++questions).toString(16).padStart(32, '0'),
  cluster: 'test',
  namespace: 'shop',
  owner: { kind: 'Deployment', name: 'web' },
  target: { cluster: 'test', namespace: 'shop', kind: 'Deployment', name: 'web' },
  channelId: 'C1',
  threadTs: null,
  pod: 'web-1',
  named: [],
  cause: aCause('image.not-found'),
  at: minute(0),
  ...fields,
})
