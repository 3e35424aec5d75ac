import { describe, expect, test } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import { aContainer, anEvent, aPod, aSnapshot, crashLoop, current, previous, running } from '../builders.ts'
import { type Crash, crashed, log } from './crashed-app.ts'

const normal = (count: number): string =>
  Array.from({ length: count }, (_, index) => `INFO request ${index} served in ${index % 7} ms`).join('\n')

describe('what is not claimed', () => {
  const rows: readonly (readonly [what: string, text: string, more?: Partial<Crash>])[] = [
    [
      'a warning long before an error of its own',
      log(`
      WARN cache redis:6379: connection refused, continuing without
      INFO listening on :8080
      INFO first request
      Traceback (most recent call last):
        File "/app/report.py", line 4, in <module>
      ZeroDivisionError: division by zero`),
    ],
    [
      'an error that the program outlived',
      `ERROR login failed for user bob\n${normal(120)}\nassertion at the end of the batch\n`,
    ],
    [
      'an exception that the program outlived',
      `java.net.ConnectException: Connection refused\n\tat a.b.C.d(C.java:1)\n${normal(300)}\nlast batch failed its checksum\n`,
    ],
    [
      "Redis' advice about the kernel",
      log(`
      1:M 04 May 2026 11:58:00.000 # WARNING Memory overcommit must be enabled! Without it, a background save or replication may fail under low memory condition.
      1:M 04 May 2026 11:58:00.000 # WARNING: The TCP backlog setting of 511 cannot be enforced because /proc/sys/net/core/somaxconn is set to the lower value of 128.
      1:M 04 May 2026 11:58:00.000 * Ready to accept connections tcp
      1:M 04 May 2026 11:58:09.000 # Bad file format reading the append only file appendonly.aof.1.incr.aof`),
    ],
    [
      'a migration that fails on the data',
      'ERROR:  duplicate key value violates unique constraint "orders_pkey" (SQLSTATE 23505)',
    ],
    [
      'a checksum',
      'org.flywaydb.core.api.exception.FlywayValidateException: Validate failed: Migration checksum mismatch for migration version 3',
    ],
    [
      'a key of its data',
      'Traceback (most recent call last):\n  File "/app/rates.py", line 9, in rate\n    return RATES[currency]\nKeyError: \'CHF\'',
    ],
    ['a file of its data', "FileNotFoundError: [Errno 2] No such file or directory: '/work/input-2026.csv'"],
    [
      'a nil pointer in Go, which prints SIGSEGV',
      log(`
      panic: runtime error: invalid memory address or nil pointer dereference
      [signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x49f2d2]

      goroutine 1 [running]:
      main.main()
      \t/src/main.go:24 +0x152`),
      { exitCode: 2 },
    ],
    [
      'a null pointer in Java',
      'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "Config.port()" because "config" is null',
    ],
    [
      'an error code that looks like a variable',
      'Error [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string. Received undefined',
    ],
    [
      'an untrusted certificate',
      'Get "https://registry.example.com": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    ],
    [
      'an access log with a 401',
      '10.0.0.7 - - [04/May/2026:11:59:00 +0000] "POST /login HTTP/1.1" 401 27\nworker: batch 7 is not sorted\n',
    ],
    ['plain words', 'invoicing 2026-05\nrate table for 2026-05 has gaps\n'],
  ]
  for (const [what, text, more] of rows) {
    test(what, () => {
      const { cause } = crashed({ ...more, log: text })
      expect(cause.id).toBe('app.crash')
    })
  }

  test.each([137, 143])('a log with errors does not explain an end from outside (exit code %i)', exitCode => {
    const { cause } = crashed({ exitCode, log: 'ERROR connect ledger-db:5432: connection refused\n' })
    expect(cause.id).not.toBe('app.dependency-unreachable')
  })

  test('a kill by the liveness probe is not the log’s doing', () => {
    const container = aContainer({ name: 'api', ready: false, ...crashLoop(1) })
    const { diagnosis } = diagnose(
      aSnapshot({
        pod: aPod({ containers: [container] }),
        logs: { api: current('ERROR connect ledger-db:5432: connection refused\n') },
        events: [
          anEvent('Unhealthy', 'Liveness probe failed: HTTP probe failed with statuscode: 500', {
            container: 'api',
            secondsAgo: 22,
          }),
          anEvent('Killing', 'Container api failed liveness probe, will be restarted', {
            container: 'api',
            type: 'Normal',
            secondsAgo: 22,
          }),
        ],
      }),
    )
    expect(diagnosis.cause.id.split('.')[0]).toBe('probe')
  })

  test('an old crash of a container that runs and is ready is history', () => {
    const container = aContainer({
      name: 'api',
      restartCount: 1,
      state: running(9_000),
      ready: true,
      started: true,
      lastState: crashLoop(1)['lastState'] as never,
    })
    const { diagnosis } = diagnose(
      aSnapshot({
        pod: aPod({ containers: [container] }),
        logs: { api: previous('Error: MAILER_URL is not set\n') },
      }),
    )
    expect(diagnosis.cause.id).toBe('healthy')
  })
})
