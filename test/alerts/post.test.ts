import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clustersByName } from '../../src/alerts/alert-clusters.ts'
import { targetsOfPost } from '../../src/alerts/post.ts'
import { targetText } from '../../src/slack/question.ts'

const captured: { receiver: string; body: object }[] = JSON.parse(
  readFileSync(new URL('slack-posts.json', import.meta.url), 'utf8'),
)
const posted = (body: object) => ({ type: 'message', subtype: 'bot_message', bot_id: 'B0ALERTS', text: '', ...body })
const read = (body: object, clusters = clustersByName(['prod-eu'])) => targetsOfPost(posted(body), clusters)
const targetsOf = (body: object, clusters?: Parameters<typeof read>[1]) =>
  read(body, clusters)?.asked.map(({ targets }) => targets.map(targetText)) ?? null
const titled = (title: string, text = '') => ({ username: 'Alertmanager', attachments: [{ title, text }] })

it('finds the target in every captured post that has one', () => {
  const found = captured.map(({ receiver, body }) => {
    const alert = read(body)
    if (alert === null) return `${receiver}: no alert`
    const targets = alert.asked.map(({ targets: [first] }) => targetText(first)).join(', ') || '-'
    return `${receiver}: ${alert.status} ${alert.alertname} ${alert.isCertain ? '=' : '~'} ${targets}`
  })
  expect(found).toMatchInlineSnapshot(`
    [
      "default: firing HighErrorRate ~ -",
      "default: resolved HighErrorRate ~ -",
      "default: firing KubeContainerWaiting ~ prod-eu:shop/Pod/orders-api-664c9d84c7-tcjsf",
      "default: resolved KubeContainerWaiting ~ prod-eu:shop/Pod/orders-api-664c9d84c7-tcjsf",
      "default: firing KubeDeploymentReplicasMismatch ~ prod-eu:pay/Deployment/payments-api",
      "default: resolved KubeDeploymentReplicasMismatch ~ prod-eu:pay/Deployment/payments-api",
      "default: firing KubeJobFailed ~ prod-eu:batch/Job/invoice-run",
      "default: resolved KubeJobFailed ~ prod-eu:batch/Job/invoice-run",
      "default: firing KubeNodeNotReady ~ -",
      "default: firing KubePodCrashLooping ~ prod-eu:shop/Pod/checkout-web-6b4c7bfdb6-p2ktm",
      "default: resolved KubePodCrashLooping ~ prod-eu:pay/Container/api",
      "default: firing KubePodNotReady ~ prod-eu:shop/Pod/catalog-5f69c87f88-rh92l",
      "default: resolved KubePodNotReady ~ prod-eu:shop/Pod/catalog-5f69c87f88-rh92l",
      "default: firing KubeStatefulSetReplicasMismatch ~ prod-eu:data/StatefulSet/broker",
      "default: resolved KubeStatefulSetReplicasMismatch ~ prod-eu:data/StatefulSet/broker",
      "default: firing Watchdog ~ -",
      "fields: firing HighErrorRate ~ -",
      "fields: resolved HighErrorRate ~ -",
      "fields: firing KubeContainerWaiting = prod-eu:shop/Pod/orders-api-664c9d84c7-tcjsf",
      "fields: resolved KubeContainerWaiting = prod-eu:shop/Pod/orders-api-664c9d84c7-tcjsf",
      "fields: firing KubeDeploymentReplicasMismatch = prod-eu:pay/Deployment/payments-api",
      "fields: resolved KubeDeploymentReplicasMismatch = prod-eu:pay/Deployment/payments-api",
      "fields: firing KubeJobFailed = prod-eu:batch/Job/invoice-run",
      "fields: resolved KubeJobFailed = prod-eu:batch/Job/invoice-run",
      "fields: firing KubeNodeNotReady ~ -",
      "fields: resolved KubeNodeNotReady ~ -",
      "fields: firing KubePodCrashLooping = prod-eu:shop/Pod/checkout-web-6b4c7bfdb6-p2ktm",
      "fields: resolved KubePodCrashLooping ~ prod-eu:pay/Container/api",
      "fields: firing KubePodNotReady = prod-eu:shop/Pod/catalog-5f69c87f88-rh92l",
      "fields: resolved KubePodNotReady = prod-eu:shop/Pod/catalog-5f69c87f88-rh92l",
      "fields: firing KubeStatefulSetReplicasMismatch = prod-eu:data/StatefulSet/broker",
      "fields: resolved KubeStatefulSetReplicasMismatch = prod-eu:data/StatefulSet/broker",
      "fields: firing Watchdog ~ -",
      "fields: resolved Watchdog ~ -",
      "kube-style: firing HighErrorRate ~ -",
      "kube-style: resolved HighErrorRate ~ -",
      "kube-style: firing KubeContainerWaiting = prod-eu:shop/Pod/orders-api-664c9d84c7-tcjsf",
      "kube-style: resolved KubeContainerWaiting = prod-eu:shop/Pod/orders-api-664c9d84c7-tcjsf",
      "kube-style: firing KubeDeploymentReplicasMismatch = prod-eu:pay/Deployment/payments-api",
      "kube-style: resolved KubeDeploymentReplicasMismatch = prod-eu:pay/Deployment/payments-api",
      "kube-style: firing KubeJobFailed = prod-eu:batch/Job/invoice-run",
      "kube-style: resolved KubeJobFailed = prod-eu:batch/Job/invoice-run",
      "kube-style: firing KubeNodeNotReady ~ -",
      "kube-style: resolved KubeNodeNotReady ~ -",
      "kube-style: firing KubePodCrashLooping = prod-eu:shop/Pod/checkout-web-6b4c7bfdb6-p2ktm",
      "kube-style: firing KubePodCrashLooping = prod-eu:pay/Pod/payments-api-7d9c5f8b6d-7kq2m",
      "kube-style: firing KubePodCrashLooping = prod-eu:pay/Pod/payments-api-7d9c5f8b6d-7kq2m",
      "kube-style: resolved KubePodCrashLooping = prod-eu:shop/Pod/checkout-web-6b4c7bfdb6-p2ktm",
      "kube-style: resolved KubePodCrashLooping = prod-eu:pay/Pod/payments-api-7d9c5f8b6d-7kq2m",
      "kube-style: firing KubePodNotReady = prod-eu:shop/Pod/catalog-5f69c87f88-rh92l",
      "kube-style: resolved KubePodNotReady = prod-eu:shop/Pod/catalog-5f69c87f88-rh92l",
      "kube-style: firing KubeStatefulSetReplicasMismatch = prod-eu:data/StatefulSet/broker",
      "kube-style: resolved KubeStatefulSetReplicasMismatch = prod-eu:data/StatefulSet/broker",
      "kube-style: firing Watchdog ~ -",
      "kube-style: resolved Watchdog ~ -",
      "text-only: no alert",
      "text-only: firing KubeContainerWaiting = shop/Pod/orders-api-664c9d84c7-tcjsf",
      "text-only: firing KubeDeploymentReplicasMismatch = pay/Deployment/payments-api",
      "text-only: firing KubeJobFailed = batch/Job/invoice-run",
      "text-only: no alert",
      "text-only: firing KubePodCrashLooping = shop/Pod/checkout-web-6b4c7bfdb6-p2ktm",
      "text-only: firing KubePodCrashLooping = pay/Pod/payments-api-7d9c5f8b6d-7kq2m",
      "text-only: firing KubePodCrashLooping = pay/Pod/payments-api-7d9c5f8b6d-7kq2m",
      "text-only: firing KubePodNotReady = shop/Pod/catalog-5f69c87f88-rh92l",
      "text-only: firing KubeStatefulSetReplicasMismatch = data/StatefulSet/broker",
      "text-only: no alert",
    ]
  `)
})

it('ties a resolved post to the firing one by its key', () => {
  const keys = (status: string) =>
    captured.filter(({ body }) => read(body)?.status === status).map(({ body }) => read(body)?.key)
  const inBoth = keys('firing').filter(key => keys('resolved').includes(key))
  expect(new Set(inBoth).size).toBeGreaterThanOrEqual(8)
})

describe('a title of label values alone', () => {
  it('gives the pod with the namespaces it may be in, the likeliest first', () => {
    const title = '[FIRING:1] KubePodNotReady (prod-eu http 10.1.2.3:8080 kube-state-metrics shop web-0 monitoring/k8s)'
    expect(targetsOf(titled(title))).toEqual([['prod-eu:shop/Pod/web-0']])
  })

  it('gives guesses where several values may be the name', () => {
    const title = '[FIRING:1] KubeDeploymentReplicasMismatch pay (staging payments-api http warning)'
    expect(targetsOf(titled(title))).toEqual([['pay/Deployment/staging', 'pay/Deployment/payments-api']])
  })

  it('of an alert that is not known gives a pod only by a generated name', () => {
    expect(targetsOf(titled('[FIRING:1] Slow shop (web-7df5687c7-mgfcr critical)'))).toEqual([
      ['shop/Pod/web-7df5687c7-mgfcr', 'shop/Deployment/web', 'shop/DaemonSet/web', 'shop/Job/web'],
    ])
    expect(read(titled('[FIRING:1] Slow shop (web-7df5687c7-mgfcr critical)'))?.isKnown).toBe(false)
    expect(targetsOf(titled('[FIRING:1] Slow shop (checkout node-3 critical)'))).toEqual([])
  })

  it('of several alerts, which share no pod, gives a container that is unhealthy there, then the namespace', () => {
    const title = '[FIRING:2] KubePodCrashLooping pay (prod-eu api http 10.1.2.3:8080 kube-state-metrics warning)'
    expect(targetsOf(titled(title))).toEqual([['prod-eu:pay/Container/api', 'prod-eu:pay/']])
    expect(targetsOf(titled('[FIRING:3] KubePodNotReady shop (http warning)'))).toEqual([['shop/']])
    expect(targetsOf(titled('[FIRING:1] KubeContainerWaiting shop (warning)'))).toEqual([['shop/']])
  })

  it('of several alerts without a namespace in the group gives containers alone', () => {
    const title = '[FIRING:2] KubePodCrashLooping (api http kube-state-metrics pay warning)'
    expect(targetsOf(titled(title))).toEqual([['api/Container/pay', 'pay/Container/api']])
  })

  it.each([
    ['one alert with its pod', '[FIRING:1] KubePodNotReady shop (app web-0 warning)', ['shop/Pod/web-0']],
    ['alerts whose pods may be healthy', '[FIRING:2] TargetDown shop (http warning)', undefined],
    ['alerts that are not known', '[FIRING:2] Slow shop (checkout critical)', undefined],
    ['alerts about workloads', '[FIRING:2] KubeStatefulSetReplicasMismatch data (http warning)', undefined],
  ])('never means the namespace in %s', (_, title, targets) => {
    expect(targetsOf(titled(title))?.[0]).toEqual(targets)
  })

  it('with any number of values costs at most six guesses', () => {
    const values = Array.from({ length: 400 }, (_, index) => `name${index}`).join(' ')
    expect(targetsOf(titled(`[FIRING:9] KubeDeploymentReplicasMismatch pay (${values})`))?.[0]).toHaveLength(6)
  })
})

describe('Grafana’s alerting', () => {
  const text = [
    ...['**Firing**', '', 'Value: A=1', 'Labels:', ' - alertname = PodRestarts', ' - grafana_folder = shop'],
    ...[' - namespace = shop', ' - pod = web-7df5687c7-mgfcr', 'Annotations:', ' - summary = restarts'],
    'Source: <https://grafana.example.com/alerting/grafana/a1/view>',
  ].join('\n')
  const body = { bot_profile: { name: 'Grafana' }, attachments: [{ title: '[FIRING:1] PodRestarts shop', text }] }

  it('is read by its labels', () => {
    expect(read(body)).toMatchObject({ status: 'firing', alertname: 'PodRestarts', isCertain: true, isKnown: false })
    expect(targetsOf(body)?.[0]?.[0]).toBe('shop/Pod/web-7df5687c7-mgfcr')
  })

  it('firing and resolved at once is firing', () => {
    expect(read(titled('[FIRING:1, RESOLVED:2] PodRestarts shop', text))?.status).toBe('firing')
  })
})

describe('labels', () => {
  it.each([
    [
      'in blocks',
      { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*namespace:* `shop`\n*pod:* `web-0`' } }] },
    ],
    ['in block fields', { blocks: [{ fields: [{ text: '*Namespace:* shop' }, { text: '*Pod:* web-0' }] }] }],
    ['in braces', { text: '{alertname="KubePodNotReady", namespace="shop", pod="web-0"}' }],
    ['in a sentence', { text: 'pod/web-0 in namespace shop on container web has been waiting' }],
    [
      'in fields',
      {
        attachments: [
          {
            fields: [
              { title: 'Namespace', value: 'shop' },
              { title: 'Pod', value: 'web-0' },
            ],
          },
        ],
      },
    ],
  ])('%s are read', (_, body) => {
    const attachments = [{ title: '[FIRING:1] KubePodNotReady' }, ...('attachments' in body ? body.attachments : [])]
    expect(targetsOf({ ...body, attachments })).toEqual([['shop/Pod/web-0']])
  })

  it('of several alerts give one target for each owner', () => {
    const pod = (name: string) => `• *alertname:* \`KubePodNotReady\` • *namespace:* \`shop\` • *pod:* \`${name}\``
    const text = ['web-7df5687c7-mgfcr', 'web-7df5687c7-bbbbb', 'db-0'].map(pod).join(' ')
    expect(targetsOf(titled('[FIRING:3] KubePodNotReady', text))?.map(([first]) => first)).toEqual([
      'shop/Pod/web-7df5687c7-mgfcr',
      'shop/Pod/db-0',
    ])
  })

  it.each([
    ['by its label', 'namespace: shop\npersistentvolumeclaim: data-web-0'],
    ['in a sentence', 'The PersistentVolume claimed by data-web-0 in Namespace shop is only 2.5% free.'],
  ])('that name a claim %s are about the pod that uses it', (_, text) => {
    const body = titled('[FIRING:1] KubePersistentVolumeFillingUp shop', text)
    expect(targetsOf(body)).toEqual([['shop/PersistentVolumeClaim/data-web-0']])
    expect(read(body)).toMatchObject({ isKnown: false })
    const pending = titled('[FIRING:1] KubernetesPersistentvolumeclaimPending shop', text)
    expect(read(pending)).toMatchObject({ isKnown: true })
  })

  it('that name a node are about no pod, unless they name one too', () => {
    expect(targetsOf(titled('[FIRING:1] KubeNodeNotReady', 'node: node-3\nnamespace: monitoring'))).toEqual([])
    const pressed = titled('[FIRING:1] NodePressure', 'node: node-3\nnamespace: shop\npod: web-0')
    expect(targetsOf(pressed)).toEqual([['shop/Pod/web-0']])
  })

  it('that say no to podwhy are heard', () => {
    expect(targetsOf(titled('[FIRING:1] KubePodNotReady', 'namespace: shop\npod: web-0\npodwhy: false'))).toEqual([])
  })
})

describe('a label that names a cluster', () => {
  const clusters = {
    names: ['home', 'prod-us'],
    labels: ['k8s_cluster', 'cluster'],
    byValue: { 'eks-us-1': 'prod-us' },
  }
  const post = (labels: string) => titled('[FIRING:1] KubePodNotReady', `namespace: shop\npod: web-0\n${labels}`)

  it.each([
    ['its name', 'cluster: prod-us'],
    ['a value that stands for it', 'cluster: eks-us-1'],
    ['a label of another name', '*k8s_cluster:* `eks-us-1`'],
    ['the first of its labels', 'cluster: elsewhere\nk8s_cluster: prod-us'],
  ])('is read as the configured cluster by %s', (_, labels) => {
    expect(targetsOf(post(labels), clusters)).toEqual([['prod-us:shop/Pod/web-0']])
    expect(read(post(labels), clusters)).toMatchObject({ otherCluster: 0 })
  })

  it('of no configured one leaves the alert alone, also where there is one cluster only', () => {
    for (const other of ['cluster: elsewhere', 'cluster: web', 'k8s_cluster: elsewhere\ncluster: prod-us']) {
      expect(read(post(other), clusters)).toMatchObject({ asked: [], otherCluster: 1 })
    }
    expect(read(post('cluster: elsewhere'), clustersByName(['home']))).toMatchObject({ asked: [], otherCluster: 1 })
  })

  it('is not guessed away by a title of values', () => {
    const title = '[FIRING:1] KubeDeploymentReplicasMismatch pay (payments-api warning)'
    expect(targetsOf(titled(title, 'cluster: elsewhere'), clusters)).toEqual([])
    expect(read(titled(title, 'cluster: elsewhere'), clusters)).toMatchObject({ otherCluster: 1 })
    expect(targetsOf(titled(title, 'cluster: eks-us-1'), clusters)).toEqual([['prod-us:pay/Deployment/payments-api']])
    const valued = '[FIRING:1] KubeDeploymentReplicasMismatch pay (eks-us-1 payments-api warning)'
    expect(targetsOf(titled(valued), clusters)).toEqual([['prod-us:pay/Deployment/payments-api']])
  })

  it('counts for its own alert of several', () => {
    const text = ['prod-us', 'elsewhere', 'home'].map(name => `cluster: ${name} namespace: shop pod: ${name}-0`)
    const body = titled('[FIRING:3] KubePodNotReady', text.join('\n'))
    expect(targetsOf(body, clusters)).toEqual([['prod-us:shop/Pod/prod-us-0'], ['home:shop/Pod/home-0']])
    expect(read(body, clusters)).toMatchObject({ otherCluster: 1 })
  })
})

describe('a configured bot', () => {
  const body = (text: string) => ({ bot_id: 'B0MONITOR', username: 'Cluster Monitor', text })
  const asked = (text: string, bots: string[]) => targetsOfPost(posted(body(text)), clustersByName([]), bots)

  it.each(['B0MONITOR', 'cluster-monitor'])('%s is read whatever its posts look like', bot => {
    const alert = asked('Pod shop/web-0 has restarted 12 times', [bot])
    expect(alert).toMatchObject({ status: 'firing', isKnown: false })
    expect(alert?.asked.map(({ targets: [first] }) => targetText(first))).toEqual(['shop/Pod/web-0'])
  })

  it('says in its first line that it is over', () => {
    expect(asked('Recovered: pod shop/web-0 is up', ['B0MONITOR'])).toMatchObject({ status: 'resolved' })
  })

  it('may say other things', () => {
    expect(asked('Weekly report', ['B0MONITOR'])).toMatchObject({ asked: [] })
  })

  it('is another one than others', () => {
    expect(asked('Pod shop/web-0 has restarted 12 times', ['B0OTHER', 'monitor'])).toBeNull()
  })
})

describe('no alert is', () => {
  it.each([
    ['what a person quotes', { bot_id: undefined, user: 'U1', text: '[FIRING:1] KubePodNotReady shop (web-0)' }],
    ['an answer of podwhy', { text: '🔴 web-7df5687c7-mgfcr · shop · CrashLoopBackOff: Container web …' }],
    ['another bot’s news', { text: 'Deployed shop/web-7df5687c7-mgfcr: pod: web-0 namespace: shop' }],
    ['a bot that only mentions one', { text: 'Runbook of KubePodNotReady changed: pod shop/web-0' }],
    ['an empty message', {}],
    ['odd content', { attachments: [{ title: 7, fields: 'x' }], blocks: [{ text: 3 }] }],
  ])('%s', (_, body) => {
    expect(read(body)).toBeNull()
  })
})
