import type { Target } from './queue/job.ts'

/** Text that names no target; `message` is one sentence for the one who typed it. */
export class TargetError extends Error {
  override name = 'TargetError'
}

/** How a target is written, for usage hints. */
export const targetUsage = '[CONTEXT:][NAMESPACE/][KIND/]NAME [-n NAMESPACE], or NAMESPACE/'

/** Whether a target is a whole namespace, of which all pods are looked at. */
export const isNamespace = ({ kind }: Pick<Target, 'kind'>): boolean => kind === 'Namespace'

/** What a target may leave out, and what it may name. */
export interface TargetContext {
  /** Names of the configured clusters. */
  readonly clusters?: readonly string[]
  /** The channel's own namespace; it goes before `defaultNamespace`. */
  readonly channelNamespace?: string | null | undefined
  /** Where nothing else says; null: then one has to be named. */
  readonly defaultNamespace?: string | null | undefined
}

// kubectl's names and short names: `kubectl api-resources`.
const kinds: Readonly<Record<string, readonly string[]>> = {
  Pod: ['pod', 'pods', 'po'],
  Deployment: ['deployment', 'deployments', 'deploy'],
  StatefulSet: ['statefulset', 'statefulsets', 'sts'],
  DaemonSet: ['daemonset', 'daemonsets', 'ds'],
  ReplicaSet: ['replicaset', 'replicasets', 'rs'],
  Job: ['job', 'jobs'],
  CronJob: ['cronjob', 'cronjobs', 'cj'],
  PersistentVolumeClaim: ['persistentvolumeclaim', 'persistentvolumeclaims', 'pvc'],
}
const kindByAlias = new Map(Object.entries(kinds).flatMap(([kind, names]) => names.map(name => [name, kind] as const)))

/** `deploy`, `Deployments` and `deployment.apps` are all `Deployment`; null: not a kind. */
const kindOf = (text: string): string | null =>
  kindByAlias.get(text.toLowerCase().replace(/\.(apps|batch)$/, '')) ?? null

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
/** A name, or the beginning of one: that may end in `-`. */
const nameBeginning = /^[a-z0-9][-a-z0-9.]*$/

/** A word without the back-ticks, quotes, brackets and full stops that people put around it. */
const bare = (word: string): string => word.replace(/^[`'"([{]+/, '').replace(/[`'")\]},;.!?]+$/, '')

interface Words {
  readonly words: readonly string[]
  /** The value of `-n`. */
  readonly namespace: string | null
}

const readFlags = (text: string): Words => {
  const words: string[] = []
  let namespace: string | null = null
  const given = text.split(/\s+/).map(bare).filter(Boolean)
  for (let index = 0; index < given.length; index++) {
    const word = given[index] ?? ''
    const flag = /^(?:-n|--namespace)(?:=(.*))?$/.exec(word)
    if (flag) {
      namespace = flag[1] ?? given[++index] ?? ''
      if (namespace === '') throw new TargetError(`${word.replace('=', '')} needs a namespace`)
    } else if (word.startsWith('-')) {
      throw new TargetError(`"${word}" is not an option here`)
    } else {
      words.push(word)
    }
  }
  return { words, namespace }
}

const splitCluster = (word: string, clusters: readonly string[]): { cluster: string | null; rest: string } => {
  // Names of clusters may contain `:` and `/` themselves, as those of EKS do.
  const longestFirst = clusters.toSorted((a, b) => b.length - a.length)
  const cluster = longestFirst.find(name => word.startsWith(`${name}:`))
  if (cluster !== undefined) return { cluster, rest: word.slice(cluster.length + 1) }
  const rest = word.replace(/:+$/, '')
  const colon = rest.indexOf(':')
  if (colon === -1) return { cluster: null, rest }
  const known = clusters.length > 0 ? `known are ${clusters.join(', ')}` : 'none is configured by name'
  throw new TargetError(`there is no cluster "${rest.slice(0, colon)}"; ${known}`)
}

interface Parts {
  readonly namespace: string | null
  readonly kind: string | null
  readonly name: string
}

/** `ns shop`, as kubectl takes it; with a slash `ns` stays the name of a namespace. */
const namespaceWords = new Set(['namespace', 'namespaces', 'ns'])

const kindNamed = (text: string): string => {
  const kind = kindOf(text)
  if (kind === null)
    throw new TargetError(`"${text}" is not a kind; use ${Object.keys(kinds).join(', ').toLowerCase()}`)
  return kind
}

const splitParts = (words: readonly string[]): Parts => {
  const [first = '', second] = words
  const pieces = first.split('/')
  if (second !== undefined && namespaceWords.has(first.toLowerCase()))
    return { namespace: second.replace(/\/$/, ''), kind: 'Namespace', name: second.replace(/\/$/, '') }
  // `deploy web`, as kubectl takes it.
  if (second !== undefined && pieces.length === 1) return { namespace: null, kind: kindNamed(first), name: second }
  if (second !== undefined) throw new TargetError(`one target at a time: "${second}" is one word too many`)
  const [a = '', b = '', c = ''] = pieces
  if (pieces.length === 1) return { namespace: null, kind: null, name: a }
  if (pieces.length === 3 && c !== '') return { namespace: a, kind: kindNamed(b), name: c }
  const kind = kindOf(a)
  if (pieces.length === 2 && b !== '')
    return kind === null ? { namespace: a, kind: null, name: b } : { namespace: null, kind, name: b }
  if (pieces.length === 2 && kind === null) return { namespace: a, kind: 'Namespace', name: a }
  throw new TargetError(`"${first}" names no pod or workload`)
}

/**
 * Reads `[CONTEXT:][NS/][KIND/]NAME`, with `-n NS` and `KIND NAME` as kubectl has them. In `a/b`, `a` is a kind where it is
 * one, else a namespace; `ns/pod/x` forces it. `NS/`, `ns NS` and `-n NS` alone are the namespace, of kind `Namespace`.
 * Throws TargetError.
 */
export const parseTarget = (text: string, context: TargetContext = {}): Target => {
  const { words, namespace: flag } = readFlags(text)
  const [first = flag === null ? undefined : `${flag}/`, ...others] = words
  if (first === undefined) throw new TargetError('name a pod or workload')
  if (others.length > 1) throw new TargetError(`one target at a time: "${others[1]}" is one word too many`)
  const { cluster, rest } = splitCluster(first, context.clusters ?? [])
  // `prod: -n shop`
  const parts = splitParts(rest === '' && flag !== null ? [`${flag}/`] : [rest, ...others])

  if (flag !== null && parts.namespace !== null && flag !== parts.namespace)
    throw new TargetError(`namespace "${parts.namespace}" or "${flag}"? Name one`)
  const namespace = parts.namespace ?? flag ?? context.channelNamespace ?? context.defaultNamespace ?? null
  if (namespace === null) throw new TargetError(`in which namespace is "${parts.name}"? Write NAMESPACE/${parts.name}`)
  if (!label.test(namespace) || namespace.length > 63)
    throw new TargetError(`"${namespace}" cannot be the name of a namespace`)
  if (!nameBeginning.test(parts.name) || parts.name.length > 253)
    throw new TargetError(`"${parts.name}" cannot be the name of a pod or workload`)
  return { cluster, namespace, kind: parts.kind, name: parts.name }
}
