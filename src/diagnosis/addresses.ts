/** A host as a log, a command or a setting names it, and the port where one is given. */
export interface Address {
  readonly host: string
  readonly port: number | null
}

/** What a host name means to a pod. */
export type Place =
  /** The pod itself: `localhost`, `127.0.0.1`, `::1`. */
  | { readonly kind: 'local' }
  /** A Service by its short name, `name.namespace` or its full name – whether or not it exists. */
  | { readonly kind: 'service'; readonly service: string; readonly namespace: string }
  /** A bare address: a Service's clusterIP, a pod's IP or something outside. */
  | { readonly kind: 'ip'; readonly ip: string }
  /** A name outside the cluster. */
  | { readonly kind: 'external' }

const HOST = '(?<host>[A-Za-z0-9_][A-Za-z0-9_.-]{0,252})'
const PORT = '(?<port>\\d{2,5})'

/** A pattern in which `<HOST>` and `<PORT>` stand for what is read. */
const naming = ({ source, flags }: RegExp): RegExp =>
  new RegExp(source.replaceAll('<HOST>', HOST).replaceAll('<PORT>', PORT), flags)

/** How clients name the host they could not resolve or reach; the first that fits is the one the message is about. */
const NAMED: readonly RegExp[] = [
  // Resolution
  /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) <HOST>(?::<PORT>)?/,
  /\blookup <HOST>(?: on [^\s]{1,64})?:/,
  /could not translate host name "<HOST>"/,
  /host not found in (?:upstream|resolver) "<HOST>(?::<PORT>)?/,
  /Unknown MySQL server host '<HOST>'/,
  /[Uu]nknown ?[Hh]ost(?:Exception)?(?: name)?[: ]{1,3}['"]?<HOST>/,
  /php_network_getaddresses: getaddrinfo for <HOST>/,
  /getaddrinfo for (?:host )?"?<HOST>"? port "?<PORT>/,
  /[Cc]ould(?:n't| not) resolve (?:host|hostname|server|proxy|address)[: ]{1,2}['"]?<HOST>(?::<PORT>)?/,
  /(?:bad address|unable to resolve host(?: address)?|[Ff]ailed to resolve|[Nn]o such host is known\.?|failed to lookup address information for) ?[('"“‘]{0,2}<HOST>(?::<PORT>)?/,
  /DNS resolution failed for <HOST>/,
  /can't find <HOST>: ?(?:NXDOMAIN|SERVFAIL|No answer)/,
  /Name or service not known \(<HOST>:<PORT>\)/,
  // Connection
  /connection to server at "<HOST>"(?: \([^)]{1,64}\))?, port <PORT>/,
  /could not connect to server: [\w ]{1,60}\n?[^\n]{0,40}host "<HOST>"/,
  /running on host "<HOST>"(?: \([^)]{1,64}\))?/,
  /MySQL server on '<HOST>(?::<PORT>)?'/,
  /database server at [`'"]<HOST>(?:[`'"]?:[`'"]?<PORT>)?/,
  /Connection to <HOST>:<PORT> (?:refused|failed|timed out)/,
  /connect\(2\) for "<HOST>" port <PORT>/,
  /host='<HOST>', port=<PORT>/,
  /\bconnect E[A-Z]{6,12} <HOST>:<PORT>/,
  /[Nn]ode (?:-?\d{1,10} )?\(?<HOST>(?:\/[\d.]{7,15})?:<PORT>\)? (?:could not be established|disconnected)/,
  /(?:hostname|host|server)[=:]\s?["'`]?<HOST>["'`]?(?:[ ;,&]{1,2}port[=:]\s?["'`]?<PORT>)?/,
  /\d->\[?<HOST>\]?:<PORT>/,
  /dial (?:tcp|udp)[46]? \[?<HOST>\]?:<PORT>/,
].map(naming)

const URL_HOST =
  /\b(?<scheme>[a-z][a-z0-9+.-]{1,20}):\/\/(?:[^\s/@"'<>]{0,200}@)?\(?(?<host>\[[0-9a-fA-F:]{2,45}\]|[A-Za-z0-9_][A-Za-z0-9_.-]{0,252})(?::(?<port>\d{1,5}))?/
const HOST_AND_PORT = naming(/(?<![\w.@-])<HOST>(?:\/\d[\d.]{6,14})?:<PORT>(?![:.]?\d|\w)/g)

const PORT_OF_SCHEME: Readonly<Record<string, number>> = {
  postgres: 5432,
  postgresql: 5432,
  mysql: 3306,
  mariadb: 3306,
  redis: 6379,
  amqp: 5672,
  amqps: 5671,
  mongodb: 27017,
  nats: 4222,
  sqlserver: 1433,
  ldap: 389,
  ldaps: 636,
  http: 80,
  https: 443,
  memcached: 11211,
}

/** `main.go:24`, `line:12`: what looks like host and port and is none. */
const NO_HOST =
  /\.(?:go|py|rb|js|mjs|cjs|ts|tsx|java|kt|scala|php|rs|cs|c|cc|cpp|h|ex|exs|erl|sh|sql|ya?ml|json|conf|toml|xml|ini|html)$|^(?:line|port|code|pid|errno|status|error|exit|uid|gid|level|version|at|id|row|col|column|[0-9]+|v?[0-9.]{1,6})$/i

const portOf = (text: string | undefined): number | null => {
  const port = Number(text)
  return text === undefined || port < 1 || port > 65_535 ? null : port
}

const addressOf = (groups: Record<string, string | undefined> | undefined): Address | null => {
  const host = groups?.['host']?.replace(/[.,;:]+$/, '').replace(/^\[|\]$/g, '')
  if (host === undefined || host === '' || NO_HOST.test(host)) return null
  return { host: host.toLowerCase(), port: portOf(groups?.['port']) }
}

const inUrl = (text: string): Address | null => {
  const { groups } = URL_HOST.exec(text) ?? {}
  const address = addressOf(groups)
  if (!address) return null
  const scheme = (groups?.['scheme'] ?? '').replace(/^jdbc:/, '').replace(/\+.*$/, '')
  return { host: address.host, port: address.port ?? PORT_OF_SCHEME[scheme] ?? null }
}

/** Every `host:port` of a text, in its order; source positions and times are none. */
export const hostPorts = (text: string): readonly Address[] =>
  [...text.matchAll(HOST_AND_PORT)].flatMap(({ groups }) => {
    const address = addressOf(groups)
    return address && (address.port ?? 0) >= 22 && /[a-z.]/i.test(address.host) ? [address] : []
  })

/** The address a message is about: `getaddrinfo ENOTFOUND x`, `lookup x: no such host`, a URL, `x:5432` …; null: none. */
export const addressIn = (text: string): Address | null => {
  for (const pattern of NAMED) {
    const address = addressOf(pattern.exec(text)?.groups)
    if (address) return address.port === null ? { ...address, port: portBeside(text, address.host) } : address
  }
  return inUrl(text) ?? hostPorts(text)[0] ?? null
}

/** The port that the same text names for a host: `lookup db …` after `connecting to db:5432`. */
const portBeside = (text: string, host: string): number | null =>
  hostPorts(text).find(address => address.host === host)?.port ??
  portOf(/\bport[ :='"\\`]{1,3}(\d{2,5})\b/i.exec(text)?.[1])

/** Ends that are no namespace of a cluster: a two-part name with one of them is a name of the internet. */
const PUBLIC_END = /\.(?:com|net|org|io|dev|app|cloud|ai|co|eu|de|uk|us|fr|nl|local|lan|corp|home|info|biz|edu|gov)$/

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** What a host means to a pod of the namespace: the resolver's search list is namespace, `svc`, cluster domain. */
export const placeOf = (host: string, namespace: string): Place => {
  const name = host.toLowerCase().replace(/\.$/, '')
  if (name === 'localhost' || name === '::1' || name === '0.0.0.0' || /^127\.[\d.]+$/.test(name))
    return { kind: 'local' }
  if (IPV4.test(name) || name.includes(':')) return { kind: 'ip', ip: name }
  const labels = name.replace(/\.svc(?:\.cluster\.local|\.[a-z0-9-]+\.[a-z0-9-]+)?$/, '').split('.')
  const [first = '', second] = labels
  if (name.includes('.svc.') || name.endsWith('.svc')) {
    // `db-0.db.shop.svc`: one pod of a headless Service.
    const [service = first, itsNamespace] = labels.length > 2 ? labels.slice(-2) : labels
    return { kind: 'service', service, namespace: itsNamespace ?? namespace }
  }
  if (labels.length === 1) return { kind: 'service', service: first, namespace }
  if (labels.length > 2 || second === undefined || PUBLIC_END.test(name)) return { kind: 'external' }
  // `db-0.db` is a pod of the headless Service `db`; `db.shop` is Service `db` of namespace `shop`.
  return /-\d+$/.test(first)
    ? { kind: 'service', service: second, namespace }
    : { kind: 'service', service: first, namespace: second }
}
