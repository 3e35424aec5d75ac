/** JSON as an API server sent it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** `GET /version` of the API server; `gitVersion` decides which STATUS rules apply. */
export interface ServerVersion {
  readonly major?: string
  readonly minor?: string
  readonly gitVersion?: string
}

/** Something that was asked for and could not be read. */
export interface Unread {
  /** What: `nodes`, `log of container "api"`, `events`. */
  readonly what: string
  /** Why, in the server's words or as `forbidden`, `timeout`. */
  readonly why: string
}

/** The two instances of a container whose logs the kubelet can serve; null: not read. */
export interface InstanceTexts {
  readonly current: string | null
  readonly previous: string | null
}

/** The first abnormal end of a container in a row of them, kept when it happened: the cluster itself forgets it with the next one. */
export interface RememberedCrash {
  /** The pod it happened in, which may be an earlier one of the same owner. */
  readonly pod: string
  readonly uid: string
  readonly container: string
  /** Which run ended: 0 the first, 1 the one after the first restart. */
  readonly restart: number
  /** RFC 3339; null where the container never started. */
  readonly startedAt: string | null
  readonly finishedAt: string
  readonly exitCode: number
  /** `state.terminated.reason`: `OOMKilled`, `Error`, `StartError`; '' without one. */
  readonly reason: string
  /** The termination message; null without one. */
  readonly message: string | null
  /** The end of that run's log, lines with timestamps; null: it could not be read in time. */
  readonly log: string | null
  /** The pod's events at that time. */
  readonly events: readonly JsonObject[]
  /** When it was kept, RFC 3339. */
  readonly watchedAt: string
}

/** Lists of one namespace that a snapshot may carry; the key stands in `related`. */
export type RelatedList =
  | 'services'
  | 'endpointSlices'
  | 'nodes'
  | 'persistentVolumeClaims'
  | 'replicaSets'
  | 'deployments'
  | 'statefulSets'
  | 'daemonSets'
  | 'jobs'
  | 'cronJobs'
  | 'configMaps'
  | 'serviceAccounts'
  | 'resourceQuotas'
  | 'limitRanges'
  | 'pods'
  | 'namespaces'
  | 'events'

/**
 * All that was read about one pod at one moment. A live snapshot, a recording and a test fixture are the same thing.
 * Objects are the API server's own JSON (minus managedFields): times are strings, unknown fields survive.
 */
export interface PodSnapshot {
  readonly kind: 'PodSnapshot'
  /** When it was read, RFC 3339; null for a bare Pod from a file: then no relative time can be told. */
  readonly takenAt: string | null
  readonly server: ServerVersion | null
  /** The cluster's name, where known. */
  readonly cluster?: string | null
  readonly namespace: string
  /** The pod's name, or `Kind/name` of an owner whose pods never appeared (then `pod` is null). */
  readonly target: string
  readonly pod: JsonObject | null
  /** The pod's own events; those of owners and neighbours stand in `related.events`. */
  readonly events: readonly JsonObject[]
  /** By container name. Lines may start with RFC 3339 timestamps, as `?timestamps=true` gives them. */
  readonly logs: Readonly<Record<string, InstanceTexts>>
  /** Why a log could not be had, by container name. */
  readonly logErrors?: Readonly<Record<string, InstanceTexts>>
  /** How many bytes of the log's beginning were left out, by container name (the newest are kept). */
  readonly logOmittedBytes?: Readonly<Record<string, number>>
  /**
   * A key that is present: that whole list of the namespace was read – unless `partial` names the selector it was
   * read with. A missing key: not read. Single objects that were read stand in `partial` lists too.
   */
  readonly related: Readonly<Partial<Record<RelatedList, readonly JsonObject[]>>>
  /** Lists in `related` that are not whole, and why: `pod-template-hash=5d4f`, `only those asked for`. */
  readonly partial?: Readonly<Partial<Record<RelatedList, string>>>
  /** Single objects asked for and not found: `Service shop/orders-postgres`. */
  readonly absent?: readonly string[]
  readonly unread: readonly Unread[]
  /** What was seen of the pod's containers earlier and kept: their first failures, of this pod or an earlier one of its owner. */
  readonly remembered?: readonly RememberedCrash[]
}

/** A piece of evidence a rule asked for; the cluster folder fetches it and the diagnosis runs again. */
export type Request =
  /** A whole list of one namespace (for `nodes`: of the cluster, only when a pod has no node). */
  | { readonly read: 'list'; readonly list: RelatedList; readonly namespace: string }
  /** One object: `Service`, `Node`, `PersistentVolumeClaim` …; `namespace` is '' for cluster-wide kinds. */
  | { readonly read: 'object'; readonly kind: string; readonly namespace: string; readonly name: string }
  /** The events of one object other than the pod. */
  | { readonly read: 'events'; readonly kind: string; readonly namespace: string; readonly name: string }
  /** One more log instance of a container of the pod. */
  | { readonly read: 'log'; readonly container: string; readonly instance: 'current' | 'previous' }
