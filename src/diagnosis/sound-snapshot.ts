import { epochMs } from './rfc3339.ts'
import type { InstanceTexts, JsonObject, PodSnapshot, RelatedList, RememberedCrash, Unread } from './snapshot.ts'

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const records = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise)

const instanceTexts = (value: unknown): Record<string, InstanceTexts> => {
  if (!isRecord(value)) return {}
  const entries = Object.entries(value).flatMap(([container, texts]) =>
    isRecord(texts)
      ? [[container, { current: textOr(texts['current'], null), previous: textOr(texts['previous'], null) }] as const]
      : [],
  )
  return Object.fromEntries(entries)
}

const related = (value: unknown): Partial<Record<RelatedList, readonly JsonObject[]>> =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([list, items]) => (Array.isArray(items) ? [[list, records(items)]] : [])),
      )
    : {}

const unread = (value: unknown): readonly Unread[] =>
  records(value).map(({ what, why }) => ({ what: textOr(what, 'something'), why: textOr(why, 'unknown') }))

/** Without its container, its exit code and its end it explains nothing. */
const crash = (value: JsonObject): RememberedCrash[] => {
  const { container, exitCode, finishedAt, restart } = value
  if (typeof container !== 'string' || typeof exitCode !== 'number' || typeof finishedAt !== 'string') return []
  if (epochMs(finishedAt) === null) return []
  return [
    {
      pod: textOr(value['pod'], ''),
      uid: textOr(value['uid'], ''),
      container,
      restart: typeof restart === 'number' ? restart : 0,
      startedAt: textOr(value['startedAt'], null),
      finishedAt,
      exitCode,
      reason: textOr(value['reason'], ''),
      message: textOr(value['message'], null),
      log: textOr(value['log'], null),
      events: records(value['events']),
      watchedAt: textOr(value['watchedAt'], ''),
    },
  ]
}

/**
 * A snapshot of which every field of its own has its type: files are written by anybody. What the API server sent is
 * read by the shapes of kubernetes.ts and stays as it is.
 */
export const soundSnapshot = (raw: PodSnapshot): PodSnapshot => {
  const pod = isRecord(raw.pod) ? raw.pod : null
  const metadata = isRecord(pod?.['metadata']) ? pod['metadata'] : {}
  return {
    kind: 'PodSnapshot',
    takenAt: epochMs(textOr(raw.takenAt, null)) === null ? null : raw.takenAt,
    server: isRecord(raw.server) ? raw.server : null,
    cluster: textOr(raw.cluster, null),
    namespace: textOr(raw.namespace, textOr(metadata['namespace'], 'default')),
    target: textOr(raw.target, textOr(metadata['name'], 'unknown')),
    pod,
    events: records(raw.events),
    logs: instanceTexts(raw.logs),
    logErrors: instanceTexts(raw.logErrors),
    related: related(raw.related),
    partial: isRecord(raw.partial) ? (raw.partial as Record<RelatedList, string>) : {},
    absent: Array.isArray(raw.absent) ? raw.absent.filter(name => typeof name === 'string') : [],
    unread: unread(raw.unread),
    ...(Array.isArray(raw.remembered) ? { remembered: records(raw.remembered).flatMap(crash) } : {}),
  }
}
