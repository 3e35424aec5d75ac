import type { JsonObject, PodSnapshot } from '../diagnosis/snapshot.ts'
import type { AbnormalEnd } from './abnormal-end.ts'
import { type Api, StatusError } from './api.ts'
import { openCalls, type Timeouts } from './calls.ts'
import { cleanObject } from './clean-object.ts'
import { kubeletErrorOf } from './kubelet-error.ts'
import { metadataOf } from './metadata.ts'
import { isAbout } from './pod-events.ts'
import { type LogLimits, type ReadLog, readLogText } from './read-log.ts'
import { aboutObject } from './reader.ts'
import { isOfRun } from './replaced-instance.ts'
import { resourceOfList } from './resources.ts'
import { whyUnread } from './why-unread.ts'

/** A first abnormal end, and what was read about it. */
export interface SeenCrash {
  readonly end: AbnormalEnd
  /** The pod as it was then, its events, and the log of that very run as `current` of the container; null: not to be had. */
  readonly snapshot: PodSnapshot
}

/** Enough for a stack trace and what led to it. */
const limits: LogLimits = { tailLines: 200, maxBytes: 16 * 1024, maxReadBytes: 4 * 1024 * 1024 }

/** The kubelet waits ten seconds before it starts a third run: so long is a `previous` one the first. */
const SURELY_FIRST_MS = 8_000

export interface CrashReading {
  readonly api: Api
  readonly cluster: string
  readonly timeouts: Timeouts
  readonly signal: AbortSignal
  /** Told of each call and of the bytes of each log. */
  readonly count: (what: 'log' | 'events', bytes: number) => void
}

const secondMs = 1000

/** Whether the newest line was written between the start and the end of a run, whose times are in whole seconds. */
const isWithin = (text: string, startedAt: string, finishedAt: string): boolean => {
  const at = Date.parse(/^\S+/.exec(text.trimEnd().split('\n').at(-1) ?? '')?.[0] ?? '')
  return at >= Date.parse(startedAt) && at < Date.parse(finishedAt) + secondMs
}

/** Where there is no such instance, the kubelet answers 400. */
const readOrNull = async (read: () => Promise<ReadLog | string>): Promise<string | null> => {
  try {
    const log = await read()
    return typeof log === 'string' || kubeletErrorOf(log.text) !== null ? null : log.text
  } catch (error) {
    if (!(error instanceof StatusError)) whyUnread(error)
    return null
  }
}

/** The log of the run that ended; null: it is not there any more, or not surely that run's. */
const readLogOfRun = async (
  reading: CrashReading,
  pod: JsonObject,
  { container, restart, startedAt, finishedAt, isReplaced }: AbnormalEnd,
  seenAt: number,
): Promise<string | null> => {
  if (startedAt === null) return null
  const { name = '', namespace = '' } = metadataOf(pod)
  const read = async (instance: 'current' | 'previous') => {
    const signal = AbortSignal.any([reading.signal, AbortSignal.timeout(reading.timeouts.callMs)])
    const of = { container, instance }
    const text = await readOrNull(() => readLogText(reading.api, namespace, name, of, signal, limits))
    reading.count('log', text?.length ?? 0)
    return text
  }
  // In this order: no `previous` after `current` was read means that it was the first run's.
  const current = isReplaced ? null : await read('current')
  const previous = restart === 0 || isReplaced ? await read('previous') : null
  if (restart > 0) {
    const text = isReplaced ? previous : current
    return text !== null && isOfRun(text, { startedAt, finishedAt }) ? text : null
  }
  if (previous === null) return current
  const isShort = Date.parse(startedAt) >= Date.parse(finishedAt)
  if (isShort && Date.now() - seenAt > SURELY_FIRST_MS) return null
  return isWithin(previous, startedAt, finishedAt) ? previous : null
}

const readEvents = async ({ api, timeouts, signal, count }: CrashReading, pod: JsonObject) => {
  const { name = '', namespace = '' } = metadataOf(pod)
  count('events', 0)
  try {
    const { items } = await openCalls(api, timeouts, signal).list(
      resourceOfList('events'),
      namespace,
      aboutObject('Pod', name),
    )
    return { events: items.filter(isAbout(pod)), unread: [] }
  } catch (error) {
    return { events: [], unread: [{ what: 'events', why: whyUnread(error) }] }
  }
}

/** Reads what the next run will overwrite. Throws only the signal's own reason. `seenAt`: when the end was seen, Unix milliseconds. */
export const readCrash = async (
  reading: CrashReading,
  pod: JsonObject,
  end: AbnormalEnd,
  seenAt: number,
): Promise<SeenCrash> => {
  const { name = '', namespace = '' } = metadataOf(pod)
  const [log, { events, unread }] = await Promise.all([
    readLogOfRun(reading, pod, end, seenAt),
    readEvents(reading, pod),
  ])
  const snapshot: PodSnapshot = {
    kind: 'PodSnapshot',
    takenAt: new Date().toISOString(),
    server: null,
    cluster: reading.cluster,
    namespace,
    target: name,
    pod: cleanObject(pod, 'Pod'),
    events,
    logs: { [end.container]: { current: log, previous: null } },
    related: {},
    unread,
  }
  return { end, snapshot }
}
