import { z } from 'zod'
import { Alert, type Labels } from './alert.ts'
import { type AlertClusters, withOwnCluster } from './alert-clusters.ts'
import { isForPodwhy, needsUnhealthy } from './alert-kinds.ts'
import { type Candidates, labelTargets } from './label-targets.ts'
import { otherPods } from './other-pods.ts'
import { ownerKey } from './owner-name.ts'

/**
 * What Alertmanager's webhook receiver sends, as far as it is read.
 * https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
 */
const Webhook = z.object({
  version: z.literal('4'),
  alerts: z.array(Alert),
  /** How many alerts of the group were left out (`max_alerts`). */
  truncatedAlerts: z.number().int().nonnegative().default(0),
})

/** What is to be asked because of one alert. */
export interface AlertTarget {
  readonly alert: Alert
  readonly targets: Candidates
  /** Other firing alerts of the group about the same owner, for the same place. */
  readonly folded: number
  /** Pods that those are about, sorted. */
  readonly named: readonly string[]
  /** Whether only an unhealthy pod is worth an answer, for all of them. */
  readonly onlyUnhealthy: boolean
}

/** What alerts that are resolved were about. */
export interface ResolvedTarget {
  readonly alert: Alert
  readonly targets: Candidates
}

/** What one webhook holds. */
export interface WebhookTargets {
  /** One for each owner and place with firing alerts, the longest firing alert of it. */
  readonly asked: readonly AlertTarget[]
  /** Firing alerts that are about no pod, or not for podwhy. */
  readonly ignored: number
  /** Firing alerts for podwhy whose label names a cluster that is not configured. */
  readonly otherCluster: number
  /** Resolved alerts, whatever they were about. */
  readonly resolved: number
  /** Those for podwhy, one for each target. */
  readonly recovered: readonly ResolvedTarget[]
  /** Alerts that Alertmanager left out. */
  readonly truncated: number
}

/** The oldest first: what is added to a group later does not change who is first. */
const oldestFirst = (a: Alert, b: Alert): number =>
  Date.parse(a.startsAt) - Date.parse(b.startsAt) || a.fingerprint.localeCompare(b.fingerprint)

/** What an alert is about; `other cluster`: of one that is not configured; null: no pod, or not for podwhy. */
const targetsOf = ({ labels }: Alert, clusters: AlertClusters): Candidates | 'other cluster' | null => {
  const ours = withOwnCluster(labels, clusters)
  const targets = isForPodwhy(labels) ? labelTargets(ours ?? labels) : null
  return targets !== null && ours === null ? 'other cluster' : targets
}

/** Where an alert is to be answered; the same text for the same place. */
type PlaceOf = (labels: Labels) => string | null

const recoveredOf = (
  alerts: readonly Alert[],
  clusters: AlertClusters,
  placeOf: PlaceOf,
): readonly ResolvedTarget[] => {
  const found = alerts.flatMap(alert => {
    const targets = targetsOf(alert, clusters)
    return targets === null || targets === 'other cluster' ? [] : [{ alert, targets }]
  })
  const keyOf = ({ alert, targets }: ResolvedTarget): string => JSON.stringify([placeOf(alert.labels), targets])
  return [...new Map(found.map(each => [keyOf(each), each])).values()]
}

/**
 * Reads a webhook's payload. Alerts about one owner are asked about together, as far as they are answered in one place.
 * Throws ZodError where it is none of version 4.
 */
export const targetsOfWebhook = (
  payload: unknown,
  clusters: AlertClusters,
  placeOf: PlaceOf = () => null,
): WebhookTargets => {
  const { alerts, truncatedAlerts } = Webhook.parse(payload)
  const firing = alerts.filter(({ status }) => status === 'firing').toSorted(oldestFirst)
  const resolved = alerts.filter(({ status }) => status === 'resolved')
  const byOwner = new Map<string, { alert: Alert; all: [Candidates, ...Candidates[]]; onlyUnhealthy: boolean }>()
  let ignored = 0
  let otherCluster = 0
  for (const alert of firing) {
    const targets = targetsOf(alert, clusters)
    if (targets === null) ignored++
    else if (targets === 'other cluster') otherCluster++
    else {
      const owner = JSON.stringify([placeOf(alert.labels), ownerKey(targets[0])])
      const onlyUnhealthy = needsUnhealthy(alert.labels)
      const first = byOwner.get(owner)
      if (first) {
        first.all.push(targets)
        first.onlyUnhealthy &&= onlyUnhealthy
      } else byOwner.set(owner, { alert, all: [targets], onlyUnhealthy })
    }
  }
  return {
    asked: [...byOwner.values()].map(({ alert, all, onlyUnhealthy }) => ({
      alert,
      targets: all[0],
      folded: all.length - 1,
      named: otherPods(all),
      onlyUnhealthy,
    })),
    ignored,
    otherCluster,
    resolved: resolved.length,
    recovered: recoveredOf(resolved, clusters, placeOf),
    truncated: truncatedAlerts,
  }
}
