import { expect, test } from 'vitest'
import { redactText } from '../../src/redaction/redact-text.ts'
import { planted, random } from './planted-secrets.ts'

const redacted = async (text: string): Promise<string> => (await redactText(text)).text

test('at least a hundred places of at least 25 kinds are planted', () => {
  expect(new Set(planted.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(25)
  expect(planted.length).toBeGreaterThanOrEqual(75)
})

test.each([
  'password authentication failed for user "x"',
  'FATAL: password authentication failed for user "shop" (SQLSTATE 28P01)',
  "Access denied for user 'root'@'10.0.0.1' (using password: YES)",
  'token expired',
  'Invalid token: expired',
  'error: invalid password: must be at least 8 characters',
  'SyntaxError: Unexpected token } in JSON at position 12',
  "SyntaxError: Unexpected token: '<'",
  'secret "db" not found',
  'Error: secret "orders-db" not found',
  "couldn't find key password in Secret ns/x",
  'references non-existent secret key: password',
  'MountVolume.SetUp failed for volume "tls" : secret "tls-cert" not found',
  'MountVolume.SetUp failed for volume "kube-api-access-x2x7z" : failed to fetch token: serviceaccounts "web" is forbidden',
  'failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://auth.docker.io/token?scope=repository%3Alibrary%2Fx%3Apull: 401 Unauthorized',
  'failed to fetch oauth token: Post "https://r.shop/token": dial tcp 10.0.0.1:443: i/o timeout',
  'failed to get secret: orders/db-2 not found',
  'secret="shop/orders-db" msg="Secret synced"',
  'secretKeyRef: {name: orders-db, key: password}',
  '{"secretKeyRef":{"key":"amqp-password","name":"orders"}}',
  '{"env":[{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"name":"db","key":"password"}}}]}',
  "DB_PASSWORD:  <set to the key 'password' in secret 'db'>  Optional: false",
  '$(DB_PASSWORD) $DB_PASSWORD',
  `password=$${'{DB_PASSWORD}'}`,
  'psql "postgres://shop:$(DB_PASSWORD)@db:5432/shop"',
  'psql --password=$DB_PASSWORD --host db',
  'printf "%s" "$POSTGRES_PASSWORD"',
  'key=user:12 partition=3',
  'cache miss key=abc',
  '"checksum/secret":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  'commit 2d2a47a1e3f4a5b6c7d8e9f0a1b2c3d4e5f60718',
  'trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span_id=00f067aa0ba902b7',
  'uid 98239683-0696-4ff5-a6c1-461f931eca30',
  'shop/web@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'pod orders-api-5d4f8c7b9d-x2x7z on node ip-10-0-0-1.eu-central-1.compute.internal',
  'dG8gYmUgb3Igbm90IHRvIGJl',
  'image registry.shop/secret-token:v1.2.3 pulled',
  'max_tokens=4096 token_type=bearer tokens: 17',
  'TOKEN_FILE=/var/run/secrets/kubernetes.io/serviceaccount/token',
  'token=/var/run/secrets/kubernetes.io/serviceaccount/token',
  'PWD=/app OLDPWD=/',
  'mysql -uroot -p -h db',
  'ssh -p 2222 host',
  'docker run --name mongo -p 27017:27017 mongo:7',
  'mongosh --quiet && mkdir -p /backup',
  'curl -s -o /dev/null http://web:8080/health',
  'PGPASSFILE=/root/.pgpass',
  'password is: required',
  'the password is wrong',
  '--- PASS: TestFoo12 (0.00s)',
  'tests pass=2/3',
  'health check pass: db1-ok-200',
  'Caused by: java.lang.IllegalArgumentException: secret key: must be 32 bytes',
  'partition key: user-12345 offset 17',
  'Error: JWT_SECRET is not set',
  'WRONGPASS invalid username-password pair or user is disabled.',
  "KeyError: 'DB_PASSWORD'",
  'error parsing token: token contains an invalid number of segments',
  'password hash mismatch',
  "no key password 'db-password' in map",
  'bypass=true compass=north',
  'unknown flag: --password',
  '      --token string   API token of the server',
  'flag --password is deprecated, use --password-file',
  'password = os.environ["DB_PASSWORD"]',
  'raise ValueError("no password: set DB_PASSWORD")',
  'WWW-Authenticate: Bearer realm="https://auth.docker.io/token",service="registry"',
  'bearer authentication required',
  'Basic authentication failed',
  'no basic auth credentials',
  'authorization: failed',
  'http://web.shop:8080/path?email=a@b.c',
  'git@github.com:shop/app.git and user@host',
  'https://web.shop:8443',
  'redis://redis:6379/0',
  'POST /oauth/token 401 12ms',
  '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ\n-----END CERTIFICATE-----',
  'password: [redacted]',
  'password=*** token=<redacted> secret=xxxxx pwd=[MASKED]',
  '',
  '\u0000\u0001\ufffd binary \n\0\n log',
  'ImagePullBackOff: Back-off pulling image "shop/web:1"',
])('ordinary text stays as it is: %s', async text => {
  expect(await redactText(text)).toEqual({ text, count: 0 })
})

test('terminal sequences go, with line breaks, tabs and times kept', async () => {
  const log = '2026-05-04T12:00:00Z \u001b[32mok\u001b[0m\ta\r\n2026-05-04T12:00:01Z \u001b]0;title\u0007b\n'
  expect(await redacted(log)).toBe('2026-05-04T12:00:00Z ok\ta\r\n2026-05-04T12:00:01Z b\n')
  expect(await redacted('\u001b]0;never closed\nnext\u0007')).toBe('0;never closed\nnext')
})

test('each replaced credential is counted', async () => {
  expect(await redactText(`password=${random(9, 1)} and token=${random(9, 2)}`)).toEqual({
    text: 'password=[redacted] and token=[redacted]',
    count: 2,
  })
})

test('a comment that switches scanners off does not', async () => {
  const token = `fig${'d'}_${random(40, 3)}`
  expect(await redacted(`# secretlint-disable\n${token}`)).toBe('# secretlint-disable\n[redacted]')
})

test('redacting twice gives what redacting once gives', async () => {
  const once = await redacted(planted.map(({ text }) => text).join('\n'))
  expect(await redactText(once)).toEqual({ text: once, count: 0 })
})

const mark = (end: string, kind = 'RSA '): string => `-----${end} ${kind}PRIVATE ${'KEY'}-----`
const keyLine = (seed: number): string => random(64, seed)
const at = (second: number): string => `2026-05-04T12:00:0${second}.123456789Z `

test('a private key over the lines of a log goes line by line, the times stay', async () => {
  const log = [
    `${at(0)}loading key`,
    `${at(1)}${mark('BEGIN')}`,
    `${at(2)}${keyLine(1)}`,
    `${at(3)}${keyLine(2)}`,
    `${at(4)}Ag==`,
    `${at(5)}${mark('END')}`,
    `${at(6)}done`,
  ]
  const expected = log.map((line, index) => (index >= 2 && index <= 4 ? `${at(index)}[redacted]` : line))
  expect(await redactText(log.join('\n'))).toEqual({ text: expected.join('\n'), count: 3 })
  expect(await redacted(expected.join('\n'))).toBe(expected.join('\n'))
})

test('a line of something else in the middle of a key stays', async () => {
  const log = [mark('BEGIN'), keyLine(1), `${at(1)}GET /healthz 200`, keyLine(2), mark('END')].join('\n')
  expect(await redacted(log)).toBe(
    [mark('BEGIN'), '[redacted]', `${at(1)}GET /healthz 200`, '[redacted]', mark('END')].join('\n'),
  )
})

test('a key that the log cuts off at its end goes', async () => {
  expect(await redacted(`${mark('BEGIN', '')}\n${keyLine(1)}\n${keyLine(2)}`)).toBe(
    `${mark('BEGIN', '')}\n[redacted]\n[redacted]`,
  )
  expect(await redacted(`${mark('BEGIN', '')}\n${keyLine(1)}\nserver started`)).toBe(
    `${mark('BEGIN', '')}\n[redacted]\nserver started`,
  )
})

test('a key whose beginning the log no longer has goes', async () => {
  expect(await redacted(`server started\n${keyLine(1)}\n${keyLine(2)}\nAg==\n${mark('END')}\nok`)).toBe(
    `server started\n[redacted]\n[redacted]\n[redacted]\n${mark('END')}\nok`,
  )
})

test('an encrypted key goes with its headers', async () => {
  const text = [
    mark('BEGIN'),
    'Proc-Type: 4,ENCRYPTED',
    `DEK-Info: AES-256-CBC,${random(32, 5)}`,
    '',
    keyLine(1),
    mark('END'),
  ].join('\n')
  expect(await redacted(text)).toBe(
    [mark('BEGIN'), '[redacted]', '[redacted]', '', '[redacted]', mark('END')].join('\n'),
  )
})

test('a key on one line keeps its marks', async () => {
  expect(await redacted(`KEY="${mark('BEGIN')}\\n${keyLine(1)}\\n${keyLine(2)}\\n${mark('END')}\\n"`)).toContain(
    `${mark('BEGIN')}\\n[redacted]\\n${mark('END')}\\n`,
  )
})
