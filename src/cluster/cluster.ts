import { type Diagnosed, diagnose } from '../diagnosis/diagnose.ts'
import type { NamespaceSnapshot } from '../diagnosis/namespace-snapshot.ts'
import type { JsonObject, PodSnapshot, ServerVersion } from '../diagnosis/snapshot.ts'
import { type Api, openApi, StatusError } from './api.ts'
import { openCalls, type Timeouts } from './calls.ts'
import { openCredentials } from './credentials.ts'
import { type FullLog, type LogOf, readFullLog } from './full-log.ts'
import type { KubeconfigSource } from './kubeconfig.ts'
import { readAbout } from './read-about.ts'
import { readNamespace } from './read-namespace.ts'
import { readSnapshot } from './read-snapshot.ts'
import type { ReadTarget } from './read-target.ts'
import { openReader } from './reader.ts'
import { refusalOf } from './refusal.ts'
import { type Rights, readRights } from './rights.ts'
import { type WatchOptions, watchCluster } from './watch-cluster.ts'
import { whyUnread } from './why-unread.ts'

/** Which cluster, and how to read it. */
export interface ClusterOptions extends KubeconfigSource {
  /** The name that answers carry; default the context's. */
  readonly name?: string | undefined
  readonly timeouts?: Partial<Timeouts> | undefined
  /** Who says what more to read; default the project's own diagnosis. */
  readonly diagnose?: ((snapshot: PodSnapshot) => Pick<Diagnosed, 'requests'>) | undefined
}

/** One cluster, opened for reading. Nothing is ever written to it, and no Secret is read. */
export interface Cluster {
  readonly name: string
  /** URL of its API server. */
  readonly server: string
  /** The namespace that the context sets; null: none. */
  readonly namespace: string | null
  /**
   * Reads all that is needed to explain one target.
   * Throws ClusterErrors: NoSuchPod, AmbiguousTarget, Forbidden, Unauthorized, KubeconfigError, ClusterUnreachable (the only
   * `temporary` one); and the signal's own reason.
   */
  read(target: ReadTarget, options?: { readonly signal?: AbortSignal | undefined }): Promise<PodSnapshot>
  /**
   * Reads all that is needed to explain every pod of a namespace that is not well, within the same time. Throws as `read`;
   * NoSuchPod where there is no such namespace.
   */
  triage(namespace: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<NamespaceSnapshot>
  /**
   * Reads the pod of a target, its owner, its node and their events, and no log: what there is to tell without explaining
   * anything. Throws as `read`.
   */
  about(target: ReadTarget, options?: { readonly signal?: AbortSignal | undefined }): Promise<PodSnapshot>
  /** Reads one log instance, its newest `maxBytes`, within a minute. Why there is none is part of what it gives. */
  log(of: LogOf, options: { readonly maxBytes: number; readonly signal?: AbortSignal | undefined }): Promise<FullLog>
  /**
   * Watches pods until the signal and reads what a container's first abnormal end leaves behind. Throws KubeconfigError where
   * the credentials can no longer be loaded.
   */
  watch(options: WatchOptions, signal: AbortSignal): Promise<void>
  /** What the credentials may do: in all namespaces, or in the one given; `watches`: PODWHY_WATCH. Throws only on abort. */
  rights(options?: { readonly namespace?: string | undefined; readonly watches?: boolean | undefined }): Promise<Rights>
  /** One cheap call. Throws ClusterUnreachable where the server does not answer; a refusal is an answer. */
  ping(): Promise<void>
  /** Ends its connections. */
  close(): Promise<void>
}

/** A server's version changes with its next upgrade; asking this often is enough. */
const versionMaxAgeMs = 10 * 60_000

/** A log of 10 MiB over a slow way takes longer than anything else that is read. */
const logMs = 60_000

const openVersion = (api: Api, callMs: number) => {
  let kept: { version: ServerVersion; at: number } | undefined
  return async (): Promise<ServerVersion | string> => {
    if (kept && Date.now() - kept.at < versionMaxAgeMs) return kept.version
    try {
      const { body } = await api.get('/version', AbortSignal.timeout(callMs))
      kept = { version: toVersion(body), at: Date.now() }
      return kept.version
    } catch (error) {
      return whyUnread(error)
    }
  }
}

const toVersion = (body: JsonObject): ServerVersion =>
  Object.fromEntries(
    ['major', 'minor', 'gitVersion'].flatMap(key => (typeof body[key] === 'string' ? [[key, body[key]]] : [])),
  )

/**
 * Opens a cluster by kubeconfig context or in-cluster service account. No call is made yet.
 * Throws KubeconfigError where the file is missing, malformed, or has no such context.
 */
export const openCluster = async (options: ClusterOptions = {}): Promise<Cluster> => {
  const timeouts: Timeouts = { callMs: options.timeouts?.callMs ?? 5_000, totalMs: options.timeouts?.totalMs ?? 15_000 }
  const credentials = await openCredentials(options)
  const name = options.name ?? credentials.context
  const api = openApi(credentials, name)
  const version = openVersion(api, timeouts.callMs)
  const reading = () => ({ api, cluster: name, version: version(), diagnose: options.diagnose ?? diagnose })
  return {
    name,
    server: credentials.server,
    namespace: credentials.namespace,
    read: (target, { signal } = {}) => {
      const reader = openReader(openCalls(api, timeouts, signal), target.namespace)
      return readSnapshot({ ...reading(), reader }, target)
    },
    triage: (namespace, { signal } = {}) => readNamespace(reading(), namespace, openCalls(api, timeouts, signal)),
    about: (target, { signal } = {}) => {
      const reader = openReader(openCalls(api, timeouts, signal), target.namespace)
      return readAbout({ api, cluster: name, version: version(), reader }, target)
    },
    log: (of, { maxBytes, signal }) => {
      const deadline = AbortSignal.timeout(logMs)
      return readFullLog(api, of, maxBytes, signal ? AbortSignal.any([deadline, signal]) : deadline)
    },
    ping: async () => {
      try {
        await api.get('/version', AbortSignal.timeout(timeouts.callMs))
      } catch (error) {
        if (!(error instanceof StatusError))
          throw refusalOf(error, api, { verb: 'get', resource: 'version', namespace: '' })
      }
    },
    watch: async (watchOptions, signal) => {
      // A watch holds its connection all the time: it must not take one from the answers.
      const watchApi = openApi(await openCredentials(options, 1 + (watchOptions.namespaces?.length ?? 1)), name)
      try {
        await watchCluster({ watchApi, readApi: api, cluster: name, timeouts }, watchOptions, signal)
      } finally {
        await watchApi.close()
      }
    },
    rights: ({ namespace, watches } = {}) =>
      readRights(api, name, namespace ?? null, () => AbortSignal.timeout(timeouts.callMs), watches),
    close: () => api.close(),
  }
}
