import { pino } from 'pino'
import { expect, it } from 'vitest'
import { alertClusters, clusterSources, namesWithoutOpening } from '../../src/cli/cluster-sources.ts'
import { openClusters } from '../../src/cli/open-clusters.ts'
import { readConfig } from '../../src/config.ts'

const configOf = (env: Record<string, string>) => readConfig({ HOME: '/nonexistent', ...env })
const inPod = { KUBERNETES_SERVICE_HOST: '10.0.0.1' }
const two = { PODWHY_KUBECONFIGS: 'eu=/eu.yaml,us=/us.yaml' }

it.each([
  ['the current context', {}, [null]],
  ['the contexts', { PODWHY_CONTEXTS: 'a,b' }, ['a', 'b']],
  ['the contexts, the first renamed', { PODWHY_CONTEXTS: 'a,b', PODWHY_CLUSTER: 'home' }, ['home', 'b']],
  ['kubeconfigs alone', two, ['eu', 'us']],
  ['kubeconfigs after the contexts', { ...two, PODWHY_CONTEXTS: 'a' }, ['a', 'eu', 'us']],
  ['kubeconfigs alone in a cluster without a name', { ...two, ...inPod }, ['eu', 'us']],
  [
    'kubeconfigs after the cluster that podwhy runs in',
    { ...two, ...inPod, PODWHY_CLUSTER: 'home' },
    ['home', 'eu', 'us'],
  ],
] as [string, Record<string, string>, (string | null)[]][])('the clusters are %s', (_, env, names) => {
  const config = configOf(env)
  expect(clusterSources(config).map(({ name, context }) => name ?? context ?? null)).toEqual(names)
  // A bot needs no kubeconfig where all names are known.
  expect(namesWithoutOpening(config)).toEqual(names.includes(null) ? null : names)
})

it('two clusters of one name, and a label of none, are mistakes', () => {
  const twice = configOf({ ...two, ...inPod, PODWHY_CLUSTER: 'eu' })
  expect(() => namesWithoutOpening(twice)).toThrow(
    /^PODWHY_KUBECONFIGS: two clusters are called "eu"; give each a name/,
  )
  const label = configOf({ ...two, PODWHY_CLUSTER_LABELS: 'eks-1=prod' })
  expect(() => alertClusters(label, ['eu', 'us'])).toThrow(
    'PODWHY_CLUSTER_LABELS: "eks-1" is to mean "prod", which is no configured cluster; there is "eu", "us"',
  )
})

it('a kubeconfig that is missing is named with its variable and its cluster', async () => {
  await expect(openClusters(configOf(two), pino({ level: 'silent' }))).rejects.toMatchObject({
    name: 'ConfigError',
    message: 'PODWHY_KUBECONFIGS: eu: kubeconfig /eu.yaml does not exist',
  })
})
