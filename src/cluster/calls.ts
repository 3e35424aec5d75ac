import type { Json, JsonObject } from '../diagnosis/snapshot.ts'
import type { Answer, Api } from './api.ts'
import { cleanObject } from './clean-object.ts'
import type { LogInstance } from './log-instances.ts'
import { readLog } from './read-log.ts'
import { pathOf, type Resource } from './resources.ts'
import type { Part } from './snapshot-draft.ts'
import { whyUnread } from './why-unread.ts'

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

/** Selectors, and `continue`. */
export type Query = Readonly<Record<string, string>>

/** More of one list than this says nothing more about one pod. */
export const maxItems = 500

/** The calls that reading is made of, each with its own deadline within that of all. `get` and `list` throw as Api. */
export interface Calls {
  get(resource: Resource, namespace: string, name: string): Promise<Answer>
  /** The first 500 items, or those from `continue` on. */
  list(resource: Resource, namespace: string, query: Query): Promise<Listed>
  /** Never fails: why a log could not be read is a Part too. */
  log(namespace: string, pod: string, of: LogInstance): Promise<Part>
}

const objects = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'object' && item !== null && !Array.isArray(item)) : []

/** Opens the calls for one answer. */
export const openCalls = (api: Api, timeouts: Timeouts, signal?: AbortSignal): Calls => {
  const total = AbortSignal.timeout(timeouts.totalMs)
  const deadline = () => AbortSignal.any([AbortSignal.timeout(timeouts.callMs), total, ...(signal ? [signal] : [])])
  return {
    async get(resource, namespace, name) {
      const { body, at } = await api.get(pathOf(resource, namespace, name), deadline())
      return { body: cleanObject(body, resource.kind), at }
    },
    async list(resource, namespace, query) {
      const search = new URLSearchParams({ ...query, limit: String(maxItems) })
      const { body, at } = await api.get(`${pathOf(resource, namespace)}?${search}`, deadline())
      const items = objects(body['items']).map(item => cleanObject(item, resource.kind))
      const metadata = body['metadata']
      const more = typeof metadata === 'object' && metadata !== null && 'continue' in metadata && metadata['continue']
      const next = typeof more === 'string' ? more : ''
      return { items, truncated: next !== '', next, at }
    },
    log: (namespace, pod, of) => readLog(api, namespace, pod, of, deadline()),
  }
}

/** How many pages of a list are read to choose among all its items. */
const maxPages = 20

/**
 * A list page by page, up to 20 pages of 500. Throws as Api where the first page fails; a later one that fails ends the
 * list, which then is truncated.
 */
export const listAll = async (
  calls: Pick<Calls, 'list'>,
  resource: Resource,
  namespace: string,
  query: Query = {},
): Promise<Listed> => {
  const first = await calls.list(resource, namespace, query)
  const items = [...first.items]
  let next = first.next
  for (let page = 1; page < maxPages && next !== ''; page++) {
    try {
      const read = await calls.list(resource, namespace, { ...query, continue: next })
      items.push(...read.items)
      next = read.next
    } catch (error) {
      whyUnread(error)
      break
    }
  }
  return { items, truncated: next !== '', next, at: first.at }
}
