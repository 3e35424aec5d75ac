import { expect, test } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { JsonObject } from '../../../src/diagnosis/snapshot.ts'
import { aContainer, ago, anEvent, aPod, aSnapshot, ended, running, waiting } from '../builders.ts'
import { aNode } from './node-builders.ts'

const NO_SANDBOX = [
  { type: 'PodReadyToStartContainers', status: 'False' },
  { type: 'Ready', status: 'False', lastTransitionTime: ago(60) },
]
const creating = (): JsonObject =>
  aPod({
    containers: [aContainer({ state: waiting('ContainerCreating') })],
    status: { phase: 'Pending', conditions: NO_SANDBOX },
  })
const failed = (said: string, secondsAgo = 5) =>
  anEvent('FailedCreatePodSandBox', `Failed to create pod sandbox: ${said}`, { secondsAgo })
const answer = (pod: JsonObject, ...events: readonly JsonObject[]) =>
  diagnose(aSnapshot({ pod, events, related: { nodes: [aNode({ podCIDR: '10.0.0.0/24' })], events: [], pods: [] } }))
    .diagnosis

const NETWORK =
  'rpc error: code = Unknown desc = failed to setup network for sandbox "0f15763e5179d2bf9440ebfc33387f82": '

test.each([
  [
    `${NETWORK}plugin type="calico" failed (add): failed to find plugin "calico" in path [/opt/cni/bin]`,
    'sandbox.cni-plugin-error',
  ],
  [
    `${NETWORK}plugin type="flannel" failed (add): open /run/flannel/subnet.env: no such file or directory`,
    'sandbox.cni-plugin-error',
  ],
  [
    `${NETWORK}plugin type="cilium-cni" failed (add): unable to connect to Cilium daemon: failed to create cilium agent client after 30.0 seconds timeout`,
    'sandbox.cni-plugin-error',
  ],
  [
    'rpc error: code = Unknown desc = failed to create pod network sandbox k8s_web(1f2e): error adding pod shop_web to CNI network "multus": plugin type="multus" failed (add): timed out',
    'sandbox.cni-plugin-error',
  ],
  [
    `${NETWORK}plugin type="aws-cni" name="aws-cni" failed (add): add cmd: failed to assign an IP address to container`,
    'sandbox.ip-exhausted',
  ],
  [
    `${NETWORK}plugin type="bridge" failed (add): failed to allocate for range 0: no IP addresses available in range set: 10.244.0.1-10.244.0.254`,
    'sandbox.ip-exhausted',
  ],
  [
    `${NETWORK}plugin type="cilium-cni" failed (add): unable to allocate IP via local cilium agent: [POST /ipam] postIpamFailure range is full`,
    'sandbox.ip-exhausted',
  ],
  [
    'rpc error: code = NotFound desc = failed to start sandbox "1837": failed to get sandbox image "registry.example.com/pause:9": failed to pull image',
    'sandbox.pause-image-pull',
  ],
  [`${NETWORK}cni plugin not initialized`, 'node.network-not-ready'],
  [
    'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: no such file or directory"',
    'node.runtime-down',
  ],
  [`${NETWORK}plugin type="flannel" failed (add): node "node-a" pod cidr not assigned`, 'node.pod-cidr-missing'],
  [
    'rpc error: code = Unknown desc = unable to get OCI runtime for sandbox "1837": no runtime for "kata" is configured',
    'sandbox.other',
  ],
  ['rpc error: code = DeadlineExceeded desc = context deadline exceeded', 'sandbox.other'],
])('%s', (said, id) => {
  expect(answer(creating(), failed(said)).cause.id).toBe(id)
})

test('a network that is not ready is the node, not the sandbox', () => {
  expect(answer(creating(), anEvent('NetworkNotReady', 'network is not ready: NetworkReady=false')).cause.id).toBe(
    'node.network-not-ready',
  )
})

test('the newest failure counts', () => {
  const { cause } = answer(
    creating(),
    failed(`${NETWORK}plugin type="calico" failed (add): failed to find plugin "calico" in path [/opt/cni/bin]`, 60),
    failed(`${NETWORK}plugin type="bridge" failed (add): no IP addresses available in range set: a-b`, 5),
  )
  expect(cause.id).toBe('sandbox.ip-exhausted')
})

test('the pause image is named with the node it is missing on', () => {
  const { cause } = answer(
    creating(),
    failed('rpc error: code = NotFound desc = failed to get sandbox image "registry.example.com/pause:9": not found'),
  )
  expect(cause.summary).toContain('`registry.example.com/pause:9` cannot be pulled on node `node-a`')
})

test('a failure that later images or containers have overtaken is history', () => {
  const old = failed(`${NETWORK}plugin type="calico" failed (add): x`, 120)
  expect(answer(aPod({ containers: [aContainer({ state: running(100) })] }), old).cause.id).toBe('healthy')
  const pulling = aPod({
    containers: [aContainer({ state: waiting('ContainerCreating') })],
    status: { phase: 'Pending', conditions: [] },
  })
  const { cause } = answer(
    pulling,
    old,
    anEvent('Pulling', 'Pulling image "x"', { secondsAgo: 30, type: 'Normal', container: 'api' }),
  )
  expect(cause.id).not.toMatch(/^sandbox/)
})

test('a sandbox that cannot be made again after a reboot counts, although containers have run before', () => {
  const pod = aPod({
    containers: [aContainer({ state: ended(255, { reason: 'Unknown', startedAt: ago(900), finishedAt: ago(300) }) })],
    status: { conditions: NO_SANDBOX },
  })
  expect(answer(pod, failed(`${NETWORK}plugin type="calico" failed (add): x`)).cause.id).toBe(
    'sandbox.cni-plugin-error',
  )
})

test('a cgroup of the pod that the kernel refuses is told with its words and the node', () => {
  const { cause } = answer(
    creating(),
    anEvent(
      'FailedCreatePodContainer',
      'unable to ensure pod container exists: failed to create container for [kubepods pod1] : mkdir /sys/fs/cgroup/memory/kubepods/pod1: cannot allocate memory',
      { secondsAgo: 5 },
    ),
  )
  expect(cause.id).toBe('sandbox.other')
  expect(cause.summary).toContain('cannot allocate memory')
  expect(cause.fix[0]).toContain('node-a')
})
