import { expect, test } from 'vitest'
import { ConfigError, readConfig, variables } from '../src/config.ts'

const botToken = `xox${'b'}-1-${'a1'.repeat(10)}`
const appToken = `xap${'p'}-1-${'a1'.repeat(10)}`
const signingSecret = 'a1'.repeat(16)

const mistakes = (env: Record<string, string>, role?: 'all' | 'bot' | 'worker'): readonly string[] => {
  try {
    readConfig(env, role === undefined ? {} : { role })
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
  return []
}

test('nothing set is enough for the local page', () => {
  expect(readConfig({ HOME: '/home/ada' })).toEqual({
    slack: null,
    kubeconfig: undefined,
    inCluster: false,
    cluster: undefined,
    contexts: [],
    kubeconfigs: [],
    clusterLabel: ['cluster'],
    clusterLabels: [],
    namespaces: ['*', '!kube-system'],
    defaultNamespace: null,
    channelNamespaces: new Map(),
    queueUrl: null,
    dataDir: '/home/ada/.local/share/podwhy',
    port: 3000,
    logLevel: 'info',
    alertsToken: null,
    alertsRoutes: [],
    alertsBots: [],
    alertsChannel: null,
    recoveredAfterMs: 600_000,
    watch: false,
  })
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ HOME: '/h', PORT: '', SLACK_BOT_TOKEN: ' ' })).toEqual(readConfig({ HOME: '/h' }))
})

test('everything set is read', () => {
  const config = readConfig({
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: appToken,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: 'http://127.0.0.1:1/api/',
    KUBECONFIG: '/k',
    PODWHY_CLUSTER: 'prod',
    PODWHY_CONTEXTS: 'a, b',
    PODWHY_NAMESPACES: 'shop,team-*',
    PODWHY_DEFAULT_NAMESPACE: 'shop',
    PODWHY_QUEUE_URL: 'rediss://u:p@redis:6379/1',
    PODWHY_DATA_DIR: '/data',
    PORT: '0',
    PODWHY_LOG_LEVEL: 'debug',
    KUBERNETES_SERVICE_HOST: '10.0.0.1',
  })
  expect(config).toMatchObject({
    slack: { botToken, appToken, signingSecret, apiUrl: 'http://127.0.0.1:1/api/' },
    kubeconfig: '/k',
    inCluster: false,
    contexts: ['a', 'b'],
    namespaces: ['shop', 'team-*'],
    queueUrl: 'rediss://u:p@redis:6379/1',
    dataDir: '/data',
    port: 0,
  })
})

test('several clusters, and the labels that mean them, are read', () => {
  const config = readConfig({
    PODWHY_KUBECONFIGS: 'prod-eu=/etc/podwhy/eu.yaml, arn:aws:eks:us:1:cluster/us = /my files/a=b.yaml ,',
    PODWHY_CLUSTER_LABEL: 'k8s_cluster cluster',
    PODWHY_CLUSTER_LABELS: 'eks-prod-1=prod-eu',
    // Clusters with kubeconfigs of their own need no name for the pod's.
    KUBERNETES_SERVICE_HOST: '10.0.0.1',
  })
  expect(config).toMatchObject({
    kubeconfigs: [
      ['prod-eu', '/etc/podwhy/eu.yaml'],
      ['arn:aws:eks:us:1:cluster/us', '/my files/a=b.yaml'],
    ],
    clusterLabel: ['k8s_cluster', 'cluster'],
    clusterLabels: [['eks-prod-1', 'prod-eu']],
  })
})

test.each([
  [
    { PODWHY_KUBECONFIGS: '/etc/podwhy/eu.yaml' },
    /^PODWHY_KUBECONFIGS: "\/etc\/podwhy\/eu.yaml" is not such a pair; write NAME=PATH/,
  ],
  [{ PODWHY_KUBECONFIGS: 'a=/x,a=/y' }, /^PODWHY_KUBECONFIGS: "a" is in it twice/],
  [{ PODWHY_CLUSTER_LABELS: 'eks-1' }, /^PODWHY_CLUSTER_LABELS: "eks-1" is not such a pair; write VALUE=CLUSTER/],
  [{ PODWHY_CLUSTER_LABEL: 'eks-1=prod' }, /^PODWHY_CLUSTER_LABEL: .*belong to PODWHY_CLUSTER_LABELS/],
])('%j is one mistake, told in one line', (env, expected) => {
  expect(mistakes(env)).toEqual([expect.stringMatching(expected)])
})

test('the routes of alerts are read, and what is none is told in one line', () => {
  const { alertsRoutes } = readConfig({
    PODWHY_ALERTS_ROUTES: 'namespace=shop*:C0SHOPPED,severity=critical:C0CRITICAL',
  })
  expect(alertsRoutes.map(({ channel }) => channel)).toEqual(['C0SHOPPED', 'C0CRITICAL'])
  expect(readConfig({}).alertsRoutes).toEqual([])
  expect(mistakes({ PODWHY_ALERTS_ROUTES: 'namespace=shop:#shop' })).toEqual([
    `PODWHY_ALERTS_ROUTES: "#shop" in "namespace=shop:#shop" is not a channel's id; copy it (C…) from the end of the channel's details`,
  ])
})

test('data stands under the XDG data directory where there is one', () => {
  expect(readConfig({ HOME: '/h', XDG_DATA_HOME: '/x' }).dataDir).toBe('/x/podwhy')
})

test('the namespaces of channels are read, and what is none is told', () => {
  const config = readConfig({ PODWHY_CHANNEL_NAMESPACES: 'C0123ABCD=shop, G0456EFGH = payments' })
  expect([...config.channelNamespaces]).toEqual([
    ['C0123ABCD', 'shop'],
    ['G0456EFGH', 'payments'],
  ])
  expect(mistakes({ PODWHY_CHANNEL_NAMESPACES: '#shop=shop,C0123ABCD=Shop,C0456EFGH' })).toEqual([
    'PODWHY_CHANNEL_NAMESPACES: "C0456EFGH" is not such a pair; write CHANNEL=NAMESPACE, separated by commas',
  ])
  expect(mistakes({ PODWHY_CHANNEL_NAMESPACES: '#shop=shop,C0123ABCD=Shop' })).toEqual([
    'PODWHY_CHANNEL_NAMESPACES: "#shop" is not a channel\'s id; copy it (C…) from the end of the channel\'s details',
    'PODWHY_CHANNEL_NAMESPACES: "Shop" cannot be the name of a namespace',
  ])
})

test('all mistakes are told at once, a line each, without any secret', () => {
  const found = mistakes({
    SLACK_BOT_TOKEN: appToken,
    SLACK_APP_TOKEN: 'not-a-token-at-all',
    SLACK_SIGNING_SECRET: 'short',
    PODWHY_QUEUE_URL: 'postgres://u:hunter2@db/x',
    PORT: '99999',
    PODWHY_LOG_LEVEL: 'loud',
    PODWHY_DEFAULT_NAMESPACE: 'Shop_1',
    PODWHY_NAMESPACE: 'shop',
  })
  expect(found).toEqual([
    `SLACK_BOT_TOKEN: a value of ${appToken.length} characters that begins with "xapp-" is not such a token; it begins with "xoxb-"`,
    'SLACK_APP_TOKEN: a value of 18 characters is not such a token; it begins with "xapp-"',
    "SLACK_SIGNING_SECRET: a value of 5 characters cannot be right; copy it from the Slack app's Basic Information",
    'PODWHY_DEFAULT_NAMESPACE: "Shop_1" cannot be the name of a namespace',
    'PODWHY_QUEUE_URL: a value that begins with "postgres" is not such a URL; write redis://HOST or rediss://HOST',
    'PORT: "99999" is not a port; write a number from 0 to 65535',
    'PODWHY_LOG_LEVEL: "loud" is not a level; write trace, debug, info, warn, error, fatal or silent',
    'PODWHY_NAMESPACE: podwhy has no such variable; unset it or correct its name',
  ])
  for (const secret of [appToken, 'not-a-token', 'hunter2']) expect(found.join()).not.toContain(secret)
})

test.each([
  [
    { SLACK_BOT_TOKEN: botToken },
    'all',
    /^SLACK_APP_TOKEN: not set, though SLACK_BOT_TOKEN is; .*SLACK_SIGNING_SECRET/,
  ],
  [{ SLACK_APP_TOKEN: appToken }, 'all', /^SLACK_BOT_TOKEN: not set, though/],
  [{ SLACK_SIGNING_SECRET: signingSecret }, 'all', /^SLACK_BOT_TOKEN: not set, though/],
  [{ SLACK_BOT_TOKEN: botToken }, 'worker', /^PODWHY_QUEUE_URL: not set, and `serve --role worker` needs it/],
  [{ PODWHY_QUEUE_URL: 'redis://r' }, 'bot', /^SLACK_BOT_TOKEN: not set, and `serve --role bot` needs it/],
  [{ KUBERNETES_SERVICE_HOST: '10.0.0.1' }, 'all', /^PODWHY_CLUSTER: not set, and in a cluster/],
] as const)('what %j lacks for role %s is said', (env, role, expected) => {
  const found = mistakes(env, role)
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(expected)
})

test('a worker needs no app token', () => {
  expect(mistakes({ SLACK_BOT_TOKEN: botToken, PODWHY_QUEUE_URL: 'redis://r' }, 'worker')).toEqual([])
})

test('the variables that Kubernetes sets for a Service named podwhy are no mistakes', () => {
  const env = {
    PODWHY_SERVICE_HOST: '1',
    PODWHY_PORT: 'tcp://1:2',
    PODWHY_PORT_80_TCP_ADDR: '1',
    PODWHY_REDIS_SERVICE_PORT_REDIS: '1',
  }
  expect(mistakes(env)).toEqual([])
})

test('every variable is documented in one line', () => {
  expect(variables.length).toBeGreaterThan(12)
  for (const { name, doc } of variables) {
    expect(name).toMatch(/^[A-Z_]+$/)
    expect(doc).toMatch(/^[^\n|]{10,120}$/)
  }
})
