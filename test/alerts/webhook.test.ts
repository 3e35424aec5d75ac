import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { clustersByName } from '../../src/alerts/alert-clusters.ts'
import { targetsOfWebhook } from '../../src/alerts/webhook.ts'
import { targetText } from '../../src/slack/question.ts'

const captured: { receiver: string; body: { alerts: object[] } }[] = JSON.parse(
  readFileSync(new URL('webhooks.json', import.meta.url), 'utf8'),
)
const prodEu = clustersByName(['prod-eu'])
const targetsOf = (payload: unknown, clusters = prodEu) =>
  targetsOfWebhook(payload, clusters).asked.map(({ targets }) => targetText(targets[0]))

const startsAt = '2026-11-30T20:55:47Z'
let fingerprints = 0
const alert = (labels: Record<string, string>, more: object = {}) => ({
  ...{ status: 'firing', labels, startsAt, fingerprint: `${++fingerprints}` },
  ...more,
})
const webhook = (...alerts: object[]) => ({ version: '4', alerts, truncatedAlerts: 0 })

it('finds the target of every captured webhook that has one, and asks once for each owner', () => {
  const found = captured.map(({ receiver, body }) => {
    const { asked, ignored, resolved, truncated } = targetsOfWebhook(body, prodEu)
    const targets = asked.map(
      ({ targets: [first], folded }) => `${targetText(first)}${folded > 0 ? ` +${folded}` : ''}`,
    )
    return `${receiver}: ${targets.join(', ') || '-'}, ignored ${ignored}, resolved ${resolved}, truncated ${truncated}`
  })
  expect(found).toMatchInlineSnapshot(`
    [
      "webhook: -, ignored 1, resolved 0, truncated 0",
      "webhook: prod-eu:shop/Pod/orders-api-664c9d84c7-tcjsf, ignored 0, resolved 0, truncated 0",
      "webhook: -, ignored 0, resolved 1, truncated 0",
      "webhook: prod-eu:pay/Deployment/payments-api, ignored 0, resolved 0, truncated 0",
      "webhook: -, ignored 0, resolved 1, truncated 0",
      "webhook: prod-eu:batch/Job/invoice-run, ignored 0, resolved 0, truncated 0",
      "webhook: -, ignored 0, resolved 1, truncated 0",
      "webhook: -, ignored 1, resolved 0, truncated 0",
      "webhook: -, ignored 0, resolved 1, truncated 0",
      "webhook: prod-eu:shop/Pod/checkout-web-6b4c7bfdb6-p2ktm, ignored 0, resolved 0, truncated 0",
      "webhook: prod-eu:pay/Pod/payments-api-7d9c5f8b6d-7kq2m +1, ignored 0, resolved 0, truncated 0",
      "webhook: prod-eu:pay/Pod/payments-api-7d9c5f8b6d-7kq2m +2, ignored 0, resolved 0, truncated 0",
      "webhook: -, ignored 0, resolved 1, truncated 0",
      "webhook: -, ignored 0, resolved 3, truncated 0",
      "webhook: prod-eu:shop/Pod/catalog-5f69c87f88-rh92l, ignored 0, resolved 0, truncated 0",
      "webhook: -, ignored 0, resolved 1, truncated 0",
      "webhook: prod-eu:data/StatefulSet/broker, ignored 0, resolved 0, truncated 0",
      "webhook: -, ignored 0, resolved 1, truncated 0",
      "webhook: -, ignored 1, resolved 0, truncated 0",
      "webhook: -, ignored 0, resolved 1, truncated 0",
      "webhook-max-2: -, ignored 1, resolved 0, truncated 0",
      "webhook-max-2: prod-eu:shop/Pod/orders-api-664c9d84c7-tcjsf, ignored 0, resolved 0, truncated 0",
      "webhook-max-2: -, ignored 0, resolved 1, truncated 0",
      "webhook-max-2: prod-eu:pay/Deployment/payments-api, ignored 0, resolved 0, truncated 0",
      "webhook-max-2: -, ignored 0, resolved 1, truncated 0",
      "webhook-max-2: prod-eu:batch/Job/invoice-run, ignored 0, resolved 0, truncated 0",
      "webhook-max-2: -, ignored 0, resolved 1, truncated 0",
      "webhook-max-2: -, ignored 1, resolved 0, truncated 0",
      "webhook-max-2: prod-eu:shop/Pod/checkout-web-6b4c7bfdb6-p2ktm, ignored 0, resolved 0, truncated 0",
      "webhook-max-2: prod-eu:pay/Pod/payments-api-7d9c5f8b6d-7kq2m +1, ignored 0, resolved 0, truncated 0",
      "webhook-max-2: -, ignored 0, resolved 1, truncated 0",
      "webhook-max-2: -, ignored 0, resolved 2, truncated 1",
      "webhook-max-2: prod-eu:shop/Pod/catalog-5f69c87f88-rh92l, ignored 0, resolved 0, truncated 0",
      "webhook-max-2: prod-eu:data/StatefulSet/broker, ignored 0, resolved 0, truncated 0",
      "webhook-max-2: -, ignored 0, resolved 1, truncated 0",
      "webhook-max-2: -, ignored 1, resolved 0, truncated 0",
      "webhook-max-2: -, ignored 0, resolved 1, truncated 0",
    ]
  `)
})

it.each([
  ['a pod by its own labels', { alertname: 'KubePodNotReady', namespace: 'shop', pod: 'web-0' }, 'shop/Pod/web-0'],
  [
    'the object that the exporter’s labels pushed aside',
    {
      ...{ alertname: 'KubePodCrashLooping', namespace: 'monitoring', pod: 'kube-state-metrics-6c9d7b5d4f-x2x9k' },
      ...{ exported_namespace: 'shop', exported_pod: 'web-0', container: 'kube-state-metrics' },
    },
    'shop/Pod/web-0',
  ],
  [
    'the workload, not the exporter’s pod beside it',
    {
      ...{ alertname: 'KubeDeploymentReplicasMismatch', namespace: 'pay', deployment: 'api' },
      ...{ pod: 'kube-state-metrics-6c9d7b5d4f-x2x9k', container: 'kube-state-metrics', job: 'kube-state-metrics' },
    },
    'pay/Deployment/api',
  ],
  [
    'the exporter itself, when it is the one that crashes',
    { alertname: 'KubePodCrashLooping', namespace: 'monitoring', pod: 'kube-state-metrics-6c9d7b5d4f-x2x9k' },
    'monitoring/Pod/kube-state-metrics-6c9d7b5d4f-x2x9k',
  ],
  [
    'a job by job_name, not by the scrape job',
    { alertname: 'KubeJobFailed', namespace: 'b', job: 'ksm', job_name: 'run-1' },
    'b/Job/run-1',
  ],
  [
    'a DaemonSet',
    { alertname: 'KubeDaemonSetRolloutStuck', namespace: 'net', daemonset: 'agent' },
    'net/DaemonSet/agent',
  ],
  [
    'a scrape target’s pod',
    { alertname: 'TargetDown', namespace: 'shop', pod: 'web-0', service: 'web' },
    'shop/Pod/web-0',
  ],
  [
    'a claim, not the exporter’s pod beside it',
    {
      ...{ alertname: 'KubernetesPersistentvolumeclaimPending', namespace: 'shop', persistentvolumeclaim: 'data-0' },
      ...{ pod: 'kube-state-metrics-0', job: 'kube-state-metrics' },
    },
    'shop/PersistentVolumeClaim/data-0',
  ],
  ['nothing in an alert about a node', { alertname: 'KubeNodeNotReady', node: 'node-3', podwhy: 'true' }, null],
  ['a scrape target’s workload', { alertname: 'TargetDown', namespace: 'shop', service: 'web' }, 'shop/Deployment/web'],
  ['any alert labelled so', { alertname: 'Custom', podwhy: 'true', namespace: 'shop', pod: 'web-0' }, 'shop/Pod/web-0'],
  [
    'nothing in an alert of another kind',
    { alertname: 'NodeFilesystemFull', namespace: 'monitoring', pod: 'node-exporter-x2x9k' },
    null,
  ],
  [
    'nothing in one labelled so',
    { alertname: 'KubePodNotReady', podwhy: 'false', namespace: 'shop', pod: 'web-0' },
    null,
  ],
  ['nothing without a namespace', { alertname: 'KubePodNotReady', pod: 'web-0' }, null],
  ['nothing in names that cannot be', { alertname: 'KubePodNotReady', namespace: 'a/../b', pod: '../secrets' }, null],
  [
    'nothing in the exporter’s pod of a custom alert',
    { alertname: 'Custom', podwhy: 'true', namespace: 'm', job: 'kube-state-metrics', pod: 'kube-state-metrics-0' },
    null,
  ],
])('finds %s', (_, labels, target) => {
  expect(targetsOf(webhook(alert(labels)))).toEqual(target === null ? [] : [target])
})

it('keeps an alert’s cluster', () => {
  const labels = { alertname: 'KubePodNotReady', cluster: 'prod-eu', namespace: 'shop', pod: 'web-0' }
  expect(targetsOf(webhook(alert(labels)))).toEqual(['prod-eu:shop/Pod/web-0'])
})

it('leaves alone, and counts, what another cluster’s label is on', () => {
  const labels = { alertname: 'KubePodNotReady', namespace: 'shop', pod: 'web-0' }
  const payload = webhook(
    alert({ ...labels, cluster: 'elsewhere' }),
    alert({ ...labels, cluster: 'eks-eu-1' }),
    alert({ ...labels, alertname: 'DiskFull', cluster: 'elsewhere' }),
    alert({ ...labels, pod: 'web-1', env: 'elsewhere', cluster: 'prod-eu' }),
  )
  expect(targetsOfWebhook(payload, prodEu)).toMatchObject({ otherCluster: 2, ignored: 1 })
  expect(targetsOf(payload)).toEqual(['prod-eu:shop/Pod/web-1'])
  const mapped = { names: ['prod-eu'], labels: ['env', 'cluster'], byValue: { 'eks-eu-1': 'prod-eu' } }
  expect(targetsOfWebhook(payload, mapped)).toMatchObject({ otherCluster: 2, ignored: 1 })
  expect(targetsOf(payload, mapped)).toEqual(['prod-eu:shop/Pod/web-0'])
})

it('knows what made a pod, in case the pod is gone', () => {
  const labels = { alertname: 'KubePodNotReady', namespace: 'shop', pod: 'web-7df5687c7-mgfcr' }
  const [asked] = targetsOfWebhook(webhook(alert(labels)), prodEu).asked
  expect(asked?.targets.map(targetText)).toEqual([
    ...['shop/Pod/web-7df5687c7-mgfcr', 'shop/Deployment/web', 'shop/DaemonSet/web', 'shop/Job/web'],
  ])
})

it('asks about the longest firing alert of an owner, so that a growing group changes nothing', () => {
  const of = (pod: string, at: string) =>
    alert({ alertname: 'KubePodNotReady', namespace: 'shop', pod }, { startsAt: at })
  const first = of('web-7df5687c7-mgfcr', '2026-11-30T20:55:47Z')
  const later = of('web-7df5687c7-bbbbb', '2026-11-30T20:59:00Z')
  expect(targetsOfWebhook(webhook(later, first), prodEu).asked).toMatchObject([{ alert: first, folded: 1 }])
})

it('asks about a volume that fills up only for an unhealthy pod', () => {
  const labels = { namespace: 'shop', persistentvolumeclaim: 'data' }
  const filling = { ...labels, alertname: 'KubePersistentVolumeFillingUp' }
  const pending = { ...labels, alertname: 'KubernetesPersistentvolumeclaimPending' }
  const needs = (...alerts: object[]) => targetsOfWebhook(webhook(...alerts), prodEu).asked[0]?.onlyUnhealthy
  expect(needs(alert(filling))).toBe(true)
  expect(needs(alert({ ...filling, podwhy: 'true' }))).toBe(false)
  expect(needs(alert(filling), alert(pending))).toBe(false)
})

it('names what resolved alerts were about, each target once', () => {
  const of = (labels: Record<string, string>) =>
    alert({ alertname: 'KubePodNotReady', namespace: 'shop', ...labels }, { status: 'resolved' })
  const payload = webhook(
    ...[of({ pod: 'web-0' }), of({ pod: 'web-0', container: 'app' }), of({ pod: 'db-0' }), alert({})],
    ...[of({}), of({ pod: 'web-0', cluster: 'elsewhere' }), of({ pod: 'x-0', alertname: 'DiskFull' })],
  )
  const { recovered, resolved } = targetsOfWebhook(payload, prodEu)
  expect(recovered.map(({ targets: [first] }) => targetText(first))).toEqual(['shop/Pod/web-0', 'shop/Pod/db-0'])
  expect(resolved).toBe(6)
})

it.each([
  ['another version', { ...webhook(), version: '3' }],
  ['no alerts', { version: '4' }],
  ['labels that are no text', webhook(alert({ pod: 7 as unknown as string }))],
  ['null', null],
])('refuses %s', (_, payload) => {
  expect(() => targetsOfWebhook(payload, prodEu)).toThrow()
})
