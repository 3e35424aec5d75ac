/** How a client is given a password: in the argument after `option`, or behind `attached` in one argument. */
interface Client {
  readonly program: RegExp
  readonly option?: RegExp
  readonly attached?: RegExp
  /** True where the argument is `user:password`. */
  readonly afterUser?: true
  /** How many arguments back the program may stand, where another command follows on the same line. */
  readonly within?: number
}

const CLIENTS: readonly Client[] = [
  { program: /^(?:redis|valkey|keydb)-cli$/, option: /^(?:-a|--pass)$/, attached: /^--pass=/ },
  {
    program: /^curl$/,
    option: /^(?:-[a-zA-Z]{0,8}[uU]|--user|--proxy-user)$/,
    attached: /^(?:-[uU]|--(?:proxy-)?user=)/,
    afterUser: true,
  },
  { program: /^wget$/, option: /^(?:-u|--user)$/, attached: /^--user=/, afterUser: true },
  { program: /^https?$/, option: /^(?:-a|--auth)$/, attached: /^--auth=/, afterUser: true },
  { program: /^(?:mysql(?:dump|admin|show|import|check|binlog|sh)?|mariadb(?:-[a-z]{1,16})?)$/, attached: /^-p/ },
  { program: /^sshpass$/, option: /^-p$/, attached: /^-p/, within: 3 },
  {
    program: /^mongo(?:sh|dump|restore|export|import|stat|top|files)?$/,
    option: /^-p$/,
    attached: /^-p/,
  },
  {
    program: /^ldap(?:search|add|modify|whoami|delete|passwd|compare|modrdn)$/,
    option: /^-w$/,
    attached: /^-w/,
  },
  { program: /^rabbitmqadmin$/, option: /^-p$/, attached: /^-p/ },
]
/** How many arguments back the program is looked for. */
const FURTHEST = 64
const PORTS = /^\d{1,5}:\d{1,5}$/

const startFor = (client: Client, before: string, argument: string): number | null => {
  const attached = client.attached?.exec(argument)?.[0].length ?? 0
  const isAfterOption = client.option?.test(before) === true && !argument.startsWith('-')
  if (!isAfterOption && (attached === 0 || attached === argument.length)) return null
  const start = isAfterOption ? 0 : attached
  if (client.afterUser !== true) return PORTS.test(argument.slice(start)) ? null : start
  const colon = argument.indexOf(':', start)
  return colon === -1 || colon === argument.length - 1 ? null : colon + 1
}

/**
 * Where a password starts in an argument that follows `words` on a command line, known by the program among them:
 * `redis-cli -a …`, `mysql -p…`, `curl -u user:…`; null where there is none.
 */
export const passwordStart = (words: readonly string[], argument: string): number | null => {
  const before = words.at(-1) ?? ''
  for (const client of CLIENTS) {
    const start = startFor(client, before, argument)
    if (start === null) continue
    const isClient = (word: string): boolean => client.program.test(word.slice(word.lastIndexOf('/') + 1))
    if (words.slice(-(client.within ?? FURTHEST)).some(isClient)) return start
  }
  return null
}
