import { type DiagnosedCase, triageOf } from '../../src/answer/triage.ts'
import type { Diagnosis, Finding } from '../../src/diagnosis/diagnosis.ts'
import type { AlikePod, NamespaceSnapshot } from '../../src/diagnosis/namespace-snapshot.ts'
import { bare } from './diagnoses.ts'

/** A case: pod `web-1` of Deployment `web`, with a cause. */
export const aCase = (
  owner: string | null,
  pod: string | null,
  cause: Partial<Finding> & Pick<Finding, 'id' | 'summary'>,
  rest: Partial<Diagnosis> & { readonly alike?: readonly AlikePod[] } = {},
): DiagnosedCase => {
  const { alike = [], ...over } = rest
  const finding: Finding = {
    confidence: 'certain',
    container: null,
    evidence: [],
    fix: [],
    avoid: [],
    verify: [],
    ...cause,
  }
  const row = pod === null ? {} : { status: 'CrashLoopBackOff', ready: '0/1', restarts: '3 (65s ago)' }
  const kind = owner === null ? null : { kind: 'Deployment', name: owner }
  return { diagnosis: bare({ cluster: 'prod-eu', pod, owner: kind, cause: finding, ...row, ...over }), alike }
}

export const alikePods = (owner: string, count: number): AlikePod[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ name: `${owner}-7c9d8f6b54-x${String(index).padStart(4, '0')}`, status: 'Error' },
    ...{ ready: '0/1', restarts: '7 (2m ago)' },
  }))

/** The triage of namespace `shop` of `prod-eu`; all pods but those of the cases are fine unless said otherwise. */
export const triageOfShop = (
  cases: readonly DiagnosedCase[],
  rest: Partial<Pick<NamespaceSnapshot, 'pods' | 'fine' | 'unread' | 'cluster'>> = {},
) => {
  const bad = cases.reduce((sum, { diagnosis, alike }) => sum + (diagnosis.pod === null ? 0 : 1 + alike.length), 0)
  const fine = rest.fine ?? 5
  const head = { cluster: 'prod-eu', namespace: 'shop', takenAt: '2026-05-04T12:00:00Z', unread: [] }
  return triageOf({ ...head, pods: bad + fine, fine, ...rest }, cases)
}

const waits = (service: string) =>
  `Init container \`wait-for-db\` waits for \`${service}:5432\`. There is no Service \`${service}\` in this namespace. The loop has no limit: it will not end by itself.`
const waiting = (service: string) =>
  ({ id: 'init.wait-wrong-target', container: 'wait-for-db', summary: waits(service) }) as const

/** A namespace in trouble: a Service that three owners lack, a database behind another, a crash loop, no pods, a lone pod. */
export const inTrouble = () =>
  triageOfShop(
    [
      aCase(
        'web',
        'web-5d4f8c6b7-aaaaa',
        {
          id: 'app.crash',
          container: 'web',
          summary:
            'Container `web` crash-loops with exit code 1; its log says `panic: nil map`. All 12 replicas fail alike.',
          fix: ['Read the stack below the panic in the log of `web`.'],
        },
        {
          exit: { code: 1, signal: null, reason: 'Error', meaning: '', startedAt: null, finishedAt: null },
          alike: alikePods('web', 11),
        },
      ),
      aCase('orders-api', 'orders-api-664c9d84c7-q84wv', waiting('orders-postgres'), {
        status: 'Init:0/1',
        restarts: '0',
      }),
      aCase('orders-worker', 'orders-worker-5b7f-a', waiting('orders-postgres'), { status: 'Init:0/1', restarts: '0' }),
      aCase('orders-worker', 'orders-worker-5b7f-b', waiting('orders-postgres'), { status: 'Init:0/1', restarts: '0' }),
      aCase('orders-sync', 'orders-sync-0', {
        id: 'app.dependency-unreachable',
        container: 'sync',
        summary:
          'Container `sync` crash-loops (exit code 1): it cannot reach `orders-postgres.shop.svc:5432`: there is no Service `orders-postgres` in this namespace.',
      }),
      aCase(
        'checkout-db',
        'checkout-db-6cb548bd5b-2txm2',
        {
          id: 'probe.other',
          container: 'postgres',
          summary:
            'Container `postgres` runs but is not ready: its readiness probe fails: `database "checkout" does not exist`.',
          fix: ['Create database `checkout`.'],
        },
        { status: 'Running', restarts: '0' },
      ),
      aCase(
        'checkout-api',
        'checkout-api-69ffdcbb4b-8t7qx',
        {
          id: 'init.wait-no-endpoints',
          container: 'wait-for-db',
          summary:
            'Init container `wait-for-db` waits for `checkout-db:5432`. The Service exists, but no ready pod stands behind it: pod `checkout-db-6cb548bd5b-2txm2` behind it is not ready.',
        },
        { status: 'Init:0/1', restarts: '0' },
      ),
      aCase('file-drop', null, {
        id: 'admission.quota',
        summary: '0 of 1 pods of Deployment `file-drop` could be created: ResourceQuota `compute` is used up.',
      }),
      aCase(
        'export',
        'export-7d-zzzzz',
        {
          id: 'evict.node-disk',
          summary: 'The kubelet evicted the pod because node `node-1` was low on ephemeral-storage.',
        },
        { status: 'Evicted', restarts: '0' },
      ),
      aCase(
        null,
        'debug-shell',
        {
          id: 'image.not-found',
          container: 'sh',
          summary:
            'Container `sh` cannot start because its image `registry.test/sh:1` cannot be pulled: no such tag exists.',
        },
        { status: 'ImagePullBackOff', restarts: '0' },
      ),
    ],
    { unread: [{ what: 'nodes', why: 'forbidden' }] },
  )
