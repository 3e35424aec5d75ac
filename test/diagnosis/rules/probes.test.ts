import { describe, expect, it } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { JsonObject, PodSnapshot } from '../../../src/diagnosis/snapshot.ts'
import { aContainer, ago, aLog, anEvent, aPod, aSnapshot, crashLoop, current, ended, running } from '../builders.ts'

const http = (path = '/healthz', port: number | string = 8080): JsonObject => ({
  httpGet: { path, port },
  periodSeconds: 5,
})
const unhealthy = (message: string, secondsAgo = 22) => anEvent('Unhealthy', message, { container: 'api', secondsAgo })
const kill = (probe = 'liveness') =>
  anEvent('Killing', `Container api failed ${probe} probe, will be restarted`, {
    container: 'api',
    secondsAgo: 21,
    type: 'Normal',
  })

const cause = (status: JsonObject, overrides: Partial<PodSnapshot> = {}) =>
  diagnose(
    aSnapshot({ pod: aPod({ containers: [aContainer({ name: 'api', ready: false, ...status })] }), ...overrides }),
  ).diagnosis.cause

const killed = (message: string, spec: JsonObject = {}, log: readonly string[] = [], code = 137) =>
  cause(
    { ...crashLoop(code, { startedAt: ago(40), finishedAt: ago(20) }), spec: { livenessProbe: http(), ...spec } },
    { events: [unhealthy(`Liveness probe failed: ${message}`), kill()], logs: { api: current(aLog(log)) } },
  )
const unready = (message: string, spec: JsonObject = {}, log: readonly string[] = []) =>
  cause(
    { state: running(600), spec: { readinessProbe: http(), ...spec } },
    { events: [unhealthy(`Readiness probe failed: ${message}`)], logs: { api: current(aLog(log)) } },
  )

const get = 'Get "http://10.2.0.9:8080/healthz":'
const refused = `${get} dial tcp 10.2.0.9:8080: connect: connection refused`

describe('a liveness probe that kills', () => {
  it.each<[string, string, JsonObject, readonly string[]]>([
    ['probe.wrong-path', 'HTTP probe failed with statuscode: 404', {}, ['listening on :8080']],
    ['probe.wrong-port', refused, {}, ['listening on :9090']],
    ['probe.wrong-port', refused, { ports: [{ containerPort: 9090 }] }, []],
    ['probe.slow-start', refused, { ports: [{ containerPort: 8080 }] }, ['loading 4 GB of index']],
    ['probe.too-tight', `${get} context deadline exceeded (Client.Timeout exceeded while awaiting headers)`, {}, []],
    [
      'probe.too-tight',
      'command timed out: "sh -c check" timed out after 1s',
      { livenessProbe: { exec: { command: ['sh', '-c', 'check'] } } },
      [],
    ],
    ['probe.too-tight', `${get} read tcp 10.2.0.1:5->10.2.0.9:8080: i/o timeout`, {}, []],
    [
      'probe.dependency',
      'HTTP probe failed with statuscode: 503',
      {},
      ['health: cannot reach stock-db:5432: connection refused'],
    ],
    ['probe.other', 'HTTP probe failed with statuscode: 500', {}, ['all fine']],
    [
      'probe.other',
      "cat: can't open '/tmp/alive': No such file or directory",
      { livenessProbe: { exec: { command: ['cat', '/tmp/alive'] } } },
      ['lost the broker'],
    ],
  ])('is %s: %s', (id, message, spec, log) => {
    const found = killed(message, spec, log)
    expect(found).toMatchObject({ id, container: 'api' })
    expect(found.summary).toContain('is killed by its own liveness probe')
  })

  it.each<[number, RegExp]>([
    [137, /SIGKILL after the grace period of 30 s.*not an out-of-memory kill/],
    [143, /SIGTERM that the kubelet sent/],
    [0, /ended cleanly when it was asked to/],
  ])('explains exit code %i by the kill', (code, words) => {
    expect(killed('HTTP probe failed with statuscode: 500', {}, [], code).summary).toMatch(words)
  })

  it('tells its budget', () => {
    const spec = { livenessProbe: { ...http(), initialDelaySeconds: 7, timeoutSeconds: 2, failureThreshold: 4 } }
    const { evidence } = killed('HTTP probe failed with statuscode: 500', spec)
    expect(evidence.find(({ source }) => source === 'spec.containers[0].livenessProbe')?.text).toBe(
      '`GET /healthz` on port 8080: first after 7 s, then every 5 s, 2 s to answer, 4 failures in a row allowed',
    )
  })

  it('of an older run does not explain a crash of its own', () => {
    const status = { ...crashLoop(1), spec: { livenessProbe: http() } }
    const events = [{ ...kill(), lastTimestamp: ago(900), firstTimestamp: ago(900) }]
    expect(cause(status, { events, logs: { api: current(aLog(['boom'])) } }).id).toBe('app.crash')
  })

  it('that was killed by a startup probe names that one', () => {
    const found = cause(
      { ...crashLoop(137, { startedAt: ago(55), finishedAt: ago(20) }), spec: { startupProbe: http() } },
      { events: [unhealthy(`Startup probe failed: ${refused}`), kill('startup')], logs: { api: current('') } },
    )
    expect(found.id).toBe('probe.slow-start')
    expect(found.fix[0]).toContain('`failureThreshold` of `startupProbe` of `api`')
  })
})

describe('a readiness probe that fails', () => {
  it.each<[string, string, JsonObject, readonly string[]]>([
    ['probe.wrong-path', 'HTTP probe failed with statuscode: 404', {}, []],
    ['probe.readiness-dependency', 'HTTP probe failed with statuscode: 503', {}, ['stock-db:5432: connection refused']],
    ['probe.readiness-dependency', 'HTTP probe failed with statuscode: 500', {}, []],
    [
      'probe.wrong-port',
      refused,
      { readinessProbe: http('/healthz', 'web'), ports: [{ name: 'web', containerPort: 8080 }] },
      ['serving on port 9090'],
    ],
    ['probe.too-tight', `${get} net/http: request canceled (Client.Timeout exceeded while awaiting headers)`, {}, []],
    [
      'probe.other',
      'service unhealthy (responded with "NOT_SERVING")',
      { readinessProbe: { grpc: { port: 9000 } } },
      [],
    ],
  ])('is %s: %s', (id, message, spec, log) => {
    const found = unready(message, spec, log)
    expect(found.id).toBe(id)
    expect(found.summary).toContain('runs but is not ready, so its Services send it no traffic')
  })

  it('is no finding on a ready pod, nor where its failures are those of an earlier run', () => {
    const events = [unhealthy('Readiness probe failed: HTTP probe failed with statuscode: 503', 700)]
    const spec = { readinessProbe: http() }
    expect(cause({ state: running(600), ready: true, spec }, { events }).id).toBe('healthy')
    const found = cause({ state: running(600), spec, lastState: ended(0) }, { events })
    expect(found).toMatchObject({ id: 'probe.other', confidence: 'possible' })
  })

  it('that was never answered says that nothing listens there, and speaks of no restart', () => {
    const { summary, fix, verify } = unready(refused)
    expect(summary).toContain('nothing listens on port 8080')
    expect(fix[0]).toContain('listen on port 8080')
    expect(verify.join()).not.toContain('restart')
  })

  it('does not take the line of its own access log for a complaint', () => {
    const log = ['"GET /healthz HTTP/1.1" 503 error']
    expect(unready('HTTP probe failed with statuscode: 503', {}, log).confidence).toBe('likely')
  })

  it('does not take a port of somebody else for the one it listens on', () => {
    const log = ['connected to broker at stock-mq:5672', 'server ready']
    expect(unready(refused, { ports: [{ containerPort: 8080 }] }, log).id).not.toBe('probe.wrong-port')
  })
})
