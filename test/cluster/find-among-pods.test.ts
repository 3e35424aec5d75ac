import { describe, expect, it } from 'vitest'
import { NoSuchPod } from '../../src/cluster/no-such-pod.ts'
import { Forbidden } from '../../src/cluster/refusal.ts'
import type { JsonObject } from '../../src/diagnosis/snapshot.ts'
import { openTestCluster, shop, testPod } from './open-test-cluster.ts'

const claim = (name: string, phase: string) =>
  ({ metadata: { name, namespace: 'shop' }, status: { phase } }) as unknown as JsonObject
const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
const crashing = (container = 'app') => ({
  ...{ phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] },
  containerStatuses: [
    { name: container, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { exitCode: 1 } } },
  ],
})
const pod = (name: string, status: object, volumes: object[] = [], container = 'app') =>
  testPod(name, { spec: { containers: [{ name: container }], volumes, restartPolicy: 'Always' }, status })
const uses = (claimName: string) => [{ name: 'data', persistentVolumeClaim: { claimName } }]

const open = async (options: { denied?: string[]; healthy?: boolean } = {}) => {
  const failing = options.healthy ? ready : crashing()
  const pods = [
    pod('web-a', ready, uses('uploads')),
    pod('web-b', failing, uses('uploads')),
    pod('job-x', ready, [{ name: 'scratch', ephemeral: {} }]),
    pod('api-0', options.healthy ? ready : { ...crashing('api'), conditions: [] }, [], 'api'),
    pod('api-1', ready, [], 'api'),
  ]
  const persistentVolumeClaims = [claim('uploads', 'Bound'), claim('archive', 'Pending')]
  const recordings = [shop({ pods, persistentVolumeClaims })]
  const { cluster } = await openTestCluster({ recordings, denied: options.denied ?? [] })
  return (kind: string, name: string, namespace = 'shop') => cluster.read({ namespace, kind, name })
}

describe('a PersistentVolumeClaim is answered by', () => {
  it('the worst pod that uses it', async () => {
    const read = await open()
    expect(await read('PersistentVolumeClaim', 'uploads')).toMatchObject({ target: 'web-b', pod: { kind: 'Pod' } })
  })

  it('a healthy pod where none is unhealthy', async () => {
    const read = await open({ healthy: true })
    expect((await read('PersistentVolumeClaim', 'uploads')).target).toMatch(/^web-/)
  })

  it('the pod whose ephemeral volume it is', async () => {
    const read = await open()
    expect((await read('PersistentVolumeClaim', 'job-x-scratch')).target).toBe('job-x')
  })

  it('saying that no pod uses it, and its phase', async () => {
    const read = await open()
    const nobody = read('PersistentVolumeClaim', 'archive')
    await expect(nobody).rejects.toThrow(NoSuchPod)
    await expect(nobody).rejects.toThrow(
      /^no pod in namespace "shop" of .* uses PersistentVolumeClaim "archive", which is Pending$/,
    )
  })

  it('near names where there is none of that name', async () => {
    const read = await open()
    await expect(read('PersistentVolumeClaim', 'upload')).rejects.toThrow(
      /^no PersistentVolumeClaim shop\/upload in .*; did you mean "uploads"\?$/,
    )
  })

  it('saying that nothing more is known where claims may not be read', async () => {
    const read = await open({ denied: ['persistentvolumeclaims'] })
    await expect(read('PersistentVolumeClaim', 'archive')).rejects.toThrow(/uses PersistentVolumeClaim "archive"$/)
  })
})

describe('a container’s name is answered by', () => {
  it('the worst unhealthy pod with such a container', async () => {
    const read = await open()
    expect((await read('Container', 'api')).target).toBe('api-0')
  })

  it('nothing where those pods are healthy, or there are none', async () => {
    const read = await open({ healthy: true })
    await expect(read('Container', 'api')).rejects.toThrow(
      /^no unhealthy pod with a container "api" in namespace "shop"/,
    )
    await expect(read('Container', 'http')).rejects.toThrow(NoSuchPod)
  })
})

describe('a namespace is answered by', () => {
  it('its worst unhealthy pod', async () => {
    const read = await open()
    expect((await read('Namespace', 'shop')).target).toMatch(/^(web-b|api-0)$/)
  })

  it('nothing where all its pods are healthy, or it is not there', async () => {
    const read = await open({ healthy: true })
    await expect(read('Namespace', 'shop')).rejects.toThrow(/^no unhealthy pod in namespace "shop"/)
    await expect(read('Namespace', 'nowhere', 'nowhere')).rejects.toThrow(/there is no namespace "nowhere"/)
  })
})

it('pods that may not be listed are a refusal', async () => {
  const read = await open({ denied: ['pods'] })
  await expect(read('Namespace', 'shop')).rejects.toThrow(Forbidden)
})
