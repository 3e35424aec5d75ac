import { describe, expect, it } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { JsonObject, PodSnapshot } from '../../../src/diagnosis/snapshot.ts'
import { aContainer, aLog, anEvent, aPod, aSnapshot, crashLoop, current, waiting } from '../builders.ts'

const cause = (status: JsonObject, overrides: Partial<PodSnapshot> = {}) =>
  diagnose(
    aSnapshot({ pod: aPod({ containers: [aContainer({ name: 'api', ready: false, ...status })] }), ...overrides }),
  ).diagnosis.cause

const runc = (said: string) =>
  `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ${said}: unknown`
const crun = (said: string) => `container create failed: ${said}\n`

/** The same words from containerd (it started and ended at once) and from CRI-O (it was never created). */
const started = (message: string) =>
  cause(crashLoop(128, { reason: 'StartError', message, startedAt: '1970-01-01T00:00:00Z' }))
const created = (message: string) => cause({ state: waiting('CreateContainerError', message) })

describe('what the OCI runtime says', () => {
  it.each<[string, string, string]>([
    ['start.command-not-found', runc('exec: "gunicron": executable file not found in $PATH'), '`gunicron`'],
    [
      'start.command-not-found',
      runc('error during container init: exec: "/srv/run": stat /srv/run: no such file or directory'),
      '`/srv/run`',
    ],
    ['start.command-not-found', runc('exec: "/srv/run": no such file or directory'), '`/srv/run`'],
    [
      'start.command-not-found',
      crun('executable file `gunicron` not found in $PATH: No such file or directory'),
      '`gunicron`',
    ],
    ['start.command-not-found', crun('executable file `/srv/run` not found: No such file or directory'), '`/srv/run`'],
    [
      'start.command-not-found',
      'OCI runtime create failed: container_linux.go:380: starting container process caused: exec: "npm run start": executable file not found in $PATH: unknown',
      '`npm run start`',
    ],
    ['start.args-replace-cmd', runc('exec: "--verbose": executable file not found in $PATH'), '`--verbose`'],
    [
      'start.args-replace-cmd',
      crun('executable file `--verbose` not found in $PATH: No such file or directory'),
      '`--verbose`',
    ],
    ['app.exec-not-runnable', runc('exec: "/srv/run": permission denied'), '`/srv/run`'],
    ['app.exec-not-runnable', runc('exec: "/srv": is a directory: permission denied'), '`/srv`'],
    [
      'app.exec-not-runnable',
      crun('the path `/srv/run` exists but it is not executable: Operation not permitted'),
      '`/srv/run`',
    ],
    ['app.exec-format', runc('exec /srv/run: exec format error'), 'exec format error'],
    ['start.capability-denied', runc('unable to apply caps: operation not permitted'), 'capability'],
    [
      'start.runtime-error',
      runc('chdir to cwd ("/data/in") set in config.json failed: permission denied'),
      '`/data/in`',
    ],
    ['start.runtime-error', runc('container init was OOM-killed (memory limit too low?)'), 'memory'],
    ['start.runtime-error', crun('the memory limit could be too low: read from pipe'), 'memory'],
    [
      'start.runtime-error',
      runc(
        'error during container init: error mounting "/var/lib/kubelet/pods/1/volume-subpaths/conf/api/2" to rootfs at "/etc/api.yaml": mount: not a directory',
      ),
      '`conf`',
    ],
    [
      'start.runtime-error',
      runc(
        'error running hook #0: error running hook: exit status 1, stderr: nvidia-container-cli: initialization error: driver not loaded',
      ),
      'GPU',
    ],
    [
      'start.runtime-error',
      runc(
        'unable to apply apparmor profile: apparmor failed to apply profile: write /proc/self/attr/apparmor/exec: no such file or directory',
      ),
      'apparmor',
    ],
  ])('%s: %s', (id, message, named) => {
    for (const { id: found, summary } of [started(message), created(message)]) {
      expect(found).toBe(id)
      expect(summary).toContain(named)
      expect(summary).toContain('There is no log to read')
    }
  })

  it('of a Windows container is quoted', () => {
    const message =
      'hcs::CreateComputeSystem api: The container operating system does not match the host operating system.'
    expect(started(message)).toMatchObject({ id: 'start.runtime-error' })
    expect(started(message).summary).toContain('does not match the host operating system')
  })

  it('is read in RunContainerError as well', () => {
    expect(
      cause({ state: waiting('RunContainerError', runc('exec: "gunicron": executable file not found in $PATH')) }).id,
    ).toBe('start.command-not-found')
  })

  it('is no start failure where a program that ran speaks of one', () => {
    const line = 'job 7: exec: "convert": executable file not found in $PATH'
    expect(cause(crashLoop(1), { logs: { api: current(aLog([line])) } }).id).not.toMatch(/^start\./)
  })
})

describe('a program that cannot be executed', () => {
  it.each<[string, number, string]>([
    ['app.exec-format', 255, 'exec /srv/run: exec format error'],
    ['app.exec-format', 1, 'exec /srv/run: exec format error'],
    ['app.exec-format', 1, 'standard_init_linux.go:228: exec user process caused: exec format error'],
    ['app.exec-format', 1, 'exec container process `/srv/run`: Exec format error'],
    ['app.exec-not-runnable', 255, 'exec /srv/run: no such file or directory'],
    ['app.exec-not-runnable', 255, 'exec /srv/run: no such file or directory\r'],
    ['start.command-not-found', 127, '[FATAL tini (7)] exec /srv/run failed: No such file or directory'],
    ['app.exec-not-runnable', 2, '[dumb-init] /srv/run: Permission denied'],
    ['start.command-not-found', 111, 's6-ipcserver: fatal: unable to exec /srv/run: No such file or directory'],
    ['app.exec-not-runnable', 127, "/usr/bin/env: 'python3\\r': No such file or directory"],
    ['app.exec-not-runnable', 127, "env: can't execute 'bash': No such file or directory"],
    ['app.exec-not-runnable', 1, 'standard_init_linux.go:228: exec user process caused: no such file or directory'],
    ['app.exec-not-runnable', 1, 'exec /srv/run: permission denied'],
    ['app.exec-not-runnable', 126, '/bin/sh: /srv/run: Permission denied'],
    ['app.exec-not-runnable', 126, 'sh: 1: /srv/run: Permission denied'],
    ['start.command-not-found', 127, 'sh: gunicron: not found'],
    ['start.command-not-found', 127, '/bin/sh: 1: gunicron: not found'],
    ['start.command-not-found', 127, '/srv/run.sh: line 7: gunicron: command not found'],
  ])('is %s with exit code %i: %s', (id, code, line) => {
    expect(cause(crashLoop(code), { logs: { api: current(aLog([line])) } }).id).toBe(id)
  })

  it.each<[string, number, string]>([
    ['a shell that went on', 1, 'sh: gunicron: not found'],
    ['a record that was not found', 127, 'user 42: account record was not found, stopping'],
    ['a message about somebody else', 126, 'worker: error while loading settings: Permission denied by policy'],
  ])('is something else for %s', (_, code, line) => {
    expect(cause(crashLoop(code), { logs: { api: current(aLog([line, 'stopping'])) } }).id).not.toMatch(
      /^start\.|exec-not-runnable|exec-format/,
    )
  })
})

describe('a postStart hook', () => {
  const spec = { lifecycle: { postStart: { exec: { command: ['register', '--now'] } } } }
  it('that failed is blamed, not the exit code of the kill', () => {
    const events = [anEvent('FailedPostStartHook', 'PostStartHook failed', { container: 'api' })]
    const { id, summary } = cause({ ...crashLoop(137), spec }, { events })
    expect(id).toBe('start.hook-failed')
    expect(summary).toContain('`register --now`')
  })

  it('that exists but did not fail is not', () => {
    expect(cause({ ...crashLoop(1), spec }, { logs: { api: current(aLog(['boom'])) } }).id).toBe('app.crash')
  })
})

describe('a container that cannot be created', () => {
  const config = (message: string, spec: JsonObject = {}) =>
    cause({ state: waiting('CreateContainerConfigError', message), spec })
  const env = (kind: 'configMapKeyRef' | 'secretKeyRef', name: string, key: string): JsonObject => ({
    env: [{ name: 'DSN', valueFrom: { [kind]: { name, key } } }],
  })

  it.each<[string, string, JsonObject, string]>([
    [
      'create.object-missing',
      'secret "mill-db" not found',
      env('secretKeyRef', 'mill-db', 'dsn'),
      'Secret `mill-db`, which it refers to (env `DSN`)',
    ],
    [
      'create.object-missing',
      'configmap "mill" not found',
      { envFrom: [{ configMapRef: { name: 'mill' } }] },
      'ConfigMap `mill`, which it refers to (`envFrom`)',
    ],
    [
      'create.key-missing',
      "couldn't find key dsn in Secret shop/mill-db",
      env('secretKeyRef', 'mill-db', 'dsn'),
      'no key `dsn`',
    ],
    [
      'create.key-missing',
      "couldn't find key a.b in ConfigMap shop/not-found",
      env('configMapKeyRef', 'not-found', 'a.b'),
      'ConfigMap `not-found`',
    ],
    [
      'create.run-as-non-root',
      'container has runAsNonRoot and image will run as root (pod: "web_shop(1)", container: api)',
      {},
      'runs as root',
    ],
    [
      'create.run-as-non-root',
      'container has runAsNonRoot and image has non-numeric user (node), cannot verify user is non-root (pod: "web_shop(1)", container: api)',
      {},
      '`node`',
    ],
    [
      'create.run-as-non-root',
      'container\'s runAsUser breaks non-root policy (pod: "web_shop(1)", container: api)',
      {},
      '`runAsUser: 0`',
    ],
    [
      'create.other',
      'failed to prepare subPath for volumeMount "data" of container "api"',
      {},
      'failed to prepare subPath',
    ],
    [
      'create.other',
      'services have not yet been read at least once, cannot construct envvars',
      {},
      'services have not yet been read',
    ],
  ])('is %s: %s', (id, message, spec, named) => {
    const found = config(message, spec)
    expect(found.id).toBe(id)
    expect(found.summary).toContain(named)
  })

  it.each<[string, string]>([
    [
      'create.name-reserved',
      'failed to reserve container name "api_web_shop_1_0": name "api_web_shop_1_0" is reserved for "4f"',
    ],
    [
      'create.name-reserved',
      'failed to reserve container name "api_web"; check if another CreateContainer request is in progress: name "api_web" is reserved for "4f"',
    ],
    ['create.other', 'failed to generate container "4f" spec: failed to generate spec: no command specified'],
    ['create.other', 'CDI device injection failed: unresolvable CDI devices vendor.example/gpu=0'],
  ])('by the runtime is %s: %s', (id, message) => {
    expect(created(message).id).toBe(id)
  })
})
