import { expect, test } from 'vitest'
import type { JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { redact } from '../../src/redaction/redact.ts'
import { type Planted, planted } from './planted-secrets.ts'

const snapshot = (parts: Partial<PodSnapshot>): PodSnapshot => ({
  kind: 'PodSnapshot',
  takenAt: '2026-05-04T12:00:00Z',
  server: null,
  namespace: 'shop',
  target: 'web-5d4f',
  pod: null,
  events: [],
  logs: {},
  related: {},
  unread: [],
  ...parts,
})
const pod = (container: JsonObject, annotations: JsonObject = {}): JsonObject => ({
  metadata: { name: 'web-5d4f', annotations },
  spec: { containers: [{ name: 'web', image: 'shop/web:1', ...container }] },
})
const stamp = (text: string): string =>
  text
    .split('\n')
    .map((line, at) => `2026-05-04T12:00:0${at}.123456789Z ${line}`)
    .join('\n')

/** The places of a snapshot that a text can stand in. */
const PLACES: Record<string, (text: string) => PodSnapshot> = {
  log: text => snapshot({ logs: { web: { current: `${stamp('start')}\n${stamp(text)}\nend`, previous: null } } }),
  'reason for no log': text => snapshot({ logErrors: { web: { current: text, previous: null } } }),
  event: text => snapshot({ events: [{ reason: 'Failed', message: text }] }),
  'status message': text =>
    snapshot({ pod: { status: { containerStatuses: [{ state: { waiting: { message: text } } }] } } }),
  argument: text => snapshot({ pod: pod({ args: ['sh', '-c', text] }) }),
  'value of a variable': text => snapshot({ pod: pod({ env: [{ name: 'SETTINGS', value: text }] }) }),
  annotation: text => snapshot({ pod: pod({}, { 'shop/note': text }) }),
  'last applied configuration': text =>
    snapshot({
      pod: pod(
        {},
        {
          'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(pod({ args: ['sh', '-c', text] }))}\n`,
        },
      ),
    }),
  'JSON in JSON in a log': text =>
    snapshot({
      logs: { web: { current: stamp(JSON.stringify({ msg: JSON.stringify({ cmd: text }) })), previous: null } },
    }),
  'object of a list': text => snapshot({ related: { events: [{ message: text }] } }),
}

const escapes = (text: string): string[] => {
  const once = JSON.stringify(text).slice(1, -1)
  return [text, once, JSON.stringify(once).slice(1, -1)]
}

for (const [place, put] of Object.entries(PLACES)) {
  test.each(planted.map(secret => [secret.kind, secret] as [string, Planted]))(
    `a secret in a ${place} is removed: %s`,
    async (_, { text, secret, kept }) => {
      const output = await redact(put(text))
      const printed = JSON.stringify(output)
      expect(printed).not.toContain(secret)
      expect(printed).toContain('[redacted]')
      const inside = [printed, JSON.parse(JSON.stringify(printed))]
      for (const part of kept ?? []) {
        const found = [...escapes(part), ...escapes(escapes(part)[2] ?? '')].some(form =>
          inside.some(whole => whole.includes(form)),
        )
        expect(found, `${part} in ${printed}`).toBe(true)
      }
      expect(await redact(output)).toEqual(output)
    },
  )
}

const env = (name: string, value: string): PodSnapshot['pod'] => pod({ env: [{ name, value }] })
const logged = (name: string, value: string, log: string): Promise<PodSnapshot> =>
  redact(snapshot({ pod: env(name, value), logs: { web: { current: log, previous: null } } }))

test('the value of a variable that is a credential goes from the log too, where nothing names it', async () => {
  const value = `hunter2${'-'}x1x1`
  expect(await logged('DB_PASSWORD', value, `connecting with ${value} to db`)).toMatchObject({
    pod: { spec: { containers: [{ env: [{ name: 'DB_PASSWORD', value: '[redacted]' }] }] } },
    logs: { web: { current: 'connecting with [redacted] to db' } },
  })
})

test.each([
  ['a word', 'postgres', 'dial postgres:5432 as postgres'],
  ['a name of the snapshot', 'web-5d4f', 'web-5d4f started'],
  ['short', 'a1b2', 'trace a1b2c3'],
])('a credential that is %s stays in ordinary text', async (_, value, log) => {
  expect((await logged('DB_PASSWORD', value, log)).logs['web']?.current).toBe(log)
})

test.each([
  ['DB_PASSWORD', 'postgres', true],
  ['ENCRYPTION_KEY', 'abc', true],
  ['API_TOKEN', '12345', true],
  ['SERVICE_CREDENTIALS', 'x y', true],
  ['DB_PASS', 'x', true],
  ['PGPASS', 'x', true],
  ['DB_PW', 'x', true],
  ['MONGO_CREDS', 'x', true],
  ['PGPASSFILE', '/root/.pgpass', false],
  ['PASSWORD_FILE', '/run/secrets/db', false],
  ['TOKEN_TTL', '3600', false],
  ['MAX_TOKENS', '4096', false],
  ['SECRET_NAME', 'orders-db', false],
  ['CACHE_KEY', 'user', false],
  ['PUBLIC_KEY', 'x', false],
  ['KEYCLOAK_HOST', 'sso', false],
  ['MONKEY', 'george', false],
  ['ALLOW_EMPTY_PASSWORD', 'yes', false],
  ['DB_PASSWORD', '$(OTHER)', false],
  ['DB_PASSWORD', '', false],
  ['PORT', '8080', false],
])('the value of variable %s=%s: redacted is %s', async (name, value, isRedacted) => {
  const output = await redact(snapshot({ pod: env(name, value) }))
  expect(output.pod).toEqual(env(name, isRedacted ? '[redacted]' : value))
})

test('a flag takes its value with it, in the list of arguments', async () => {
  const args = [
    'server',
    '--db-password',
    'x y',
    '--token=a b',
    '--verbose',
    '--api-key',
    '--port',
    '1',
    '-password',
    '$(PW)',
  ]
  const output = await redact(snapshot({ pod: pod({ args }) }))
  expect(output.pod).toEqual(
    pod({
      args: [
        'server',
        '--db-password',
        '[redacted]',
        '--token=[redacted]',
        '--verbose',
        '--api-key',
        '--port',
        '1',
        '-password',
        '$(PW)',
      ],
    }),
  )
})

const PASSWORDS_OF_CLIENTS: readonly (readonly string[])[] = [
  ['redis-cli', '-h', 'x', '-a', '!', 'ping'],
  ['timeout', '5', '/usr/bin/redis-cli', '--pass', '!', 'ping'],
  ['curl', '-u', 'bob:!', 'http://web:80/'],
  ['curl', '-fsSu', 'bob:!', 'http://web:80/'],
  ['curl', '--user=bob:!', 'http://web:80/'],
  ['wget', '--user', 'bob:!', '-q'],
  ['mysqladmin', '-u', 'root', '-P', '3306', '-p!', 'ping'],
  ['sshpass', '-p', '!', 'ssh', '-p', '22', 'host'],
  ['mongosh', '--port', '27017', '-u', 'app', '-p', '!'],
  ['ldapsearch', '-H', 'ldap://x', '-w', '!', '-b', 'dc=x'],
  ['rabbitmqadmin', '-u', 'app', '-p', '!', 'list'],
]

test.each(PASSWORDS_OF_CLIENTS.map(line => [line.join(' '), line]))(
  'a client takes its password with it, in probes, hooks, command and args: %s',
  async (_, line) => {
    const withPassword = (password: string): PodSnapshot['pod'] => {
      const command = line.map(word => word.replace('!', password))
      return pod({
        command: command.slice(0, 1),
        args: command.slice(1),
        livenessProbe: { exec: { command } },
        lifecycle: { preStop: { exec: { command } } },
      })
    }
    const output = await redact(snapshot({ pod: withPassword('plain') }))
    expect(output.pod).toEqual(withPassword('[redacted]'))
  },
)

test.each([
  ['mysql', '-uroot', '-p', '-P', '3306'],
  ['docker', 'run', '--name', 'mongo', '-p', '27017:27017'],
  ['ssh', '-p', '2222', 'host'],
  ['curl', '-u', 'bob', '-a', 'x', 'http://web:80/'],
  ['redis-cli', '-a', '$(REDIS_PASSWORD)', '-p', '6379'],
])('a command line without a password stays: %s %s %s %s %s', async (...command) => {
  const input = snapshot({ pod: pod({ command }) })
  expect(await redact(input)).toEqual(input)
})

test('a value known from a variable goes from a coloured log', async () => {
  const value = `hunter2${'-'}x1x1`
  const output = await logged('DB_PASSWORD', value, `with hunter2\u001b[1m-x1x1\u001b[0m to db`)
  expect(output.logs['web']?.current).toBe('with [redacted] to db')
})

test('what is no credential comes out as it went in, and the input is not changed', async () => {
  const input = snapshot({
    pod: pod({
      env: [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } }],
      ports: [{ containerPort: 80 }],
      tty: false,
    }),
    logs: { web: { current: 'ok\r\n\n', previous: null } },
    unread: [{ what: 'secret', why: 'forbidden' }],
  })
  const before = structuredClone(input)
  expect(await redact(input)).toEqual(before)
  expect(input).toEqual(before)
})

test('of a namespace, what one pod tells to be a secret is removed from all, and what they share stays shared', async () => {
  const shared = { metadata: { name: 'db' }, spec: { args: ['--dsn', 'postgres://app:Kx7wq9ZtLm@db:5432/orders'] } }
  const one = snapshot({
    related: { services: [shared] },
    logs: { web: { current: 'using Kx7wq9ZtLm', previous: null } },
  })
  const two = snapshot({
    pod: pod({ env: [{ name: 'DB_PASSWORD', value: 'Kx7wq9ZtLm' }] }),
    related: { services: [shared] },
  })
  const cases = [one, two].map(each => ({ snapshot: each, alike: [] }))
  const namespace = { namespace: 'shop', cluster: null, takenAt: null, pods: 2, fine: 0, cases, unread: [] }
  const redacted = await redact({ kind: 'NamespaceSnapshot', ...namespace })
  expect(JSON.stringify(redacted)).not.toContain('Kx7wq9ZtLm')
  const [first, second] = redacted.cases.map(({ snapshot: { related } }) => related.services?.[0])
  expect(first).toEqual({ ...shared, spec: { args: ['--dsn', 'postgres://app:[redacted]@db:5432/orders'] } })
  expect(second).toBe(first)
})

test('many long logs are redacted to their last lines', async () => {
  const line = 'handled request 200 in 12 ms for some user of the shop\n'
  const text = `${line.repeat(2_000)}login password=Kx7wq9ZtLm now`
  const names = Array.from({ length: 12 }, (_, index) => `web-${index}`)
  const logs = Object.fromEntries(names.map(name => [name, { current: text, previous: null }]))
  const redacted = await redact(snapshot({ logs }))
  for (const name of names) {
    expect(redacted.logs[name]?.current).toBe(`${line.repeat(2_000)}login password=[redacted] now`)
  }
})

test('a password that a URL in the spec gives away is removed where it stands alone', async () => {
  const env = [{ name: 'DATABASE', value: 'postgres://web:Zx81kQ9wLmT4@orders-db:5432/shop' }]
  const logs = { web: { current: 'auth failed with Zx81kQ9wLmT4 for web@orders-db', previous: null } }
  const clean = await redact(snapshot({ pod: pod({ env }), logs }))
  expect(clean.logs['web']?.current).toBe('auth failed with [redacted] for web@orders-db')
  expect(JSON.stringify(clean.pod)).toContain('postgres://web:[redacted]@orders-db:5432/shop')
})
