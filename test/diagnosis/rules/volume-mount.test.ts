import { expect, test } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { Diagnosis } from '../../../src/diagnosis/diagnosis.ts'
import type { JsonObject } from '../../../src/diagnosis/snapshot.ts'
import { aContainer, ago, anEvent, aPod, aSnapshot, aWaitingContainer, ended, running, waiting } from '../builders.ts'
import { aNode } from './node-builders.ts'

const VOLUMES = [
  { name: 'config', configMap: { name: 'app-config', items: [{ key: 'app.yaml', path: 'app.yaml' }] } },
  { name: 'data', persistentVolumeClaim: { claimName: 'data-web-0' } },
  { name: 'other', persistentVolumeClaim: { claimName: 'other-web-0' } },
  { name: 'host', hostPath: { path: '/srv/data', type: 'Directory' } },
]
const CLAIMS = [
  {
    metadata: { name: 'data-web-0', namespace: 'shop', uid: 'u1' },
    spec: { volumeName: 'pvc-u1' },
    status: { phase: 'Bound' },
  },
  {
    metadata: { name: 'other-web-0', namespace: 'shop', uid: 'u2' },
    spec: { volumeName: 'pvc-u2' },
    status: { phase: 'Bound' },
  },
]
const NO_SANDBOX = [
  { type: 'PodReadyToStartContainers', status: 'False' },
  { type: 'Ready', status: 'False', lastTransitionTime: ago(60) },
]

const creating = (mounts: readonly string[], conditions: readonly JsonObject[] = NO_SANDBOX): JsonObject =>
  aPod({
    containers: [
      aContainer({ name: 'proxy', state: waiting('ContainerCreating') }),
      aContainer({
        name: 'api',
        state: waiting('ContainerCreating'),
        spec: { volumeMounts: mounts.map(name => ({ name, mountPath: `/mnt/${name}` })) },
      }),
    ],
    spec: { volumes: VOLUMES },
    status: { phase: 'Pending', conditions },
  })

const answer = (pod: JsonObject, ...events: readonly JsonObject[]): Diagnosis =>
  diagnose(
    aSnapshot({ pod, events, related: { nodes: [aNode()], persistentVolumeClaims: CLAIMS, events: [], pods: [] } }),
  ).diagnosis

const failed = (volume: string, said: string) =>
  anEvent('FailedMount', `MountVolume.SetUp failed for volume "${volume}" : ${said}`, { secondsAgo: 5 })

test.each([
  [
    'data',
    anEvent(
      'FailedMount',
      'MountVolume.SetUp failed for volume "pvc-u1" : mount failed: exit status 32 Mounting arguments: -t nfs 10.0.0.5:/x /y Output: mount: wrong fs type, bad option, bad superblock on 10.0.0.5:/x (for several filesystems (e.g. nfs, cifs) you might need a /sbin/mount.<type> helper program)',
    ),
    'volume.mount-helper-missing',
    '`nfs`',
  ],
  ['config', failed('config', 'configmap "app-config" not found'), 'volume.object-missing', 'ConfigMap `app-config`'],
  [
    'config',
    failed('config', 'configmap references non-existent config key: app.yaml'),
    'volume.key-missing',
    '`app.yaml` of ConfigMap `app-config`',
  ],
  [
    'data',
    anEvent('FailedAttachVolume', 'Multi-Attach error for volume "pvc-u1" Volume is already used by pod(s) web-old'),
    'volume.multi-attach',
    'web-old',
  ],
  [
    'data',
    anEvent(
      'FailedMount',
      'MountVolume.MountDevice failed for volume "pvc-u1" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name csi.example.com not found in the list of registered CSI drivers',
    ),
    'volume.driver-or-attach-failure',
    '`csi.example.com`',
  ],
  [
    'data',
    anEvent(
      'FailedAttachVolume',
      'AttachVolume.Attach failed for volume "pvc-u1" : timed out waiting for external-attacher of csi.example.com CSI driver to attach volume vol-1',
    ),
    'volume.driver-or-attach-failure',
    '`data`',
  ],
  [
    'data',
    failed('pvc-u1', "mount failed: exit status 32 Output: mount: unknown filesystem type 'nfs'"),
    'volume.mount-helper-missing',
    '`nfs`',
  ],
  [
    'data',
    failed(
      'pvc-u1',
      'mount failed: exit status 32 Output: bad option; for several filesystems (e.g. nfs, cifs) you might need a /sbin/mount.cifs helper program.',
    ),
    'volume.mount-helper-missing',
    'cifs',
  ],
  [
    'host',
    failed('host', 'hostPath type check failed: /srv/data is not a directory'),
    'volume.host-path-type',
    '/srv/data is not a directory',
  ],
  [
    'data',
    failed('pvc-u1', 'applyFSGroup failed for vol vol-1: lchown /data: operation not permitted'),
    'volume.permission',
    'fsGroup',
  ],
  [
    'data',
    failed(
      'pvc-u1',
      'mount failed: exit status 32 Output: mount.nfs: access denied by server while mounting 10.0.0.5:/x',
    ),
    'volume.other',
    'access denied by server',
  ],
])('volume %s: each failure has its cause and names the first container that mounts it', (mount, event, id, words) => {
  const { cause, container } = answer(creating([mount]), event)
  expect(cause.id).toBe(id)
  expect(cause.summary).toContain(words)
  expect(container?.name).toBe('api')
})

test('the volume of a claim is found by its PersistentVolume where there are several', () => {
  const pod = aPod({
    containers: [
      aContainer({
        name: 'a',
        state: waiting('ContainerCreating'),
        spec: { volumeMounts: [{ name: 'data', mountPath: '/a' }] },
      }),
      aContainer({
        name: 'b',
        state: waiting('ContainerCreating'),
        spec: { volumeMounts: [{ name: 'other', mountPath: '/b' }] },
      }),
    ],
    spec: { volumes: VOLUMES },
    status: { phase: 'Pending', conditions: NO_SANDBOX },
  })
  expect(answer(pod, failed('pvc-u2', 'mount failed: exit status 32')).container?.name).toBe('b')
})

test('an init container that mounts the volume is the one that is held up', () => {
  const pod = aPod({
    init: [
      aContainer({
        name: 'seed',
        state: waiting('PodInitializing'),
        spec: { volumeMounts: [{ name: 'config', mountPath: '/c' }] },
      }),
    ],
    containers: [aWaitingContainer()],
    spec: { volumes: VOLUMES },
    status: { phase: 'Pending', conditions: NO_SANDBOX },
  })
  const { container } = answer(pod, failed('config', 'configmap "app-config" not found'))
  expect(container).toMatchObject({ name: 'seed', kind: 'init' })
})

test.each([
  ['failed to sync configmap cache: timed out waiting for the condition'],
  ['object "shop"/"app-config" not registered'],
])('"%s" heals by itself', said => {
  expect(answer(creating(['config']), failed('config', said)).cause.id).not.toMatch(/^volume/)
})

test('a failure before the container started is over', () => {
  const pod = aPod({
    spec: { volumes: VOLUMES },
    containers: [aContainer({ state: running(30), spec: { volumeMounts: [{ name: 'config' }] } })],
  })
  expect(
    answer(
      pod,
      anEvent('FailedMount', 'MountVolume.SetUp failed for volume "config" : configmap "app-config" not found', {
        secondsAgo: 60,
      }),
    ).cause.id,
  ).toBe('healthy')
})

test('a running pod whose ConfigMap was deleted later stays healthy, though the kubelet tries to remount', () => {
  const pod = aPod({
    spec: { volumes: VOLUMES },
    containers: [aContainer({ state: running(3600), spec: { volumeMounts: [{ name: 'config' }] } })],
  })
  expect(answer(pod, failed('config', 'configmap "app-config" not found')).cause.id).toBe('healthy')
})

test('a crash in a pod whose volumes are mounted is no volume failure', () => {
  const pod = aPod({
    containers: [aContainer({ state: ended(1), restartCount: 3, lastState: ended(1) })],
    spec: { volumes: VOLUMES },
  })
  expect(answer(pod, failed('config', 'configmap "app-config" not found')).cause.id).not.toMatch(/^volume/)
})

test('a summary that only timed out gives way to the event that says why', () => {
  const summary = anEvent(
    'FailedMount',
    'Unable to attach or mount volumes: unmounted volumes=[config], unattached volumes=[config]: timed out waiting for the condition',
    { secondsAgo: 2 },
  )
  expect(answer(creating(['config']), failed('config', 'secret "tls" not found'), summary).cause.id).toBe(
    'volume.object-missing',
  )
})

test('a Job that bears the name of a missing Secret is named as its likely maker', () => {
  const jobs = [
    { metadata: { name: 'web-tls-create', namespace: 'shop' } },
    { metadata: { name: 'report', namespace: 'shop' } },
  ]
  const fixOf = (secret: string) =>
    diagnose(
      aSnapshot({
        pod: creating(['config']),
        events: [failed('config', `secret "${secret}" not found`)],
        related: { nodes: [aNode()], jobs },
      }),
    ).diagnosis.cause.fix[0]
  expect(fixOf('web-tls')).toContain('`web-tls-create` Job')
  expect(fixOf('other')).not.toContain('Job `')
})
