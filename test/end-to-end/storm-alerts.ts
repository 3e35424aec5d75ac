import { createHash } from 'node:crypto'
import { setTimeout as until } from 'node:timers/promises'
import type { Seeded } from './seeded.ts'
import type { FailingOwner } from './storm-cluster.ts'

/** One alert, as Alertmanager knows it. */
interface StormAlert {
  readonly owner: FailingOwner
  readonly pod: string
  readonly labels: Readonly<Record<string, string>>
  readonly fingerprint: string
  /** When it begins to fire, in ms after the storm's start. */
  readonly firesAt: number
}

/** What became of the alerts. */
export interface Delivered {
  /** Alerts that fired, each counted once. */
  readonly fired: number
  /** Webhooks that were sent, those that were refused included. */
  posts: number
  /** Alerts in the webhooks that were accepted, repeats included. */
  accepted: number
  /** Webhooks that were refused or cut, and were sent again. */
  sentAgain: number
  /** When the first alert about an owner was accepted, by its name, Unix milliseconds. */
  readonly firstAcceptedAt: Map<string, number>
  /** Pods that accepted alerts named, by their owner's name. */
  readonly pods: Map<string, Set<string>>
}

export interface StormOptions {
  /** Of the webhook. */
  readonly url: string
  readonly token: string
  readonly channel: string
  readonly owners: readonly FailingOwner[]
  readonly alerts: number
  readonly spanMs: number
  readonly random: Seeded
}

/** Two rules are not grouped (`group_by: ['...']`), the others by name and namespace. */
const rules = [
  { alertname: 'KubePodCrashLooping', grouped: true },
  { alertname: 'KubePodNotReady', grouped: true },
  { alertname: 'KubeContainerWaiting', grouped: true },
  { alertname: 'KubernetesPodNotHealthy', grouped: false },
  { alertname: 'KubernetesPodCrashLooping', grouped: false },
] as const

const GROUP_WAIT_MS = 1000
const GROUP_INTERVAL_MS = 5000
/** So many single alerts are sent once more, as after `repeat_interval`. */
const REPEATED = 0.2
/** Alertmanager's own: half a second, then half as much again. */
const FIRST_RETRY_MS = 500
const BACK_OFF = 1.5
const TIMEOUT_MS = 10_000

const alertsOf = ({ owners, alerts: wanted, spanMs, random, channel }: StormOptions): StormAlert[] => {
  const all = rules.flatMap(({ alertname }) =>
    owners.flatMap(owner => owner.pods.map(pod => ({ owner, pod, alertname }))),
  )
  if (wanted > all.length) throw new Error(`so many pods and rules make ${all.length} alerts, not ${wanted}`)
  return random
    .shuffled(all)
    .slice(0, wanted)
    .map(({ owner, pod, alertname }, index) => {
      const { namespace, container } = owner
      const labels = {
        ...{ alertname, namespace, pod, container, severity: 'warning', podwhy_channel: channel },
        ...{ job: 'kube-state-metrics', instance: '10.244.1.12:8080', endpoint: 'http' },
      }
      const fingerprint = createHash('sha256').update(JSON.stringify(labels)).digest('hex').slice(0, 16)
      return { owner, pod, labels, fingerprint, firesAt: Math.floor((index * spanMs) / wanted) }
    })
}

/**
 * Makes alerts fire, spread over a span of time, and sends them as Alertmanager does: in groups, a group's first webhook a
 * second after its first alert, then every 5 s with all of its alerts if there is a new one; what is not accepted again,
 * later and later. Ends when all have been accepted.
 */
export const sendStorm = async (options: StormOptions): Promise<Delivered> => {
  const { url, token, random } = options
  const alerts = alertsOf(options)
  const startedAt = Date.now()
  const delivered: Delivered = {
    ...{ fired: alerts.length, posts: 0, accepted: 0, sentAgain: 0 },
    firstAcceptedAt: new Map(),
    pods: new Map(),
  }
  const at = (ms: number) => until(Math.max(0, startedAt + ms - Date.now()))

  const isAccepted = async (body: string): Promise<boolean> => {
    delivered.posts++
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
      async response => {
        await response.body?.cancel()
        // What Alertmanager would not send again is lost.
        if (response.status >= 400 && response.status < 500) throw new Error(`an alert was refused: ${response.status}`)
        return response.ok
      },
      () => false,
    )
  }

  const send = async (key: string, group: readonly StormAlert[]): Promise<void> => {
    const body = JSON.stringify({
      ...{ version: '4', groupKey: key, receiver: 'podwhy', status: 'firing', truncatedAlerts: 0 },
      alerts: group.map(({ labels, fingerprint, firesAt }) => ({
        ...{ status: 'firing', labels, annotations: {}, fingerprint, endsAt: '0001-01-01T00:00:00Z' },
        startsAt: new Date(startedAt + firesAt).toISOString(),
      })),
    })
    for (let wait = FIRST_RETRY_MS; !(await isAccepted(body)); wait *= BACK_OFF) {
      delivered.sentAgain++
      await until(wait * (0.5 + random.number()))
    }
    delivered.accepted += group.length
    for (const { owner, pod } of group) {
      if (!delivered.firstAcceptedAt.has(owner.name)) delivered.firstAcceptedAt.set(owner.name, Date.now())
      delivered.pods.set(owner.name, (delivered.pods.get(owner.name) ?? new Set()).add(pod))
    }
  }

  const runGroup = async (key: string, members: readonly StormAlert[]): Promise<void> => {
    const last = members.at(-1)?.firesAt ?? 0
    let sent = 0
    for (let due = (members[0]?.firesAt ?? 0) + GROUP_WAIT_MS; sent < members.length; due += GROUP_INTERVAL_MS) {
      await at(due)
      const firing = members.filter(({ firesAt }) => startedAt + firesAt <= Date.now())
      if (firing.length > sent) await send(key, firing)
      sent = firing.length
    }
    const isRepeated = members.length === 1 && random.number() < REPEATED
    if (!isRepeated) return
    await at(last + GROUP_WAIT_MS + GROUP_INTERVAL_MS * (1 + random.number()))
    await send(key, members)
  }

  const isGrouped = new Map<string, boolean>(rules.map(({ alertname, grouped }) => [alertname, grouped]))
  const groups = Map.groupBy(alerts, ({ labels, fingerprint }) => {
    const { alertname = '', namespace } = labels
    return isGrouped.get(alertname) ? `{}:{alertname="${alertname}", namespace="${namespace}"}` : `{}:{${fingerprint}}`
  })
  await Promise.all([...groups].map(([key, members]) => runGroup(key, members)))
  return delivered
}
