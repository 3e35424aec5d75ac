import { type Address, addressIn, hostPorts } from './addresses.ts'
import type { Container } from './containers.ts'
import type { LogLine } from './log-lines.ts'

/** What a container waits for, and where that is written. */
export interface WaitTarget {
  readonly address: Address
  /** The program that checks: `nc`, `nslookup` …; null: not known. */
  readonly tool: string | null
  readonly source: string
  /** True where the check repeats without any limit that can be seen. */
  readonly isUnbounded: boolean
}

const WORD = /[^\s;|&<>()'"`]+/g
const HOST_FLAGS: ReadonlySet<string> = new Set(['-h', '--host', '--hostname', '-H', '--server'])
const PORT_FLAGS: ReadonlySet<string> = new Set(['-p', '-P', '--port'])

/** Checks whose host and port are separate words or flags. */
const WORDED_TOOLS: ReadonlySet<string> = new Set([
  'nc',
  'ncat',
  'netcat',
  'telnet',
  'pg_isready',
  'psql',
  'mysql',
  'mysqladmin',
  'mariadb',
  'mariadb-admin',
  'redis-cli',
  'mongo',
  'mongosh',
  'nslookup',
  'getent',
  'dig',
  'host',
  'ping',
])
/** Checks that take a URL or `host:port`. */
const URL_TOOLS: ReadonlySet<string> = new Set([
  'wget',
  'curl',
  'http',
  'wait-for-it',
  'wait-for-it.sh',
  'wait-for',
  'wait-for.sh',
  'dockerize',
  'kafkacat',
  'kcat',
  'grpcurl',
  'wait4x',
])
const isHost = (word: string): boolean =>
  /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}$/.test(word) && /[A-Za-z]|\d\.\d/.test(word)
/** Words of one call of a tool that are looked at. */
const LONGEST_CALL = 24
const isPort = (word: string): boolean => /^\d{2,5}$/.test(word)
/** Words after which flags take a value that is no host. */
const VALUE_FLAGS: ReadonlySet<string> = new Set([
  '-w',
  '-t',
  '-T',
  '-U',
  '-u',
  '-d',
  '-c',
  '-O',
  '-o',
  '-i',
  '-q',
  '-W',
  '-a',
  '--timeout',
  '-n',
])

/** `$VAR`, `${VAR}`, `${VAR:-default}` and Kubernetes' `$(VAR)`, as far as the container's own env tells them. */
const expanded = (script: string, env: ReadonlyMap<string, string>): string =>
  script.replace(
    /\$(?:\{(\w+)(?::?-([^}]*))?\}|\((\w+)\)|(\w+))/g,
    (written, braced, fallback, kubernetes, plain) => env.get(braced ?? kubernetes ?? plain) ?? fallback ?? written,
  )

const wordedAddress = (words: readonly string[]): Address | null => {
  let host: string | null = null
  let port: number | null = null
  for (let index = 1; index < words.length; index++) {
    const word = words[index] ?? ''
    const next = words[index + 1] ?? ''
    const [flag = '', value] = word.split('=')
    if (HOST_FLAGS.has(flag) && isHost(value ?? next)) {
      host = value ?? next
      if (value === undefined) index++
    } else if (PORT_FLAGS.has(flag) && isPort(value ?? next)) {
      port = Number(value ?? next)
      if (value === undefined) index++
    } else if (word.startsWith('-')) {
      if (VALUE_FLAGS.has(word)) index++
    } else if (host === null && isHost(word) && !isPort(word) && word !== 'hosts' && word !== 'ping') host = word
    else if (host !== null && port === null && isPort(word)) port = Number(word)
    else if (host !== null) break
  }
  return host === null ? null : { host, port }
}

interface Found {
  readonly address: Address
  readonly tool: string | null
}

const inScript = (script: string): Found | null => {
  const tcp = /\/dev\/tcp\/([A-Za-z0-9_.-]+)\/(\d{2,5})/.exec(script)
  if (tcp?.[1]) return { address: { host: tcp[1], port: Number(tcp[2]) }, tool: 'bash' }
  for (const line of script.split(/[\n;]|&&|\|\|/)) {
    const words = line.match(WORD) ?? []
    for (const [index, word] of words.entries()) {
      const tool = word.split('/').at(-1) ?? ''
      const rest = words.slice(index, index + LONGEST_CALL)
      const address = WORDED_TOOLS.has(tool)
        ? wordedAddress(rest)
        : URL_TOOLS.has(tool)
          ? addressIn(rest.slice(1).join(' '))
          : null
      if (address) return { address, tool }
    }
  }
  const named = addressIn(
    script.match(/\b(?:https?|tcp|postgres(?:ql)?|redis|amqp|mysql|mongodb):\/\/[^\s'"]+/)?.[0] ?? '',
  )
  const called =
    /\b(?:create_connection|connect|Socket|TCPSocket\.new|net\.Dial)\(+\s*['"]?(?:tcp['"], ?['"])?([A-Za-z0-9_.-]+)['"]?(?:, ?|:)(\d{2,5})/.exec(
      script,
    )
  const found = named ?? (called?.[1] ? { host: called[1], port: Number(called[2]) } : null)
  return found ? { address: found, tool: null } : null
}

/** A loop without a counter, a deadline or a `timeout` of its own never ends by itself. */
const loopsForever = (script: string): boolean =>
  /\b(?:until|while)\b/.test(script) &&
  !/\b(?:timeout\s+-?\w|seq\b|-gt\b|-ge\b|-lt\b|-le\b|SECONDS|deadline|attempts?|retries|max_|for\s+\w+\s+in)/i.test(
    script,
  )

/** What a container's command, its arguments, its environment or its log say that it waits for. */
export const waitTarget = (container: Container, lines: readonly LogLine[]): WaitTarget | null => {
  const { spec, specPath } = container
  const env = new Map(
    (spec.env ?? []).flatMap(({ name, value }) => (name && value !== undefined ? [[name, value] as const] : [])),
  )
  const words = [...(spec.command ?? []), ...(spec.args ?? [])]
  const script = expanded(words.join(' '), env)
  const isUnbounded = loopsForever(script)
  const found = inScript(script)
  if (found) return { ...found, source: `${specPath}.${spec.args?.length ? 'args' : 'command'}`, isUnbounded }
  for (const line of lines.slice(-50).toReversed()) {
    const address = addressIn(line.text) ?? hostPorts(line.text)[0]
    if (address) return { address, tool: null, source: `log of ${container.name}`, isUnbounded }
  }
  for (const [index, { name = '', value = '' }] of (spec.env ?? []).entries()) {
    if (!/(?:HOST|ADDR|ADDRESS|URL|URI|SERVER|ENDPOINT|SERVICE|TARGET|WAIT)/i.test(name)) continue
    const address = addressIn(value) ?? (/^[a-z0-9.-]+$/.test(value) ? { host: value, port: null } : null)
    if (address) return { address, tool: null, source: `${specPath}.env[${index}]`, isUnbounded }
  }
  return null
}
