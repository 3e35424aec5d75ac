import type { JsonObject, PodSnapshot, RelatedList } from '../../src/diagnosis/snapshot.ts'

/** Times in a case, so that the newest can stand for the moment it was read. */
const TIME = /"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)"/g

const newest = (text: string): string | null =>
  [...text.matchAll(TIME)]
    .map(([, time]) => time ?? '')
    .sort()
    .at(-1) ?? null

const isObjectList = (value: unknown): value is JsonObject[] =>
  Array.isArray(value) && value.every(item => typeof item === 'object' && item !== null && 'metadata' in item)

/**
 * A rebuilt case as a snapshot. What is not an API object in its `related` is background for the reader, never evidence;
 * its lists are no whole lists of the namespace.
 */
export const caseSnapshot = (body: Record<string, unknown>): PodSnapshot => {
  const pod = body['pod'] as JsonObject | null
  const events = (body['events'] ?? []) as JsonObject[]
  const metadata = (pod?.['metadata'] ?? {}) as Record<string, string>
  const first = (events[0]?.['involvedObject'] ?? {}) as Record<string, string>
  const related: Partial<Record<RelatedList, JsonObject[]>> = {}
  for (const [list, items] of Object.entries((body['related'] ?? {}) as Record<string, unknown>)) {
    if (isObjectList(items) && items.length > 0) related[list as RelatedList] = items
  }
  const ownEvents = pod ? events : []
  if (!pod) related.events = events
  return {
    kind: 'PodSnapshot',
    takenAt: (body['takenAt'] as string | undefined) ?? newest(JSON.stringify({ pod, events, logs: body['logs'] })),
    server: (body['server'] as PodSnapshot['server']) ?? { major: '1', minor: '34', gitVersion: 'v1.34.0' },
    namespace: metadata['namespace'] ?? first['namespace'] ?? 'default',
    target: metadata['name'] ?? `${first['kind']}/${first['name']}`,
    pod,
    events: ownEvents,
    logs: (body['logs'] ?? {}) as PodSnapshot['logs'],
    related,
    partial: Object.fromEntries(Object.keys(related).map(list => [list, 'only those of the case'])),
    unread: [],
  }
}
