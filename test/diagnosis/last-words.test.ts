import { describe, expect, test } from 'vitest'
import { lastWords } from '../../src/diagnosis/last-words.ts'
import { logLines } from '../../src/diagnosis/log-lines.ts'
import { log } from './rules/crashed-app.ts'

const words = (text: string): string | undefined => lastWords(logLines(text))?.text

describe('the line that tells most', () => {
  test.each<[string, string, string]>([
    [
      'not the throw line, not the quoted source, not the last line',
      'Error: ledger is closed',
      log(`
      /app/index.js:3
      if (closed) throw new Error('ledger is closed')
                  ^

      Error: ledger is closed
          at Object.<anonymous> (/app/index.js:3:19)

      Node.js v22.11.0`),
    ],
    [
      'the exception, not the frames',
      'ZeroDivisionError: division by zero',
      log(`
      Traceback (most recent call last):
        File "/app/x.py", line 4, in <module>
          rate = total / count
                 ~~~~~~^~~~~~~
      ZeroDivisionError: division by zero`),
    ],
    [
      'the direct cause of a Python chain',
      'ValueError: ledger 7 has no entries',
      log(`
      Traceback (most recent call last):
        File "/app/x.py", line 4, in load
      ValueError: ledger 7 has no entries

      The above exception was the direct cause of the following exception:

      Traceback (most recent call last):
        File "/app/x.py", line 9, in <module>
      RuntimeError: import of the books stopped half way`),
    ],
    [
      "Java's cause",
      'Caused by: java.lang.IllegalArgumentException: ledger 7 is unbalanced',
      log(`
      Exception in thread "main" java.lang.RuntimeException: import
      \tat com.shop.Main.main(Main.java:7)
      Caused by: java.lang.IllegalArgumentException: ledger 7 is unbalanced
      \tat com.shop.Ledger.check(Ledger.java:3)
      \t... 1 more`),
    ],
    [
      'the error before what only says that it ends',
      'ERROR ledger 7 is unbalanced',
      log(`
      INFO import
      ERROR ledger 7 is unbalanced
      INFO closing 3 connections
      ERROR application startup failed, shutting down`),
    ],
    [
      'the message of a JSON line',
      'ledger 7 is unbalanced',
      '{"level":"error","time":1777895940,"msg":"ledger 7 is unbalanced"}\n',
    ],
    [
      'a panic, not the goroutine',
      'panic: ledger 7 is unbalanced',
      log(`
      panic: ledger 7 is unbalanced

      goroutine 1 [running]:
      main.main()
      \t/src/main.go:24 +0x152
      exit status 2`),
    ],
    ['the last line where none is an error', 'rate table has gaps', 'start\nrate table has gaps\n\n'],
    ['words in other scripts', 'FATAL 台帳 7 が不均衡です', 'INFO 開始\nFATAL 台帳 7 が不均衡です\n'],
  ])('%s', (_what, expected, text) => {
    expect(words(text)).toBe(expected)
  })

  test('nothing was written', () => {
    expect(lastWords(logLines(''))).toBeNull()
    expect(lastWords(logLines('\n\n'))).toBeNull()
  })
})
