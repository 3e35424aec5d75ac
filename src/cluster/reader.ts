import type { RelatedList } from '../diagnosis/snapshot.ts'
import type { Answer } from './api.ts'
import { type Calls, type Listed, listAll, maxItems, type Query } from './calls.ts'
import type { LogInstance } from './log-instances.ts'
import { nameOf, type Resource, resourceOfKind, resourceOfList } from './resources.ts'
import type { Part } from './snapshot-draft.ts'
import { isNotFound, whyUnread } from './why-unread.ts'

/** The reading of one snapshot. What gives a Part never fails: what could not be read is a Part too. Each thing is asked for once. */
export interface Reader {
  /** Whether that was asked for already; asking marks it. */
  firstTime(key: string): boolean
  /** One object. Throws as Api. */
  get(resource: Resource, namespace: string, name: string): Promise<Answer>
  /** A list; `query` are the selectors. Throws as Api. */
  list(resource: Resource, namespace: string, query?: Query): Promise<Listed>
  /**
   * A list page by page, up to 20 pages of 500. Throws as Api where the first page fails; a later one that fails ends the
   * list, which then is truncated.
   */
  listAll(resource: Resource, namespace: string, query?: Query): Promise<Listed>
  objectPart(kind: string, namespace: string, name: string): Promise<Part>
  /** `selector`: a label selector; without one the whole list. */
  listPart(list: RelatedList, namespace: string, selector?: string): Promise<Part>
  /** Events of an object other than the pod; without any, `Event Kind ns/name` is absent. */
  eventsPart(kind: string, namespace: string, name: string): Promise<Part>
  logPart(namespace: string, pod: string, of: LogInstance): Promise<Part>
}

/** Events of the object of that name. */
export const aboutObject = (kind: string, name: string) => ({
  fieldSelector: `involvedObject.kind=${kind},involvedObject.name=${name}`,
})

/** Opens the reading of one snapshot in `home`, the namespace it is about. */
export const openReader = (calls: Calls, home: string): Reader => {
  const asked = new Set<string>()
  const eventResource = resourceOfList('events')

  const reader: Reader = {
    firstTime: key => !asked.has(key) && asked.add(key).has(key),
    get: (resource, namespace, name) => calls.get(resource, namespace, name),
    list: (resource, namespace, query = {}) => calls.list(resource, namespace, query),
    listAll: (resource, namespace, query) => listAll(calls, resource, namespace, query),
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
    logPart: (namespace, pod, of) => calls.log(namespace, pod, of),
  }
  return reader
}
