import { describe, expect, test } from 'vitest'
import { type EndedInstance, exitMeaning } from '../../src/diagnosis/exit-meaning.ts'
import { programOf } from '../../src/diagnosis/program-exit-codes.ts'

const meaningOf = (ended: Partial<EndedInstance>): string =>
  exitMeaning({ code: 1, reason: 'Error', ...ended } as EndedInstance).meaning

describe('137 is told apart', () => {
  test('bare, it is a SIGKILL of unknown origin', () => {
    expect(exitMeaning({ code: 137, reason: 'Error' })).toEqual({
      signal: 'SIGKILL',
      meaning:
        'It was killed with SIGKILL (128 + 9). The runtime reports no out-of-memory kill, which would be reason OOMKilled; the events tell who sent the signal.',
    })
  })

  test('with reason OOMKilled it is memory', () => {
    expect(exitMeaning({ code: 137, reason: 'OOMKilled' })).toEqual({
      signal: 'SIGKILL',
      meaning:
        'The kernel killed it for memory with SIGKILL (128 + 9): at the memory limit of the container or its pod, or because the node ran out.',
    })
  })

  test('memory is the meaning even where a probe failed as well', () => {
    expect(meaningOf({ code: 137, reason: 'OOMKilled', context: { killedByProbe: 'liveness' } })).toMatch(/for memory/)
    expect(meaningOf({ code: 137, reason: 'OOMKilled', context: { memoryLimit: '80Mi' } })).toMatch(/limit of 80Mi\.$/)
  })

  test.each(['liveness', 'startup'] as const)(
    'after a kill by the %s probe it is the grace period that ran out',
    probe => {
      expect(meaningOf({ code: 137, context: { killedByProbe: probe, gracePeriodSeconds: 2 } })).toBe(
        `The kubelet stopped it because its ${probe} probe failed, and killed it with SIGKILL (128 + 9) when it had not ended within its grace period of 2 s. That is no out-of-memory kill.`,
      )
    },
  )

  test('the grace period is not named where it is unknown', () => {
    expect(meaningOf({ code: 137, context: { deleting: true } })).toBe(
      'The kubelet stopped it because the pod is being deleted, and killed it with SIGKILL (128 + 9) when it had not ended within its grace period. That is no out-of-memory kill.',
    )
  })

  test.each([
    ['ContainerStatusUnknown', /kubelet lost the container and made up this code/],
    ['RestartingAllContainers', /restart rule restarts all containers of the pod in place/],
  ])('with reason %s no signal was sent', (reason, meaning) => {
    const told = exitMeaning({ code: 137, reason })
    expect(told.signal).toBeNull()
    expect(told.meaning).toMatch(meaning)
  })

  test('a shell may have passed it on', () => {
    expect(meaningOf({ code: 137, context: { command: ['/bin/sh', '-c', 'run'] } })).toMatch(
      /^The shell, or a command whose code it passed on, was killed with SIGKILL/,
    )
  })
})

describe('a code that the program did not choose', () => {
  test.each(['StartError', 'ContainerCannotRun'])('%s: it never ran', reason => {
    expect(exitMeaning({ code: 128, reason, ranSeconds: 1_777_000_000 })).toEqual({
      signal: null,
      meaning: 'It never ran: the container runtime could not start it, and its message says why.',
    })
  })

  test('Unknown: the runtime lost it', () => {
    expect(meaningOf({ code: 255, reason: 'Unknown' })).toMatch(/^The container runtime lost the state/)
  })

  test('a reason that nobody knows leaves it to the code', () => {
    expect(exitMeaning({ code: 137, reason: 'constructor' }).signal).toBe('SIGKILL')
  })

  test('-1: there is no code', () => {
    expect(meaningOf({ code: -1 })).toBe('The container runtime found no exit code; how it ended is unknown.')
  })

  test.each([
    ['seccomp killed', 1],
    ['seccomp killed', 159],
  ])('%s with %d: a forbidden system call', (reason, code) => {
    expect(meaningOf({ code, reason })).toBe('It was killed for a system call that its seccomp profile forbids.')
  })

  test('128 without StartError is the own code of the program', () => {
    expect(exitMeaning({ code: 128, reason: 'Error' })).toEqual({
      signal: null,
      meaning: 'The program ended itself with an error; git uses this code for fatal ones.',
    })
  })
})

describe('OOMKilled with another code than 137: a child was killed', () => {
  test.each([
    [0, null],
    [1, null],
    [143, 'SIGTERM'],
  ])('%d', (code, signal) => {
    expect(exitMeaning({ code, reason: 'OOMKilled' })).toEqual({
      signal,
      meaning: `The kernel killed a process of the container for memory; the main process outlived it and then ended with code ${code}.`,
    })
  })
})

describe('a stop by the kubelet', () => {
  test.each([
    [143, 'The kubelet stopped it because its liveness probe failed, and it ended on SIGTERM (128 + 15) as asked.'],
    [0, 'The kubelet stopped it because its liveness probe failed, and it ended cleanly.'],
    [1, 'The kubelet stopped it because its liveness probe failed; it then ended with code 1.'],
    [130, 'The kubelet stopped it because its liveness probe failed; it then ended with code 130 (SIGINT).'],
  ])('with code %d', (code, meaning) => {
    expect(meaningOf({ code, context: { killedByProbe: 'liveness' } })).toBe(meaning)
  })
})

describe('0', () => {
  test.each<[string, Partial<EndedInstance>, string]>([
    ['alone', {}, 'It ended without an error.'],
    ['with its time', { ranSeconds: 130 }, 'It ended without an error after 2m10s.'],
    ['with a clock that ran backwards', { ranSeconds: -5 }, 'It ended without an error.'],
    [
      'of an init container',
      { context: { kind: 'init', restartPolicy: 'Always' } },
      'It ended without an error, as an init container should.',
    ],
    ['of a sidecar', { context: { kind: 'sidecar' } }, 'It ended without an error, but a sidecar has to keep running.'],
    [
      'of an app under Always',
      { ranSeconds: 3, context: { kind: 'app', restartPolicy: 'Always' } },
      'It ended without an error after 3s, but under restartPolicy Always it has to keep running, so it is started again.',
    ],
    ['of an app under Never', { context: { kind: 'app', restartPolicy: 'Never' } }, 'It ended without an error.'],
  ])('%s', (_, ended, meaning) => {
    expect(meaningOf({ code: 0, reason: 'Completed', ...ended })).toBe(meaning)
  })
})

describe('a signal is 128 + n', () => {
  test.each([
    [129, 'SIGHUP', /^It was ended by SIGHUP \(128 \+ 1\)\.$/],
    [130, 'SIGINT', /interrupted/],
    [131, 'SIGQUIT', /quit/],
    [132, 'SIGILL', /newer CPU/],
    [134, 'SIGABRT', /gave up/],
    [135, 'SIGBUS', /\/dev\/shm/],
    [136, 'SIGFPE', /zero/],
    [139, 'SIGSEGV', /memory it may not/],
    [141, 'SIGPIPE', /pipe/],
    [143, 'SIGTERM', /^It was asked to stop with SIGTERM \(128 \+ 15\), as by a deletion/],
    [153, 'SIGXFSZ', /ulimit/],
    [159, 'SIGSYS', /seccomp/],
    [160, 'SIG32', /^It was ended by SIG32 \(128 \+ 32\)\.$/],
    [192, 'SIG64', /^It was ended by SIG64 \(128 \+ 64\)\.$/],
  ])('%d is %s', (code, signal, meaning) => {
    const told = exitMeaning({ code, reason: 'Error' })
    expect(told.signal).toBe(signal)
    expect(told.meaning).toMatch(meaning)
  })

  test.each([-1, 0, 1, 127, 128, 193, 255, 256])('%d is none', code => {
    expect(exitMeaning({ code, reason: 'Error' }).signal).toBeNull()
  })
})

describe("a program's own code", () => {
  test.each([
    [1, /general error/],
    [2, /wrong arguments by 2, a Go program a panic/],
    [78, /sysexits\): a configuration error/],
    [101, /Rust/],
    [126, /could not execute/],
    [127, /did not find/],
    [255, /for -1, and runc for a file/],
  ])('%d has a meaning by convention', (code, meaning) => {
    expect(meaningOf({ code })).toMatch(meaning)
  })

  test.each([3, 42, 123, 200, 253])('%d means what the program says', code => {
    expect(meaningOf({ code })).toBe(
      'The program chose this code itself; its log or its documentation tells what it means by it.',
    )
  })

  test.each([
    [0.4, ' It had run for less than 1s.'],
    [2, ' It had run for 2s.'],
    [10, ''],
    [null, ''],
  ])('a run of %s s adds %j', (ranSeconds, sentence) => {
    expect(meaningOf({ code: 42, ranSeconds })).toBe(
      `The program chose this code itself; its log or its documentation tells what it means by it.${sentence}`,
    )
  })
})

describe('a code means something to a program only where it is known to run', () => {
  test.each<[string, number, EndedInstance['context'], RegExp]>([
    ['Node.js', 13, { image: 'node:24' }, /await at the top level/],
    ['Node.js', 139, { image: 'acme/web:1', command: ['node', 'server.js'] }, /JavaScript heap/],
    ['Python', 120, { command: ['/usr/bin/python3.11', '-m', 'app'] }, /last output/],
    ['Gunicorn', 3, { image: 'python:3.11', args: ['gunicorn', 'app:app'] }, /worker failed to boot/],
    ['Java', 3, { command: ['java', '-jar', 'app.jar'] }, /ExitOnOutOfMemoryError/],
    ['.NET', 150, { command: ['dotnet', 'app.dll'] }, /framework version/],
    ['nginx', 1, { image: 'nginx:1.22' }, /\[emerg\]/],
    ['PostgreSQL', 1, { image: 'docker.io/library/postgres:15', args: ['-c', 'max_connections=9'] }, /FATAL/],
    ['MongoDB', 132, { image: 'mongo:7' }, /AVX/],
    ['Elasticsearch', 78, { image: 'docker.elastic.co/elasticsearch/elasticsearch:8.15.0' }, /bootstrap check/],
    ['curl', 6, { command: ['curl', '-f', 'http://x'] }, /could not be resolved/],
    ['a shell', 1, { command: ['sh', '-c', 'alembic upgrade head'] }, /^The script ended with this code: its own exit/],
    ['a shell', 42, { command: ['sh', '-c', 'exit 42'] }, /^The script ended with this code: its own exit/],
    ['a shell', 127, { image: 'node:24', command: ['sh', '-c', 'gunicorn app'] }, /^The shell did not find a command/],
  ])('%s %d', (_, code, context, meaning) => {
    expect(meaningOf({ code, context })).toMatch(meaning)
  })

  test.each([
    ["somebody else's image of that name", { image: 'ghcr.io/acme/node:1' }],
    ['an image with another command', { image: 'node:24', command: ['/app/start'] }],
    ['an image with another program as its argument', { image: 'node:24', args: ['server'] }],
    ['nothing known', {}],
  ])('not for %s', (_, context) => {
    expect(meaningOf({ code: 13, context })).toMatch(/^The program chose this code itself/)
  })

  test.each([
    ['node', 'node'],
    ['node:24-alpine@sha256:0f', 'node'],
    ['localhost:5000/library/node:24', 'node'],
    ['library/nginx', 'nginx'],
    ['constructor', null],
    ['node-exporter:1', null],
    ['localhost:5000/node:24', null],
    ['', null],
  ])('image %j is of program %s', (image, program) => {
    expect(programOf({ image })).toBe(program)
  })

  test.each([
    [['python'], 'python'],
    [['/opt/python/bin/python3.12'], 'python'],
    [['bash', '-ec', 'x'], 'shell'],
    [['constructor'], null],
    [['/'], null],
    [[''], null],
  ])('command %j is of program %s', (command, program) => {
    expect(programOf({ command })).toBe(program)
  })
})

describe('a code of Windows is shown in hexadecimal', () => {
  test.each([
    [-1073741819, 'Windows status 0xC0000005: it used memory it may not (access violation).'],
    [3221225477, 'Windows status 0xC0000005: it used memory it may not (access violation).'],
    [-532462766, 'Windows status 0xE0434352: an unhandled .NET exception.'],
    [1067, 'Windows status 0x0000042B: the process of a service ended unexpectedly.'],
    [1073807364, 'Windows status 0x40010004: ended by a debugger or the shutdown.'],
    [-2, 'Windows status 0xFFFFFFFE: the documentation of the program or of Windows tells what it means.'],
  ])('%d', (code, meaning) => {
    expect(exitMeaning({ code, reason: 'Error' })).toEqual({ signal: null, meaning })
  })
})

test('every meaning is one or two whole sentences', () => {
  const reasons = [
    'Error',
    'OOMKilled',
    'StartError',
    'ContainerStatusUnknown',
    'Unknown',
    'RestartingAllContainers',
    null,
  ]
  const contexts = [
    { killedByProbe: 'startup', gracePeriodSeconds: 30 },
    { deleting: true },
    { kind: 'app', restartPolicy: 'Always' },
    ...['sh', 'node', 'python', 'java', 'dotnet', 'postgres', 'mongod', 'curl'].map(name => ({ command: [name] })),
  ] as const
  for (let code = -3; code <= 260; code++) {
    for (const reason of reasons) {
      for (const context of contexts) {
        const { meaning } = exitMeaning({ code, reason, ranSeconds: 1, context })
        expect(meaning).toMatch(/^[A-Z.c][^\n]+\.$/)
        expect(meaning.split(/(?<=[^.]\.) (?=[A-Z])/).length).toBeLessThanOrEqual(2)
        expect(meaning.length).toBeLessThanOrEqual(320)
      }
    }
  }
})

test.each([145, 146, 147, 148, 149, 150, 151])(
  '%i names a signal that ends no process, so it is the program’s own code',
  code => {
    const { signal, meaning } = exitMeaning({ code, reason: 'Error' })
    expect(signal).toBeNull()
    expect(meaning).toContain('chose this code itself')
  },
)
