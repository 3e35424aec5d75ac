import type { JsonObject } from '../diagnosis/snapshot.ts'
import { type AbnormalEnd, firstAbnormalEnds } from './abnormal-end.ts'
import type { Api } from './api.ts'
import type { Timeouts } from './calls.ts'
import { metadataOf } from './metadata.ts'
import { openPacedQueue } from './paced-queue.ts'
import { type Patience, type Position, watchPods } from './pod-watch.ts'
import { readCrash, type SeenCrash } from './read-crash.ts'
import { steadySince } from './steady-pod.ts'

/** What is counted of a watch: calls by what they ask for, events, bytes of bodies, and first crashes left out, by why. */
export type WatchCount = 'list' | 'watch' | 'log' | 'events-list' | 'events' | 'bytes' | 'too-many'

export interface WatchOptions {
  /** The namespaces to watch, each by a watch of its own; null: all, by one. */
  readonly namespaces: readonly string[] | null
  /** Where all are watched: those that the server need not send. */
  readonly without?: readonly string[]
  /** Pods of other namespaces are left alone. */
  isWanted(namespace: string): boolean
  /** How far each watch has come; the scope is a namespace, or `*`. Its promises never reject. */
  position(scope: string): Position
  /** Whether that crash, or an earlier one of its row, is kept already. */
  isKept(pod: JsonObject, end: AbnormalEnd): boolean
  /** Keeps a crash. Nothing is redacted yet. Never rejects. */
  keep(crash: SeenCrash): Promise<void>
  /** A pod has been Ready for ten minutes, since that time (RFC 3339). */
  onSteady(pod: JsonObject, since: string): void
  count(what: WatchCount, number: number): void
  say(level: 'info' | 'warn', message: string): void
  /** Crashes read in a second at most; 5. */
  readonly readsPerSecond?: number
  readonly patience?: Patience
}

export interface Watching {
  /** For the watches alone: each holds a connection. */
  readonly watchApi: Api
  readonly readApi: Api
  readonly cluster: string
  readonly timeouts: Timeouts
}

/** How many crashes may wait to be read: those of 20 s. Later, their logs are gone. */
const WAITING = 100
/** Ends that were looked at already, newest last; a pod shows an end as long as the next run lasts. */
const REMEMBERED_ENDS = 5_000

const keyOf = (pod: JsonObject, { container, finishedAt }: AbnormalEnd): string =>
  `${metadataOf(pod).uid}/${container}/${finishedAt}`

/** Watches pods and reads each container's first abnormal end, until the signal. Never throws. */
export const watchCluster = async (
  { watchApi, readApi, cluster, timeouts }: Watching,
  options: WatchOptions,
  signal: AbortSignal,
): Promise<void> => {
  const { namespaces, isWanted, count, say, readsPerSecond = 5 } = options
  const queue = openPacedQueue({ perSecond: readsPerSecond, atOnce: 4, waiting: WAITING })
  const looked = new Set<string>()
  const reading = {
    ...{ api: readApi, cluster, timeouts, signal },
    count: (what: 'log' | 'events', bytes: number) => {
      count(what === 'log' ? 'log' : 'events-list', 1)
      count('bytes', bytes)
    },
  }

  const isFirstLook = (key: string): boolean => {
    if (looked.has(key)) return false
    looked.add(key)
    for (const oldest of looked) {
      if (looked.size <= REMEMBERED_ENDS) break
      looked.delete(oldest)
    }
    return true
  }

  const look = async (pod: JsonObject, end: AbnormalEnd, seenAt: number): Promise<void> => {
    try {
      await options.keep(await readCrash(reading, pod, end, seenAt))
    } catch {
      // Told to stop: the next process sees it again.
    }
  }

  const onPod = (pod: JsonObject, listedAt: string | null): void => {
    if (!isWanted(metadataOf(pod).namespace ?? '')) return
    const since = steadySince(pod, Date.now())
    if (since !== null) options.onSteady(pod, since)
    for (const end of firstAbnormalEnds(pod, listedAt === null ? { from: 'watch' } : { from: 'list', at: listedAt })) {
      if (!isFirstLook(keyOf(pod, end)) || options.isKept(pod, end)) continue
      const seenAt = Date.now()
      if (!queue.add(() => look(pod, end, seenAt))) count('too-many', 1)
    }
  }

  await Promise.all(
    (namespaces ?? [null]).map(namespace =>
      watchPods(
        {
          ...{ api: watchApi, namespace, onPod, count, say },
          position: options.position(namespace ?? '*'),
          ...(options.without ? { without: options.without } : {}),
          ...(options.patience ? { patience: options.patience } : {}),
        },
        signal,
      ),
    ),
  )
  await queue.close()
}
