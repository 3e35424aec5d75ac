import type { Diagnosis, Finding } from '../../src/diagnosis/diagnosis.ts'

const finding = (over: Partial<Finding> & Pick<Finding, 'id' | 'summary'>): Finding => ({
  confidence: 'certain',
  container: null,
  evidence: [],
  fix: [],
  avoid: [],
  verify: [],
  ...over,
})

/** A diagnosis of which only the cause is known; everything that can be null is. */
export const bare = (over: Partial<Diagnosis> = {}): Diagnosis => ({
  cluster: null,
  namespace: 'shop',
  pod: null,
  owner: null,
  uid: null,
  takenAt: null,
  status: null,
  ready: null,
  restarts: null,
  since: null,
  healthy: false,
  container: null,
  exit: null,
  cause: finding({ id: 'app.crash', confidence: 'possible', summary: 'Nothing could be read.' }),
  others: [],
  log: null,
  nextRestart: null,
  commands: [],
  unread: [],
  ...over,
})

const initWait = bare({
  cluster: 'prod-eu',
  namespace: 'team-0594-or',
  pod: 'orders-api-664c9d84c7-q84wv',
  owner: { kind: 'Deployment', name: 'orders-api' },
  uid: '2f6f2a07-6a0f-4a3f-9a55-d7d3f6f6a001',
  takenAt: '2026-05-04T21:36:40Z',
  status: 'Init:0/1',
  ready: '0/1',
  restarts: '0',
  since: '2026-05-04T21:36:10Z',
  container: { name: 'wait-for-db', kind: 'init', position: 1, of: 1, image: 'busybox:1.37', restartCount: 0 },
  cause: finding({
    id: 'init.wait-no-service',
    container: 'wait-for-db',
    summary:
      'Init container `wait-for-db` waits for `orders-postgres:5432`, but this namespace has no Service of that name, and the loop has no limit: it will not end by itself. Service `orders-db` has port 5432 and one ready endpoint – likely the name that was meant.',
    evidence: [
      {
        source: 'status.initContainerStatuses[0].state.running',
        text: '`wait-for-db` runs since 21:36:10 UTC, with 0 restarts',
      },
      { source: 'spec.initContainers[0].args', text: 'it loops `until nc -w 2 orders-postgres 5432`' },
      {
        source: 'log of wait-for-db',
        text: "it repeats `nc: bad address 'orders-postgres'`: the name does not resolve",
      },
      { source: 'Services in team-0594-or', text: 'there is one, `orders-db`' },
      {
        source: 'status.containerStatuses[0].state.waiting',
        text: '`api` has not started; it waits for init (`PodInitializing`) and is not at fault',
      },
    ],
    fix: [
      "Change the host in `wait-for-db`'s args of Deployment `orders-api` to `orders-db`, and bound the loop.",
      'Or create a Service `orders-postgres` with port 5432 that selects the database.',
    ],
    avoid: ['Removing the init container or adding `|| true`: the app would start without its database.'],
    verify: ['STATUS goes from `Init:0/1` to `Running` within seconds of the new pod starting.'],
  }),
  log: {
    container: 'wait-for-db',
    instance: 'current',
    restart: 0,
    lines: Array.from({ length: 4 }, () => "nc: bad address 'orders-postgres'"),
    omitted: 26,
    redacted: 0,
    missing: null,
    firstAt: '2026-05-04T21:36:33Z',
    lastAt: '2026-05-04T21:36:39Z',
  },
  commands: [
    {
      purpose: 'See which Services there are, and whether they have endpoints',
      argv: ['kubectl', '-n', 'team-0594-or', 'get', 'svc,endpointslices'],
      changes: false,
    },
    {
      purpose: 'Follow the waiting container',
      argv: [
        'kubectl',
        '-n',
        'team-0594-or',
        'logs',
        'orders-api-664c9d84c7-q84wv',
        '-c',
        'wait-for-db',
        '--tail=20',
        '-f',
      ],
      changes: false,
    },
    {
      purpose: 'Correct the host',
      argv: ['kubectl', '-n', 'team-0594-or', 'edit', 'deployment/orders-api'],
      changes: true,
    },
    {
      purpose: 'Watch it work',
      argv: ['kubectl', '-n', 'team-0594-or', 'rollout', 'status', 'deployment/orders-api'],
      changes: false,
    },
  ],
})

const sidecarDown = bare({
  cluster: 'prod-eu',
  namespace: 'team-6672-we',
  pod: 'checkout-web-6b4c7bfdb6-thnrm',
  owner: { kind: 'Deployment', name: 'checkout-web' },
  uid: '2f6f2a07-6a0f-4a3f-9a55-d7d3f6f6a002',
  takenAt: '2026-05-04T21:37:30Z',
  status: 'Init:CrashLoopBackOff',
  ready: '1/2',
  restarts: '2 (20s ago)',
  since: '2026-05-04T21:36:48Z',
  container: { name: 'metrics-agent', kind: 'sidecar', position: 1, of: 1, image: 'agent:2.1', restartCount: 2 },
  exit: {
    code: 1,
    signal: null,
    reason: 'Error',
    meaning: 'The process ended itself with an error of its own.',
    startedAt: '2026-05-04T21:37:08Z',
    finishedAt: '2026-05-04T21:37:10Z',
  },
  cause: finding({
    id: 'app.dns',
    container: 'metrics-agent',
    summary:
      'Sidecar `metrics-agent` crash-loops (exit 1): the name `metrics-collector.monitoring` does not resolve. `web` is running, but while the sidecar is down the pod is not Ready, so Service `checkout-web` sends it no traffic.',
    evidence: [
      { source: 'status.conditions[Initialized]', text: 'initialisation is done: `Initialized=True`' },
      { source: 'spec.initContainers[0].restartPolicy', text: '`metrics-agent` has `restartPolicy: Always`' },
      { source: 'EndpointSlice checkout-web-7hcmw', text: 'this pod has `ready: false`' },
    ],
    fix: ['Give `metrics-agent` a collector address that exists, or let it buffer instead of exiting.'],
  }),
  log: {
    container: 'metrics-agent',
    instance: 'current',
    restart: 2,
    lines: [
      'agent: starting, token=[redacted]',
      'agent: lookup metrics-collector.monitoring: no such host',
      'agent: giving up',
    ],
    omitted: 0,
    redacted: 1,
    missing: null,
    firstAt: '2026-05-04T21:37:08Z',
    lastAt: '2026-05-04T21:37:10Z',
  },
  nextRestart: '2026-05-04T21:37:50Z',
  others: [
    finding({
      id: 'pod.not-in-service',
      confidence: 'certain',
      summary: 'Service `checkout-web` has one other ready endpoint: users are still served.',
    }),
  ],
  unread: [{ what: 'nodes', why: 'forbidden' }],
  commands: [
    {
      purpose: 'Read the log of the crash',
      argv: ['kubectl', '-n', 'team-6672-we', 'logs', 'checkout-web-6b4c7bfdb6-thnrm', '-c', 'metrics-agent'],
      changes: false,
    },
  ],
})

const livenessKill = bare({
  cluster: 'prod-eu',
  namespace: 'team-934-qu',
  pod: 'queue-consumer-5fb9844bb9-hd28m',
  owner: { kind: 'Deployment', name: 'queue-consumer' },
  uid: '2f6f2a07-6a0f-4a3f-9a55-d7d3f6f6a003',
  takenAt: '2026-05-04T21:40:00Z',
  status: 'CrashLoopBackOff',
  ready: '0/1',
  restarts: '3 (9s ago)',
  since: '2026-05-04T21:38:51Z',
  container: { name: 'consumer', kind: 'app', position: 1, of: 1, image: 'consumer:7', restartCount: 3 },
  exit: {
    code: 137,
    signal: 'SIGKILL',
    reason: 'Error',
    meaning:
      'The kubelet killed it after the 2 s grace period, because the process ignored SIGTERM. It is not an out-of-memory kill: the reason is `Error`, and no memory limit is set.',
    startedAt: '2026-05-04T21:39:36Z',
    finishedAt: '2026-05-04T21:39:51Z',
  },
  cause: finding({
    id: 'probe.liveness',
    container: 'consumer',
    summary:
      '`consumer` is killed by its own liveness probe: `cat /tmp/heartbeat` fails twice in a row (every 2 s, 2 failures allowed) 10 s after each start, right after it logs `broker connection lost, reconnecting`. Not an out-of-memory kill.',
    evidence: [
      {
        source: 'event Unhealthy',
        text: "`Liveness probe failed: cat: can't open '/tmp/heartbeat'`, 8 times",
      },
      { source: 'event Killing', text: '`Container consumer failed liveness probe, will be restarted`' },
      { source: 'spec.containers[0].livenessProbe', text: '`periodSeconds: 2`, `failureThreshold: 2`' },
    ],
    fix: [
      'Keep `/tmp/heartbeat` fresh while reconnecting, or raise `livenessProbe.failureThreshold` of `consumer`.',
      'Handle SIGTERM in `consumer`, so that it need not be killed.',
    ],
    avoid: ['Removing the liveness probe: a consumer that really hangs would stay.'],
    verify: ['RESTARTS stays the same through one loss of the broker.'],
  }),
  log: {
    container: 'consumer',
    instance: 'previous',
    restart: 3,
    lines: ['consumer: connected', 'consumer: broker connection lost, reconnecting'],
    omitted: 0,
    redacted: 0,
    missing: null,
    firstAt: '2026-05-04T21:39:36Z',
    lastAt: '2026-05-04T21:39:46Z',
  },
  nextRestart: '2026-05-04T21:40:31Z',
  commands: [
    {
      purpose: 'Read the log of the killed instance',
      argv: ['kubectl', '-n', 'team-934-qu', 'logs', 'queue-consumer-5fb9844bb9-hd28m', '-c', 'consumer', '--previous'],
      changes: false,
    },
  ],
})

const childOutOfMemory = bare({
  cluster: 'prod-eu',
  namespace: 'team-209-pd',
  pod: 'pdf-renderer-54c6ffd4ff-zkxsb',
  owner: { kind: 'Deployment', name: 'pdf-renderer' },
  uid: '2f6f2a07-6a0f-4a3f-9a55-d7d3f6f6a004',
  takenAt: '2026-05-04T21:41:00Z',
  status: 'CrashLoopBackOff',
  ready: '0/1',
  restarts: '2 (15s ago)',
  since: '2026-05-04T21:40:12Z',
  container: { name: 'renderer', kind: 'app', position: 1, of: 1, image: 'pdf:3', restartCount: 2 },
  exit: {
    code: 1,
    signal: null,
    reason: 'OOMKilled',
    meaning: 'The master process ended itself after the kernel had killed its worker; hence `OOMKilled` with code 1.',
    startedAt: '2026-05-04T21:40:40Z',
    finishedAt: '2026-05-04T21:40:45Z',
  },
  cause: finding({
    id: 'oom.child',
    container: 'renderer',
    confidence: 'likely',
    summary:
      '`renderer` runs out of its 80Mi memory limit: the kernel kills its worker process (`worker exited with -9`), and the master then exits 1.',
    evidence: [{ source: 'status.containerStatuses[0].lastState.terminated', text: 'reason `OOMKilled`, exit code 1' }],
    fix: ['Raise `resources.limits.memory` of `renderer`, or lower what one worker takes.'],
  }),
  log: {
    container: 'renderer',
    instance: 'current',
    restart: 2,
    lines: [],
    omitted: 0,
    redacted: 0,
    missing: 'the kubelet has removed it already (`unable to retrieve container logs`).',
    firstAt: null,
    lastAt: null,
  },
})

const unknownExit = bare({
  cluster: 'prod-eu',
  namespace: 'edge',
  pod: 'edge-proxy-5c9d7f6b88-mmx2p',
  owner: { kind: 'Deployment', name: 'edge-proxy' },
  uid: '2f6f2a07-6a0f-4a3f-9a55-d7d3f6f6a005',
  takenAt: '2026-05-04T21:45:00Z',
  status: 'CrashLoopBackOff',
  ready: '0/1',
  restarts: '3 (30s ago)',
  since: '2026-05-04T21:43:00Z',
  container: { name: 'proxy', kind: 'app', position: 1, of: 1, image: 'edge:12', restartCount: 3 },
  exit: {
    code: 78,
    signal: null,
    reason: 'Error',
    meaning: 'A code of the program itself; some programs use it for a configuration error (`EX_CONFIG`).',
    startedAt: '2026-05-04T21:44:30Z',
    finishedAt: '2026-05-04T21:44:30Z',
  },
  cause: finding({
    id: 'app.crash',
    container: 'proxy',
    confidence: 'possible',
    summary:
      '`proxy` ends itself with exit code 78 within a second of starting. Why is not visible from the cluster; the last thing it wrote is `app: stopping with 78`.',
    evidence: [{ source: 'status.containerStatuses[0].lastState.terminated', text: 'exit code 78 after 0 s' }],
    fix: [
      'Compare with what ran before: ReplicaSet `edge-proxy-5c9d7f6b88` came at 21:42 UTC, image `edge:11` → `edge:12`.',
    ],
  }),
  log: {
    container: 'proxy',
    instance: 'current',
    restart: 3,
    lines: ['app: stopping with 78'],
    omitted: 0,
    redacted: 0,
    missing: null,
    firstAt: '2026-05-04T21:44:30Z',
    lastAt: '2026-05-04T21:44:30Z',
  },
  commands: [
    {
      purpose: 'Run the image with other arguments, in a copy of the pod',
      argv: [
        'kubectl',
        '-n',
        'edge',
        'debug',
        'edge-proxy-5c9d7f6b88-mmx2p',
        '-it',
        '--copy-to=edge-proxy-debug',
        '--container=proxy',
        '--',
        'sh',
        '-c',
        "echo 'hi'; exec sh",
      ],
      changes: true,
    },
  ],
})

const healthy = bare({
  cluster: 'prod-eu',
  pod: 'web-7d9c5b6f4-2xk8p',
  owner: { kind: 'Deployment', name: 'web' },
  uid: '2f6f2a07-6a0f-4a3f-9a55-d7d3f6f6a006',
  takenAt: '2026-05-07T10:00:00Z',
  status: 'Running',
  ready: '2/2',
  restarts: '1 (3d ago)',
  since: '2026-05-04T09:58:00Z',
  healthy: true,
  cause: finding({
    id: 'healthy',
    summary: 'Nothing is wrong now. `web` was restarted once, killed by its liveness probe (exit 137). Nothing to do.',
    evidence: [{ source: 'status.conditions[Ready]', text: '`Ready=True` since 2026-05-04 09:58 UTC' }],
  }),
})

const noPod = bare({
  cluster: 'prod-eu',
  namespace: 'team-17-restricted',
  owner: { kind: 'Deployment', name: 'file-drop' },
  takenAt: '2026-05-04T22:00:00Z',
  since: '2026-05-04T21:58:20Z',
  cause: finding({
    id: 'admission.pod-security',
    container: 'fix-permissions',
    summary:
      'No pod can be created: the namespace enforces PodSecurity `restricted`, and init container `fix-permissions` runs as root (`runAsUser: 0`, `runAsNonRoot: false`). The other containers comply.',
    evidence: [
      {
        source: 'event FailedCreate of ReplicaSet file-drop-6c8',
        text: '`pods "file-drop-6c8-" is forbidden: violates PodSecurity "restricted:latest"`',
      },
    ],
    fix: [
      'Drop `fix-permissions` and set `securityContext.fsGroup` on the pod instead; the volume is then writable without root.',
    ],
    avoid: ['Lowering the namespace to `privileged`.'],
  }),
  commands: [
    {
      purpose: 'See what the namespace enforces',
      argv: ['kubectl', 'get', 'namespace', 'team-17-restricted', '--show-labels'],
      changes: false,
    },
  ],
})

/** One diagnosis for each kind of answer. */
export const examples: Readonly<Record<string, Diagnosis>> = {
  'init-wait': initWait,
  'sidecar-down': sidecarDown,
  'liveness-kill': livenessKill,
  'child-out-of-memory': childOutOfMemory,
  'unknown-exit': unknownExit,
  healthy,
  'no-pod': noPod,
}
