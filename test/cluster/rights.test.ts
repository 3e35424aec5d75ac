import { expect, it } from 'vitest'
import { usedRights } from '../../src/cluster/resources.ts'
import { rightText } from '../../src/cluster/rights.ts'
import type { Fault } from '../fakes/kube-api-server.ts'
import { openTestCluster, shop, testPod } from './open-test-cluster.ts'

it('with a role that can only read, everything used is allowed and nothing is warned of', async () => {
  const { kube, cluster } = await openTestCluster({ recordings: [shop({})] })
  expect(await cluster.rights()).toEqual({
    cluster: 'test',
    namespace: null,
    allowed: usedRights,
    denied: [],
    warnings: [],
    unknown: null,
  })
  expect(new Set(kube.calls.map(({ method, path }) => `${method} ${path}`))).toEqual(
    new Set(['POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews']),
  )
})

it('what is refused is named', async () => {
  const { cluster } = await openTestCluster({ recordings: [shop({})], denied: ['pods/log', 'nodes'] })
  const { denied } = await cluster.rights({ namespace: 'shop' })
  expect(denied.map(rightText)).toEqual(['get nodes', 'list nodes', 'get pods/log'])
})

it('the right to watch pods is asked for where pods are watched, and only there', async () => {
  const { cluster } = await openTestCluster({ recordings: [shop({})], denied: ['nodes'] })
  const named = async (watches: boolean) => (await cluster.rights({ watches })).denied.map(rightText)
  expect(await named(true)).toEqual(['get nodes', 'list nodes', 'watch pods'])
  expect(await named(false)).toEqual(['get nodes', 'list nodes'])
})

it('Secrets, exec and writes are warned of', async () => {
  const granted = ['list secrets', 'create pods/exec', 'delete pods', 'patch deployments']
  const { cluster } = await openTestCluster({ recordings: [shop({})], granted })
  const { warnings } = await cluster.rights({ namespace: 'shop' })
  expect(warnings).toEqual([
    'podwhy may list secrets in namespace "shop"; it never does, take that right away',
    'podwhy may create pods/exec in namespace "shop"; it never does, take that right away',
    'podwhy may delete pods in namespace "shop"; it never does, take that right away',
    'podwhy may patch deployments.apps in namespace "shop"; it never does, take that right away',
  ])
})

it('an administrator is one warning', async () => {
  const { cluster } = await openTestCluster({ recordings: [shop({})], granted: ['* *'] })
  expect((await cluster.rights()).warnings).toEqual([
    'podwhy may do everything (cluster-admin); give it a role that can only read',
  ])
})

it.each<[Fault, string]>([
  [{ status: 403, message: 'no reviews for you' }, 'forbidden'],
  ['hang', 'timeout'],
])('what cannot be found out is unknown: %j', async (fault, why) => {
  const { kube, cluster } = await openTestCluster({ recordings: [shop({})] }, { timeouts: { callMs: 200 } })
  kube.fault(/selfsubjectaccessreviews/, fault)
  expect(await cluster.rights()).toMatchObject({ allowed: [], denied: [], warnings: [], unknown: why })
})

it('a wholly refused cluster is unknown too', async () => {
  const { kube, cluster } = await openTestCluster({ recordings: [shop({ pods: [testPod('a')] })] })
  await kube.close()
  expect((await cluster.rights()).unknown).toMatch(/cannot be reached/)
})

it('no right beyond get and list is used, and none on Secrets', () => {
  expect(usedRights.every(({ verb }) => verb === 'get' || verb === 'list')).toBe(true)
  expect(usedRights.map(({ resource }) => resource)).not.toContain('secrets')
  expect(new Set(usedRights.map(rightText)).size).toBe(usedRights.length)
})
