import type { JsonObject, PodSnapshot, RelatedList, ServerVersion, Unread } from '../diagnosis/snapshot.ts'
import { metadataOf } from './metadata.ts'

type LogInstanceName = 'current' | 'previous'

/** A snapshot in the making. What was read is added in the order it was asked for, so that the same answers give the same snapshot. */
export interface SnapshotDraft {
  setEvents(events: readonly JsonObject[]): void
  /** Adds to a list of `related`; `partial` says why it is not the whole list of the namespace, null that it is. */
  addRelated(list: RelatedList, objects: readonly JsonObject[], partial: string | null): void
  /** `Service shop/orders` was asked for and does not exist. */
  addAbsent(name: string): void
  addUnread(what: string, why: string): void
  addLog(container: string, instance: LogInstanceName, text: string, omittedBytes: number): void
  addLogError(container: string, instance: LogInstanceName, why: string): void
  snapshot(): PodSnapshot
}

/** One thing that was read, or could not be, to be added to the draft. */
export type Part = (draft: SnapshotDraft) => void

type Head = Pick<PodSnapshot, 'takenAt' | 'server' | 'cluster' | 'namespace' | 'target' | 'pod'>
type Texts = Record<string, { current: string | null; previous: string | null }>

const identity = (object: JsonObject): string => {
  const { uid, namespace, name } = metadataOf(object)
  return uid ?? `${namespace}/${name}`
}

const setText = (texts: Texts, container: string, instance: LogInstanceName, text: string) => {
  texts[container] ??= { current: null, previous: null }
  texts[container][instance] = text
}

/** Opens an empty draft about one pod or owner. */
export const openDraft = (head: Head & { server: ServerVersion | null }): SnapshotDraft => {
  let events: readonly JsonObject[] = []
  const related: Partial<Record<RelatedList, Map<string, JsonObject>>> = {}
  const whole = new Set<RelatedList>()
  const partial = new Map<RelatedList, Set<string>>()
  const absent = new Set<string>()
  const unread = new Map<string, Unread>()
  const logs: Texts = {}
  const logErrors: Texts = {}
  const logOmittedBytes: Record<string, number> = {}

  return {
    setEvents(read) {
      events = read
    },
    addRelated(list, objects, why) {
      related[list] ??= new Map()
      for (const object of objects) related[list].set(identity(object), object)
      if (why === null) whole.add(list)
      else partial.set(list, (partial.get(list) ?? new Set()).add(why))
    },
    addAbsent(name) {
      absent.add(name)
    },
    addUnread(what, why) {
      unread.set(what, { what, why })
    },
    addLog(container, instance, text, omittedBytes) {
      setText(logs, container, instance, text)
      if (omittedBytes > 0) logOmittedBytes[container] = Math.max(logOmittedBytes[container] ?? 0, omittedBytes)
    },
    addLogError(container, instance, why) {
      setText(logErrors, container, instance, why)
      logs[container] ??= { current: null, previous: null }
    },
    snapshot: () => ({
      kind: 'PodSnapshot',
      ...head,
      events,
      logs: structuredClone(logs),
      logErrors: structuredClone(logErrors),
      logOmittedBytes: { ...logOmittedBytes },
      related: Object.fromEntries(Object.entries(related).map(([list, objects]) => [list, [...objects.values()]])),
      partial: Object.fromEntries(
        [...partial].filter(([list]) => !whole.has(list)).map(([list, why]) => [list, [...why].join('; ')]),
      ),
      absent: [...absent],
      unread: [...unread.values()],
    }),
  }
}
