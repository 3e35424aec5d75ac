import { describe, expect, it } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { JsonObject, PodSnapshot } from '../../../src/diagnosis/snapshot.ts'
import {
  aContainer,
  aDoneStep,
  ago,
  aLog,
  aPod,
  aSnapshot,
  aWaitingContainer,
  crashLoop,
  current,
  running,
} from '../builders.ts'

/** A pod held up by one init container; it crash-loops with 1 unless told otherwise. */
const heldUp = (name: string, overrides: JsonObject & { spec?: JsonObject } = {}, log: readonly string[] = []) => ({
  pod: aPod({
    init: [aContainer({ name, ready: false, ...crashLoop(1), ...overrides })],
    containers: [aWaitingContainer()],
  }),
  logs: { [name]: current(aLog(log)) },
})
const waits = (script: string, log: readonly string[] = []) =>
  heldUp('wait', { state: running(120), lastState: {}, restartCount: 0, spec: { command: ['sh', '-c', script] } }, log)
const cause = (snapshot: Partial<PodSnapshot>) => diagnose(aSnapshot(snapshot)).diagnosis.cause

const aService = (name: string, port: number, spec: JsonObject = {}): JsonObject => ({
  metadata: { name, namespace: 'shop' },
  spec: { clusterIP: '10.96.0.7', ports: [{ port }], selector: { app: name }, ...spec },
})
const slice = (service: string, ready: boolean | null): JsonObject => ({
  metadata: { name: `${service}-abc`, namespace: 'shop', labels: { 'kubernetes.io/service-name': service } },
  endpoints: ready === null ? [] : [{ addresses: ['10.2.0.4'], conditions: { ready } }],
})
const shop = (services: JsonObject[], endpointSlices: JsonObject[] = [], pods: JsonObject[] = []) => ({
  related: { services, endpointSlices, pods },
})

describe('an init container that waits for a Service', () => {
  const loop = 'until nc -z stock-db 5432; do sleep 1; done'

  it('that does not exist is told the name that was likely meant', () => {
    const found = cause({ ...waits(loop), ...shop([aService('stock-postgres', 5432), aService('web', 80)]) })
    expect(found).toMatchObject({ id: 'init.wait-wrong-target', confidence: 'certain', container: 'wait' })
    expect(found.summary).toContain('A Service `stock-postgres` exists – likely the name that was meant')
    expect(found.summary).toContain('it will not end by itself')
  })

  it('that offers another port is told which', () => {
    const found = cause({ ...waits(loop), ...shop([aService('stock-db', 5433)], [slice('stock-db', true)]) })
    expect(found).toMatchObject({ id: 'init.wait-wrong-port', confidence: 'certain' })
    expect(found.summary).toContain('offers port 5433, not 5432')
  })

  it.each<[string, boolean | null]>([
    ['none', null],
    ['only unready ones', false],
  ])('whose endpoints are %s is told so', (_, ready) => {
    expect(cause({ ...waits(loop), ...shop([aService('stock-db', 5432)], [slice('stock-db', ready)]) }).id).toBe(
      'init.wait-no-endpoints',
    )
  })

  it('that is all right claims nothing', () => {
    const found = cause({ ...waits(loop), ...shop([aService('stock-db', 5432)], [slice('stock-db', true)]) })
    expect(found).toMatchObject({ id: 'init.waiting', confidence: 'possible' })
  })

  it('that answers that it is not ready is told the answer', () => {
    const script = 'until wget -q http://stock-db:5432/ready; do sleep 1; done'
    const found = cause({
      ...waits(script, ['wget: server returned error: HTTP/1.1 503 Service Unavailable']),
      ...shop([aService('stock-db', 5432)], [slice('stock-db', true)]),
    })
    expect(found.id).toBe('init.wait-not-ready')
  })

  it.each<[string, JsonObject[]]>([
    ['has ready endpoints', [slice('stock-db', true)]],
    ['has none, which a name does not need', [slice('stock-db', null)]],
  ])('with an nslookup that fails although the Service %s has a broken check', (_, slices) => {
    const lookup = waits('until nslookup stock-db; do sleep 2; done', [
      "** server can't find stock-db.shop.svc.cluster.local: NXDOMAIN",
    ])
    expect(cause({ ...lookup, ...shop([aService('stock-db', 5432)], slices) }).id).toBe('init.wait-broken-check')
  })

  it('asks for all it needs at once', () => {
    const { requests } = diagnose(aSnapshot(waits(loop)))
    expect(requests).toEqual(
      expect.arrayContaining([
        { read: 'object', kind: 'Service', namespace: 'shop', name: 'stock-db' },
        { read: 'list', list: 'services', namespace: 'shop' },
        { read: 'list', list: 'endpointSlices', namespace: 'shop' },
      ]),
    )
  })

  it.each<[string, string]>([
    ['until nc -z -w 2 stock-db 5432; do sleep 1; done', 'stock-db:5432'],
    ['while ! pg_isready -h stock-db.shop -p 5432; do sleep 1; done', 'stock-db.shop:5432'],
    [
      'until curl -fsS http://stock-db.shop.svc.cluster.local:5432/; do sleep 1; done',
      'stock-db.shop.svc.cluster.local:5432',
    ],
    ['while ! timeout 1 bash -c "</dev/tcp/stock-db/5432"; do sleep 1; done', 'stock-db:5432'],
    ['./wait-for-it.sh stock-db:5432 -t 60', 'stock-db:5432'],
  ])('is understood: %s', (script, at) => {
    expect(cause({ ...waits(script), ...shop([]) })).toMatchObject({ id: 'init.wait-wrong-target' })
    expect(cause({ ...waits(script), ...shop([]) }).summary).toContain(`waits for \`${at}\``)
  })

  it('that only runs long and names nothing is waiting, nothing more', () => {
    expect(cause(waits('/app/import --all', ['imported 10 %'])).id).toBe('init.waiting')
  })
})

describe('an init container that waits for a Job', () => {
  const line = 'Error from server (NotFound): jobs.batch "schema-2" not found'
  const jobs = (...names: string[]) => ({
    related: { jobs: names.map(name => ({ metadata: { name, namespace: 'shop' } })) },
  })

  it('of another name is told the one that exists', () => {
    const found = cause({ ...waits('kubectl wait --for=condition=complete job/schema-2', [line]), ...jobs('schema-3') })
    expect(found).toMatchObject({ id: 'init.wait-wrong-target' })
    expect(found.summary).toContain('`schema-3`')
  })

  it('that a Helm release runs only afterwards waits for itself', () => {
    const held = waits('kubectl wait --for=condition=complete job/schema-2', [line])
    const metadata = { ...(held.pod['metadata'] as object), labels: { 'app.kubernetes.io/managed-by': 'Helm' } }
    expect(cause({ ...held, pod: { ...held.pod, metadata }, ...jobs() }).id).toBe('init.wait-deadlock')
  })
})

describe('an init container that fails', () => {
  it.each<[string, string, string]>([
    ['init.not-idempotent', 'link', "ln: failed to create symbolic link '/data/current': File exists"],
    ['init.not-idempotent', 'rules', 'iptables: Chain already exists.'],
    [
      'init.not-idempotent',
      'fill',
      'initdb: error: directory "/data" exists but is not empty: data directory "/data" exists but is not empty',
    ],
    ['init.permission', 'tune', 'sysctl: setting key "net.core.somaxconn": Read-only file system'],
    ['init.permission', 'own', "chown: changing ownership of '/data': Operation not permitted"],
    ['init.crash', 'migrate', 'ERROR: column "tax" does not fit'],
    ['init.crash', 'copy', 'the file exists only in staging'],
  ])('is %s for %s: %s', (id, name, line) => {
    expect(cause(heldUp(name, {}, [line])).id).toBe(id)
  })

  const race = 'ERROR: duplicate key value violates unique constraint "schema_migrations_pkey"'
  const replica = (name: string) => ({
    metadata: {
      name,
      namespace: 'shop',
      uid: name,
      creationTimestamp: ago(595),
      ownerReferences: [{ kind: 'ReplicaSet', name: 'web', uid: 'rs', controller: true }],
    },
  })
  it('with its replicas on one migration is a race', () => {
    const held = heldUp('migrate', {}, [race])
    const metadata = { ...(held.pod['metadata'] as object), ownerReferences: replica('a').metadata.ownerReferences }
    const pod = { ...held.pod, metadata }
    expect(cause({ ...held, pod, related: { pods: [replica('web-a'), replica('web-b')] } }).id).toBe(
      'init.migration-race',
    )
    expect(cause({ ...held, pod, related: { pods: [] } }).id).not.toBe('init.migration-race')
  })

  it('silently breaks the app that needs what it should have set', () => {
    const tune = aDoneStep('tune')
    const init = [{ ...tune, spec: { ...tune.spec, command: ['sysctl', '-w', 'vm.max_map_count=262144'] } }]
    const pod = aPod({ init, containers: [aContainer({ name: 'search', ...crashLoop(78) })], initialized: true })
    const logs = {
      search: current(aLog(['ERROR: max virtual memory areas vm.max_map_count [65530] is too low'])),
      tune: current(aLog(['sysctl: permission denied on key "vm.max_map_count", ignoring'])),
    }
    expect(cause({ pod, logs })).toMatchObject({ id: 'init.silent-failure', container: 'search' })
    expect(cause({ pod, logs: { ...logs, tune: current(aLog(['vm.max_map_count = 262144'])) } }).id).not.toBe(
      'init.silent-failure',
    )
  })
})

describe('a service mesh', () => {
  it.each<[string, string]>([
    ['istio-init', 'iptables-restore: Permission denied (you must be root)'],
    ['linkerd-init', 'iptables: Operation not permitted'],
  ])('that may not redirect traffic (%s) lacks its capabilities', (name, line) => {
    expect(cause(heldUp(name, {}, [line])).id).toBe('init.mesh-redirect')
  })

  it('whose redirection is missing is found by its validation', () => {
    const line = 'validation failed: dial tcp 127.0.0.6:15002: connect: connection refused'
    expect(cause(heldUp('istio-validation', {}, [line])).id).toBe('init.mesh-redirect')
  })

  it('cuts an init container off whose proxy comes only later', () => {
    const fetch = aContainer({ name: 'fetch', ...crashLoop(1), ready: false })
    const containers = [aWaitingContainer('api'), aWaitingContainer('istio-proxy')]
    const logs = { fetch: current(aLog(['curl: (7) Failed to connect to vault.infra port 8200: Connection refused'])) }
    expect(cause({ pod: aPod({ init: [aDoneStep('istio-init'), fetch], containers }), logs }).id).toBe(
      'init.mesh-redirect',
    )
    expect(cause({ pod: aPod({ init: [aDoneStep('other-init'), fetch], containers }), logs }).id).not.toBe(
      'init.mesh-redirect',
    )
  })
})
