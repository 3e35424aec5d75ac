import { setTimeout as wait } from 'node:timers/promises'
import type { Json, JsonObject } from '../diagnosis/snapshot.ts'
import { type Api, StatusError } from './api.ts'
import { maxItems } from './calls.ts'
import { oneLine } from './cluster-error.ts'
import { watchEvents } from './watch-events.ts'

/** How far a watch has come, kept where the next process finds it. */
export interface Position {
  /** The newest resourceVersion that was seen; null: none is known. */
  load(): Promise<string | null>
  save(resourceVersion: string): Promise<void>
}

/** How patient a watch is, in milliseconds. */
export interface Patience {
  /** First wait after a failure; each further one doubles it. No more than one watch is begun in that time. */
  readonly firstMs: number
  readonly longestMs: number
  /** Wait after a refusal, which only somebody's hand mends. */
  readonly forbiddenMs: number
  /** A watch is asked for again after this. */
  readonly streamMs: number
  /** The position is saved at most this often, and with each bookmark. */
  readonly saveMs: number
}

export const usualPatience: Patience = {
  firstMs: 1_000,
  longestMs: 60_000,
  forbiddenMs: 300_000,
  streamMs: 600_000,
  saveMs: 10_000,
}

export interface PodWatchOptions {
  readonly api: Api
  /** Null: all namespaces. */
  readonly namespace: string | null
  /** Namespaces that the server is asked to leave out of all. */
  readonly without?: readonly string[]
  readonly position: Position
  /** A pod as it was listed, with the server's clock (RFC 3339), or as it has just become. */
  readonly onPod: (pod: JsonObject, listedAt: string | null) => void
  readonly count: (what: 'list' | 'watch' | 'events' | 'bytes', number: number) => void
  readonly say: (level: 'info' | 'warn', message: string) => void
  readonly patience?: Patience
}

const isRecord = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The server does not know that place any more, or not yet: it may have been set up anew. */
const isGone = (error: unknown): boolean =>
  error instanceof StatusError &&
  (error.status === 410 || /(?:too large|invalid) resource ?version/i.test(error.message))
const isForbidden = (error: unknown): boolean => error instanceof StatusError && error.status === 403

const versionOf = (object: JsonObject): string | null => {
  const { metadata } = object
  const version = isRecord(metadata) ? metadata['resourceVersion'] : undefined
  return typeof version === 'string' && version !== '' ? version : null
}

const noBody: Iterable<Uint8Array> = []

type Response = Awaited<ReturnType<Api['stream']>>

/** The pods of a list's page, and where it goes on. */
const readPage = async (response: Response, count: PodWatchOptions['count']) => {
  const text = await response.text()
  count('bytes', text.length)
  const body = JSON.parse(text) as JsonObject
  const items = Array.isArray(body['items']) ? body['items'].filter(isRecord) : []
  const next = isRecord(body['metadata']) ? body['metadata']['continue'] : undefined
  const date = Date.parse(response.headers.get('date') ?? '')
  const at = new Date(Number.isNaN(date) ? Date.now() : date).toISOString()
  return { items, next: typeof next === 'string' ? next : '', version: versionOf(body), at }
}

/**
 * Follows the pods of one namespace, or of all, until the signal: one list to begin with, page by page, then one watch. A
 * connection that breaks is taken up again where it ended, without a new list; only where the server no longer knows that place
 * (410) all is listed anew. Never throws: what goes wrong is said, once, and tried again.
 */
export const watchPods = async (options: PodWatchOptions, signal: AbortSignal): Promise<void> => {
  const { api, namespace, position, onPod, count, say, patience = usualPatience } = options
  const path = namespace === null ? '/api/v1/pods' : `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`
  const selector = (options.without ?? []).map(name => `metadata.namespace!=${name}`).join(',')
  const selected = namespace === null && selector !== '' ? { fieldSelector: selector } : {}
  const where = namespace === null ? 'pods' : `pods of namespace ${namespace}`
  let version: string | null = null
  let isLoaded = false
  let failures = 0
  let savedAt = 0
  let trouble: string | null = null

  const save = async (minimumMs: number): Promise<void> => {
    if (version === null || Date.now() - savedAt < minimumMs) return
    savedAt = Date.now()
    await position.save(version)
  }

  const wentWell = (): void => {
    if (trouble !== null) say('info', `${where} of ${api.label} can be watched again`)
    trouble = null
  }

  const list = async (): Promise<void> => {
    let next = ''
    let listed: string | null = null
    do {
      count('list', 1)
      const from = next === '' ? {} : { continue: next }
      const search = new URLSearchParams({ limit: String(maxItems), ...selected, ...from })
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(60_000)])
      const page = await readPage(await api.stream(`${path}?${search}`, deadline), count)
      for (const pod of page.items) onPod(pod, page.at)
      next = page.next
      listed = page.version
    } while (next !== '')
    if (listed === null) throw new Error('the list has no resourceVersion')
    version = listed
    await save(0)
  }

  const follow = async (from: string): Promise<void> => {
    const search = new URLSearchParams({
      ...selected,
      watch: '1',
      allowWatchBookmarks: 'true',
      resourceVersion: from,
      timeoutSeconds: String(Math.ceil(patience.streamMs / 1000)),
    })
    count('watch', 1)
    // A connection that is dead without a word ends as well.
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(patience.streamMs + 30_000)])
    const response = await api.stream(`${path}?${search}`, deadline)
    const startedAt = Date.now()
    const hasLasted = () => Date.now() - startedAt >= patience.firstMs
    wentWell()
    for await (const { type, object } of watchEvents(response.body ?? noBody, bytes => count('bytes', bytes))) {
      version = versionOf(object) ?? version
      if (hasLasted()) failures = 0
      if (type !== 'BOOKMARK') count('events', 1)
      if (type === 'ADDED' || type === 'MODIFIED') onPod(object, null)
      await save(type === 'BOOKMARK' ? 0 : patience.saveMs)
    }
    if (version === from && !hasLasted()) throw new Error('the watch ended at once')
    if (hasLasted()) failures = 0
  }

  const waitAfter = (error: unknown): number => {
    const why = oneLine(error instanceof Error ? error.message : String(error), 200)
    const message = isForbidden(error)
      ? `podwhy may not watch ${where} of ${api.label}: ${why}; first crashes are not remembered until it may`
      : `${where} of ${api.label} cannot be watched: ${why}`
    // A connection that breaks off is nothing to speak of, as long as the next one stands.
    const isNews = trouble === null ? failures > 0 || isForbidden(error) : isForbidden(error) && trouble !== message
    if (isNews) say('warn', message)
    if (isNews) trouble = message
    if (isForbidden(error)) return patience.forbiddenMs
    const longest = Math.min(patience.longestMs, patience.firstMs * 2 ** failures++)
    return longest / 2 + (Math.random() * longest) / 2
  }

  const pause = (ms: number) => wait(ms, undefined, { signal }).catch(() => {})

  while (!signal.aborted) {
    const startedAt = Date.now()
    try {
      if (!isLoaded) {
        version = await position.load()
        isLoaded = true
      }
      if (version === null) await list()
      if (version !== null) await follow(version)
    } catch (error) {
      if (signal.aborted) return
      if (isGone(error)) version = null
      // Once: a place that is gone again at once is a failure.
      if (isGone(error) && failures === 0) failures = 1
      else await pause(waitAfter(error))
    }
    // Whatever a server, or a proxy before it, does after each event: it is not asked without a pause.
    await pause(startedAt + patience.firstMs - Date.now())
  }
}
