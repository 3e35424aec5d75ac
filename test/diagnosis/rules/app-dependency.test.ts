import { describe, expect, test } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import { aContainer, aPod, aSnapshot, crashLoop, current } from '../builders.ts'
import { crashed, log } from './crashed-app.ts'

const aService = (name: string, port: number, namespace = 'shop') => ({
  metadata: { name, namespace },
  spec: { clusterIP: '10.96.5.5', selector: { app: name }, ports: [{ port }] },
})
const aSlice = (name: string, ready: boolean) => ({
  metadata: { name: `${name}-x1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
  endpoints: [{ addresses: ['10.244.0.9'], conditions: { ready } }],
})

describe('a dependency that cannot be reached', () => {
  test.each<[string, string, string]>([
    [
      'Node name',
      'stock-redis',
      log(`
      node:internal/process/promises:394
            triggerUncaughtException(err, true /* fromPromise */);
            ^

      Error: getaddrinfo ENOTFOUND stock-redis
          at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26) {
        errno: -3008,
        code: 'ENOTFOUND',
        syscall: 'getaddrinfo',
        hostname: 'stock-redis'
      }`),
    ],
    [
      'Node refused',
      '10.96.9.9',
      'Error: connect ECONNREFUSED 10.96.9.9:5432\n    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)',
    ],
    [
      'Node cause',
      'prices.shop',
      log(`
      TypeError: fetch failed
          at node:internal/deps/undici/undici:13510:13 {
        [cause]: Error: getaddrinfo EAI_AGAIN prices.shop
            at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26) {
          code: 'EAI_AGAIN'
        }
      }`),
    ],
    [
      'psycopg',
      'ledger-db',
      'psycopg2.OperationalError: could not translate host name "ledger-db" to address: Name or service not known',
    ],
    [
      'psycopg refused',
      'ledger-db',
      log(`
      Traceback (most recent call last):
        File "/app/db.py", line 9, in connect
          return psycopg.connect(url)
      psycopg.OperationalError: connection failed: connection to server at "ledger-db" (10.96.3.3), port 5432 failed: Connection refused
      \tIs the server running on that host and accepting TCP/IP connections?`),
    ],
    [
      'SQLAlchemy chain',
      'ledger-db',
      log(`
      Traceback (most recent call last):
        File "/usr/lib/python3/site-packages/sqlalchemy/engine/base.py", line 145, in __init__
          self._dbapi_connection = engine.raw_connection()
      psycopg2.OperationalError: could not translate host name "ledger-db" to address: Temporary failure in name resolution

      The above exception was the direct cause of the following exception:

      Traceback (most recent call last):
        File "/app/main.py", line 5, in <module>
          migrate()
      sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) could not translate host name "ledger-db" to address: Temporary failure in name resolution
      (Background on this error at: https://sqlalche.me/e/20/e3q8)`),
    ],
    [
      'redis-py',
      'carts-redis',
      'redis.exceptions.ConnectionError: Error -2 connecting to carts-redis:6379. Name or service not known.',
    ],
    [
      'requests',
      'catalog',
      "requests.exceptions.ConnectionError: HTTPConnectionPool(host='catalog', port=8080): Max retries exceeded with url: /v1/items (Caused by NewConnectionError('<urllib3.connection.HTTPConnection object at 0x7f>: Failed to establish a new connection: [Errno 111] Connection refused'))",
    ],
    [
      'pymongo',
      'docs-mongo',
      'pymongo.errors.ServerSelectionTimeoutError: docs-mongo:27017: [Errno -3] Temporary failure in name resolution (configured timeouts: socketTimeoutMS: 20000.0ms, connectTimeoutMS: 20000.0ms), Timeout: 30s',
    ],
    ['kafka-python', 'cannot reach', 'kafka.errors.NoBrokersAvailable: NoBrokersAvailable'],
    [
      'celery',
      'jobs-rabbit',
      '[2026-05-04 11:59:00,100: ERROR/MainProcess] consumer: Cannot connect to amqp://app:**@jobs-rabbit:5672//: [Errno 111] Connection refused.',
    ],
    [
      'Go lookup',
      'ledger-db',
      '2026/05/04 11:59:00 ping database: dial tcp: lookup ledger-db on 10.96.0.10:53: no such host',
    ],
    [
      'Go refused',
      '10.96.3.3:5432',
      '{"level":"fatal","ts":1777895940.1,"caller":"cmd/main.go:40","msg":"connect to database","error":"dial tcp 10.96.3.3:5432: connect: connection refused"}',
    ],
    [
      'Go panic',
      '10.96.3.3',
      log(`
      panic: failed to connect to \`user=app database=app\`: 10.96.3.3:5432 (ledger-db): dial error: dial tcp 10.96.3.3:5432: connect: connection refused

      goroutine 1 [running]:
      main.main()
      \t/src/main.go:22 +0x1d`),
    ],
    [
      'Go timeout',
      'tokens.pay',
      '2026/05/04 11:59:00 Get "http://tokens.pay:8080/keys": dial tcp 10.96.8.8:8080: i/o timeout',
    ],
    [
      'Spring',
      'ledger-db',
      log(`
      2026-05-04 11:59:01.100  WARN 1 --- [main] o.h.e.j.e.i.JdbcEnvironmentInitiator : HHH000342: Could not obtain connection to query metadata
      2026-05-04 11:59:02.100 ERROR 1 --- [main] o.s.boot.SpringApplication : Application run failed
      org.springframework.beans.factory.BeanCreationException: Error creating bean with name 'entityManagerFactory'
      \tat org.springframework.beans.factory.support.AbstractAutowireCapableBeanFactory.initializeBean(AbstractAutowireCapableBeanFactory.java:1786)
      Caused by: org.postgresql.util.PSQLException: Connection to ledger-db:5432 refused. Check that the hostname and port are correct and that the postmaster is accepting TCP/IP connections.
      \tat org.postgresql.core.v3.ConnectionFactoryImpl.openConnectionImpl(ConnectionFactoryImpl.java:342)
      Caused by: java.net.ConnectException: Connection refused
      \t... 40 more`),
    ],
    [
      'Java unknown host',
      'wiki-mysql',
      'Caused by: java.net.UnknownHostException: wiki-mysql: Name or service not known',
    ],
    [
      'Flyway',
      'wiki-mysql',
      log(`
      ERROR: Unable to obtain connection from database (jdbc:mysql://wiki-mysql:3306/wiki) for user 'wiki': Communications link failure
      -----------------------------------------------------------
      SQL State  : 08S01
      Error Code : 0`),
    ],
    [
      'Kafka client',
      'events-kafka',
      log(`
      [main] WARN org.apache.kafka.clients.ClientUtils - Couldn't resolve server events-kafka:9092 from bootstrap.servers as DNS resolution failed for events-kafka
      Exception in thread "main" org.apache.kafka.common.KafkaException: Failed to construct kafka consumer
      Caused by: org.apache.kafka.common.config.ConfigException: No resolvable bootstrap urls given in bootstrap.servers`),
    ],
    [
      'Ruby',
      'search',
      'Failed to open TCP connection to search:9200 (Connection refused - connect(2) for "search" port 9200) (Faraday::ConnectionFailed)',
    ],
    ['Rails', 'shop-mysql', "Mysql2::Error::ConnectionError: Unknown MySQL server host 'shop-mysql' (-2)"],
    [
      '.NET',
      'orders-sql',
      'Unhandled exception. Npgsql.NpgsqlException (0x80004005): Failed to connect to orders-sql:5432\n ---> System.Net.Sockets.SocketException (111): Connection refused',
    ],
    [
      '.NET rabbit',
      'cannot reach',
      'Unhandled exception. RabbitMQ.Client.Exceptions.BrokerUnreachableException: None of the specified endpoints were reachable',
    ],
    [
      'PHP',
      'cache',
      'PHP Fatal error:  Uncaught RedisException: php_network_getaddresses: getaddrinfo for cache failed: Name or service not known in /app/bootstrap.php:12',
    ],
    ['PDO', 'cannot reach', 'PDOException: SQLSTATE[HY000] [2002] Connection refused'],
    [
      'Rust',
      'cannot reach',
      'thread \'main\' panicked at src/main.rs:9:10:\ncould not connect: Os { code: 111, kind: ConnectionRefused, message: "Connection refused" }',
    ],
    [
      'Prisma',
      'crm-db',
      log(`
      Error: P1001: Can't reach database server at \`crm-db:5432\`

      Please make sure your database server is running at \`crm-db:5432\`.`),
    ],
    [
      'nginx',
      'reports-api',
      'nginx: [emerg] host not found in upstream "reports-api" in /etc/nginx/conf.d/default.conf:7',
    ],
    [
      'curl',
      'config.platform',
      'curl: (7) Failed to connect to config.platform port 8888 after 3 ms: Could not connect to server',
    ],
    ['wait-for-it', 'ledger-db', 'wait-for-it.sh: timeout occurred after waiting 30 seconds for ledger-db:5432'],
    ['starting up', 'starting up', 'FATAL:  the database system is starting up'],
    ['MySQL client', 'shop-mysql', "ERROR 2003 (HY000): Can't connect to MySQL server on 'shop-mysql:3306' (111)"],
    [
      'ZooKeeper',
      'cannot reach',
      'kafka.zookeeper.ZooKeeperClientTimeoutException: Timed out waiting for connection while in state: CONNECTING',
    ],
    [
      'pino',
      '10.96.1.1',
      '{"level":60,"time":1777895940100,"pid":1,"err":{"type":"Error","message":"connect ETIMEDOUT 10.96.1.1:6379","stack":"Error: connect ETIMEDOUT 10.96.1.1:6379\\n    at TCPConnectWrap"},"msg":"startup failed"}',
    ],
  ])('%s', (_what, mention, text) => {
    const { cause } = crashed({ log: text })
    expect(cause.id).toBe('app.dependency-unreachable')
    expect(cause.summary).toContain(mention)
  })

  test('says that no such Service exists and which name is near', () => {
    const { cause } = crashed({
      log: 'Error: getaddrinfo ENOTFOUND stock-redis\n',
      snapshot: { related: { services: [aService('redis-stock', 6379)], endpointSlices: [] } },
    })
    expect(cause.summary).toContain('there is no Service `stock-redis` in this namespace')
    expect(cause.fix[0]).toContain('`redis-stock`')
  })

  test('says that the Service has no ready endpoints', () => {
    const { cause } = crashed({
      log: 'dial tcp: connecting to ledger-db:5432: connection refused\n',
      snapshot: {
        related: { services: [aService('ledger-db', 5432)], endpointSlices: [aSlice('ledger-db', false)], pods: [] },
      },
    })
    expect(cause.summary).toContain('no ready pod behind it')
  })

  test('says that the Service offers another port', () => {
    const { cause } = crashed({
      log: 'Error connecting to ledger-db:5433: connection refused\n',
      snapshot: { related: { services: [aService('ledger-db', 5432)], endpointSlices: [aSlice('ledger-db', true)] } },
    })
    expect(cause.summary).toContain('offers port `5432`, not `5433`')
  })

  test('is only likely where the Service serves by now', () => {
    const { cause } = crashed({
      log: 'Error connecting to ledger-db:5432: connection refused\n',
      snapshot: { related: { services: [aService('ledger-db', 5432)], endpointSlices: [aSlice('ledger-db', true)] } },
    })
    expect(cause.confidence).toBe('likely')
    expect(cause.summary).toContain('1 ready endpoint now')
  })

  test('does not claim what could not be read', () => {
    const { cause } = crashed({ log: 'Error: getaddrinfo ENOTFOUND rates.pay\n', snapshot: { related: {} } })
    expect(cause.summary).not.toContain('no Service')
    expect(cause.summary).not.toContain('endpoint')
  })

  test('a refused neighbour in the pod is a symptom of the neighbour that crashes', () => {
    const pod = aPod({
      containers: [
        aContainer({ name: 'api', ready: false, ...crashLoop(1) }),
        aContainer({ name: 'cache', ready: false, ...crashLoop(1) }),
      ],
    })
    const { diagnosis } = diagnose(
      aSnapshot({
        pod,
        logs: {
          api: current('Error: connect ECONNREFUSED 127.0.0.1:6379\n'),
          cache: current(
            "*** FATAL CONFIG FILE ERROR (Redis 7.2.5) ***\n>>> 'maxmemry 1gb'\nBad directive or wrong number of arguments\n",
          ),
        },
      }),
    )
    expect(diagnosis.cause).toMatchObject({ id: 'app.bad-config', container: 'cache' })
    expect(diagnosis.others).toMatchObject([{ id: 'app.dependency-unreachable', container: 'api' }])
  })

  test('a refused localhost without a neighbour hints at a missing address', () => {
    const { cause } = crashed({ log: 'Error: connect ECONNREFUSED 127.0.0.1:5432\n' })
    expect(cause.id).toBe('app.dependency-unreachable')
    expect(cause.fix[0]).toContain('localhost')
  })
})
