import type { IncomingMessage, ServerResponse } from 'node:http'
import type { InstanceTexts, JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { shop } from '../cluster/open-test-cluster.ts'
import { type KubeApiServer, startKubeApiServer } from './kube-api-server.ts'

/** What the kubelet and the event list have about a pod. */
export interface Around {
  readonly logs?: Readonly<Record<string, InstanceTexts>>
  readonly events?: readonly JsonObject[]
}

/** Pods that change, on a server that can be watched. */
export interface KubeWatch {
  readonly kube: KubeApiServer
  /** Adds a pod, or changes it; whoever watches sees it. */
  apply(pod: JsonObject, around?: Around): void
  remove(name: string): void
  /** Tells all watches how far they are. */
  bookmark(): void
  /** Cuts the connections of all watches. */
  cut(): void
  /** Forgets all changes so far: a watch from before them gets 410, as an event or as its status. */
  forget(how?: 'event' | 'status'): void
  /** Watches that are open. */
  readonly open: number
  /** Lists (pages) and watches that were asked for so far. */
  readonly lists: number
  readonly watches: number
  /** resourceVersion of each watch so far. */
  readonly from: readonly string[]
  /** Whether the caller may watch. */
  isAllowed: boolean
  /** Whether every watch gets 410. */
  isForgetful: boolean
  /** Whether every watch ends after one bookmark, as it is (`end`) or with 410; null: it stays open. */
  short: 'end' | 410 | null
}

interface Change {
  readonly version: number
  readonly type: string
  readonly pod: JsonObject
}

const metadataOf = (pod: JsonObject) => pod['metadata'] as { readonly name: string; readonly namespace: string }

const withVersion = (pod: JsonObject, version: number): JsonObject => ({
  ...pod,
  metadata: { ...(pod['metadata'] as JsonObject), resourceVersion: String(version) },
})

const status = (code: number, message: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message,
  code,
})

/** An API server (see kube-api-server.ts) whose pods can be listed in pages and watched, in one namespace or all. */
export const startKubeWatch = async (): Promise<KubeWatch> => {
  const recordings: PodSnapshot[] = []
  const kube = await startKubeApiServer({ recordings })
  const pods = new Map<string, JsonObject>()
  const changes: Change[] = []
  const watches = new Set<{ namespace: string | null; response: ServerResponse }>()
  const from: string[] = []
  let version = 100
  let oldest = 0
  let goneBy: 'event' | 'status' = 'event'
  let lists = 0

  const send = (response: ServerResponse, type: string, object: JsonObject) =>
    void response.write(`${JSON.stringify({ type, object })}\n`)

  const tell = (type: string, pod: JsonObject): void => {
    const changed = withVersion(pod, ++version)
    changes.push({ version, type, pod: changed })
    for (const { namespace, response } of watches)
      if (namespace === null || namespace === metadataOf(pod).namespace) send(response, type, changed)
  }

  const fake: Omit<KubeWatch, 'open' | 'lists' | 'watches'> = {
    kube,
    from,
    isAllowed: true,
    isForgetful: false,
    short: null,
    apply(pod, { logs = {}, events = [] } = {}) {
      const { name } = metadataOf(pod)
      const isNew = !pods.has(name)
      pods.set(name, withVersion(pod, version + 1))
      const at = recordings.findIndex(({ target }) => target === name)
      const recording = shop({ pods: [pod] }, { target: name, takenAt: null, logs, events })
      recordings.splice(at < 0 ? recordings.length : at, at < 0 ? 0 : 1, recording)
      tell(isNew ? 'ADDED' : 'MODIFIED', pod)
    },
    remove(name) {
      const pod = pods.get(name)
      pods.delete(name)
      if (pod) tell('DELETED', pod)
    },
    bookmark() {
      for (const { response } of watches)
        send(response, 'BOOKMARK', { kind: 'Pod', apiVersion: 'v1', metadata: { resourceVersion: String(++version) } })
    },
    cut() {
      for (const { response } of watches) response.destroy()
    },
    forget(how = 'event') {
      oldest = version + 1
      changes.length = 0
      goneBy = how
    },
  }

  const listOf = (ofScope: (pod: JsonObject) => boolean, query: URLSearchParams): object => {
    lists++
    const all = [...pods.values()].filter(ofScope)
    const at = Number(query.get('continue') ?? 0)
    const end = at + Number(query.get('limit') ?? 500)
    const more = end < all.length ? { continue: String(end) } : {}
    return { kind: 'PodList', metadata: { resourceVersion: String(version), ...more }, items: all.slice(at, end) }
  }

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const namespace = /namespaces\/([^/]+)/.exec(pathname)?.[1] ?? null
    const isOfScope = (pod: JsonObject) => namespace === null || metadataOf(pod).namespace === namespace
    const since = searchParams.get('resourceVersion') ?? ''
    const isGone = fake.isForgetful || Number(since) < oldest - 1
    const gone = status(410, `too old resource version: ${since} (${oldest})`)
    const json = (code: number, body: object) => {
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }

    if (!fake.isAllowed) {
      json(403, status(403, 'pods is forbidden: User "podwhy" cannot watch resource "pods" in API group ""'))
    } else if (searchParams.get('watch') === null) {
      json(200, listOf(isOfScope, searchParams))
    } else {
      from.push(since)
      if (isGone && goneBy === 'status') json(410, gone)
      else if (isGone) json(200, { type: 'ERROR', object: gone })
      else {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.flushHeaders()
        const watch = { namespace, response }
        watches.add(watch)
        response.on('close', () => watches.delete(watch))
        for (const { version: at, type, pod } of changes)
          if (at > Number(since) && isOfScope(pod)) send(response, type, pod)
        if (fake.short === null) return
        fake.bookmark()
        if (fake.short === 410) send(response, 'ERROR', gone)
        response.end()
      }
    }
  }
  kube.fault(/^GET \/api\/v1\/(?:namespaces\/[^/?]+\/)?pods\?(?!.*labelSelector)/, answer)

  return Object.defineProperties(fake, {
    open: { get: () => watches.size },
    lists: { get: () => lists },
    watches: { get: () => from.length },
  }) as KubeWatch
}
