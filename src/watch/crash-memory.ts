import { z } from 'zod'
import type { AbnormalEnd } from '../cluster/abnormal-end.ts'
import { metadataOf } from '../cluster/metadata.ts'
import type { SeenCrash } from '../cluster/read-crash.ts'
import { workloadOf } from '../cluster/workload-of.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'
import { type Store as RecordStore, records } from '../incidents/records.ts'
import { redact } from '../redaction/redact.ts'
import { crashKey, firstOfOwnerKey } from './crash-keys.ts'
import { toRemembered } from './remembered-crash.ts'

export type CrashStore = RecordStore & {
  put(key: string, value: string, ttlMs: number): Promise<void>
}

/** What is seen now may be asked about tomorrow at the same time. */
const KEPT_MS = 24 * 60 * 60_000
/** About 25 MB at most, were all of them as long as may be. */
const MAX_KEPT = 1_000

/** What is kept of a cluster, oldest first. */
const Index = z.array(
  z.object({
    key: z.string(),
    /** The key that leads here for other pods of the same owner; null: another crash of theirs was first. */
    owner: z.string().nullable(),
    finishedAt: z.string(),
    /** Unix milliseconds. */
    keptAt: z.number(),
  }),
)
type Entry = z.infer<typeof Index>[number]

/** The first crashes of one cluster, as the one process that watches it keeps them. */
export interface CrashMemory {
  isKept(pod: JsonObject, end: AbnormalEnd): boolean
  /** Redacts and keeps. Throws where the store is away. */
  keep(seen: SeenCrash): Promise<void>
  /** The owner's pods are well since then: what came before does not explain what comes after. Throws where the store is away. */
  onSteady(pod: JsonObject, since: string): Promise<void>
}

export interface CrashMemoryOptions {
  readonly store: CrashStore
  readonly cluster: string
  readonly maxKept?: number
  /** Unix milliseconds. */
  readonly now?: () => number
}

/** Opens what is kept of a cluster; only the holder of its lease does. Throws where the store is away. */
export const openCrashMemory = async (options: CrashMemoryOptions): Promise<CrashMemory> => {
  const { store, cluster, maxKept = MAX_KEPT, now = Date.now } = options
  const index = records(store, { prefix: 'first-crashes:', shape: Index, ttlMs: KEPT_MS })
  let entries: readonly Entry[] = (await index.get(cluster)) ?? []
  let byKey = new Map(entries.map(entry => [entry.key, entry]))

  const change = async (by: (present: readonly Entry[]) => Entry[]): Promise<void> => {
    entries = (await index.change(cluster, present => by(present ?? []))) ?? []
    byKey = new Map(entries.map(entry => [entry.key, entry]))
  }

  /** Without those that have expired, and the oldest beyond the bound. */
  const add = async (entry: Entry): Promise<void> => {
    let dropped: readonly Entry[] = []
    await change(present => {
      const alive = present.filter(({ key, keptAt }) => key !== entry.key && keptAt > now() - KEPT_MS)
      const all = [...alive, entry]
      dropped = all.slice(0, Math.max(0, all.length - maxKept))
      return all.slice(dropped.length)
    })
    for (const { key, owner } of dropped) {
      await store.delete(key)
      if (owner !== null) await store.delete(owner)
    }
  }

  const ownerKey = (pod: JsonObject, container: string): string | null => {
    const workload = workloadOf(pod)
    return workload === null ? null : firstOfOwnerKey(cluster, metadataOf(pod).namespace ?? '', workload, container)
  }
  const keyOf = (pod: JsonObject, container: string): string => {
    const { namespace = '', uid = '' } = metadataOf(pod)
    return crashKey(cluster, namespace, uid, container)
  }

  return {
    isKept(pod, { container, restart, finishedAt }) {
      const kept = byKey.get(keyOf(pod, container))
      return kept !== undefined && (restart === 0 || kept.finishedAt >= finishedAt)
    },
    async keep(seen) {
      const { pod } = seen.snapshot
      if (pod === null) return
      const { container, restart, finishedAt } = seen.end
      const crash = toRemembered({ ...seen, snapshot: await redact(seen.snapshot) })
      const key = keyOf(pod, container)
      await store.put(key, JSON.stringify(crash), KEPT_MS)
      const owner = ownerKey(pod, container)
      // After a run that was well for a while, an earlier pod's failure explains nothing any more.
      if (owner !== null && restart > 0) await store.delete(owner)
      const isFirst = owner !== null && (await store.claim(owner, key, KEPT_MS)) === null
      await add({ key, owner: isFirst ? owner : null, finishedAt, keptAt: now() })
    },
    async onSteady(pod, since) {
      const prefix = ownerKey(pod, '')
      const over = entries.filter(
        ({ owner, finishedAt }) => owner !== null && prefix !== null && owner.startsWith(prefix) && finishedAt < since,
      )
      if (over.length === 0) return
      const keys = new Set(over.map(({ key }) => key))
      for (const { owner } of over) if (owner !== null) await store.delete(owner)
      await change(present => present.map(entry => (keys.has(entry.key) ? { ...entry, owner: null } : entry)))
    },
  }
}
