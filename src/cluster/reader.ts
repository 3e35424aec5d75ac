import type { Json, JsonObject, RelatedList } from '../diagnosis/snapshot.ts'
import type { Answer, Api } from './api.ts'
import { cleanObject } from './clean-object.ts'
import type { LogInstance } from './log-instances.ts'
import { readLog } from './read-log.ts'
import { nameOf, pathOf, type Resource, resourceOfKind, resourceOfList } from './resources.ts'
import type { Part } from './snapshot-draft.ts'
import { isNotFound, whyUnread } from './why-unread.ts'

/** How long calls may take, in milliseconds. */
export interface Timeouts {
  /** One call; 5,000. */
  readonly callMs: number
  /** All calls for one snapshot; 15,000. */
  readonly totalMs: number
}

/** A list that was read: its items, whether the server had more, and its clock. */
export interface Listed {
  readonly items: readonly JsonObject[]
  readonly truncated: boolean
  /** Where the server goes on; empty at the end. */
  readonly next: string
  readonly at: string | null
}

/** More of one list than this says nothing more about one pod. */
export const maxItems = 500

/** How many pages of a list are read to choose among all its items. */
const maxPages = 20

/**
 * The calls of one snapshot: each with its own deadline within that of all. Those that give a Part never fail: what could
 * not be read is a Part too. Each thing is asked for once.
 */
export interface Reader {
  /** Whether that was asked for already; asking marks it. */
  firstTime(key: string): boolean
  /** One object. Throws as Api. */
  get(resource: Resource, namespace: string, name: string): Promise<Answer>
  /** A list; `query` are the selectors. Throws as Api. */
  list(resource: Resource, namespace: string, query?: Readonly<Record<string, string>>): Promise<Listed>
  /**
   * A list page by page, up to 20 pages of 500. Throws as Api where the first page fails; a later one that fails ends the
   * list, which then is truncated.
   */
  listAll(resource: Resource, namespace: string, query?: Readonly<Record<string, string>>): Promise<Listed>
  objectPart(kind: string, namespace: string, name: string): Promise<Part>
  /** `selector`: a label selector; without one the whole list. */
  listPart(list: RelatedList, namespace: string, selector?: string): Promise<Part>
  /** Events of an object other than the pod; without any, `Event Kind ns/name` is absent. */
  eventsPart(kind: string, namespace: string, name: string): Promise<Part>
  logPart(namespace: string, pod: string, of: LogInstance): Promise<Part>
}

const objects = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'object' && item !== null && !Array.isArray(item)) : []

/** Events of the object of that name. */
export const aboutObject = (kind: string, name: string) => ({
  fieldSelector: `involvedObject.kind=${kind},involvedObject.name=${name}`,
})

/** Opens the calls for one snapshot in `home`, the namespace it is about. */
export const openReader = (api: Api, home: string, timeouts: Timeouts, signal?: AbortSignal): Reader => {
  const total = AbortSignal.timeout(timeouts.totalMs)
  const deadline = () => AbortSignal.any([AbortSignal.timeout(timeouts.callMs), total, ...(signal ? [signal] : [])])
  const asked = new Set<string>()
  const eventResource = resourceOfList('events')

  const reader: Reader = {
    firstTime: key => !asked.has(key) && asked.add(key).has(key),
    async get(resource, namespace, name) {
      const { body, at } = await api.get(pathOf(resource, namespace, name), deadline())
      return { body: cleanObject(body, resource.kind), at }
    },
    async list(resource, namespace, query = {}) {
      const search = new URLSearchParams({ ...query, limit: String(maxItems) })
      const { body, at } = await api.get(`${pathOf(resource, namespace)}?${search}`, deadline())
      const items = objects(body['items']).map(item => cleanObject(item, resource.kind))
      const metadata = body['metadata']
      const more = typeof metadata === 'object' && metadata !== null && 'continue' in metadata && metadata['continue']
      const next = typeof more === 'string' ? more : ''
      return { items, truncated: next !== '', next, at }
    },
    async listAll(resource, namespace, query = {}) {
      const first = await reader.list(resource, namespace, query)
      const items = [...first.items]
      let next = first.next
      for (let page = 1; page < maxPages && next !== ''; page++) {
        try {
          const read = await reader.list(resource, namespace, { ...query, continue: next })
          items.push(...read.items)
          next = read.next
        } catch (error) {
          whyUnread(error)
          break
        }
      }
      return { items, truncated: next !== '', next, at: first.at }
    },
    async objectPart(kind, namespace, name) {
      const what = nameOf(kind, namespace, name)
      const resource = resourceOfKind(kind)
      if (!resource?.verbs.includes('get')) return draft => draft.addUnread(what, 'podwhy does not read this kind')
      try {
        const { body } = await reader.get(resource, namespace, name)
        return draft => draft.addRelated(resource.list, [body], 'only those asked for')
      } catch (error) {
        if (isNotFound(error)) return draft => draft.addAbsent(what)
        const why = whyUnread(error)
        return draft => draft.addUnread(what, why)
      }
    },
    async listPart(list, namespace, selector) {
      const resource = resourceOfList(list)
      const elsewhere = resource.namespaced && namespace !== home ? ` of namespace ${namespace}` : ''
      const what = `${resource.plural}${elsewhere}${selector ? ` with ${selector}` : ''}`
      try {
        // Namespaces are never listed; what a snapshot has of them is the one it is about.
        if (list === 'namespaces') {
          const { body } = await reader.get(resource, '', home)
          return draft => draft.addRelated(list, [body], null)
        }
        if (!resource.verbs.includes('list')) return draft => draft.addUnread(what, 'podwhy does not list this kind')
        const read = await reader.list(resource, namespace, selector ? { labelSelector: selector } : {})
        const cut = read.truncated ? `the first ${maxItems}${elsewhere}` : elsewhere && `all${elsewhere}`
        return draft => draft.addRelated(list, read.items, [selector, cut].filter(Boolean).join(', ') || null)
      } catch (error) {
        const why = whyUnread(error)
        return draft => draft.addUnread(what, why)
      }
    },
    async eventsPart(kind, namespace, name) {
      // Events of cluster-wide objects stand in `default`.
      const where = resourceOfKind(kind)?.namespaced === false || namespace === '' ? 'default' : namespace
      try {
        const { items } = await reader.list(eventResource, where, aboutObject(kind, name))
        return draft => {
          draft.addRelated('events', items, 'only those asked for')
          if (items.length === 0) draft.addAbsent(`Event ${kind} ${namespace}/${name}`)
        }
      } catch (error) {
        const why = whyUnread(error)
        return draft => draft.addUnread(`events of ${nameOf(kind, namespace, name)}`, why)
      }
    },
    logPart: (namespace, pod, of) => readLog(api, namespace, pod, of, deadline()),
  }
  return reader
}
