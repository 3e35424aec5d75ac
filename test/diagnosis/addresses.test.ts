import { describe, expect, test } from 'vitest'
import { addressIn, hostPorts, placeOf } from '../../src/diagnosis/addresses.ts'

describe('the address a message is about', () => {
  test.each<[string, string, number | null]>([
    ['Error: getaddrinfo ENOTFOUND search-elastic', 'search-elastic', null],
    ['Error: getaddrinfo EAI_AGAIN billing.pay', 'billing.pay', null],
    ['dial tcp: lookup ledger-db on 10.96.0.10:53: no such host', 'ledger-db', null],
    ['connecting to ledger-db:5432: dial tcp: lookup ledger-db on 10.96.0.10:53: no such host', 'ledger-db', 5432],
    ['psql: error: could not translate host name "stock-db" to address: Name or service not known', 'stock-db', null],
    ['[emerg] 1#1: host not found in upstream "orders-backend:8080" in /conf/nginx.conf:12', 'orders-backend', 8080],
    [
      'host not found in resolver "kube-dns.kube-system.svc.cluster.local" in /etc/nginx/nginx.conf:25',
      'kube-dns.kube-system.svc.cluster.local',
      null,
    ],
    ['java.net.UnknownHostException: inventory-db: Name or service not known', 'inventory-db', null],
    ["ERROR 2005 (HY000): Unknown MySQL server host 'wiki-mysql' (-2)", 'wiki-mysql', null],
    ['php_network_getaddresses: getaddrinfo for cache-redis failed: Name or service not known', 'cache-redis', null],
    ['nc: getaddrinfo for host "broker" port 5672: Name or service not known', 'broker', 5672],
    ['curl: (6) Could not resolve host: config-server.platform', 'config-server.platform', null],
    ["nc: bad address 'orders-postgres'", 'orders-postgres', null],
    ["NameResolutionError: Failed to resolve 'pricing' ([Errno -2] Name or service not known)", 'pricing', null],
    [
      "Couldn't resolve server kafka-bootstrap:9092 from bootstrap.servers as DNS resolution failed",
      'kafka-bootstrap',
      9092,
    ],
    [
      'redis.exceptions.ConnectionError: Error -2 connecting to session-redis:6379. Name or service not known.',
      'session-redis',
      6379,
    ],
    ['connection to server at "accounts-db" (10.96.0.111), port 5432 failed: Connection refused', 'accounts-db', 5432],
    ["Can't connect to MySQL server on 'shop-mysql:3306' (111)", 'shop-mysql', 3306],
    ["Can't reach database server at `crm-db`:`5432`", 'crm-db', 5432],
    ["Can't reach database server at `crm-db:5432`", 'crm-db', 5432],
    ['Error: connect ECONNREFUSED 10.96.14.7:5672', '10.96.14.7', 5672],
    ['dial tcp 10.96.3.12:3306: connect: connection refused', '10.96.3.12', 3306],
    ['Connection to ledger-db:5432 refused. Check that the hostname and port are correct', 'ledger-db', 5432],
    ['connect(2) for "search" port 9200', 'search', 9200],
    ["HTTPConnectionPool(host='catalog', port=8080): Max retries exceeded with url: /v1", 'catalog', 8080],
    ['Connection refused: tokens-redis/10.96.200.4:6379', 'tokens-redis', 6379],
    ['ServerSelectionTimeoutError: docs-mongo:27017: [Errno 111] Connection refused', 'docs-mongo', 27017],
    ['cannot reach amqp://app:[redacted]@jobs-rabbit/vhost', 'jobs-rabbit', 5672],
    ['Get "http://vault.vault.svc:8200/v1/sys/health": context deadline exceeded', 'vault.vault.svc', 8200],
    ['jdbc:postgresql://ledger-db.pay:5433/ledger is not reachable', 'ledger-db.pay', 5433],
    ['Connection to node -1 (events-kafka/10.96.7.7:9092) could not be established.', 'events-kafka', 9092],
    ['read tcp 10.244.0.9:50122->10.96.0.20:5432: read: connection reset by peer', '10.96.0.20', 5432],
    ['failed to connect to `host=trades-db user=trades database=trades`: dial error', 'trades-db', null],
  ])('%s', (text, host, port) => {
    expect(addressIn(text)).toEqual({ host, port })
  })

  test.each(['at main.go:24 +0x152', 'server.js:120', 'exit code:137', '12:30:45 nothing', 'started', ''])(
    'there is none in "%s"',
    text => {
      expect(addressIn(text)).toBeNull()
    },
  )

  test('all hosts with a port, in order', () => {
    expect(hostPorts('a-kafka:9092,b-kafka:9093 at 10:11:12')).toEqual([
      { host: 'a-kafka', port: 9092 },
      { host: 'b-kafka', port: 9093 },
    ])
  })
})

describe('what a host means to a pod of namespace shop', () => {
  test.each<[string, object]>([
    ['localhost', { kind: 'local' }],
    ['127.0.0.1', { kind: 'local' }],
    ['::1', { kind: 'local' }],
    ['10.96.0.10', { kind: 'ip', ip: '10.96.0.10' }],
    ['orders-db', { kind: 'service', service: 'orders-db', namespace: 'shop' }],
    ['orders-db.pay', { kind: 'service', service: 'orders-db', namespace: 'pay' }],
    ['orders-db.pay.svc', { kind: 'service', service: 'orders-db', namespace: 'pay' }],
    ['orders-db.pay.svc.cluster.local', { kind: 'service', service: 'orders-db', namespace: 'pay' }],
    ['orders-db.pay.svc.prod.example.', { kind: 'service', service: 'orders-db', namespace: 'pay' }],
    ['orders-db-0.orders-db', { kind: 'service', service: 'orders-db', namespace: 'shop' }],
    ['orders-db-0.orders-db.pay.svc.cluster.local', { kind: 'service', service: 'orders-db', namespace: 'pay' }],
    ['db.example.com', { kind: 'external' }],
    ['example.com', { kind: 'external' }],
    ['shop.abc123.eu-central-1.rds.amazonaws.com', { kind: 'external' }],
  ])('%s', (host, place) => {
    expect(placeOf(host, 'shop')).toEqual(place)
  })
})
