import { expect, test } from 'vitest'
import { redactText } from '../../src/redaction/redact-text.ts'

const KIB = 1024
const seconds = async (text: string): Promise<number> => {
  const start = performance.now()
  await redactText(text)
  return (performance.now() - start) / 1000
}

/** Pieces that patterns begin with, end with or repeat; each is tried alone and all of them together. */
const PIECES = [
  'a',
  ' ',
  '\n',
  ':',
  '/',
  '@',
  '=',
  '"',
  '\\',
  '\\"',
  ',',
  '-',
  '.',
  '0',
  'A',
  '+',
  '\0',
  '`',
  '[',
  '{',
  '<',
  '%',
  '\u{1f600}',
  '://',
  '://a:',
  '://a:b@',
  '@tcp(',
  ':@tcp(',
  'a:b@',
  'password',
  'password=',
  'password: ',
  '"password":"',
  '--password ',
  '--password", "',
  'password=,',
  'password=a,b ',
  'password=[',
  'password="',
  'eyJ',
  'eyJ-',
  'eyJ0123456789.',
  'eyJ0123456789.a.',
  'Bearer ',
  'Basic ',
  'bearer aaaaaaaa ',
  'Authorization: ',
  'Cookie: a=',
  'cookie: a=b; ',
  'curl ',
  'redis-cli ',
  'mysql -',
  'a/b@',
  'curl -u ',
  'mongo -p',
  'ldapsearch","-w","',
  '\u001b',
  '\u001b[',
  '\u001b]',
  '\\u001b[0',
  'password is',
  'curl -u a:',
  'xoxb-',
  'xoxb-a-',
  'sk-',
  'sk-a-',
  'sk_live_',
  'glpat-',
  'SG.',
  'SG.a.',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\n',
  '-----END PRIVATE KEY-----',
  '-----END PRIVATE KEY-----\nAAAA\n',
  'PRIVATE KEY\nAAAAAAAAAAAAAAAAAAAA',
  'AKIA',
  'AKIAAAAAAAAAAAAAAAAA ',
  'name: ',
  'name: A_PASSWORD\n',
  '{"name":"A_KEY","value":"',
  'identified by ',
  '<password>',
  'jdbc:oracle:thin:a/',
  'https://hooks.slack.com/services/T',
  'http://',
  'https://a',
  'AWS_SECRET_ACCESS_KEY=',
  'mongodb://',
  'mysql://a:',
  '_authToken=',
  'ops_ey',
  'aA0+/',
  '?sig=',
  '.atlasv1.',
  '[redacted]',
  '2026-05-04T12:00:00Z ',
]

test.each([...PIECES, PIECES.join(''), PIECES.toReversed().join(' ')])(
  'takes no more than linear time over %j, repeated',
  async piece => {
    await redactText(piece.repeat(10))
    const text = (length: number): string => piece.repeat(Math.ceil(length / piece.length))
    const small = await seconds(text(16 * KIB))
    const large = await seconds(text(128 * KIB))
    // Eight times the text; quadratic time would be 64 times as long.
    expect(large).toBeLessThan(Math.max(0.5, small * 24))
  },
)

test('2 MiB of log take less than 2 s', async () => {
  const line =
    '2026-05-04T12:00:00.123456789Z {"level":"info","msg":"request finished","path":"/api/v1/users/123","ms":12,"trace":"4bf92f3577b34da6a3ce929d0e0e4736"}\n'
  expect(await seconds(line.repeat((2048 * KIB) / line.length))).toBeLessThan(2)
  const secrets = `${line}login password=hunter2hunter2 ok\n`
  expect(await seconds(secrets.repeat((2048 * KIB) / secrets.length))).toBeLessThan(2)
})
