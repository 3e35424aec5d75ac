import { expect, test } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { JsonObject, PodSnapshot } from '../../../src/diagnosis/snapshot.ts'
import { ago, anEvent, aSnapshot } from '../builders.ts'

const TEMPLATE = { spec: { initContainers: [{ name: 'init', image: 'i' }], containers: [{ name: 'api', image: 'a' }] } }
const deployment = (spec: JsonObject = {}) => ({
  metadata: { name: 'web', namespace: 'shop', uid: 'd1' },
  spec: { replicas: 2, template: TEMPLATE, ...spec },
})
const replicaSet = (status: JsonObject = {}) => ({
  metadata: {
    name: 'web-5d4f',
    namespace: 'shop',
    uid: 'r1',
    creationTimestamp: ago(60),
    ownerReferences: [{ kind: 'Deployment', name: 'web', uid: 'd1', controller: true }],
  },
  spec: { replicas: 2, template: TEMPLATE },
  status,
})
const event = (reason: string, message: string, secondsAgo = 5, kind = 'ReplicaSet', name = 'web-5d4f') => ({
  ...anEvent(reason, message, { secondsAgo }),
  involvedObject: { kind, name, namespace: 'shop' },
})
const answer = (overrides: Partial<PodSnapshot>) =>
  diagnose(aSnapshot({ pod: null, target: 'Deployment/web', related: {}, ...overrides })).diagnosis
const refused = (said: string) =>
  answer({
    related: {
      deployments: [deployment()],
      replicaSets: [replicaSet()],
      events: [event('FailedCreate', `Error creating: ${said}`)],
    },
  })

test.each([
  [
    'pods "web-5d4f-x" is forbidden: exceeded quota: team, requested: cpu=2, used: cpu=9, limited: cpu=10',
    'admission.quota',
    '`team`',
  ],
  [
    'pods "web-5d4f-x" is forbidden: failed quota: team: must specify limits.cpu for: api',
    'admission.quota',
    'limits.cpu for: api',
  ],
  [
    'pods "web-5d4f-x" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Pod is 1Gi, but limit is 2Gi]',
    'admission.quota',
    'LimitRange',
  ],
  [
    'pods "web-5d4f-x" is forbidden: error looking up service account shop/robot: serviceaccount "robot" not found',
    'admission.webhook-or-serviceaccount',
    'ServiceAccount `robot`',
  ],
  [
    'admission webhook "guard.example.com" denied the request: images must be signed',
    'admission.webhook-or-serviceaccount',
    'images must be signed',
  ],
  [
    'Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: Post "https://guard.sec.svc:443/v?timeout=5s": no endpoints available for service "guard"',
    'admission.webhook-or-serviceaccount',
    'no ready endpoints (Service `guard` in `sec`)',
  ],
  [
    "pods \"web-5d4f-x\" is forbidden: ValidatingAdmissionPolicy 'limits' with binding 'all' denied request: too many replicas",
    'admission.webhook-or-serviceaccount',
    '`limits`',
  ],
  [
    'pods "web-5d4f-x" is forbidden: no PriorityClass with name gold was found',
    'admission.invalid-spec',
    'PriorityClass `gold`',
  ],
  [
    'pods "web-5d4f-x" is forbidden: unable to create new content in namespace shop because it is being terminated',
    'admission.other',
    'being deleted',
  ],
  ['something nobody has seen', 'admission.other', 'something nobody has seen'],
])('%s', (said, id, words) => {
  const { cause, container } = refused(said)
  expect(cause.id).toBe(id)
  expect(cause.summary).toContain(words)
  expect(container).toBeNull()
})

test('names the container that a refused field belongs to', () => {
  const { cause, container } = refused(
    'Pod "web-5d4f-x" is invalid: spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
  )
  expect(cause.id).toBe('admission.invalid-spec')
  expect(cause.summary).toContain('livenessProbe')
  expect(container).toMatchObject({ name: 'init', kind: 'init' })
})

const violates = (text: string) =>
  refused(`pods "web-5d4f-x" is forbidden: violates PodSecurity "restricted:latest": ${text}`)

test('the one container that breaks Pod Security is blamed, with its kind from the template', () => {
  const { cause, container } = violates(
    'runAsNonRoot != true (container "init" must not set securityContext.runAsNonRoot=false), runAsUser=0 (container "init" must not set runAsUser=0)',
  )
  expect(cause.id).toBe('admission.pod-security')
  expect(cause.summary).toContain('init container `init` breaks it')
  expect(container).toMatchObject({ name: 'init', kind: 'init' })
})

test('two containers that break it are both named and neither is blamed alone', () => {
  const { cause, container } = violates(
    'allowPrivilegeEscalation != false (containers "init", "api" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "api" must set securityContext.capabilities.drop=["ALL"])',
  )
  expect(cause.summary).toContain('containers `init`, `api` break it')
  expect(cause.fix[0]).toContain('capabilities.drop=["ALL"]')
  expect(container).toBeNull()
})

test('a violation of the pod itself blames no container', () => {
  expect(violates('host namespaces (hostNetwork=true)').container).toBeNull()
})

test('a StatefulSet says it in its own words', () => {
  const { cause } = answer({
    target: 'StatefulSet/db',
    related: {
      statefulSets: [{ metadata: { name: 'db', namespace: 'shop' }, spec: { replicas: 1 } }],
      events: [
        event(
          'FailedCreate',
          'create Pod db-0 in StatefulSet db failed error: pods "db-0" is forbidden: exceeded quota: team, requested: pods=1, used: pods=5, limited: pods=5',
          5,
          'StatefulSet',
          'db',
        ),
      ],
    },
  })
  expect(cause.id).toBe('admission.quota')
})

test('the condition tells when the events are gone', () => {
  const failure = {
    type: 'ReplicaFailure',
    status: 'True',
    reason: 'FailedCreate',
    message: 'pods "web-5d4f-x" is forbidden: exceeded quota: team, requested: cpu=2, used: cpu=9, limited: cpu=10',
  }
  const related = { deployments: [deployment()], replicaSets: [replicaSet({ conditions: [failure] })], events: [] }
  expect(answer({ related }).cause.id).toBe('admission.quota')
})

test('a refusal that was followed by a creation is over', () => {
  const related = {
    deployments: [deployment()],
    replicaSets: [replicaSet()],
    events: [event('FailedCreate', 'Error creating: x', 60), event('SuccessfulCreate', 'Created pod: web-5d4f-x', 5)],
  }
  expect(answer({ related }).cause.id).toBe('gone')
})

test('an owner that wants no pods is not refused any', () => {
  const related = { deployments: [deployment({ replicas: 0 })], replicaSets: [replicaSet()], events: [] }
  const { cause } = answer({ related })
  expect(cause.id).toBe('gone')
  expect(cause.summary).toContain('scaled to zero')
})

test.each([
  ['DeadlineExceeded', 'job.deadline-exceeded'],
  ['BackoffLimitExceeded', 'job.backoff-limit'],
])('a Job without pods is explained by its condition %s', (reason, id) => {
  const job = (conditions: readonly JsonObject[]) => ({
    metadata: { name: 'report', namespace: 'shop' },
    spec: { backoffLimit: 2, activeDeadlineSeconds: 60 },
    status: { failed: 3, conditions },
  })
  const failed = { type: 'Failed', status: 'True', reason, message: 'said by the Job controller' }
  const of = (conditions: readonly JsonObject[]) =>
    answer({ target: 'Job/report', related: { jobs: [job(conditions)], events: [] } }).cause.id
  expect(of([failed])).toBe(id)
  expect(of([{ type: 'Complete', status: 'True' }])).toBe('gone')
})
