import { type Container, containersOf } from './containers.ts'
import type { Condition } from './kubernetes-metadata.ts'
import { type Pod, pod as podShape } from './kubernetes-pod.ts'
import { isLogExcuse, type LogLine, logLines } from './log-lines.ts'
import { type PodEvent, podEvents } from './pod-events.ts'
import { minorVersion } from './server-version.ts'
import { list as listOf, object, type Shape, text } from './shape.ts'
import type { JsonObject, PodSnapshot, RelatedList, Request } from './snapshot.ts'

/** A log as far as it was read: its lines, or why there are none. */
export interface Log {
  readonly instance: 'current' | 'previous'
  /** Null: not there, or not read. */
  readonly lines: readonly LogLine[] | null
  /** The server's words where there is no log. */
  readonly missing: string | null
}

/** The list that objects of a kind stand in. */
const LIST_OF: Readonly<Record<string, RelatedList>> = {
  Service: 'services',
  EndpointSlice: 'endpointSlices',
  Node: 'nodes',
  PersistentVolumeClaim: 'persistentVolumeClaims',
  ReplicaSet: 'replicaSets',
  Deployment: 'deployments',
  StatefulSet: 'statefulSets',
  DaemonSet: 'daemonSets',
  Job: 'jobs',
  ConfigMap: 'configMaps',
  ServiceAccount: 'serviceAccounts',
  Pod: 'pods',
  Namespace: 'namespaces',
}
const CLUSTER_WIDE: ReadonlySet<string> = new Set(['Node', 'Namespace'])

const named = object({ metadata: object({ name: text, namespace: text }) })
const owned = object({ metadata: object({ uid: text, ownerReferences: listOf(object({ uid: text })) }) })
const involved = object({ involvedObject: object({ kind: text, name: text, uid: text }) })

/**
 * The pod's own events. Those of a static pod carry the uid of its manifest, the taint manager's carry none: a recording
 * may have them among the events of the namespace.
 */
const ownEvents = (snapshot: PodSnapshot, pod: Pod | null): PodSnapshot['events'] => {
  const own = snapshot.events
  const { name, uid, annotations } = pod?.metadata ?? {}
  const mirrored = annotations?.['kubernetes.io/config.mirror']
  const rest = snapshot.related.events ?? []
  if (name === undefined || rest.length === 0) return own
  const known = new Set(own.map(event => named(event)?.metadata?.name))
  const more = rest.filter(raw => {
    const about = involved(raw)?.involvedObject
    if (about?.kind !== 'Pod' || about.name !== name || known.has(named(raw)?.metadata?.name)) return false
    return about.uid === undefined || about.uid === uid || about.uid === mirrored
  })
  return [...own, ...more]
}

/**
 * What rules see of a snapshot. Asking for something that was not read records a request; the cluster folder then
 * fetches it and the diagnosis runs again. A recording that holds more than was asked for gives the same answer as the
 * live pod, because rules reach related objects only through here.
 */
export class View {
  readonly snapshot: PodSnapshot
  readonly pod: Pod | null
  readonly containers: readonly Container[]
  /** The pod's own events, oldest first. */
  readonly events: readonly PodEvent[]
  /** The server's minor version; null: unknown. */
  readonly minor: number | null
  readonly #requests = new Map<string, Request>()
  readonly #logs = new Map<string, Log>()
  readonly #objects = new Map<JsonObject, Map<unknown, unknown>>()
  readonly #lists = new Map<RelatedList, Map<unknown, readonly unknown[]>>()

  /** `snapshot` is sound: each field of its own has its type. */
  constructor(snapshot: PodSnapshot) {
    this.snapshot = snapshot
    this.pod = podShape(snapshot.pod) ?? null
    this.containers = this.pod ? containersOf(this.pod) : []
    this.events = podEvents(ownEvents(snapshot, this.pod))
    this.minor = minorVersion(snapshot.server ?? null)
  }

  get namespace(): string {
    return this.snapshot.namespace
  }

  get takenAt(): string | null {
    return this.snapshot.takenAt
  }

  /** Everything that was asked for and not yet read, each once, in the order of asking. */
  get requests(): readonly Request[] {
    return [...this.#requests.values()]
  }

  condition(type: string): Condition | undefined {
    return this.pod?.status?.conditions?.find(condition => condition.type === type)
  }

  #ask(request: Request): null {
    this.#requests.set(JSON.stringify(request), request)
    return null
  }

  #raw(list: RelatedList): readonly JsonObject[] | null {
    return this.snapshot.related[list] ?? null
  }

  /** Rules ask for the same owner, node and pods again and again; each is taken apart once. */
  #shaped<T>(raw: JsonObject, shape: Shape<T>): T | undefined {
    const kept = this.#objects.get(raw) ?? new Map<unknown, unknown>()
    if (!kept.has(shape)) kept.set(shape, shape(raw))
    this.#objects.set(raw, kept)
    return kept.get(shape) as T | undefined
  }

  #read<T>(list: RelatedList, shape: Shape<T>): readonly T[] {
    const kept = this.#lists.get(list)?.get(shape)
    if (kept) return kept as readonly T[]
    const read = (this.#raw(list) ?? []).map(raw => this.#shaped(raw, shape)).filter(item => item !== undefined)
    if (!this.#lists.has(list)) this.#lists.set(list, new Map())
    this.#lists.get(list)?.set(shape, read)
    return read
  }

  /** A whole list of the pod's namespace (nodes: of the cluster); null: not read. */
  list<T>(list: RelatedList, shape: Shape<T>): readonly T[] | null {
    if (this.#raw(list) === null || this.snapshot.partial?.[list] !== undefined) {
      return this.#ask({
        read: 'list',
        list,
        namespace: list === 'nodes' || list === 'namespaces' ? '' : this.namespace,
      })
    }
    return this.#read(list, shape)
  }

  /** What was read of a list, whole or not; asks for nothing. */
  known<T>(list: RelatedList, shape: Shape<T>): readonly T[] {
    return this.#read(list, shape)
  }

  /** One object; `absent`: asked for and not there; null: not read. */
  object<T>(kind: string, namespace: string, name: string, shape: Shape<T>): T | 'absent' | null {
    const list = LIST_OF[kind]
    if (list === undefined || name === '') return null
    const isClusterWide = CLUSTER_WIDE.has(kind)
    const found = (this.#raw(list) ?? []).find(candidate => {
      const metadata = this.#shaped(candidate, named)?.metadata
      return metadata?.name === name && (isClusterWide || (metadata.namespace ?? this.namespace) === namespace)
    })
    if (found !== undefined) return this.#shaped(found, shape) ?? null
    if (this.snapshot.absent?.includes(isClusterWide ? `${kind} ${name}` : `${kind} ${namespace}/${name}`))
      return 'absent'
    const isWhole = this.#raw(list) !== null && this.snapshot.partial?.[list] === undefined
    if (isWhole && (isClusterWide ? kind === 'Node' : namespace === this.namespace)) return 'absent'
    return this.#ask({ read: 'object', kind, namespace: isClusterWide ? '' : namespace, name })
  }

  /** The events of another object, oldest first; null: not read. Those of nodes stand in namespace `default`. */
  eventsOf(kind: string, name: string, namespace: string = this.namespace): readonly PodEvent[] | null {
    const own = podEvents(this.#raw('events') ?? []).filter(event => event.kind === kind && event.name === name)
    const isWhole =
      this.#raw('events') !== null && this.snapshot.partial?.events === undefined && namespace === this.namespace
    const wasAsked = this.snapshot.absent?.includes(`Event ${kind} ${namespace}/${name}`) ?? false
    if (own.length > 0 || isWhole || wasAsked) return own
    return this.#ask({ read: 'events', kind, namespace, name })
  }

  /** Pods with the same controller, this one left out, as far as read. */
  siblings(): readonly Pod[] {
    const owner = this.pod?.metadata?.ownerReferences?.find(reference => reference.controller)?.uid
    if (owner === undefined) return []
    return (this.#raw('pods') ?? []).flatMap(raw => {
      const metadata = this.#shaped(raw, owned)?.metadata
      if (metadata?.uid === this.pod?.metadata?.uid || !metadata?.ownerReferences?.some(({ uid }) => uid === owner)) {
        return []
      }
      return this.#shaped(raw, podShape) ?? []
    })
  }

  /** Whether the list that siblings stand in was cut: there may be more of them. */
  get hasMoreSiblings(): boolean {
    return /\bthe first \d+/.test(this.snapshot.partial?.pods ?? '')
  }

  /** The log of one instance of one container; asked for where it was not read. */
  log(container: string, instance: 'current' | 'previous'): Log {
    const key = `${container}\0${instance}`
    const kept = this.#logs.get(key)
    if (kept) return kept
    const log = this.#readLog(container, instance)
    this.#logs.set(key, log)
    return log
  }

  #readLog(container: string, instance: 'current' | 'previous'): Log {
    const body = this.snapshot.logs[container]?.[instance]
    const error = this.snapshot.logErrors?.[container]?.[instance]
    if (typeof body === 'string') {
      return isLogExcuse(body)
        ? { instance, lines: null, missing: body.trim() }
        : { instance, lines: logLines(body), missing: null }
    }
    if (typeof error === 'string') return { instance, lines: null, missing: error }
    this.#ask({ read: 'log', container, instance })
    return { instance, lines: null, missing: null }
  }
}
