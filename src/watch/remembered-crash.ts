import type { SeenCrash } from '../cluster/read-crash.ts'
import type { JsonObject, RememberedCrash } from '../diagnosis/snapshot.ts'

const MAX_LOG = 16 * 1024
const MAX_MESSAGE = 4 * 1024
const MAX_EVENTS = 20
const MAX_EVENT_MESSAGE = 1024

/** What rules read of an event; the rest of it is bookkeeping. */
const EVENT_FIELDS = [
  'involvedObject',
  'reason',
  'message',
  'type',
  'count',
  'firstTimestamp',
  'lastTimestamp',
  'eventTime',
  'series',
  'source',
] as const

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shortEvent = (event: JsonObject): JsonObject => {
  const { metadata } = event
  const { message } = event
  return {
    metadata: isRecord(metadata) ? { name: metadata['name'], namespace: metadata['namespace'] } : {},
    ...Object.fromEntries(EVENT_FIELDS.flatMap(field => (event[field] == null ? [] : [[field, event[field]]]))),
    ...(typeof message === 'string' ? { message: message.slice(0, MAX_EVENT_MESSAGE) } : {}),
  }
}

const lastTime = ({ lastTimestamp, eventTime }: JsonObject): string => String(lastTimestamp ?? eventTime ?? '')

/** The newest whole lines that fit. */
const tailOf = (log: string): string => {
  if (log.length <= MAX_LOG) return log
  const tail = log.slice(-MAX_LOG)
  return tail.slice(tail.indexOf('\n') + 1)
}

/** The termination message of that very run, as the (redacted) pod has it. */
const messageOf = ({ end, snapshot }: SeenCrash): string | null => {
  const status = isRecord(snapshot.pod?.['status']) ? snapshot.pod['status'] : {}
  const statuses = [status['initContainerStatuses'], status['containerStatuses']].flatMap(list =>
    Array.isArray(list) ? list.filter(isRecord) : [],
  )
  const of = statuses.find(({ name }) => name === end.container)
  const ends = [of?.['state'], of?.['lastState']].map(state => (isRecord(state) ? state['terminated'] : undefined))
  const found = ends.filter(isRecord).find(({ finishedAt }) => finishedAt === end.finishedAt)
  const message = found?.['message']
  return typeof message === 'string' && message !== '' ? message.slice(-MAX_MESSAGE) : null
}

/** A crash in the form in which it is kept, bounded; what was seen is redacted already. */
export const toRemembered = (seen: SeenCrash): RememberedCrash => {
  const { end, snapshot } = seen
  const metadata = isRecord(snapshot.pod?.['metadata']) ? snapshot.pod['metadata'] : {}
  const log = snapshot.logs[end.container]?.current ?? null
  return {
    pod: snapshot.target,
    uid: String(metadata['uid'] ?? ''),
    container: end.container,
    restart: end.restart,
    startedAt: end.startedAt,
    finishedAt: end.finishedAt,
    exitCode: end.exitCode,
    reason: end.reason,
    message: messageOf(seen),
    log: log === null ? null : tailOf(log),
    events: snapshot.events
      .toSorted((a, b) => lastTime(a).localeCompare(lastTime(b)))
      .slice(-MAX_EVENTS)
      .map(shortEvent),
    watchedAt: snapshot.takenAt ?? '',
  }
}
