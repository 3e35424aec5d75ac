import type { Target } from '../queue/job.ts'
import type { Labels } from './alert.ts'
import { isKnownAlert, kindsOfLabels, labelOfKind } from './alert-kinds.ts'
import { isGeneratedName, ownerName } from './owner-name.ts'

/** What an alert may be about: to be tried in this order, the first that exists is meant. */
export type Candidates = readonly [Target, ...Target[]]

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const objectName = /^[a-z0-9][-a-z0-9.]{0,252}$/

/** Prometheus renames a label to `exported_…` where its own target has one of that name: then that is the object's. */
const own = (labels: Labels, name: string): string => labels[`exported_${name}`] || labels[name] || ''

/** The exporter's own pod, in an alert about something else. */
const isExporter = (labels: Labels, pod: string): boolean =>
  !isKnownAlert(labels['alertname'] ?? '') && pod.startsWith('kube-state-metrics')

/** After a pod that is gone, the Deployment or Job that made it, whose newest trouble is the successor's. */
export const successors = (pod: Target): readonly Target[] => {
  const owner = ownerName(pod.name)
  if (!isGeneratedName(pod.name) || owner === pod.name) return []
  return ['Deployment', 'DaemonSet', 'Job'].map(kind => ({ ...pod, kind, name: owner }))
}

/** A target for each kind the service behind a scrape target may be made by. */
const behindService = (found: Omit<Target, 'kind' | 'name'>, service: string): readonly Target[] =>
  objectName.test(service)
    ? ['Deployment', 'StatefulSet', 'DaemonSet'].map(kind => ({ ...found, kind, name: service }))
    : []

/**
 * What an alert is about, from its labels: the object its rule is about, and after a pod its makers, in case it is gone.
 * Null: it is about no pod. Whether it matters, `isForPodwhy` says.
 */
export const labelTargets = (labels: Labels): Candidates | null => {
  const namespace = own(labels, 'namespace')
  if (!label.test(namespace)) return null
  const place = { cluster: labels['cluster'] || null, namespace }
  for (const kind of kindsOfLabels(labels)) {
    const name = own(labels, labelOfKind[kind] ?? '')
    if (!objectName.test(name) || isExporter(labels, name)) continue
    const target = { ...place, kind, name }
    return kind === 'Pod' ? [target, ...successors(target)] : [target]
  }
  if (labels['alertname'] !== 'TargetDown') return null
  const [first, ...others] = behindService(place, labels['service'] ?? '')
  return first === undefined ? null : [first, ...others]
}
