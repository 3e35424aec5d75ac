import { z } from 'zod'
import { Alert } from './alert.ts'
import { type AlertClusters, withOwnCluster } from './alert-clusters.ts'
import { isForPodwhy } from './alert-kinds.ts'
import { type Candidates, labelTargets } from './label-targets.ts'
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
  /** Other firing alerts of the group about the same owner. */
  readonly folded: number
}

/** What one webhook holds. */
export interface WebhookTargets {
  /** One for each owner with firing alerts, the longest firing alert of it. */
  readonly asked: readonly AlertTarget[]
  /** Firing alerts that are about no pod, or not for podwhy. */
  readonly ignored: number
  /** Firing alerts for podwhy whose label names a cluster that is not configured. */
  readonly otherCluster: number
  readonly resolved: number
  /** Alerts that Alertmanager left out. */
  readonly truncated: number
}

/** The oldest first: what is added to a group later does not change who is first. */
const oldestFirst = (a: Alert, b: Alert): number =>
  Date.parse(a.startsAt) - Date.parse(b.startsAt) || a.fingerprint.localeCompare(b.fingerprint)

/** Reads a webhook's payload. Throws ZodError where it is none of version 4. */
export const targetsOfWebhook = (payload: unknown, clusters: AlertClusters): WebhookTargets => {
  const { alerts, truncatedAlerts } = Webhook.parse(payload)
  const firing = alerts.filter(({ status }) => status === 'firing').toSorted(oldestFirst)
  const byOwner = new Map<string, { alert: Alert; targets: Candidates; folded: number }>()
  let ignored = 0
  let otherCluster = 0
  for (const alert of firing) {
    const labels = withOwnCluster(alert.labels, clusters)
    const targets = isForPodwhy(alert.labels) ? labelTargets(labels ?? alert.labels) : null
    if (targets === null) {
      ignored++
      continue
    }
    if (labels === null) {
      otherCluster++
      continue
    }
    const owner = ownerKey(targets[0])
    const first = byOwner.get(owner)
    if (first) first.folded++
    else byOwner.set(owner, { alert, targets, folded: 0 })
  }
  const resolved = alerts.length - firing.length
  return { asked: [...byOwner.values()], ignored, otherCluster, resolved, truncated: truncatedAlerts }
}
