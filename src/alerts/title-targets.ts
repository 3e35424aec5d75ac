import type { Target } from '../queue/job.ts'
import { type AlertClusters, clusterOfValue } from './alert-clusters.ts'
import { isAboutUnhealthy, isKnownAlert, kindsOfAlert } from './alert-kinds.ts'
import { successors } from './label-targets.ts'
import { isGeneratedName } from './owner-name.ts'

/** `[FIRING:2] NAME shop (prod-eu api … warning)`: the default template's title, taken apart. */
export interface Title {
  readonly status: 'firing' | 'resolved'
  readonly alertname: string
  /** Firing alerts; null: none, or it is not said. */
  readonly firing: number | null
  /** Values of the labels that the group is made by. */
  readonly group: readonly string[]
  /** Values of the labels that all alerts share, ordered by their labels' names. */
  readonly shared: readonly string[]
}

const statusMark = /^[^\w[]*\[(FIRING|RESOLVED)\b[^\]]*\]\s*/i

/** The title without its status: what a resolved post has in common with the firing one. Null: it has none. */
export const withoutStatus = (title: string): { status: 'firing' | 'resolved'; rest: string } | null => {
  const mark = statusMark.exec(title)
  if (!mark) return null
  const isFiring = /firing/i.test(mark[0])
  return { status: isFiring ? 'firing' : 'resolved', rest: title.slice(mark[0].length).split(' | ')[0]?.trim() ?? '' }
}

/** Reads a title of Alertmanager's default template; null: it is none. */
export const readTitle = (title: string): Title | null => {
  const found = withoutStatus(title)
  const parts = /^([A-Za-z_][\w:-]*)((?: [^\s()]+)*)\s*(?:\((.*)\))?\s*$/.exec(found?.rest ?? '')
  if (!found || !parts) return null
  const [, alertname = '', group = '', shared = ''] = parts
  const words = (text: string) => text.split(/\s+/).filter(Boolean)
  const firing = /^[^\w[]*\[FIRING:(\d+)/i.exec(title)?.[1]
  const count = firing === undefined ? null : Number(firing)
  return { status: found.status, alertname, firing: count, group: words(group), shared: words(shared) }
}

/** Values that name neither a namespace nor an object. */
const noise = new Set(
  'critical warning info none error page ticket http https http-metrics https-metrics metrics web true false unknown kube-state-metrics node-exporter kubelet cadvisor apiserver prometheus alertmanager default'.split(
    ' ',
  ),
)
const objectName = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/
const namespaceName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const uid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const isName = (value: string): boolean => objectName.test(value) && !noise.has(value) && !uid.test(value)

const isPodName = (value: string): boolean => isGeneratedName(value) || /-\d+$/.test(value)

/** Trying one costs a few reads of the cluster. */
const MAX_CANDIDATES = 6

/**
 * What a title of several alerts may be about, as only what they share stands in it: an unhealthy pod with a container of
 * such a name, or of the namespace that the group is made by.
 */
const sharedTargets = (namespaces: readonly string[], grouped: readonly string[], names: readonly string[]) => [
  ...namespaces.flatMap(namespace =>
    names
      .filter(name => namespaceName.test(name) && name !== namespace && !isGeneratedName(name))
      .map(name => ({ namespace, kind: 'Container', name })),
  ),
  ...grouped.map(namespace => ({ namespace, kind: 'Namespace', name: namespace })),
]

/**
 * What a title may be about. It has labels' values without their names, so the cluster has to be asked: the likeliest
 * comes first. Empty: nothing in it looks like a pod or workload.
 */
export const titleTargets = (title: Title, clusters: AlertClusters): readonly Target[] => {
  const { alertname, firing, group, shared } = title
  const kinds = kindsOfAlert(alertname) ?? ['Pod']
  const values = [...group, ...shared]
  const named = values.find(value => clusterOfValue(value, clusters) !== null)
  const cluster = named === undefined ? null : clusterOfValue(named, clusters)
  const names = [...new Set(values.filter(value => value !== named && isName(value)))]
  const isAboutPods = kinds.includes('Pod')
  // Of an alert that is not known only a pod's generated name says that it is about a pod.
  const isObject = isAboutPods ? (isKnownAlert(alertname) ? isPodName : isGeneratedName) : () => true
  const objects = names.filter(value => isObject(value) && !group.includes(value))
  // The group is usually made by name and namespace; else a value before the pod's is its namespace, as labels are sorted.
  const inGroup = names.filter(value => group.includes(value) && namespaceName.test(value))
  const namespaces =
    inGroup.length > 0 ? inGroup : names.filter(value => namespaceName.test(value) && !isGeneratedName(value))
  const exact = namespaces.flatMap(namespace =>
    kinds.flatMap(kind => objects.filter(name => name !== namespace).map(name => ({ namespace, kind, name }))),
  )
  const isOne = (firing ?? 1) === 1 && exact.length > 0
  const others = names.filter(value => !group.includes(value) && !objects.includes(value))
  const more = isOne || !isAboutUnhealthy(alertname) ? [] : sharedTargets(namespaces, inGroup, others)
  const room = MAX_CANDIDATES - Math.min(more.length, MAX_CANDIDATES / 2)
  const targets = [...exact.slice(0, room), ...more].map((found): Target => ({ cluster, ...found }))
  const [only, ...rest] = targets
  // Of several guesses it would not be said which one is gone.
  const made = only?.kind === 'Pod' && rest.length === 0 ? successors(only) : []
  return [...targets, ...made].slice(0, MAX_CANDIDATES)
}
