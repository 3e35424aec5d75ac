import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { type KubeApiServer, startKubeApiServer } from '../fakes/kube-api-server.ts'
import { crashingPod, servingPod } from './pods.ts'
import { podwhy } from './podwhy.ts'

const secret = `hunter2${'-'}${'x1'.repeat(6)}`
const recorded = (pod: PodSnapshot['pod'], target: string, log: string): PodSnapshot => ({
  kind: 'PodSnapshot',
  takenAt: '2026-05-04T12:00:00Z',
  server: { major: '1', minor: '36', gitVersion: 'v1.36.3' },
  namespace: 'shop',
  target,
  pod,
  events: [],
  logs: { web: { current: log, previous: log } },
  related: { namespaces: [{ metadata: { name: 'shop' } }] },
  unread: [],
})

let kube: KubeApiServer
let env: Record<string, string>
beforeAll(async () => {
  const log = `2026-05-04T11:58:01Z connecting password=${secret}\n2026-05-04T11:58:02Z fatal: relation "orders" does not exist\n`
  kube = await startKubeApiServer({
    recordings: [recorded(crashingPod('api'), 'api', log), recorded(servingPod('web'), 'web', '')],
  })
  env = { KUBECONFIG: kube.kubeconfig() }
})
afterAll(() => kube.close())

test.each([
  [['shop/web'], 0],
  [['web', '-n', 'shop'], 0],
  [['test:shop/pod/web'], 0],
  [['pod', 'web', '-n', 'shop', '--context', 'test'], 0],
  [['shop/api'], 1],
] as [string[], number][])('podwhy explain %j reads the cluster and ends with %i', async (args, expected) => {
  const { status, out, err } = await podwhy(['explain', ...args, '-o', 'json'], { env })
  expect(JSON.parse(out)).toMatchObject({
    schema: 'podwhy/v1',
    cluster: 'test',
    namespace: 'shop',
    healthy: expected === 0,
  })
  expect({ status, err }).toEqual({ status: expected, err: '' })
})

test('the answer carries the name that PODWHY_CLUSTER gives', async () => {
  const { out } = await podwhy(['explain', 'shop/web', '-o', 'json'], { env: { ...env, PODWHY_CLUSTER: 'prod' } })
  expect(JSON.parse(out)).toMatchObject({ cluster: 'prod' })
})

test.each([
  [['shop/nope'], /^podwhy: [^\n]*nope[^\n]*\n$/],
  [['other:shop/web'], /^podwhy: there is no cluster "other"; known are test\n$/],
  [['shop/web', '--context', 'other'], /^podwhy: the kubeconfig has no context "other"; it has "test"\n$/],
  [['Shop_1/web'], /^podwhy: "Shop_1" cannot be the name of a namespace\n$/],
  [['test:shop/web', '--context', 'other'], /^podwhy: context "test" or "other"\? Name one\n$/],
] as [string[], RegExp][])('podwhy explain %j ends with 2 and one line', async (args, line) => {
  const { status, out, err } = await podwhy(['explain', ...args], { env })
  expect(err).toMatch(line)
  expect({ status, out }).toEqual({ status: 2, out: '' })
})

test('a recording has no secret in it, and explains as the live pod does', async () => {
  const { status, out } = await podwhy(['record', 'shop/api'], { env })
  expect(status).toBe(0)
  expect(out).not.toContain(secret)
  expect(JSON.parse(out)).toMatchObject({
    kind: 'PodSnapshot',
    takenAt: '2026-05-04T12:00:00Z',
    namespace: 'shop',
    target: 'api',
  })
  const live = await podwhy(['explain', 'shop/api', '-o', 'json'], { env })
  expect(await podwhy(['explain', '-f', '-', '-o', 'json'], { input: out })).toEqual(live)
})

test('check says which rights there are', async () => {
  const { status, out, err } = await podwhy(['check', '-n', 'shop'], { env })
  expect(out).toMatch(
    /^configuration: no mistakes\ncluster test, namespace shop: (\d+) of the \1 rights that podwhy uses\n$/,
  )
  expect({ status, err }).toEqual({ status: 0, err: '' })
})

test('check says which are missing and which are too many', async () => {
  const limited = await startKubeApiServer({
    recordings: [recorded(servingPod('web'), 'web', '')],
    denied: ['nodes'],
    granted: ['get secrets'],
  })
  const { status, out } = await podwhy(['check'], { env: { KUBECONFIG: limited.kubeconfig() } })
  await limited.close()
  expect(out).toMatch(/missing: get nodes; answers will name what could not be read\n/)
  expect(out).toMatch(/warning: podwhy may get secrets/)
  expect(status).toBe(1)
})

test('check asks in the namespaces that PODWHY_NAMESPACES names, and in that of -n before', async () => {
  const where = async (namespaces: string, args: string[] = []) => {
    const { out } = await podwhy(['check', ...args], { env: { ...env, PODWHY_NAMESPACES: namespaces } })
    return [...out.matchAll(/^cluster test, (.*):/gm)].map(([, each]) => each)
  }
  expect(await where('shop,pay,!kube-system')).toEqual(['namespace shop', 'namespace pay'])
  expect(await where('shop,team-*')).toEqual(['all namespaces'])
  expect(await where('!shop')).toEqual(['all namespaces'])
  expect(await where('shop', ['-n', 'pay'])).toEqual(['namespace pay'])
})

test('check asks every configured cluster, and says what is wrong with their names', async () => {
  const { status, out } = await podwhy(['check'], {
    env: {
      ...env,
      PODWHY_CONTEXTS: 'test',
      PODWHY_KUBECONFIGS: `prod-us=${env['KUBECONFIG']},away=/nonexistent/k`,
      PODWHY_CLUSTER_LABELS: 'eks-1=prod-eu',
    },
  })
  expect(out.split('\n')).toEqual([
    'configuration: no mistakes',
    expect.stringMatching(/^cluster test, all namespaces: \d+ of the \d+ rights/),
    expect.stringMatching(/^cluster prod-us, all namespaces: \d+ of the \d+ rights/),
    expect.stringMatching(/^cluster away: kubeconfig \/nonexistent\/k does not exist/),
    'configuration: PODWHY_CLUSTER_LABELS: "eks-1" is to mean "prod-eu", which is no configured cluster; there is "test", "prod-us", "away"',
    '',
  ])
  expect(status).toBe(2)
})

test.each([
  [['prod-us:shop/web'], 'prod-us'],
  [['shop/web', '--context', 'prod-us'], 'prod-us'],
  [['test:shop/web'], 'test'],
  [['shop/web'], 'test'],
] as [string[], string][])('podwhy explain %j knows the clusters of PODWHY_KUBECONFIGS', async (args, cluster) => {
  const more = { ...env, PODWHY_KUBECONFIGS: `prod-us=${env['KUBECONFIG']}` }
  const { out, err } = await podwhy(['explain', ...args, '-o', 'json'], { env: more })
  expect(err).toBe('')
  expect(JSON.parse(out)).toMatchObject({ cluster })
})

test.each([
  [['shop/web', '--context', 'test'], 'kubectl --context test -n shop '],
  [['test:shop/web'], 'kubectl --context test -n shop '],
  [['shop/web'], 'kubectl -n shop '],
])('podwhy explain %j prints commands for the context that was named', async (args, beginning) => {
  const { out } = await podwhy(['explain', ...args, '-o', 'json'], { env })
  const { commands } = JSON.parse(out)
  for (const { command } of commands) expect(command).toMatch(new RegExp(`^${beginning}`))
  expect(commands).not.toEqual([])
})

test('without another kubeconfig the first of PODWHY_KUBECONFIGS is asked', async () => {
  const only = { HOME: '/nonexistent', PODWHY_KUBECONFIGS: `prod-us=${env['KUBECONFIG']}` }
  const { out } = await podwhy(['explain', 'shop/web', '-o', 'json'], { env: only })
  expect(JSON.parse(out)).toMatchObject({ cluster: 'prod-us' })
  const wrong = await podwhy(['explain', 'shop/web'], { env: { PODWHY_KUBECONFIGS: 'prod-us' } })
  expect(wrong).toMatchObject({
    status: 2,
    err: expect.stringMatching(/^podwhy: PODWHY_KUBECONFIGS: "prod-us" is not such a pair/),
  })
})
