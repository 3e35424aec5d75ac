import { describe, expect, test } from 'vitest'
import { entriesAt, isNoise } from '../../src/diagnosis/log-entries.ts'
import { levelOf } from '../../src/diagnosis/log-level.ts'
import { logLines } from '../../src/diagnosis/log-lines.ts'
import { structuredLine } from '../../src/diagnosis/structured-log.ts'

describe('levels', () => {
  test.each<[string, string | null]>([
    ['2026-05-04 11:59:00.100 ERROR 1 --- [main] o.s.boot.SpringApplication : Application run failed', 'error'],
    ['2026/05/04 11:59:00 [emerg] 1#1: unknown directive', 'fatal'],
    ['2026-05-04 11:59:00 UTC [1] FATAL:  role "app" does not exist', 'fatal'],
    ['2026-05-04 11:59:00 UTC [1] LOG:  database system is ready', 'info'],
    ['E0504 11:59:00.123456       1 main.go:42] cannot start', 'error'],
    ['W0504 11:59:00.123456       1 main.go:42] deprecated', 'warn'],
    ['level=warn ts=1 msg="slow"', 'warn'],
    ['time="2026" level=fatal msg="no"', 'fatal'],
    ['11:59:00.121 [error] no', 'error'],
    ['panic: no', 'fatal'],
    ['error: no', 'error'],
    ['fail: Microsoft.Extensions.Hosting.Internal.Host[9]', 'error'],
    ['ValueError: no', 'fatal'],
    ['Caused by: java.net.ConnectException: Connection refused', 'fatal'],
    ["thread 'main' panicked at src/main.rs:1:1:", 'fatal'],
    ['** (RuntimeError) no', 'fatal'],
    ['1:M 04 May 2026 11:58:00.000 # WARNING Memory overcommit', 'warn'],
    ['1:M 04 May 2026 11:58:00.000 * Ready', 'info'],
    ['[server] 3 errors were ignored', null],
    ['the error budget is fine', null],
    ['started', null],
  ])('%s', (text, level) => {
    expect(levelOf(text)).toBe(level)
  })
})

describe('JSON lines', () => {
  test.each<[string, string | null, string]>([
    [
      '{"level":50,"msg":"boot","err":{"message":"no such host","stack":"Error: no such host\\n    at a"}}',
      'error',
      'no such host',
    ],
    ['{"severity":"CRITICAL","message":"boot","exception":"ValueError: no"}', 'fatal', 'ValueError: no'],
    ['{"@t":"2026","@l":"Fatal","@m":"boot","@x":"System.Exception: no\\n   at A"}', 'fatal', 'System.Exception: no'],
    [
      '{"t":{"$date":"2026"},"s":"E","c":"NETWORK","msg":"boot","attr":{"error":"SocketException: in use"}}',
      'error',
      'SocketException: in use',
    ],
    ['{"@timestamp":"2026","log.level":"ERROR","message":"boot","error.message":"no"}', 'error', 'no'],
    ['{"log":{"level":"error"},"message":"boot"}', 'error', 'boot'],
    ['api | {"level":"error","msg":"boot"}', 'error', 'boot'],
  ])('%s', (text, level, said) => {
    const line = structuredLine(text)
    expect(line?.level).toBe(level)
    expect(line?.texts).toContain(said)
  })

  test.each(['{not json}', '[1,2]', 'see {"a":1} above', '{}', ''])('%s is none', text => {
    expect(structuredLine(text)).toBeNull()
  })
})

describe('entries', () => {
  test('frames, quoted source and GC lines are no statements', () => {
    const lines = logLines(
      [
        'FATAL no',
        '    at Object.<anonymous> (/app/x.js:1:1)',
        '  File "/app/x.py", line 3, in <module>',
        '    config["a"]',
        '\tat com.shop.Main.main(Main.java:7)',
        'goroutine 1 [running]:',
        '[1:0x5581]    36543 ms: Mark-Compact 253.3 (258.1) -> 252.9 (258.6) MB',
        'const a = b()',
        '          ^',
      ].join('\n'),
    )
    expect(lines.map((_, index) => isNoise(lines, index))).toEqual([false, ...Array.from({ length: 8 }, () => true)])
  })

  test('a line that continues another takes its level', () => {
    const lines = logLines('fail: Microsoft.Extensions.Hosting.Internal.Host[9]\n      BackgroundService failed\n')
    expect(entriesAt(lines, 1)[0]?.level).toBe('error')
  })

  test('an exception below a warning was caught', () => {
    const lines = logLines('WARN retrying\njava.net.ConnectException: Connection refused\n')
    expect(entriesAt(lines, 1)[0]?.level).toBe('warn')
  })

  test('a very long line is looked at by its head and tail', () => {
    const lines = logLines(`FATAL ${'x'.repeat(20_000)} the end`)
    const text = entriesAt(lines, 0)[0]?.text ?? ''
    expect(text.length).toBeLessThan(4_100)
    expect(text).toMatch(/^FATAL .* the end$/)
  })
})
