import { expect, test } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { Diagnosis } from '../../../src/diagnosis/diagnosis.ts'
import type { JsonObject, PodSnapshot } from '../../../src/diagnosis/snapshot.ts'
import { aContainer, ago, anEvent, aPod, aSnapshot, type PodParts, running } from '../builders.ts'
import { aNode, NO_NETWORK, type NodeParts, STOPPED } from './node-builders.ts'

const pendingPod = (message: string | null, parts: PodParts = {}): JsonObject =>
  aPod({
    containers: [{ ...aContainer(), status: null }],
    ...parts,
    metadata: { creationTimestamp: ago(60), ...parts.metadata },
    spec: { nodeName: '', ...parts.spec },
    status: {
      phase: 'Pending',
      containerStatuses: [],
      conditions:
        message === null
          ? []
          : [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastTransitionTime: ago(60) }],
      ...parts.status,
    },
  })

interface Given {
  readonly nodes?: readonly NodeParts[] | null
  readonly pod?: PodParts
  readonly related?: PodSnapshot['related']
  readonly events?: readonly JsonObject[]
}

const unplaced = (message: string | null, given: Given = {}): Diagnosis => {
  const { nodes = [{}], pod, related = {}, events = [] } = given
  return diagnose(
    aSnapshot({
      pod: pendingPod(message, pod),
      events,
      related: {
        pods: [],
        persistentVolumeClaims: [],
        events: [],
        ...(nodes ? { nodes: nodes.map(aNode) } : {}),
        ...related,
      },
    }),
  ).diagnosis
}

const container = (spec: JsonObject) => ({ ...aContainer({ spec }), status: null })

test('a request larger than any node never fits', () => {
  const { cause } = unplaced(
    '0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    {
      pod: { containers: [container({ resources: { requests: { cpu: '6' } } })] },
    },
  )
  expect(cause.id).toBe('scheduling.insufficient-resources')
  expect(cause.summary).toContain('request of 6 is more than the 4')
  expect(cause.summary).toContain('never fit')
})

test('a request that fits an empty node is held up by other pods', () => {
  const { cause } = unplaced('0/1 nodes are available: 1 Insufficient memory.', {
    pod: { containers: [container({ resources: { requests: { memory: '6Gi' } } })] },
  })
  expect(cause.summary).toContain("other pods' requests")
})

test('an init container that alone decides the request is named', () => {
  const { cause } = unplaced('0/1 nodes are available: 1 Insufficient memory.', {
    pod: {
      init: [{ ...aContainer({ name: 'warm', spec: { resources: { requests: { memory: '16Gi' } } } }), status: null }],
      containers: [container({ resources: { requests: { memory: '1Gi' } } })],
    },
  })
  expect(cause.summary).toContain('init container `warm` alone decides it')
})

test('no node offers a device', () => {
  const { cause } = unplaced('0/1 nodes are available: 1 Insufficient nvidia.com/gpu.', {
    pod: { containers: [container({ resources: { limits: { 'nvidia.com/gpu': '1' } } })] },
  })
  expect(cause.summary).toContain('no usable node offers any')
})

test('a nominated node means waiting for preempted pods', () => {
  const { cause } = unplaced('0/1 nodes are available: 1 Insufficient cpu.', {
    pod: { status: { nominatedNodeName: 'node-a' } },
  })
  expect(cause.summary).toContain('`node-a` is nominated')
  expect(cause.fix[0]).toContain('Wait')
})

test.each([
  ['1 Too many pods', 'scheduling.too-many-pods'],
  ["1 node(s) didn't have free ports for the requested pod ports", 'scheduling.host-port-conflict'],
  ["1 node(s) didn't match Pod's node affinity/selector", 'scheduling.node-affinity'],
  ["1 node(s) didn't match node selector", 'scheduling.node-affinity'],
  ["1 node(s) didn't match pod anti-affinity rules", 'scheduling.pod-affinity-or-spread'],
  ["1 node(s) didn't match pod topology spread constraints", 'scheduling.pod-affinity-or-spread'],
  ["1 node(s) didn't satisfy existing pods anti-affinity rules", 'scheduling.pod-affinity-or-spread'],
  ["1 node(s) didn't match PersistentVolume's node affinity", 'scheduling.volume-zone-conflict'],
  ['1 node(s) had volume node affinity conflict', 'scheduling.volume-zone-conflict'],
  ["1 node(s) didn't find available persistent volumes to bind", 'scheduling.pvc-unbound'],
  ['1 node(s) were unschedulable', 'scheduling.node-cordoned'],
  ['1 node(s) had untolerated taint {dedicated: gpu}', 'scheduling.untolerated-taint'],
  [
    "1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate",
    'scheduling.untolerated-taint',
  ],
  ['1 node(s) exceed max volume count', 'scheduling.other'],
  ['cannot allocate all claims', 'scheduling.other'],
  ['1 MatchNodeSelector', 'scheduling.node-affinity'],
  ['1 PodToleratesNodeTaints', 'scheduling.untolerated-taint'],
  ['1 PodFitsHostPorts', 'scheduling.host-port-conflict'],
  ['1 Insufficient pods', 'scheduling.too-many-pods'],
  ['pod has unbound PersistentVolumeClaims (repeated 2 times)', 'scheduling.pvc-unbound'],
])('the scheduler says %s', (said, id) => {
  expect(
    unplaced(
      `0/1 nodes are available: ${said}. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.`,
    ).cause.id,
  ).toBe(id)
})

test('a control-plane taint beside another reason is noise', () => {
  const { cause } = unplaced(
    "0/4 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 3 node(s) didn't match Pod's node affinity/selector.",
    { nodes: null, pod: { spec: { nodeName: '', nodeSelector: { disk: 'ssd' } } } },
  )
  expect(cause.id).toBe('scheduling.node-affinity')
  expect(cause.summary).toContain('`disk=ssd`')
})

test('the tainted node that the selector allows is what binds', () => {
  const { cause } = unplaced(
    "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't match Pod's node affinity/selector.",
    {
      nodes: [
        { name: 'gpu-1', labels: { pool: 'gpu' }, taints: [{ key: 'gpu', value: 'only', effect: 'NoSchedule' }] },
        { name: 'web-1' },
        { name: 'web-2' },
      ],
      pod: { spec: { nodeName: '', nodeSelector: { pool: 'gpu' } } },
    },
  )
  expect(cause.id).toBe('scheduling.untolerated-taint')
  expect(cause.summary).toContain('`gpu=only:NoSchedule` on node `gpu-1`')
})

test('a cordoned node that the selector does not allow is noise', () => {
  const { cause } = unplaced(
    "0/2 nodes are available: 1 node(s) were unschedulable, 1 node(s) didn't match Pod's node affinity/selector.",
    {
      nodes: [{ name: 'a', unschedulable: true }, { name: 'b' }],
      pod: { spec: { nodeName: '', nodeSelector: { pool: 'gpu' } } },
    },
  )
  expect(cause.id).toBe('scheduling.node-affinity')
})

test('a taint that is tolerated is not blamed', () => {
  const { cause } = unplaced('0/2 nodes are available: 2 node(s) had untolerated taint(s).', {
    nodes: [
      {
        name: 'a',
        taints: [
          { key: 'batch', effect: 'NoSchedule' },
          { key: 'night', value: 'yes', effect: 'NoSchedule' },
        ],
      },
      { name: 'b', taints: [{ key: 'night', value: 'yes', effect: 'NoSchedule' }] },
    ],
    pod: { spec: { nodeName: '', tolerations: [{ key: 'batch', operator: 'Exists' }] } },
  })
  expect(cause.summary).not.toContain('`batch:NoSchedule`')
  expect(cause.summary).toContain('`night=yes:NoSchedule`')
})

test.each([
  ['node.kubernetes.io/memory-pressure', undefined, 'node.memory-pressure'],
  ['node.kubernetes.io/disk-pressure', undefined, 'node.disk-pressure'],
  ['node.cloudprovider.kubernetes.io/uninitialized', undefined, 'node.cloud-uninitialised'],
  ['node.kubernetes.io/network-unavailable', undefined, 'node.network-not-ready'],
  ['node.kubernetes.io/unreachable', STOPPED, 'node.lost'],
  ['node.kubernetes.io/not-ready', NO_NETWORK, 'node.network-not-ready'],
  ['node.kubernetes.io/not-ready', ['False', 'container runtime is down'] as const, 'node.runtime-down'],
  ['node.kubernetes.io/not-ready', ['False', 'node is shutting down'] as const, 'node.shutdown'],
  ['node.kubernetes.io/not-ready', undefined, 'scheduling.untolerated-taint'],
])('taint %s on the only node, which says %s', (key, ready, id) => {
  const { cause } = unplaced('0/1 nodes are available: 1 node(s) had untolerated taint(s).', {
    nodes: [{ taints: [{ key, effect: 'NoSchedule' }], ...(ready ? { ready } : {}) }],
  })
  expect(cause.id).toBe(id)
})

test('a sick node is what binds where the others are a pool of their own', () => {
  const { cause } = unplaced('0/2 nodes are available: 2 node(s) had untolerated taint(s).', {
    nodes: [
      { name: 'gpu-1', taints: [{ key: 'gpu', effect: 'NoSchedule' }] },
      { name: 'web-1', taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }], ready: STOPPED },
    ],
  })
  expect(cause.id).toBe('node.lost')
  expect(cause.summary).toContain('`web-1`')
})

test('without the nodes the answer says that it does not know which taint', () => {
  const { cause } = unplaced('0/1 nodes are available: 1 node(s) had untolerated taint(s).', { nodes: null })
  expect(cause.confidence).toBe('likely')
  expect(cause.summary).toContain('could not be read')
})

const claims = [{ name: 'data', persistentVolumeClaim: { claimName: 'data-web-0' } }]
const pvc = (phase: string, storageClassName?: string): JsonObject => ({
  metadata: { name: 'data-web-0', namespace: 'shop' },
  spec: storageClassName ? { storageClassName } : {},
  status: { phase },
})
const claimEvent = (reason: string, message: string): JsonObject => ({
  ...anEvent(reason, message),
  involvedObject: { kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'data-web-0' },
})
const UNBOUND = '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found'

test('an unbound claim is explained by its own event', () => {
  const { cause } = unplaced(UNBOUND, {
    pod: { spec: { nodeName: '', volumes: claims } },
    related: {
      persistentVolumeClaims: [pvc('Pending')],
      events: [
        claimEvent('FailedBinding', 'no persistent volumes available for this claim and no storage class is set'),
      ],
    },
  })
  expect(cause.id).toBe('scheduling.pvc-unbound')
  expect(cause.summary).toContain('`data-web-0` is not bound to a volume: it names no storage class')
})

test('a claim that waits for its provisioner is the cause while the scheduler is silent', () => {
  const given = {
    pod: { spec: { nodeName: '', volumes: claims } },
    related: {
      persistentVolumeClaims: [pvc('Pending', 'fast')],
      events: [
        claimEvent(
          'ExternalProvisioning',
          "Waiting for a volume to be created either by the external provisioner 'csi.example.com' or manually by the system administrator.",
        ),
      ],
    },
  }
  const { cause } = unplaced(null, given)
  expect(cause.id).toBe('scheduling.pvc-unbound')
  expect(cause.summary).toContain('csi.example.com')
  const bound = { ...given, related: { ...given.related, persistentVolumeClaims: [pvc('Bound', 'fast')] } }
  expect(unplaced(null, bound).cause.id).not.toBe('scheduling.pvc-unbound')
})

test('a claim that does not exist is told from one that is not bound', () => {
  const pod = { spec: { nodeName: '', volumes: claims } }
  expect(
    unplaced('0/1 nodes are available: persistentvolumeclaim "data-web-0" not found. not found', { pod }).cause.id,
  ).toBe('scheduling.pvc-missing')
  expect(unplaced(UNBOUND, { pod }).cause.id).toBe('scheduling.pvc-missing')
})

test('a gate holds the pod back on purpose', () => {
  const { cause } = unplaced('Scheduling is blocked due to non-empty scheduling gates', {
    pod: { spec: { nodeName: '', schedulingGates: [{ name: 'example.com/budget' }] } },
  })
  expect(cause.id).toBe('scheduling.gated')
  expect(cause.fix[0]).toContain('example.com/budget')
})

test('a scheduler that nobody runs never says a word', () => {
  expect(unplaced(null, { pod: { spec: { nodeName: '', schedulerName: 'gang' } } }).cause).toMatchObject({
    id: 'scheduling.other',
    confidence: 'likely',
  })
})

test('the holder of a host port is named', () => {
  const holder = aPod({
    metadata: { name: 'web-old', uid: 'other' },
    containers: [{ ...aContainer({ spec: { ports: [{ containerPort: 9100, hostPort: 9100 }] } }), status: null }],
  })
  const { cause } = unplaced("0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.", {
    pod: { containers: [container({ ports: [{ containerPort: 9100, hostPort: 9100 }] })] },
    related: { pods: [holder] },
  })
  expect(cause.summary).toContain('`9100` is taken. Pod `web-old` on `node-a` has it')
})

test('a retired label is named with its new name', () => {
  const { cause } = unplaced("0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.", {
    pod: { spec: { nodeName: '', nodeSelector: { 'beta.kubernetes.io/os': 'linux' } } },
  })
  expect(cause.fix[0]).toContain('from `beta.kubernetes.io/os` to `kubernetes.io/os`')
})

test('old scheduling events of a pod that runs mean nothing', () => {
  const { diagnosis } = diagnose(
    aSnapshot({
      events: [anEvent('FailedScheduling', '0/1 nodes are available: 1 Insufficient cpu.', { secondsAgo: 300 })],
      pod: aPod({ containers: [aContainer({ state: running(250), ready: true, started: true })] }),
      related: { nodes: [aNode()] },
    }),
  )
  expect(diagnosis.cause.id).toBe('healthy')
})

const beside = (kind: 'podAffinity' | 'podAntiAffinity', labels: JsonObject): PodParts => ({
  metadata: { labels: { app: 'web' } },
  spec: {
    affinity: {
      [kind]: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: labels } },
        ],
      },
    },
  },
})

test('pod affinity asks for the other pods, not for another node', () => {
  const { cause } = unplaced("0/1 nodes are available: 1 node(s) didn't match pod affinity rules.", {
    pod: beside('podAffinity', { app: 'cache' }),
  })
  expect(cause.summary).toContain('beside a pod with `app=cache`')
  expect(cause.fix[0]).toContain('Start the pods with `app=cache`')
  expect(cause.fix[0]).not.toContain('Add a node')
})

test('anti-affinity takes places only for the pods it selects', () => {
  const message = "0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules."
  const own = unplaced(message, { pod: beside('podAntiAffinity', { app: 'web' }) }).cause
  expect(own.summary).toContain('one such pod')
  const others = unplaced(message, { pod: beside('podAntiAffinity', { app: 'noisy' }) }).cause
  expect(others.summary).toContain('Pods with `app=noisy` run there')
  expect(others.summary).not.toContain('one such pod')
})
