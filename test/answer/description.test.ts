import { expect, it } from 'vitest'
import { description } from '../../src/answer/description.ts'
import { containersOf } from '../../src/diagnosis/containers.ts'
import { workload as workloadShape } from '../../src/diagnosis/kubernetes.ts'
import { pod as podShape } from '../../src/diagnosis/kubernetes-pod.ts'

const described = (pod: object): string => {
  const read = podShape({ metadata: { name: 'web-1' }, ...pod })
  if (!read) throw new Error('no pod')
  const owner = { kind: 'Deployment', name: 'web' }
  const place = { cluster: 'prod', namespace: 'shop', owner, workload: null }
  return description({ ...place, pod: read, containers: containersOf(read) })
}

it('a pod is described one fact a line, what is missing left out', () => {
  const text = described({
    spec: {
      nodeName: 'worker-1',
      initContainers: [{ name: 'wait', image: 'busybox' }],
      containers: [
        {
          ...{ name: 'app', image: 'web:1.2', command: ['/web'], args: ['--port', '80'] },
          resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
          livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, initialDelaySeconds: 5 },
          volumeMounts: [{ name: 'config', mountPath: '/etc/web', readOnly: true }],
        },
      ],
      volumes: [
        { name: 'config', configMap: { name: 'web-config' } },
        { name: 'keys', secret: { secretName: 'web-keys' } },
      ],
    },
    status: {
      ...{ phase: 'Running', qosClass: 'Burstable' },
      conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady' }],
      containerStatuses: [
        {
          ...{ name: 'app', ready: false, restartCount: 4 },
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s' } },
          lastState: {
            terminated: {
              reason: 'Error',
              exitCode: 1,
              startedAt: '2026-05-04T12:00:00Z',
              finishedAt: '2026-05-04T12:00:05Z',
            },
          },
        },
      ],
    },
  })
  expect(text).toMatchInlineSnapshot(`
    "Pod shop/web-1
    Cluster          prod
    Owner            Deployment web
    Node             worker-1
    Phase            Running
    QoS class        Burstable
    Conditions       Ready=False (ContainersNotReady)

    Init container 1 of 1: wait
      Image            busybox

    Container: app
      Image            web:1.2
      State            waiting: CrashLoopBackOff: back-off 40s
      Last state       terminated: Error, exit code 1, 2026-05-04T12:00:00Z to 2026-05-04T12:00:05Z
      Ready            no, 4 restarts
      Command          /web --port 80
      Requests         cpu 100m, memory 64Mi
      Limits           memory 128Mi
      Liveness probe   http GET :8080/healthz, after 5s every 10s, timeout 1s, 3 failures allowed
      Mounts           /etc/web from config (read-only)

    Volumes
      config           ConfigMap web-config
      keys             Secret web-keys"
  `)
})

it('values of variables are not shown, only where they come from', () => {
  const text = described({
    spec: {
      containers: [
        {
          name: 'app',
          env: [
            { name: 'MODE', value: 'top-secret' },
            { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
          ],
          envFrom: [{ secretRef: { name: 'more' } }],
        },
      ],
    },
  })
  expect(text).toContain('MODE, PASSWORD (Secret db key password), all of Secret more')
  expect(text).not.toContain('top-secret')
})

it('tolerations are told of a pod without a node, but not those that every pod has', () => {
  const tolerations = [
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
    { key: 'gpu', operator: 'Equal', value: 'yes', effect: 'NoSchedule' },
  ]
  expect(described({ spec: { containers: [], tolerations } })).toMatch(/Tolerations +gpu=yes:NoSchedule\n?/)
  expect(described({ spec: { containers: [], tolerations, nodeName: 'worker-1' } })).not.toContain('Tolerations')
})

it('an owner without pods is described by what keeps it from having some', () => {
  const workload = workloadShape({
    spec: { replicas: 2 },
    status: { conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'denied' }] },
  })
  const place = { cluster: 'prod', namespace: 'shop', owner: { kind: 'Deployment', name: 'web' }, pod: null }
  const text = description({ ...place, workload: workload ?? null, containers: [] })
  expect(text).toContain('Deployment shop/web, which has no pod')
  expect(text).toMatch(/Replicas +2 wanted, 0 ready/)
  expect(text).toContain('ReplicaFailure=True')
})

it('what a pod says cannot move the cursor or end its line', () => {
  const text = described({ spec: { containers: [{ name: 'app', image: 'web\n\u001b[2JX' }] } })
  expect(text).toMatch(/Image +web X/)
})
