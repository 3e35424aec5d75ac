import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AmbiguousTarget, NoSuchPod } from '../../src/cluster/no-such-pod.ts'
import type { JsonObject } from '../../src/diagnosis/snapshot.ts'
import { askBack } from '../../src/worker/triaging.ts'
import { shop } from '../cluster/open-test-cluster.ts'
import { type KubeApiServer, startKubeApiServer } from '../fakes/kube-api-server.ts'
import { mergedNamespace } from '../fakes/merged-namespace.ts'
import { servingPod } from './pods.ts'
import { podwhy } from './podwhy.ts'

let kube: KubeApiServer
let env: Record<string, string>
beforeAll(async () => {
  const serving = servingPod('web') as JsonObject
  const quiet = {
    ...shop({ pods: [{ ...serving, metadata: { ...(serving['metadata'] as JsonObject), namespace: 'quiet' } }] }),
  }
  kube = await startKubeApiServer({
    recordings: [
      ...mergedNamespace('orders', [
        'orders-wait-postgres/waiting',
        'web-frontend-nginx/crash-loop',
        'coupons-policy-namespace/no-pods',
      ]),
      quiet,
    ],
  })
  env = { KUBECONFIG: kube.kubeconfig() }
})
afterAll(() => kube.close())

describe('podwhy explain of a namespace', () => {
  test.each([[['orders/']], [['-n', 'orders']], [['ns', 'orders']], [['test:orders/']]])(
    '%j prints groups, a table and what to ask next',
    async args => {
      const { status, out, err } = await podwhy(['explain', ...args], { env })
      expect(out).toMatch(/^\d of \d pods in `orders` · test are not healthy, and 1 workload has no pods\.\n/)
      expect(out).toContain('\nPOD ')
      expect(out).toMatch(/\norders-api-664c9d84c7-q84wv +Init:0\/1 +0\/1 +0 +init\.wait-wrong-target\n/)
      expect(out).toMatch(/\nDeployment\/coupons +no pod +- +- +admission\./)
      expect(out).toMatch(/Explain one:\n {2}podwhy explain orders\//)
      expect({ status, err }).toEqual({ status: 1, err: '' })
    },
  )

  test('as JSON prints one answer a line, each as it is when asked about alone', async () => {
    const { status, out } = await podwhy(['explain', 'orders/', '-o', 'json'], { env })
    const answers = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(answers.map(({ pod, owner }) => pod ?? owner.name)).toContain('coupons')
    const one = answers.find(({ pod }) => pod === 'orders-api-664c9d84c7-q84wv')
    const alone = await podwhy(['explain', 'orders/pod/orders-api-664c9d84c7-q84wv', '-o', 'json'], { env })
    expect(one.cause).toEqual(JSON.parse(alone.out).cause)
    expect(status).toBe(1)
  })

  test('that is well is one line, and ends with 0', async () => {
    const { status, out } = await podwhy(['explain', 'quiet/'], { env })
    expect({ status, out }).toEqual({ status: 0, out: 'The only pod in `quiet` · test is well.\n' })
    expect(await podwhy(['explain', 'quiet/', '-o', 'json'], { env })).toEqual({ status: 0, out: '', err: '' })
  })

  test('that is not there ends with 2', async () => {
    const { status, err } = await podwhy(['explain', 'nowhere/'], { env })
    expect(err).toMatch(/^podwhy: there is no namespace "nowhere" in cluster "test"/)
    expect(status).toBe(2)
  })
})

test('a namespace cannot be recorded', async () => {
  const { status, err } = await podwhy(['record', 'orders/'], { env })
  expect(err).toBe('podwhy: name one pod or workload of namespace "orders" to record\n')
  expect(status).toBe(2)
})

describe('asking back', () => {
  const asked = { cluster: 'prod', namespace: 'shop', kind: null, name: 'web' }
  const offered = (error: Error, isAllowed?: (namespace: string) => boolean) =>
    askBack(error, error.message, asked, isAllowed).blocks.flatMap(block =>
      block.type === 'actions'
        ? block.elements.map(element => ('value' in element ? [element.text.text, element.value] : []))
        : [],
    )

  test('offers the kinds that a name has, in the cluster that was asked', () => {
    const choices = ['Deployment', 'StatefulSet'].map(kind => ({ namespace: 'shop', kind, name: 'web' }))
    expect(offered(new AmbiguousTarget('which?', choices))).toEqual([
      ['Deployment/web', '{"t":"prod:shop/Deployment/web"}'],
      ['StatefulSet/web', '{"t":"prod:shop/StatefulSet/web"}'],
    ])
  })

  test('names no namespace that may not be asked about', () => {
    const near = ['shop', 'vault'].map(name => ({ namespace: name, kind: 'Namespace', name }))
    const error = new NoSuchPod('no such namespace', near)
    expect(offered(error, namespace => namespace !== 'vault')).toEqual([['shop/', '{"t":"prod:shop/"}']])
  })

  test('offers nothing where nothing is near', () => {
    expect(offered(new Error('no rights'))).toEqual([])
  })
})
