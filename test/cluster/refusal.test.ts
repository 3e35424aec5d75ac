import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ClusterUnreachable } from '../../src/cluster/api.ts'
import type { Cluster } from '../../src/cluster/cluster.ts'
import { ClusterError } from '../../src/cluster/cluster-error.ts'
import { Forbidden, Unauthorized } from '../../src/cluster/refusal.ts'
import type { Fault } from '../fakes/kube-api-server.ts'
import { openTestCluster, shop, testPod } from './open-test-cluster.ts'

const recordings = () => [shop({ pods: [testPod('web-1')] })]
const read = (cluster: Cluster) => cluster.read({ namespace: 'shop', kind: null, name: 'web-1' })

const failure = async (cluster: Cluster): Promise<ClusterError> => {
  const error: unknown = await read(cluster).then(
    () => null,
    thrown => thrown,
  )
  expect(error).toBeInstanceOf(ClusterError)
  expect((error as ClusterError).message).not.toContain('\n')
  return error as ClusterError
}

it('a namespace without rights: verb, resource, namespace, and how to check', async () => {
  const { cluster } = await openTestCluster({ recordings: recordings(), denied: ['pods'] })
  const error = await failure(cluster)
  expect(error).toBeInstanceOf(Forbidden)
  expect(error).toMatchObject({ verb: 'get', resource: 'pods', namespace: 'shop', temporary: false })
  expect(error.message).toContain('check: kubectl auth can-i get pods -n shop --as system:serviceaccount:podwhy:podwhy')
})

it("a workload whose pods may not be listed names that right, not the workload's", async () => {
  const workload = { metadata: { name: 'web', namespace: 'shop', uid: 'u' }, spec: {} }
  const { cluster } = await openTestCluster({ recordings: [shop({ statefulSets: [workload] })], denied: ['pods'] })
  const reading = cluster.read({ namespace: 'shop', kind: 'StatefulSet', name: 'web' })
  await expect(reading).rejects.toMatchObject({ name: 'Forbidden', verb: 'list', resource: 'pods' })
})

describe('an expired token', () => {
  it('is one clear line', async () => {
    const { cluster } = await openTestCluster(
      { recordings: recordings(), tokens: new Set(['new']) },
      { user: { token: 'old' } },
    )
    const error = await failure(cluster)
    expect(error).toBeInstanceOf(Unauthorized)
    expect(error.message).toMatch(/^cluster "test" \(\S+\) does not accept podwhy's credentials \(401\)/)
  })

  it('is replaced as soon as its file is', async () => {
    const tokens = new Set(['first'])
    const folder = mkdtempSync(join(tmpdir(), 'podwhy-token-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'token')
    writeFileSync(file, 'first\n')
    const { cluster } = await openTestCluster({ recordings: recordings(), tokens }, { user: { tokenFile: file } })
    expect((await read(cluster)).target).toBe('web-1')
    tokens.clear()
    tokens.add('second')
    writeFileSync(file, 'second\n')
    expect((await read(cluster)).target).toBe('web-1')
  })
})

describe('a cluster that', () => {
  const faults: [string, Fault, RegExp][] = [
    ['does not answer', 'hang', /did not answer in time/],
    ['cuts the connection', 'cut', /cannot be reached: /],
    ['is not well', { status: 503, message: 'apiserver is shutting down' }, /answered 503: apiserver is shutting down/],
    ['is too busy', { status: 429, message: 'slow down' }, /answered 429: slow down/],
    [
      'is a login page',
      (_, response) => void response.end('<html>log in</html>'),
      /does not answer like an API server/,
    ],
    ['redirects', (_, response) => void response.writeHead(302, { location: '/x' }).end(), /cannot be reached/],
    [
      'breaks off',
      (_, response) => {
        response.writeHead(200, { 'content-length': 1000 })
        response.write('{', () => response.destroy())
      },
      /broke off its answer/,
    ],
  ]
  it.each(faults)('%s is temporarily unreachable', async (_, fault, message) => {
    const { kube, cluster } = await openTestCluster({ recordings: recordings() }, { timeouts: { callMs: 1_500 } })
    kube.fault(/pods\/web-1/, fault)
    const error = await failure(cluster)
    expect(error).toBeInstanceOf(ClusterUnreachable)
    expect(error.temporary).toBe(true)
    expect(error.message).toMatch(message)
  })

  it('is down says so, and where it was looked for', async () => {
    const { kube, cluster } = await openTestCluster({ recordings: recordings() })
    await kube.close()
    const error = await failure(cluster)
    expect(error).toBeInstanceOf(ClusterUnreachable)
    expect(error.message).toMatch(/^cluster "test" \(http:\/\/127\.0\.0\.1:\d+\) cannot be reached: .*ECONNREFUSED/)
  })

  it('has closed a kept connection is asked again on a new one', async () => {
    const { kube, cluster } = await openTestCluster({ recordings: recordings() })
    let cuts = 0
    kube.fault(/pods\/web-1$/, (request, response) => {
      if (cuts++ === 0) request.socket.destroy()
      else response.end(JSON.stringify(testPod('web-1')))
    })
    expect((await read(cluster)).target).toBe('web-1')
  })
})

it('a kind that cannot be explained is refused without a call', async () => {
  const { kube, cluster } = await openTestCluster({ recordings: recordings() })
  await expect(cluster.read({ namespace: 'shop', kind: 'Service', name: 'web' })).rejects.toThrow(/kind "Service"/)
  expect(kube.calls.filter(({ path }) => path !== '/version')).toEqual([])
})
