import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js'
import { parse } from 'yaml'
import { ClusterError, oneLine } from './cluster-error.ts'

/** A kubeconfig that is missing, malformed, or has no such context. */
export class KubeconfigError extends ClusterError {
  override name = 'KubeconfigError'
}

/** Where the credentials come from. */
export interface KubeconfigSource {
  /** One path, or several as `KUBECONFIG` has them (the first file wins); default `~/.kube/config`. */
  readonly kubeconfig?: string | undefined
  /** A context of the file; default its `current-context`. */
  readonly context?: string | undefined
  /** Use the pod's own service account instead of a file. */
  readonly inCluster?: boolean | undefined
}

/** A context of a kubeconfig. */
export interface Context {
  readonly name: string
  /** The namespace it sets; null: none. */
  readonly namespace: string | null
  /** True for `current-context`. */
  readonly current: boolean
}

type Entry = Record<string, unknown>
interface Document {
  readonly clusters: Entry[]
  readonly users: Entry[]
  readonly contexts: Entry[]
  readonly current: string | undefined
}

const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Paths in a kubeconfig are relative to its own directory; `tokenFile` becomes what client-node knows as such. */
const settle = (entry: Entry, folder: string): Entry => {
  const at = (path: unknown) => (typeof path === 'string' && path !== '' ? resolve(folder, path) : path)
  const settled: Entry = { ...entry }
  for (const key of ['certificate-authority', 'client-certificate', 'client-key']) {
    if (key in settled) settled[key] = at(settled[key])
  }
  if (typeof settled['tokenFile'] === 'string') {
    settled['auth-provider'] = { name: 'tokenFile', config: { tokenFile: at(settled['tokenFile']) } }
    delete settled['token']
  }
  const exec = settled['exec']
  if (isEntry(exec) && typeof exec['command'] === 'string' && /[/\\]/.test(exec['command']))
    settled['exec'] = { ...exec, command: at(exec['command']) }
  return settled
}

const readDocument = (file: string): Document => {
  const text = readFileSync(file, 'utf8')
  let parsed: unknown
  try {
    parsed = parse(text)
  } catch (error) {
    throw new KubeconfigError(`kubeconfig ${file} is not YAML: ${oneLine((error as Error).message, 160)}`)
  }
  if (!isEntry(parsed) || !Array.isArray(parsed['clusters']) || !Array.isArray(parsed['contexts']))
    throw new KubeconfigError(`kubeconfig ${file} is not a kubeconfig: it has no lists "clusters" and "contexts"`)
  const entries = (list: string, inner: string): Entry[] =>
    (Array.isArray(parsed[list]) ? parsed[list] : [])
      .filter(isEntry)
      .map(entry => ({ ...entry, [inner]: settle(isEntry(entry[inner]) ? entry[inner] : {}, dirname(file)) }))
  const current = parsed['current-context']
  return {
    clusters: entries('clusters', 'cluster'),
    users: entries('users', 'user'),
    contexts: entries('contexts', 'context'),
    current: typeof current === 'string' && current !== '' ? current : undefined,
  }
}

/** All files of the source as one; like kubectl, the first to name something wins, and missing ones of several are skipped. */
const readDocuments = (source: KubeconfigSource): Document => {
  const files = source.kubeconfig?.split(delimiter).filter(file => file !== '') ?? [join(homedir(), '.kube', 'config')]
  const documents: Document[] = []
  let missing: Error | undefined
  for (const file of files.map(name => resolve(name))) {
    try {
      documents.push(readDocument(file))
    } catch (error) {
      if (error instanceof KubeconfigError) throw error
      const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : (error as Error).message
      missing ??= new KubeconfigError(`kubeconfig ${file} ${oneLine(reason, 160)}; set KUBECONFIG`)
    }
  }
  if (documents.length === 0) throw missing ?? new KubeconfigError('no kubeconfig is named; set KUBECONFIG')
  const merged = (list: 'clusters' | 'users' | 'contexts'): Entry[] => {
    const byName = new Map<unknown, Entry>()
    for (const entry of documents.flatMap(document => document[list]))
      if (!byName.has(entry['name'])) byName.set(entry['name'], entry)
    return [...byName.values()]
  }
  return {
    clusters: merged('clusters'),
    users: merged('users'),
    contexts: merged('contexts'),
    current: documents.map(document => document.current).find(name => name !== undefined),
  }
}

/** The contexts of a kubeconfig, in its order. Throws KubeconfigError. */
export const listContexts = (source: Pick<KubeconfigSource, 'kubeconfig'> = {}): readonly Context[] => {
  const document = readDocuments(source)
  return document.contexts.flatMap(entry => {
    const inner = entry['context']
    const namespace = isEntry(inner) ? inner['namespace'] : undefined
    return typeof entry['name'] === 'string'
      ? [
          {
            name: entry['name'],
            namespace: typeof namespace === 'string' && namespace !== '' ? namespace : null,
            current: entry['name'] === document.current,
          },
        ]
      : []
  })
}

/** client-node's KubeConfig with the wanted context chosen. Throws KubeconfigError. */
export const loadKubeconfig = async (source: KubeconfigSource): Promise<KubeConfig> => {
  // Only this file of client-node: its index costs four times as much to load.
  const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js')
  const config = new KubeConfig()
  if (source.inCluster) {
    config.loadFromCluster()
    // Its address comes from variables that every pod has.
    if (config.getCurrentCluster()?.server.includes('undefined'))
      throw new KubeconfigError('not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set')
  } else {
    const { clusters, users, contexts, current } = readDocuments(source)
    const wanted = source.context ?? current
    if (wanted === undefined) throw new KubeconfigError('the kubeconfig has no current-context; name one')
    try {
      config.loadFromString(JSON.stringify({ clusters, users, contexts, 'current-context': wanted }))
    } catch (error) {
      throw new KubeconfigError(`the kubeconfig is malformed: ${oneLine((error as Error).message, 160)}`)
    }
    if (!config.getContextObject(wanted)) {
      const known = config.getContexts().map(context => `"${context.name}"`)
      throw new KubeconfigError(`the kubeconfig has no context "${wanted}"; it has ${known.join(', ') || 'none'}`)
    }
  }
  const cluster = config.getCurrentCluster()
  if (!cluster) {
    const context = config.getContextObject(config.getCurrentContext())
    throw new KubeconfigError(
      `context "${context?.name}" names cluster "${context?.cluster}", which the kubeconfig does not have`,
    )
  }
  // client-node refuses plain HTTP otherwise, where there is no TLS to verify.
  if (cluster.server.startsWith('http:')) Object.assign(cluster, { skipTLSVerify: true })
  return config
}
