import { event } from './kubernetes.ts'
import type { JsonObject } from './snapshot.ts'

/** One event, whichever API wrote it: core/v1 counts, events.k8s.io/v1 series (the scheduler's). */
export interface PodEvent {
  readonly reason: string
  readonly message: string
  readonly isWarning: boolean
  readonly count: number
  /** First and newest time it was seen, RFC 3339; null where the event carries none. */
  readonly firstAt: string | null
  readonly lastAt: string | null
  /** The container's name from `involvedObject.fieldPath` (since 1.35 the texts no longer carry it). */
  readonly container: string | null
  readonly kind: string
  readonly name: string
  readonly uid: string | null
  /** Its own name, which stands in evidence. */
  readonly id: string
}

const containerIn = (fieldPath: string | undefined): string | null =>
  /^spec\.(?:initContainers|containers|ephemeralContainers)\{([^}]*)\}$/.exec(fieldPath ?? '')?.[1] ?? null

const toPodEvent = (raw: JsonObject): PodEvent => {
  const read = event(raw) ?? {}
  const { involvedObject, metadata, series } = read
  return {
    reason: read.reason ?? '',
    message: read.message ?? '',
    isWarning: read.type === 'Warning',
    count: series?.count ?? read.count ?? 1,
    firstAt: read.firstTimestamp ?? read.eventTime ?? metadata?.creationTimestamp ?? null,
    lastAt: series?.lastObservedTime ?? read.lastTimestamp ?? read.eventTime ?? metadata?.creationTimestamp ?? null,
    container: containerIn(involvedObject?.fieldPath),
    kind: involvedObject?.kind ?? '',
    name: involvedObject?.name ?? '',
    uid: involvedObject?.uid ?? null,
    id: metadata?.name ?? '',
  }
}

const time = (event: PodEvent): number => {
  const at = Date.parse(event.lastAt ?? '')
  return Number.isNaN(at) ? 0 : at
}

/** Events read, oldest first. */
export const podEvents = (raw: readonly JsonObject[]): readonly PodEvent[] =>
  raw.map(toPodEvent).sort((a, b) => time(a) - time(b))

/** The newest event with one of these reasons whose message matches. */
export const newestEvent = (
  events: readonly PodEvent[],
  reasons: readonly string[],
  message: RegExp = /(?:)/,
): PodEvent | undefined =>
  events.findLast(({ reason, message: said }) => reasons.includes(reason) && message.test(said))
