import type { JsonObject } from '../diagnosis/snapshot.ts'
import { type Answer, StatusError } from './api.ts'
import { type Calls, type Listed, listAll, maxItems, type Query } from './calls.ts'
import { metadataOf } from './metadata.ts'
import { nameOf, type Resource } from './resources.ts'
import { matcherOf } from './selectors.ts'
import type { Part } from './snapshot-draft.ts'

/** Kinds of which every pod has its own: one list costs less than an object for each. */
const listedKinds: ReadonlySet<string> = new Set([
  'Pod',
  'Event',
  'ReplicaSet',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Job',
])

/** A whole list, and its items by name. */
interface Whole extends Listed {
  readonly byName: ReadonlyMap<string, JsonObject>
}

/** The calls for many snapshots of one namespace. */
export interface SharedCalls extends Calls {
  /** The whole list of a kind of the namespace, up to 10,000 items. Throws as Api. */
  whole(resource: Resource): Promise<Listed>
}

const isForbidden = (error: unknown): boolean => error instanceof StatusError && error.status === 403

/** One page of a list that is here already; its `continue` is where in the list the page begins. */
const pageOf = (all: Listed, { continue: from = '0', ...query }: Query): Listed => {
  const start = Number(from)
  if (start < 0) throw new StatusError(410, `only the first ${all.items.length} were read`)
  const matching = all.items.filter(matcherOf(query))
  const end = start + maxItems
  // A list that was cut goes on, though not here.
  const next = end < matching.length ? String(end) : all.truncated ? '-1' : ''
  return { items: matching.slice(start, end), truncated: next !== '', next, at: all.at }
}

/**
 * The same answers as `calls` gives, each asked for once: of the namespace `home` the kinds that pods come with are listed
 * once, and single objects and selections taken from there; all else is kept as it came.
 * @param maxPodsWithLogs logs of more pods than this are not read
 */
export const shareCalls = (calls: Calls, home: string, maxPodsWithLogs: number): SharedCalls => {
  const kept = new Map<string, Promise<unknown>>()
  const once = <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const made = kept.get(key) ?? make()
    kept.set(key, made)
    return made as Promise<T>
  }
  const withLogs = new Set<string>()

  const whole = (resource: Resource): Promise<Whole> =>
    once(`whole ${resource.kind}`, async () => {
      const read = await listAll(calls, resource, home)
      return { ...read, byName: new Map(read.items.map(item => [metadataOf(item).name ?? '', item])) }
    })
  const getOne = (resource: Resource, namespace: string, name: string): Promise<Answer> =>
    once(nameOf(resource.kind, namespace, name), () => calls.get(resource, namespace, name))

  return {
    whole,
    async get(resource, namespace, name) {
      if (namespace !== home || !listedKinds.has(resource.kind)) return getOne(resource, namespace, name)
      const list = await whole(resource).catch((error: unknown) => {
        if (isForbidden(error)) return null
        throw error
      })
      const body = list?.byName.get(name)
      if (list && body) return { body, at: list.at }
      if (!list || list.truncated) return getOne(resource, namespace, name)
      throw new StatusError(404, `${resource.plural} "${name}" not found`)
    },
    async list(resource, namespace, query) {
      if (namespace === home && listedKinds.has(resource.kind)) {
        const all = await whole(resource)
        // Which of the events the rest holds, only the server can tell.
        if (!all.truncated || resource.kind !== 'Event' || query['fieldSelector'] === undefined)
          return pageOf(all, query)
      }
      const key = `list ${resource.kind} ${namespace} ${new URLSearchParams(query)}`
      return once(key, () => calls.list(resource, namespace, query))
    },
    async log(namespace, pod, of): Promise<Part> {
      if (!withLogs.has(pod) && withLogs.size >= maxPodsWithLogs) {
        const why = `not read: those of ${maxPodsWithLogs} other pods were`
        return draft => {
          draft.addLogError(of.container, of.instance, why)
          draft.addUnread(`log of container "${of.container}"`, why)
        }
      }
      withLogs.add(pod)
      return calls.log(namespace, pod, of)
    },
  }
}
