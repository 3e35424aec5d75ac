import { type Address, addressIn, placeOf } from '../addresses.ts'
import type { Match } from '../decisive-entry.ts'
import { specHome } from '../owner.ts'
import { code, fact } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { type AppFamily, around, logDraft, said, type Telling } from './app-log-draft.ts'
import { isResolution, reach } from './app-reach.ts'

/** The address: of the line, of the lines just around it, of a variable named like one. */
const wanted = (subject: Subject, match: Match): Address | null => {
  const own = addressIn(match.entry.text)
  const isBare = own !== null && placeOf(own.host, subject.view.namespace).kind === 'ip'
  if (own && !isBare) return own
  const nearby = [...around(subject, match, 8, 0).toReversed(), ...around(subject, match, 0, 14)]
    .map(addressIn)
    .find(address => address !== null && placeOf(address.host, subject.view.namespace).kind === 'service')
  // Only a name that the lines tell together with the same port may stand for a bare IP.
  if (own && (!nearby || (nearby.port !== null && own.port !== null && nearby.port !== own.port))) return own
  return nearby ?? own
}

const unreachable: AppFamily = {
  id: 'app.dependency-unreachable',
  hint: /refus|ENOTFOUND|EAI_AGAIN|ECONN|ETIMED|EHOST|ENET|timed? ?out|unreachable|no route|not known|resol|translate|host|connect|reach|nxdomain|broker|server|Unavailable|starting up|deadline|quorum|lookup|bad address|closed|getaddrinfo|node|timeout|ORA-|contact point|unavailable|answer|link failure|no response/i,
  rows: [
    { pattern: /getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|\bENOTFOUND\b|\bEAI_AGAIN\b/, weight: 13 },
    {
      pattern:
        /[Ff]ail(?:ed)? to connect (?:to )?(?:the )?(?:server|cluster|broker|registry)\b|\bnot connected, (?:the )?(?:address|server|host)/,
      weight: 11,
    },
    // Go: whatever follows, the name did not resolve.
    { pattern: /dial (?:tcp|udp)[46]?: lookup (?!\S{1,253}: no such host)\S{1,253}/, weight: 13 },
    {
      pattern:
        /no such host|[Nn]ame or service not known|could not translate host name|nodename nor servname|[Tt]emporary failure in name resolution|No address associated with hostname|[Ff]ailed to resolve|failed to lookup address information|Name does not resolve|No such host is known|Host is unresolved|hostname nor servname/,
      weight: 13,
    },
    // libpq; what the server itself answers begins with FATAL.
    { pattern: /connection to server at "[^"]{1,253}"[^\n]{0,80} failed: (?!FATAL|[^\n]{0,20}refused)/, weight: 12 },
    { pattern: /host not found in upstream|No resolvable bootstrap urls/, weight: 15 },
    {
      pattern:
        /UnknownHostException|Unknown (?:MySQL server )?host|[Cc]ould(?:n't| not) resolve (?:host|server)|DNS resolution failed|\bnxdomain\b|bad address '|getaddrinfo for \S{1,253} failed/i,
      weight: 13,
    },
    {
      pattern:
        /connection refused|Connection to \S{1,253} refused|ECONNREFUSED|actively refused|\bconnect\(\): .{0,20}refused|econnrefused/i,
      weight: 11,
    },
    {
      pattern:
        /SQLSTATE\[HY000\] \[2002\]|SQLSTATE\[08006\]|Can't connect to (?:local )?(?:MySQL|MariaDB|server)|Communications link failure|[Cc]ould not connect to server|Can't reach database server|P1001\b|CannotGetJdbcConnectionException|The TCP\/IP connection to the host|[Ee]rror establishing a database connection|contact with the database server/,
      weight: 11,
    },
    {
      pattern:
        /MongoServerSelectionError|ServerSelectionTimeoutError|No suitable servers found|MongoNetworkError|MongoTimeoutException|server selection (?:error|timeout)/,
      weight: 11,
    },
    {
      pattern:
        /NoBrokersAvailable|Connection to node -?\d+ [^\n]{0,120}could not be established|run out of available brokers|Broker may not be available|KafkaJS(?:Connection|NumberOfRetriesExceeded)\w*|Timed out waiting for a node assignment|Failed to update metadata after|Timeout expired while fetching topic metadata|all brokers down|BrokerTransportFailure/i,
      weight: 11,
    },
    {
      pattern:
        /BrokerUnreachableException|None of the specified endpoints were reachable|AMQPConnectionError|AmqpConnectException/,
      weight: 11,
    },
    {
      pattern:
        /RedisConnectionException|Unable to connect to Redis|RedisConnectionFailureException|MaxRetriesPerRequestError|It was not possible to connect to the redis server|Error connecting to redis|Redis is unavailable/i,
      weight: 11,
    },
    {
      pattern:
        /NoLivingConnectionsError|no Elasticsearch node available|NoNodeAvailableException|None of the configured nodes (?:are|were) available|No alive nodes found|No Living connections/i,
      weight: 11,
    },
    {
      pattern:
        /Can't contact LDAP server|All connection attempts failed|nats: no servers available|ConnectionLoss|Timed out waiting for connection while in state: CONNECTING|no (?:leader|reachable servers)\b|transport: [Ee]rror while dialing|code = Unavailable|failed to connect to all addresses/,
      weight: 11,
    },
    {
      pattern:
        /the database system is (?:starting up|shutting down|not (?:yet )?accepting connections)|not yet accepting connections/,
      weight: 12,
    },
    { pattern: /no route to host|EHOSTUNREACH|network is unreachable|ENETUNREACH/i, weight: 11 },
    {
      pattern:
        /\bETIMEDOUT\b|connect(?:ion)? (?:attempt )?timed out|dial (?:tcp|udp)[^\n]{0,80}i\/o timeout|ConnectTimeoutError|SocketTimeoutException|Connection timeout|timeout(?: expired)? (?:while |when )?(?:connecting|waiting for connection)|Failed to connect to \S{1,253} port \d+/i,
      weight: 10,
    },
    {
      pattern:
        /timeout occurred after waiting|(?:timed out|timeout)(?: after [\w. ]{1,20})? waiting for [\w.-]{2,80}(?::\d+| to (?:be|become) (?:ready|available|reachable))|gave up waiting for/i,
      weight: 10,
    },
    {
      pattern:
        /[Cc]ould not resolve|no answer from|refused the connection|any known server|TNS:no listener|ORA-125\d\d|Login timeout expired|contact point|database (?:is )?unavailable/,
      weight: 10,
    },
    {
      pattern: /^(?:[\w.]{1,80}\.)?(?:timeout|TimeoutError|Timeout)(?::|$)|\btimed out\b/,
      weight: 5,
      isCertain: false,
    },
    {
      pattern: /failed: timeout expired|(?:is |are )?(?:not reachable|unreachable)\b|- no response/i,
      weight: 9,
      isCertain: false,
    },
    {
      pattern:
        /(?:cannot|can't|could not|couldn't|unable to|failed to|not able to) (?:connect|reach|open (?:a )?(?:TCP )?connection|establish (?:a )?connection|contact)\b/i,
      weight: 8,
      isCertain: false,
    },
    {
      pattern:
        /Connection is not available, request timed out|Failed to obtain JDBC Connection|Unable to (?:obtain|acquire) (?:a )?(?:JDBC )?[Cc]onnection/,
      weight: 7,
      isCertain: false,
    },
    {
      pattern:
        /ECONNRESET|connection reset by peer|server closed the connection unexpectedly|closed by peer|socket hang up|broken pipe/i,
      weight: 5,
      isCertain: false,
    },
    {
      pattern: /context deadline exceeded|DeadlineExceeded|\b503 Service Unavailable|upstream connect error/i,
      weight: 4,
      isCertain: false,
    },
  ],
  tell: (subject, match) => {
    // A refusal of the pod's own probe or listener is none of a dependency.
    if (/\b(?:Readiness|Liveness|Startup) probe\b/.test(match.entry.text)) return null
    const address = wanted(subject, match)
    if (!address && match.row.isCertain === false) return null
    const telling: Telling = address
      ? reach(subject, match, address)
      : {
          because: `it cannot reach something that it needs${isResolution(match) ? ': a host name does not resolve' : ''}; its log does not say which. Its log says ${said(match)}.`,
          confidence: 'likely',
          fix: [
            `Check the addresses that ${specHome(subject.view)} gives ${code(subject.name)}, and that what stands behind them is ready.`,
          ],
        }
    const isUpstream = /host not found in upstream/.test(match.entry.text)
    return logDraft(subject, match, {
      ...telling,
      ...(isUpstream
        ? {
            evidence: [
              ...(telling.evidence ?? []),
              fact('nginx', 'resolves the hosts of an upstream once, at its start, and ends if one is missing'),
            ],
          }
        : {}),
      avoid: subject.isInit ? ['Removing the step: the app would start without what it needs.'] : [],
    })
  },
}

export const dependency: readonly AppFamily[] = [unreachable]
