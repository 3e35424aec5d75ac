import { expect, test } from 'vitest'
import { type Crash, crashed } from './crashed-app.ts'

const ON_VOLUMES = {
  spec: {
    volumeMounts: [
      { name: 'd', mountPath: '/data' },
      { name: 'u', mountPath: '/app/uploads' },
      { name: 'p', mountPath: '/var/lib/postgresql/data' },
    ],
  },
  pod: {
    securityContext: { runAsUser: 1000 },
    volumes: [
      { name: 'd', persistentVolumeClaim: { claimName: 'd' } },
      { name: 'u', emptyDir: {} },
      { name: 'p', hostPath: { path: '/srv/pg' } },
    ],
  },
}

/** Last lines of many programs, and the cause they prove; `app.crash` where they prove none. */
const logs: readonly (readonly [id: string, text: string, more?: Partial<Crash>])[] = [
  [
    'app.bad-config',
    'panic: required environment variable JWT_SIGNING_KEY not present\n\ngoroutine 1 [running]:\nmain.mustEnv(...)\n\t/src/main.go:12',
  ],
  [
    'app.bad-config',
    '2026-05-04T11:59:00Z INFO starting\n2026-05-04T11:59:00Z ERROR missing config: SMTP_HOST\n2026-05-04T11:59:00Z INFO shutting down',
  ],
  [
    'app.bad-config',
    'Traceback (most recent call last):\n  File "/app/app.py", line 3, in <module>\n    raise SystemExit("DATABASE_DSN is required")\nDATABASE_DSN is required',
  ],
  ['app.bad-config', 'DATABASE_DSN is required'],
  ['app.bad-config', 'config error: field "upstreams" must not be empty'],
  ['app.bad-config', 'error: invalid configuration: server.port: must be between 1 and 65535'],
  ['app.bad-config', '{"level":"fatal","msg":"invalid configuration","error":"storage.bucket: required"}'],
  [
    'app.bad-config',
    'level=fatal msg="unable to load configuration" err="While parsing config: yaml: line 12: could not find expected \':\'"',
  ],
  ['app.bad-config', 'Error: Config file not found: /etc/app/config.yaml'],
  [
    'app.bad-config',
    "java.lang.IllegalStateException: Required environment variable 'ORDERS_TOPIC' is not set\n\tat com.shop.Main.main(Main.java:10)",
  ],
  ['app.bad-config', '[FATAL] environment variable `SENTRY_DSN` must be set'],
  ['app.bad-config', 'Error: Cannot parse FEATURE_FLAGS as JSON: Unexpected token h in JSON at position 1'],
  ['app.bad-config', "ValueError: invalid literal for int() with base 10: 'eight'\n"],
  ['app.bad-config', "ConfigError: unknown log level 'verbse'"],
  ['app.bad-config', 'Failed to load config from /etc/envoy/envoy.yaml'],
  [
    'app.bad-config',
    'zookeeper | 2026-05-04 11:59:00,100 [myid:] - ERROR [main:QuorumPeerMain@99] - Invalid config, exiting abnormally',
  ],
  [
    'app.bad-config',
    'org.apache.kafka.common.config.ConfigException: Missing required configuration `zookeeper.connect` which has no default value.',
  ],
  [
    'app.bad-config',
    'java.lang.IllegalArgumentException: requirement failed: inter.broker.listener.name must be a listener name defined in advertised.listeners',
  ],
  [
    'app.bad-config',
    '[error] Failed to load advanced configuration file "/etc/rabbitmq/advanced.config": 3: syntax error before: ]',
  ],
  [
    'app.bad-config',
    "==> Error parsing /consul/config/server.json: invalid character '}' looking for beginning of object key string",
  ],
  ['app.bad-config', 'Error loading configuration from /vault/config/extraconfig-from-values.hcl: 3 errors occurred'],
  [
    'app.bad-config',
    '{"level":"fatal","ts":"2026-05-04T11:59:00Z","caller":"etcdmain/etcd.go:204","msg":"discovery failed","error":"couldn\'t find local name \\"etcd-0\\" in the initial cluster configuration"}',
  ],
  ['app.bad-config', "error verifying flags, '--initial-advertise-peer-urls' requires scheme. See 'etcd --help'."],
  ['app.bad-config', 'Error: 1 error occurred: invalid value for flag --log-level: "loud"'],
  [
    'app.bad-config',
    'Unable to load config: yaml: unmarshal errors:\n  line 5: cannot unmarshal !!str `true` into bool',
  ],
  [
    'app.bad-config',
    'mongod: error: BadValue: security.keyFile is required when security.clusterAuthMode is specified',
  ],
  ['app.bad-config', "mysqld: [ERROR] unknown option '--skip-locking'"],
  ['app.bad-config', 'traefik: Error: command traefik error: field not found, node: entrypoint'],
  [
    'app.bad-config',
    'caddy: Error: adapting config using caddyfile: /etc/caddy/Caddyfile:7: unrecognized directive: reverse_prox',
  ],
  ['app.bad-config', 'Error: error:0909006C:PEM routines:get_name:no start line while reading TLS certificate'],
  ['app.bad-config', 'tls: failed to find any PEM data in certificate input'],
  ['app.bad-config', 'FATAL open /etc/certs/tls.crt: no such file or directory'],
  [
    'app.bad-config',
    "org.yaml.snakeyaml.scanner.ScannerException: while scanning for the next token\nfound character '\\t(TAB)' that cannot start any token.",
  ],
  [
    'app.bad-config',
    'JSONDecodeError: could not load config /app/config.json: Expecting property name enclosed in double quotes: line 3 column 1 (char 20)',
  ],
  ['app.bad-config', 'Error: The `url` option of the datasource is undefined: process.env.DB_URL'],
  ['app.bad-config', 'Fatal: ConfigurationException: Missing setting "redis.host" in application.conf'],
  ['app.bad-config', 'env: BACKEND_URL: must be a valid URL'],
  [
    'app.bad-config',
    'level=error msg="Failed to start" err="invalid endpoint: parse \\"backend:notaport\\": invalid port \\":notaport\\" after host"',
  ],
  ['app.bad-config', "thread 'main' panicked at 'RUST_DB must be set: NotPresent', src/main.rs:8:37"],
  ['app.bad-config', 'Error: environment variable not found'],
  [
    'app.bad-config',
    "System.ArgumentNullException: Value cannot be null. (Parameter 'connectionString')\n   at Microsoft.EntityFrameworkCore.Utilities.Check.NotEmpty(String value, String parameterName)",
  ],
  [
    'app.bad-config',
    "Unhandled exception. System.Collections.Generic.KeyNotFoundException: The configuration key 'Auth:Issuer' was not found.",
  ],
  ['app.bad-config', 'RuntimeError: Missing required config: OPENAI_API_KEY'],
  [
    'app.bad-config',
    'openai.OpenAIError: The api_key client option must be set either by passing api_key to the client or by setting the OPENAI_API_KEY environment variable',
  ],
  [
    'app.missing-module',
    'KeycloakError: Failed to start server in (production) mode\nERROR: Unable to find the JDBC driver (com.acme.Driver)',
  ],
  [
    'app.dependency-unreachable',
    'time="2026-05-04T11:59:00Z" level=fatal msg="failed to connect to database" error="dial tcp 10.96.22.1:5432: connect: connection refused"',
  ],
  [
    'app.dependency-unreachable',
    "OperationalError: (2003, \"Can't connect to MySQL server on 'mysql' ([Errno 111] Connection refused)\")",
  ],
  [
    'app.dependency-unreachable',
    'django.db.utils.OperationalError: could not translate host name "postgres" to address: Name or service not known',
  ],
  ['app.dependency-unreachable', 'SequelizeConnectionRefusedError: connect ECONNREFUSED 10.96.1.1:3306'],
  ['app.dependency-unreachable', 'SequelizeHostNotFoundError: getaddrinfo ENOTFOUND mysql-primary'],
  ['app.dependency-unreachable', 'MongooseServerSelectionError: getaddrinfo ENOTFOUND mongo'],
  [
    'app.dependency-unreachable',
    '[ioredis] Unhandled error event: Error: getaddrinfo ENOTFOUND redis-master\nMaxRetriesPerRequestError: Reached the max retries per request limit (which is 20).',
  ],
  [
    'app.dependency-unreachable',
    'com.mongodb.MongoTimeoutException: Timed out after 30000 ms while waiting to connect. Client view of cluster state is {type=UNKNOWN, servers=[{address=mongo:27017, type=UNKNOWN, state=CONNECTING, exception={com.mongodb.MongoSocketException: mongo: Name or service not known}}]',
  ],
  [
    'app.dependency-unreachable',
    '2026-05-04 11:59:00 ERROR Disconnected from node -1: Connection to node -1 (kafka/10.96.1.1:9092) could not be established. Node may not be available.',
  ],
  [
    'app.dependency-unreachable',
    'org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment. Call: fetchMetadata',
  ],
  [
    'app.dependency-unreachable',
    "%3|1777895940.100|FAIL|rdkafka#producer-1| [thrd:kafka:9092/bootstrap]: kafka:9092/bootstrap: Failed to resolve 'kafka:9092': Name or service not known (after 3ms in state CONNECT)",
  ],
  ['app.dependency-unreachable', 'pika.exceptions.AMQPConnectionError'],
  ['app.dependency-unreachable', 'socket.gaierror: [Errno -2] Name or service not known'],
  [
    'app.dependency-unreachable',
    'urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>',
  ],
  ['app.dependency-unreachable', 'httpx.ConnectError: All connection attempts failed\n'],
  [
    'app.dependency-unreachable',
    "aiohttp.client_exceptions.ClientConnectorError: Cannot connect to host billing:8080 ssl:default [Connect call failed ('10.96.1.1', 8080)]",
  ],
  [
    'app.dependency-unreachable',
    'elastic_transport.ConnectionError: Connection error caused by: ConnectionError(Connection error caused by: NewConnectionError(<urllib3.connection.HTTPConnection object at 0x7f>: Failed to establish a new connection: [Errno -2] Name or service not known))',
  ],
  ['app.dependency-unreachable', 'ConnectionRefusedError: [Errno 111] Connection refused'],
  ['app.dependency-unreachable', 'TimeoutError: [Errno 110] Connection timed out'],
  ['app.dependency-unreachable', 'OSError: [Errno 113] No route to host'],
  [
    'app.dependency-unreachable',
    'PG::ConnectionBad: could not connect to server: Connection refused\n\tIs the server running on host "db" (10.96.1.1) and accepting\n\tTCP/IP connections on port 5432?',
  ],
  ['app.dependency-unreachable', 'Redis::CannotConnectError: Error connecting to Redis on redis:6379 (SocketError)'],
  [
    'app.dependency-unreachable',
    'StackExchange.Redis.RedisConnectionException: It was not possible to connect to the redis server(s). Error connecting right now.',
  ],
  [
    'app.dependency-unreachable',
    'Illuminate\\Database\\QueryException: SQLSTATE[HY000] [2002] php_network_getaddresses: getaddrinfo for mysql failed: Name or service not known',
  ],
  [
    'app.dependency-unreachable',
    'Error: error connecting to server: failed to lookup address information: Name or service not known',
  ],
  [
    'app.dependency-unreachable',
    'Error: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp: lookup otel-collector on 10.96.0.10:53: no such host"',
  ],
  ['app.dependency-unreachable', 'liquibase.exception.DatabaseException: Connection to db:5432 refused.'],
  ['app.dependency-unreachable', 'ERROR [alembic.env] could not connect to server: No route to host'],
  ['app.dependency-unreachable', "Error: P1001\n\nCan't reach database server at `postgres`:`5432`"],
  ['app.dependency-unreachable', '[warn] Epoch.Elastic: ECONNREFUSED\nError: connect ECONNREFUSED 10.96.5.1:9200'],
  [
    'app.dependency-unreachable',
    'nginx: [emerg] host not found in upstream "api.shop.svc.cluster.local:8080" in /etc/nginx/conf.d/default.conf:3',
  ],
  ['app.dependency-unreachable', '2026/05/04 11:59:00 connect: nats: no servers available for connection'],
  [
    'app.dependency-unreachable',
    'Waiting for postgres...\nWaiting for postgres...\nTimed out waiting for postgres:5432',
  ],
  [
    'app.dependency-unreachable',
    'error: failed to reach the auth service at http://auth.shop:8080/.well-known/jwks.json: timeout',
  ],
  ['app.dependency-unreachable', 'FATAL giving up on redis:6379 after 10 attempts: connection refused'],
  ['app.dependency-auth', 'FATAL: Ident authentication failed for user "app"'],
  ['app.dependency-auth', 'asyncpg.exceptions.InvalidPasswordError: password authentication failed for user "app"'],
  ['app.dependency-auth', "Error 1045 (28000): Access denied for user 'app'@'10.244.0.5' (using password: YES)"],
  ['app.dependency-auth', "ERROR 1044 (42000): Access denied for user 'app'@'%' to database 'orders'"],
  [
    'app.dependency-auth',
    "com.mongodb.MongoSecurityException: Exception authenticating MongoCredential{mechanism=SCRAM-SHA-1, userName='app'}",
  ],
  ['app.dependency-auth', 'MongoServerError: not authorized on admin to execute command { listDatabases: 1 }'],
  [
    'app.dependency-auth',
    'redis.exceptions.ResponseError: WRONGPASS invalid username-password pair or user is disabled.',
  ],
  ['app.dependency-auth', 'Error: ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN'],
  [
    'app.dependency-auth',
    'Unhandled exception. RabbitMQ.Client.Exceptions.BrokerUnreachableException: None of the specified endpoints were reachable\n ---> RabbitMQ.Client.Exceptions.AuthenticationFailureException: ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.',
  ],
  ['app.dependency-auth', 'kafka.errors.AuthenticationFailedError: Authentication failed for user admin'],
  ['app.dependency-auth', 'KafkaJSSASLAuthenticationError: SASL PLAIN authentication failed: Authentication failed'],
  [
    'app.dependency-auth',
    'org.elasticsearch.client.ResponseException: method [GET], host [http://es:9200], URI [/], status line [HTTP/1.1 401 Unauthorized]',
  ],
  ['app.dependency-auth', 'ldap3.core.exceptions.LDAPBindError: automatic bind not successful - invalidCredentials'],
  [
    'app.dependency-auth',
    'psql: error: connection to server at "db" (10.96.0.5), port 5432 failed: fe_sendauth: no password supplied',
  ],
  [
    'app.dependency-auth',
    'level=fatal msg="vault login failed" error="Error making API request.\\n\\nCode: 403. Errors:\\n\\n* permission denied"',
  ],
  ['app.dependency-auth', 'Error: 403 Forbidden: invalid API key'],
  ['app.dependency-auth', "smtplib.SMTPAuthenticationError: (535, b'5.7.8 Error: authentication failed')"],
  ['app.port-in-use', 'Error: listen tcp4 0.0.0.0:8080: bind: address already in use'],
  ['app.port-in-use', 'Failed to start server: Port 8080 already in use'],
  ['app.port-in-use', 'java.net.BindException: Address already in use (Bind failed)'],
  ['app.port-in-use', '** (Mix) Could not start application web: ... reason: :eaddrinuse'],
  ['app.port-in-use', 'ERROR: distribution port 25672 in use by rabbit@host'],
  [
    'app.port-in-use',
    '{"t":{"$date":"2026-05-04T11:59:00.000+00:00"},"s":"E","c":"CONTROL","id":20568,"ctx":"initandlisten","msg":"Error setting up listener","attr":{"error":{"code":9001,"codeName":"SocketException","errmsg":"Address already in use"}}}',
    { exitCode: 48 },
  ],
  ['app.port-in-use', 'error: bind: Address already in use\nfailed to initialize listener'],
  ['app.bind-denied', 'Error starting server: listen tcp 0.0.0.0:80: bind: permission denied'],
  [
    'app.bind-denied',
    "thread 'main' panicked at src/main.rs:5: error binding to 0.0.0.0:80: error creating server listener: Permission denied (os error 13)",
  ],
  ['app.bind-denied', 'lighttpd: (network.c.554) bind() 0.0.0.0:80: Permission denied'],
  ['app.bind-denied', "can't bind to port 443: Permission denied"],
  ['app.bind-denied', 'Fatal error: bind: Permission denied (port 53)'],
  [
    'app.bind-denied',
    'Unhandled exception. System.Net.Sockets.SocketException (13): Permission denied\n   at System.Net.Sockets.Socket.UpdateStatusAfterSocketErrorAndThrowException\n   at Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets.SocketTransportOptions.CreateDefaultBoundListenSocket(EndPoint endpoint)',
  ],
  [
    'app.read-only-root',
    'touch: /var/run/app.pid: Read-only file system',
    { spec: { securityContext: { readOnlyRootFilesystem: true } } },
  ],
  [
    'app.read-only-root',
    "Failed to create directory: EROFS: read-only file system, mkdir '/home/node/.npm'",
    { spec: { securityContext: { readOnlyRootFilesystem: true } } },
  ],
  [
    'app.read-only-root',
    'java.io.FileNotFoundException: /logs/app.log (Read-only file system)',
    { spec: { securityContext: { readOnlyRootFilesystem: true } } },
  ],
  [
    'app.read-only-root',
    'tee: /etc/app.conf: Read-only file system\n',
    { spec: { securityContext: { readOnlyRootFilesystem: true } } },
  ],
  ['app.missing-module', 'ImportError: No module named flask'],
  [
    'app.missing-module',
    "  ModuleNotFoundError: No module named 'psycopg2'\n\ndjango.core.exceptions.ImproperlyConfigured: Error loading psycopg2 or psycopg module",
  ],
  [
    'app.missing-module',
    '[2026-05-04 11:59:00 +0000] [7] [ERROR] Exception in worker process\nTraceback (most recent call last):\n  File "/usr/lib/python3/site-packages/gunicorn/arbiter.py", line 608, in spawn_worker\n    worker.init_process()\nModuleNotFoundError: No module named \'wsgi\'\n[2026-05-04 11:59:00 +0000] [7] [INFO] Worker exiting (pid: 7)\n[2026-05-04 11:59:00 +0000] [1] [ERROR] Worker (pid:7) exited with code 3\n[2026-05-04 11:59:00 +0000] [1] [ERROR] Shutting down: Master\n[2026-05-04 11:59:00 +0000] [1] [ERROR] Reason: Worker failed to boot.',
    { exitCode: 3 },
  ],
  [
    'app.missing-module',
    "node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module '@shop/logger'\nRequire stack:\n- /srv/index.js\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)\n  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/srv/index.js' ]\n}\n\nNode.js v20.11.1",
  ],
  ['app.missing-module', 'java.lang.ClassNotFoundException: org.postgresql.Driver'],
  ['app.missing-module', 'LoadError: cannot load such file -- bootsnap/setup'],
  ['app.missing-module', "Could not find gem 'puma (~> 6.0)' in locally installed gems."],
  ['app.missing-module', 'PHP Fatal error:  Uncaught Error: Class "Redis" not found in /app/cache.php:4'],
  [
    'app.missing-library',
    "A fatal error was encountered. The library 'libhostpolicy.so' required to execute the application was not found",
  ],
  ['app.missing-module', 'error: Cannot find module "hono" from "/app/server.ts"'],
  ['app.missing-module', 'npm error Missing script: "start:prod"'],
  [
    'app.missing-library',
    'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory',
    { exitCode: 127 },
  ],
  ['app.missing-library', "./server: /lib64/libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by ./server)"],
  [
    'app.missing-library',
    "OSError: cannot load library 'libgobject-2.0-0': libgobject-2.0-0: cannot open shared object file: No such file or directory",
  ],
  [
    'app.missing-library',
    'Error: libvips-cpp.so.42: cannot open shared object file: No such file or directory\n    at Module._extensions..node',
  ],
  [
    'app.missing-library',
    "System.DllNotFoundException: Unable to load shared library 'libgdiplus' or one of its dependencies.",
  ],
  [
    'app.api-forbidden',
    'I0504 11:59:00.1 1 main.go:3] starting\nE0504 11:59:00.2 1 leaderelection.go:330] error retrieving resource lock kube-system/x: leases.coordination.k8s.io "x" is forbidden: User "system:serviceaccount:kube-system:x" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "kube-system"\nF0504 11:59:30.2 1 main.go:9] timed out waiting for caches to sync',
  ],
  [
    'app.api-forbidden',
    'Error from server (Forbidden): jobs.batch "migrate" is forbidden: User "system:serviceaccount:shop:default" cannot get resource "jobs" in API group "batch" in the namespace "shop"',
  ],
  [
    'app.api-forbidden',
    '{"level":"error","ts":1,"logger":"setup","msg":"problem running manager","error":"configmaps is forbidden: User \\"system:serviceaccount:shop:op\\" cannot watch resource \\"configmaps\\" in API group \\"\\" at the cluster scope"}',
  ],
  [
    'app.cloud-identity',
    'software.amazon.awssdk.services.s3.model.S3Exception: Access Denied (Service: S3, Status Code: 403, Request ID: X)',
  ],
  [
    'app.cloud-identity',
    'An error occurred (ExpiredToken) when calling the ListObjectsV2 operation: The provided token has expired.',
  ],
  [
    'app.cloud-identity',
    "googleapi: Error 403: Permission 'secretmanager.versions.access' denied for resource 'projects/x/secrets/y', forbidden",
  ],
  [
    'app.cloud-identity',
    "rpc error: code = PermissionDenied desc = Permission 'pubsub.subscriptions.consume' denied on resource 'projects/x/subscriptions/y'",
  ],
  [
    'app.cloud-identity',
    "StatusCode=403 -- Original Error: Code=\"AuthorizationFailed\" Message=\"The client 'x' with object id 'y' does not have authorization to perform action 'Microsoft.Storage/storageAccounts/read'\"",
  ],
  ['app.cloud-identity', 'ManagedIdentityCredential authentication unavailable, no response from the IMDS endpoint.'],
  [
    'app.cloud-identity',
    'fatal: AccessDeniedException: User: arn:aws:sts::1:assumed-role/n/i is not authorized to perform: secretsmanager:GetSecretValue on resource: x',
  ],
  ['app.runtime-heap', 'java.lang.OutOfMemoryError: GC overhead limit exceeded\n\tat java.util.Arrays.copyOf'],
  [
    'app.runtime-heap',
    '2026-05-04 ERROR [pool-1] Uncaught\njava.util.concurrent.ExecutionException: java.lang.OutOfMemoryError: Java heap space',
  ],
  [
    'app.runtime-heap',
    '#\n# There is insufficient memory for the Java Runtime Environment to continue.\n# Native memory allocation (mmap) failed to map 268435456 bytes for committing reserved memory.',
    { exitCode: 1 },
  ],
  [
    'app.runtime-heap',
    "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc",
    { exitCode: 134 },
  ],
  ['app.node-kernel-limit', "Error: EMFILE: too many open files, watch '/app/config'"],
  ['app.node-kernel-limit', 'level=fatal msg="failed to watch config" err="too many open files"'],
  [
    'app.node-kernel-limit',
    'ERROR: [1] bootstrap checks failed. max file descriptors [4096] for elasticsearch process is too low, increase to at least [65535]',
    { exitCode: 78 },
  ],
  [
    'app.node-kernel-limit',
    'runtime: failed to create new OS thread (have 9 already; errno=11)\nruntime: may need to increase max user processes (ulimit -u)\nfatal error: newosproc',
    { exitCode: 2 },
  ],
  [
    'app.node-kernel-limit',
    'OpenBLAS blas_thread_init: pthread_create failed for thread 12 of 64: Resource temporarily unavailable',
  ],
  ['app.crash', "thread 'main' panicked at src/lib.rs:3:5:\nindex out of bounds: the len is 3 but the index is 9"],
  ['app.crash', "TypeError: Cannot read properties of undefined (reading 'map')\n    at render (/app/x.js:3:1)"],
  [
    'app.crash',
    'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()" because "<local1>" is null',
  ],
  [
    'app.crash',
    'WARN cache unavailable: connection refused (redis:6379), continuing without\nINFO listening on :8080\nINFO handled 4 requests\nTraceback (most recent call last):\n  File "/app/x.py", line 4, in <module>\nZeroDivisionError: division by zero',
  ],
  [
    'app.crash',
    'org.flywaydb.core.api.exception.FlywayValidateException: Validate failed: Migrations have failed validation\nMigration checksum mismatch for migration version 3',
  ],
  ['app.crash', "alembic.util.exc.CommandError: Can't locate revision identified by 'a1b2c3'"],
  [
    'app.crash',
    'ActiveRecord::PendingMigrationError: Migrations are pending. To resolve this issue, run: bin/rails db:migrate',
  ],
  ['app.crash', 'ERROR relation "users" already exists'],
  [
    'app.crash',
    'FATAL:  database files are incompatible with server\nDETAIL:  The data directory was initialized by PostgreSQL version 14, which is not compatible with this version 16.2.',
  ],
  ['app.crash', "SyntaxError: Unexpected token 'export'\n    at wrapSafe (node:internal/modules/cjs/loader:1378:20)"],
  ['app.crash', 'fatal error: all goroutines are asleep - deadlock!', { exitCode: 2 }],
  ['app.crash', 'import finished\n3 rows rejected\n'],
  ['app.crash', 'Assertion failed: (queue->size < MAX), function push, file q.c, line 10.', { exitCode: 134 }],
  ['app.crash', 'sftp: host key verification failed'],
  ['app.crash', 'x509: certificate signed by unknown authority'],
  ['app.crash', 'order 1234 not found in ledger export\n'],
  [
    'app.crash',
    '1:M 04 May 2026 11:58:00.000 # WARNING Memory overcommit must be enabled! Without it, a background save or replication may fail\n1:M 04 May 2026 11:58:00.000 * Ready to accept connections tcp\n1:M 04 May 2026 11:58:09.000 # Bad file format reading the append only file: make a backup of your AOF file',
  ],
  [
    'app.crash',
    '2026-05-04 11:59:00 INFO  loaded 3 modules\n2026-05-04 11:59:00 INFO  no connection limit configured\n2026-05-04 11:59:01 ERROR checksum of ledger-2026-05.csv does not match',
  ],
  [
    'volume.permission',
    'FATAL:  data directory "/var/lib/postgresql/data" has wrong ownership\nHINT:  The server must be started by the user that owns the data directory.',
    ON_VOLUMES,
  ],
  [
    'volume.permission',
    'initdb: error: could not change permissions of directory "/var/lib/postgresql/data": Operation not permitted',
    ON_VOLUMES,
  ],
  ['volume.permission', "PermissionError: [Errno 13] Permission denied: 'uploads/tmp'", ON_VOLUMES],
  [
    'volume.permission',
    "mysqld: Can't create/write to file '/data/is_writable' (OS errno 13 - Permission denied)",
    ON_VOLUMES,
  ],
  ['volume.permission', 'chown: /data: Operation not permitted', ON_VOLUMES],
  [
    'volume.permission',
    'java.lang.IllegalStateException: failed to obtain node locks, tried [/data]; maybe these locations are not writable or multiple nodes were started\nCaused by: java.nio.file.AccessDeniedException: /data/node.lock',
    ON_VOLUMES,
  ],
  ['volume.permission', 'mkdir: cannot create directory ‘/data/thumbs’: Permission denied', ON_VOLUMES],
  [
    'volume.permission',
    '{"level":"fatal","msg":"open store","error":"mkdir /data/wal: permission denied"}',
    ON_VOLUMES,
  ],
  ['app.permission', 'open /usr/share/app/cache.db: permission denied', ON_VOLUMES],
  [
    'app.api-forbidden',
    'GET https://kubernetes.default.svc/api/v1/namespaces/shop/pods\nurllib.error.HTTPError: HTTP Error 403: Forbidden',
  ],
  ['app.crash', 'GET https://partner.example.com/v1/rates\nurllib.error.HTTPError: HTTP Error 403: Forbidden'],
  [
    'app.api-forbidden',
    '{\n  "kind": "Status",\n  "apiVersion": "v1",\n  "metadata": {},\n  "status": "Failure",\n  "message": "secrets is forbidden: User \\"system:serviceaccount:shop:default\\" cannot list resource \\"secrets\\" in API group \\"\\" in the namespace \\"shop\\"",\n  "reason": "Forbidden",\n  "details": {\n    "kind": "secrets"\n  },\n  "code": 403\n}',
  ],
  ['app.node-kernel-limit', "sh: can't fork: Resource temporarily unavailable"],
  ['app.node-kernel-limit', 'OSError: [Errno 24] inotify instance limit reached'],
  ['app.node-kernel-limit', 'OSError: [Errno 28] inotify watch limit reached'],
  ['app.node-kernel-limit', '2026/05/04 11:59:00 watcher: no space left on device (inotify_add_watch)'],
  ['app.bad-config', '\u001b[31merror\u001b[39m: \u001b[1mTOKEN_ISSUER\u001b[0m is not defined'],
  ['app.bad-config', '設定エラー: DB_PASSWORD is not set'],
  ['app.bad-config', 'FATAL: 環境変数 REGION_CODE missing'],
  [
    'app.bad-config',
    'time=2026-05-04T11:59:00Z level=ERROR msg="start failed" err="config: parse \\"/etc/app.yaml\\": yaml: line 3: mapping values are not allowed in this context"',
  ],
  [
    'app.bad-config',
    'Traceback (most recent call last):\n  File "/app/main.py", line 2, in <module>\n    url = os.environ["STORE"]\nKeyError: \'STORE\'',
  ],
  ['app.bad-config', "KeyError: 'STORE_URL'"],
  ['app.bad-config', 'Error: Required option missing: --bucket'],
  [
    'app.bad-config',
    'usage: exporter [-h] --target TARGET\nexporter: error: the following arguments are required: --target',
    { exitCode: 2 },
  ],
  [
    'app.bad-config',
    'flag provided but not defined: -leader-elekt\nUsage of /manager:\n  -kubeconfig string\n    \tPaths to a kubeconfig.',
    { exitCode: 2 },
  ],
  ['app.bad-config', '/docker-entrypoint.sh: MYSQL_ROOT_PASSWORD must be provided'],
  ['app.bad-config', 'node: bad option: --max-old-spac-size=512', { exitCode: 9 }],
  ['app.bad-config', '[ERR] Invalid log level: LOUD'],
  [
    'app.bad-config',
    'postgres: could not access the server configuration file "/etc/postgresql/postgresql.conf": No such file or directory',
  ],
  ['app.bad-config', 'nginx: [emerg] open() "/conf/nginx.conf" failed (2: No such file or directory)'],
  [
    'app.bad-config',
    "redis-server: *** FATAL CONFIG FILE ERROR (Redis 7.0.15) ***\nReading the configuration file, at line 2\n>>> 'appendonly maybe'\nargument must be 'yes' or 'no'",
  ],
  [
    'app.bad-config',
    "1:C 04 May 2026 11:59:00.000 # Fatal error, can't open config file '/conf/redis.conf': No such file or directory",
  ],
  [
    'app.bad-config',
    '2026-05-04 11:59:00.000 UTC [1] LOG:  invalid value for parameter "max_connections": "lots"\n2026-05-04 11:59:00.000 UTC [1] FATAL:  configuration file "/var/lib/postgresql/data/postgresql.conf" contains errors',
  ],
  [
    'app.dependency-unreachable',
    'worker: connecting to amqp://jobs-rabbit:5672\nworker: broker not reachable: [Errno -2] Name or service not known',
  ],
  ['app.dependency-unreachable', 'sync: could not connect to ledger-db:5432, giving up after 3 attempts'],
  ['app.dependency-unreachable', "wget: bad address 'config-server:8888'"],
  ['app.dependency-unreachable', "wget: can't connect to remote host (10.96.4.4): Connection refused"],
  ['app.dependency-unreachable', 'nc: connect to ledger-db (10.96.4.4) port 5432 (tcp) failed: Connection refused'],
  ['app.dependency-unreachable', 'redis-cli: Could not connect to Redis at carts:6379: Name or service not known'],
  ['app.dependency-unreachable', 'pg_isready: ledger-db:5432 - no response\nledger-db is not reachable'],
  [
    'app.dependency-unreachable',
    'psql: error: connection to server at "ledger-db" (10.96.4.4), port 5432 failed: timeout expired',
  ],
  ['app.dependency-unreachable', 'Error: connect EHOSTUNREACH 10.244.9.9:9200'],
  ['app.dependency-auth', 'redis-cli: (error) NOAUTH Authentication required.'],
  ['app.dependency-auth', 'api: 1 error: upstream said 401 Unauthorized: invalid token'],
  ['app.dependency-auth', 'FATAL: SASL authentication failed: invalid credentials'],
  ['app.crash', 'panic: assignment to entry in nil map', { exitCode: 2 }],
  ['app.crash', 'Error: expected 3 columns, found 4 in row 17'],
  ['app.crash', "ValueError: time data '2026-13-01' does not match format '%Y-%m-%d'"],
  ['app.crash', 'psycopg2.errors.UndefinedTable: relation "orders" does not exist'],
  ['app.crash', 'RuntimeError: model checkpoint is corrupt'],
  ['app.crash', 'thumbnailer: input file is empty'],
  ['app.crash', 'lost GPU lease, asking for a restart', { exitCode: 42 }],
  ['app.crash', 'payment batch 17 was not accepted: total mismatch'],
  ['app.crash', 'ERROR required field "amount" missing in message 4711'],
  ['app.crash', 'Error: invalid date in row 3'],
  ['app.crash', 'unknown currency CHF'],
]

for (const [id, text, more] of logs) {
  test(`${id}: ${text.slice(0, 100).replaceAll('\n', ' ⏎ ')}`, () => {
    expect(crashed({ ...more, log: `${text}\n` }).cause.id).toBe(id)
  })
}
