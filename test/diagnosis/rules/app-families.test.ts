import { describe, expect, test } from 'vitest'
import { type Crash, crashed, log } from './crashed-app.ts'

type Row = readonly [what: string, mention: string, text: string, more?: Partial<Crash>]

const table = (id: string, rows: readonly Row[]): void => {
  describe(id, () => {
    for (const [what, mention, text, more] of rows) {
      test(what, () => {
        const { cause } = crashed({ ...more, log: text })
        expect(cause.id).toBe(id)
        expect(`${cause.summary}\n${cause.fix.join('\n')}`).toContain(mention)
      })
    }
  })
}

table('app.dependency-auth', [
  ['PostgreSQL', '`ledger`', 'FATAL:  password authentication failed for user "ledger"'],
  [
    'Hikari',
    '`app`',
    log(`
    2026-05-04 11:59:00.100 ERROR 1 --- [main] com.zaxxer.hikari.pool.HikariPool : HikariPool-1 - Exception during pool initialization.
    org.postgresql.util.PSQLException: FATAL: password authentication failed for user "app"
    \tat org.postgresql.core.v3.ConnectionFactoryImpl.doAuthentication(ConnectionFactoryImpl.java:693)`),
  ],
  [
    'pgx',
    '`app`',
    '{"level":"error","msg":"migrate","error":"failed to connect to `user=app database=app`: 10.96.3.3:5432 (ledger-db): failed SASL auth: FATAL: password authentication failed for user \\"app\\" (SQLSTATE 28P01)"}',
  ],
  ['role', '`reporting`', 'psql: error: FATAL:  role "reporting" does not exist'],
  ['pg_hba', '`app`', 'FATAL: no pg_hba.conf entry for host "10.244.0.7", user "app", database "app", no encryption'],
  [
    'node-postgres without a password',
    'no password',
    'Error: SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
  ],
  ['schema rights', 'schema public', 'ERROR: permission denied for schema public (SQLSTATE 42501)'],
  ['MySQL', '`wiki`', "ERROR 1045 (28000): Access denied for user 'wiki'@'10.244.0.7' (using password: YES)"],
  [
    'Sequelize',
    '`wiki`',
    "ConnectionError [SequelizeAccessDeniedError]: Access denied for user 'wiki'@'10.244.0.7' (using password: YES)",
  ],
  [
    'MySQL plug-in',
    'ER_NOT_SUPPORTED_AUTH_MODE',
    'Error: ER_NOT_SUPPORTED_AUTH_MODE: Client does not support authentication protocol requested by server; consider upgrading MySQL client',
  ],
  ['MongoDB', 'Authentication failed', 'MongoServerError: Authentication failed.'],
  [
    'pymongo',
    'Authentication failed',
    "pymongo.errors.OperationFailure: Authentication failed., full error: {'ok': 0.0, 'errmsg': 'Authentication failed.', 'code': 18, 'codeName': 'AuthenticationFailed'}",
  ],
  ['Redis', 'WRONGPASS', 'ReplyError: WRONGPASS invalid username-password pair or user is disabled.'],
  ['Redis without', 'NOAUTH', 'redis.exceptions.AuthenticationError: NOAUTH Authentication required.'],
  [
    'RabbitMQ',
    'ACCESS_REFUSED',
    'amqp.exceptions.AccessRefused: (0, 0): (403) ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.',
  ],
  [
    'Go amqp',
    'username or password not allowed',
    '2026/05/04 11:59:00 dial amqp: Exception (403) Reason: "username or password not allowed"',
  ],
  [
    'Kafka',
    'Authentication failed',
    'org.apache.kafka.common.errors.SaslAuthenticationException: Authentication failed during authentication due to invalid credentials with SASL mechanism SCRAM-SHA-512',
  ],
  [
    'Kafka ACL',
    'TopicAuthorizationException',
    'org.apache.kafka.common.errors.TopicAuthorizationException: Not authorized to access topics: [orders]',
  ],
  [
    'Elasticsearch',
    'missing authentication',
    "elasticsearch.AuthenticationException: AuthenticationException(401, 'security_exception', 'missing authentication credentials for REST request [/]')",
  ],
  ['LDAP', 'Invalid Credentials', 'javax.naming.AuthenticationException: [LDAP: error code 49 - Invalid Credentials]'],
  [
    'SQL Server',
    '`sa`',
    "Unhandled exception. Microsoft.Data.SqlClient.SqlException (0x80131904): Login failed for user 'sa'.",
  ],
  ['Oracle', 'ORA-01017', 'ORA-01017: invalid username/password; logon denied'],
  [
    'Prisma',
    '`crm-db`',
    'Error: P1000: Authentication failed against database server at `crm-db`, the provided database credentials for `crm` are not valid.',
  ],
  ['git', 'Authentication failed', "fatal: Authentication failed for 'https://git.example.com/shop/config.git/'"],
  ['Vault', 'permission denied', 'Error making API request. Code: 403. Errors: * permission denied'],
  [
    'ClickHouse',
    'password is incorrect',
    'Code: 516. DB::Exception: default: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)',
  ],
  [
    'refused at first, then the password',
    '`app`',
    log(`
    11:58:50 WARN  dial tcp 10.96.3.3:5432: connect: connection refused, retrying in 2s
    11:58:52 WARN  dial tcp 10.96.3.3:5432: connect: connection refused, retrying in 4s
    11:58:56 FATAL pq: password authentication failed for user "app"`),
  ],
])

table('app.port-in-use', [
  [
    'Node',
    '`3000`',
    log(`
    node:events:498
          throw er; // Unhandled 'error' event
          ^

    Error: listen EADDRINUSE: address already in use :::3000
        at Server.setupListenHandle [as _listen2] (node:net:1937:16)`),
  ],
  ['Go', '`8080`', '2026/05/04 11:59:00 listen tcp :8080: bind: address already in use'],
  ['nginx', '`80`', 'nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)'],
  ['nginx musl', '`80`', 'nginx: [emerg] bind() to [::]:80 failed (98: Address in use)'],
  [
    'Spring',
    '`8080`',
    log(`
    ***************************
    APPLICATION FAILED TO START
    ***************************

    Description:

    Web server failed to start. Port 8080 was already in use.`),
  ],
  ['gunicorn', '`8000`', "[2026-05-04 11:59:00 +0000] [1] [ERROR] Connection in use: ('0.0.0.0', 8000)"],
  [
    'uvicorn',
    '`8000`',
    "ERROR:    [Errno 98] error while attempting to bind on address ('0.0.0.0', 8000): address already in use",
  ],
  ['puma', '`3000`', 'Address already in use - bind(2) for "0.0.0.0" port 3000 (Errno::EADDRINUSE)'],
  [
    'Kestrel',
    '`5000`',
    'Unhandled exception. System.IO.IOException: Failed to bind to address http://0.0.0.0:5000: address already in use.',
  ],
  [
    'Redis',
    '`6379`',
    '1:M 04 May 2026 11:59:00.000 # Warning: Could not create server TCP listening socket *:6379: bind: Address already in use',
  ],
  [
    'Envoy',
    '`10000`',
    "[critical][main] error adding listener '0.0.0.0:10000': cannot bind '0.0.0.0:10000': Address already in use",
  ],
  ['MySQL', '`3306`', '[ERROR] [Server] Do you already have another mysqld server running on port: 3306 ?'],
  [
    'Kafka',
    '`9092`',
    'org.apache.kafka.common.KafkaException: Socket server failed to bind to 0.0.0.0:9092: Address already in use.',
  ],
  [
    'Python, port in a line before',
    '`9105`',
    log(`
    exporter listening on :9105
    Traceback (most recent call last):
      File "/usr/lib/python3.11/socketserver.py", line 472, in server_bind
        self.socket.bind(self.server_address)
    OSError: [Errno 98] Address already in use`),
  ],
  ['Rust', '`7000`', 'Error: could not listen on 0.0.0.0:7000: Address already in use (os error 98)'],
  ['Apache', '`80`', '(98)Address already in use: AH00072: make_sock: could not bind to address [::]:80'],
  [
    'on the host network',
    'node `node-a`',
    'listen tcp :9100: bind: address already in use',
    { pod: { hostNetwork: true } },
  ],
])

table('app.bind-denied', [
  ['nginx', '`80`', 'nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)'],
  ['Go', '`443`', '2026/05/04 11:59:00 listen tcp :443: bind: permission denied'],
  [
    'Node',
    '`80`',
    'Error: listen EACCES: permission denied 0.0.0.0:80\n    at Server.setupListenHandle (node:net:1915:21)',
  ],
  [
    'uvicorn',
    '`80`',
    "ERROR:    [Errno 13] error while attempting to bind on address ('0.0.0.0', 80): permission denied",
  ],
  [
    'Python',
    'below 1024',
    log(`
    Traceback (most recent call last):
      File "/usr/lib/python3.11/socketserver.py", line 472, in server_bind
        self.socket.bind(self.server_address)
    PermissionError: [Errno 13] Permission denied`),
  ],
  ['Apache', '`80`', '(13)Permission denied: AH00072: make_sock: could not bind to address 0.0.0.0:80'],
  ['HAProxy', '`80`', '[ALERT] (1) : Starting frontend web: cannot bind socket (Permission denied) [0.0.0.0:80]'],
  ['Java', 'below 1024', 'Caused by: java.net.SocketException: Permission denied'],
  ['puma', '`80`', 'Permission denied - bind(2) for "0.0.0.0" port 80 (Errno::EACCES)'],
  [
    '.NET',
    'below 1024',
    log(`
    Unhandled exception. System.Net.Sockets.SocketException (13): Permission denied
       at System.Net.Sockets.Socket.DoBind(EndPoint endPointSnapshot, SocketAddress socketAddress)`),
  ],
  ['CoreDNS', '`53`', 'Listen: listen tcp :53: bind: permission denied'],
])

const ROOT = { securityContext: { readOnlyRootFilesystem: true } }
table('app.read-only-root', [
  [
    'nginx',
    '`/var/cache/nginx`',
    'nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (30: Read-only file system)',
    { spec: ROOT },
  ],
  ['Python', '`/app`', "OSError: [Errno 30] Read-only file system: '/app/state.db'", { spec: ROOT }],
  [
    'Node',
    '`/app/.next/cache`',
    "Error: EROFS: read-only file system, mkdir '/app/.next/cache/images'",
    { spec: ROOT },
  ],
  ['Java', '`/tmp`', 'java.nio.file.FileSystemException: /tmp/tomcat.8080.1: Read-only file system', { spec: ROOT }],
  ['shell', '`/etc`', '/entrypoint.sh: line 9: /etc/app.conf: Read-only file system', { spec: ROOT }],
  [
    '.NET',
    '`/app/logs`',
    "Unhandled exception. System.IO.IOException: Read-only file system : '/app/logs/today.txt'",
    { spec: ROOT },
  ],
  ['not set in the pod', 'policy', 'open /var/run/app.pid: read-only file system'],
])

const VOLUMES = {
  volumes: [
    { name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } },
    { name: 'certs', secret: { secretName: 'tls' } },
    { name: 'conf', configMap: { name: 'app-conf' } },
  ],
  securityContext: { runAsUser: 1000 },
}
const MOUNTS = {
  volumeMounts: [
    { name: 'data', mountPath: '/data' },
    { name: 'certs', mountPath: '/tls', readOnly: true },
    { name: 'conf', mountPath: '/conf' },
    { name: 'conf', mountPath: '/conf/app.yaml', subPath: 'app.yaml' },
  ],
}
const ON_VOLUME = { spec: MOUNTS, pod: VOLUMES }
table('volume.permission', [
  ['Python', 'fsGroup', "PermissionError: [Errno 13] Permission denied: '/data/index.db'", ON_VOLUME],
  ['Go', '`/data/wal`', 'level=error err="open /data/wal: permission denied"', ON_VOLUME],
  ['Node', '`/data/uploads`', "Error: EACCES: permission denied, mkdir '/data/uploads'", ON_VOLUME],
  ['Java', 'PersistentVolumeClaim', 'Caused by: java.nio.file.AccessDeniedException: /data/nodes', ON_VOLUME],
  ['mkdir', 'uid 1000', "mkdir: cannot create directory '/data/pg': Permission denied", ON_VOLUME],
  ['chown', 'PersistentVolumeClaim', 'chown: changing ownership of /data: Operation not permitted', ON_VOLUME],
  [
    '.NET',
    '`/data/keys`',
    "Unhandled exception. System.UnauthorizedAccessException: Access to the path '/data/keys' is denied.",
    ON_VOLUME,
  ],
  ['Grafana', '`/data`', "GF_PATHS_DATA='/data' is not writable.", ON_VOLUME],
  ['a Secret', 'defaultMode', 'could not load private key file "/tls/tls.key": Permission denied', ON_VOLUME],
  [
    'Prometheus',
    '`/data/queries.active`',
    log(`
    ts=2026-05-04T11:59:00Z caller=query_logger.go:113 level=error component=activeQueryTracker msg="Error opening query log file" file=/data/queries.active err="open /data/queries.active: permission denied"
    panic: Unable to create mmap-ed active query log`),
    ON_VOLUME,
  ],
])

table('volume.unsuitable-mountpoint', [
  [
    'initdb',
    'PGDATA',
    log(`
    initdb: error: directory "/data" exists but is not empty
    initdb: detail: It contains a lost+found directory, perhaps due to it being a mount point.`),
    ON_VOLUME,
  ],
  [
    'read-only ConfigMap',
    'ConfigMap `app-conf`',
    "chown: changing ownership of '/conf/app.yaml': Read-only file system",
    ON_VOLUME,
  ],
  [
    'replaces a file that is a mount',
    'subPath',
    'sed: cannot rename /conf/app.yaml: Device or resource busy',
    ON_VOLUME,
  ],
])

table('app.permission', [
  [
    'log directory',
    '`/var/log/app.log`',
    "PermissionError: [Errno 13] Permission denied: '/var/log/app.log'",
    ON_VOLUME,
  ],
  ['nginx pid', '`/run/nginx.pid`', 'nginx: [emerg] open() "/run/nginx.pid" failed (13: Permission denied)'],
  ['Ruby', '`/app/tmp/cache`', 'Permission denied @ dir_s_mkdir - /app/tmp/cache (Errno::EACCES)'],
  [
    'Laravel',
    '`/app/storage/logs/laravel.log`',
    'The stream or file "/app/storage/logs/laravel.log" could not be opened in append mode: Failed to open stream: Permission denied',
  ],
])

table('app.runtime-heap', [
  [
    'Node',
    '--max-old-space-size',
    log(`
    <--- Last few GCs --->

    [1:0x5581]    36543 ms: Mark-Compact 253.3 (258.1) -> 252.9 (258.6) MB, 120.11 / 0.00 ms  (average mu = 0.084) allocation failure; scavenge might not succeed

    <--- JS stacktrace --->

    FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory
    ----- Native stack trace -----

     1: 0xb8d0a3 node::OOMErrorHandler(char const*, v8::OOMDetails const&) [node]`),
    { exitCode: 134 },
  ],
  ['Java', '-Xmx', 'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space'],
  ['Java, exit on memory', '-Xmx', 'Terminating due to java.lang.OutOfMemoryError: Metaspace', { exitCode: 3 }],
  [
    'Java, too big',
    '-Xmx',
    log(`
    Error occurred during initialization of VM
    Could not reserve enough space for 4194304KB object heap`),
  ],
  [
    'PHP',
    'memory_limit',
    'PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes) in /app/src/Import.php on line 88',
    { exitCode: 255 },
  ],
  [
    '.NET',
    'GCHeapHardLimit',
    "Unhandled exception. System.OutOfMemoryException: Exception of type 'System.OutOfMemoryException' was thrown.",
    { exitCode: 134 },
  ],
  ['Go', 'own heap', 'fatal error: runtime: out of memory', { exitCode: 2 }],
  ['Python', 'own heap', 'Traceback (most recent call last):\n  File "/app/x.py", line 2, in <module>\nMemoryError'],
  ['Erlang', 'own heap', 'eheap_alloc: Cannot allocate 762886488 bytes of memory (of type "heap").'],
])

table('app.node-kernel-limit', [
  [
    'Elasticsearch',
    '`vm.max_map_count`',
    'ERROR: [1] bootstrap checks failed\nbootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]',
    { exitCode: 78 },
  ],
  ['fsnotify', '`fs.inotify.max_user_instances`', 'failed to create fsnotify watcher: too many open files'],
  [
    '.NET',
    '`fs.inotify.max_user_instances`',
    'Unhandled exception. System.IO.IOException: The configured user limit (128) on the number of inotify instances has been reached, or the per-process limit on the number of open file descriptors has been reached.',
  ],
  [
    'Node watchers',
    '`fs.inotify.max_user_watches`',
    "Error: ENOSPC: System limit for number of file watchers reached, watch '/app/src'",
  ],
  [
    'JVM threads',
    'pid limit',
    'java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached',
  ],
  ['Python threads', 'pid limit', "RuntimeError: can't start new thread"],
  ['shell', 'pid limit', '/bin/sh: fork: retry: Resource temporarily unavailable'],
  [
    'Scylla',
    '`fs.aio-max-nr`',
    'Could not setup Async I/O: Resource temporarily unavailable. The most common cause is not enough request capacity in /proc/sys/fs/aio-max-nr.',
  ],
])

table('app.cpu-or-kernel-abi', [
  ['shell', 'CPU', '/opt/scripts/run.sh: line 12: 7 Illegal instruction (core dumped) "$@"', { exitCode: 132 }],
  ['glibc', 'x86-64-v2', 'Fatal glibc error: CPU does not support x86-64-v2', { exitCode: 127 }],
  [
    'MongoDB',
    'AVX',
    'WARNING: MongoDB 5.0+ requires a CPU with AVX support, and your current system does not appear to have that!',
    { exitCode: 132 },
  ],
  ['no log', 'CPU', '', { exitCode: 132 }],
  ['old kernel', 'kernel', 'FATAL: kernel too old', { exitCode: 127 }],
  ['old runtime', 'kernel', 'runtime/cgo: pthread_create failed: Operation not permitted', { exitCode: 2 }],
])

table('app.segfault', [
  ['shell', '139', 'Segmentation fault (core dumped)', { exitCode: 139 }],
  ['Python', 'Segmentation fault', 'Fatal Python error: Segmentation fault', { exitCode: 139 }],
  [
    'JVM',
    'SIGSEGV',
    '# A fatal error has been detected by the Java Runtime Environment:\n#\n#  SIGSEGV (0xb) at pc=0x00007f, pid=1, tid=8',
    { exitCode: 134 },
  ],
  ['no log', '139', '', { exitCode: 139 }],
  ['an ordinary log', '139', 'model loaded\nserving on :8080\n', { exitCode: 139 }],
])

table('app.missing-module', [
  ['Python', '`structlog`', "ModuleNotFoundError: No module named 'structlog'"],
  ['Python -m', '`gunicorn`', '/usr/local/bin/python: No module named gunicorn'],
  [
    'Python script',
    '`/app/run.py`',
    "python: can't open file '/app/run.py': [Errno 2] No such file or directory",
    { exitCode: 2 },
  ],
  ['uvicorn', '`main`', 'ERROR:    Error loading ASGI app. Could not import module "main".'],
  [
    'Node',
    '`express`',
    "Error: Cannot find module 'express'\nRequire stack:\n- /app/index.js\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15) {\n  code: 'MODULE_NOT_FOUND',",
  ],
  ['Node ESM', '`zod`', "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /app/dist/env.js"],
  ['Node entry', '`/app/dist/main.js`', "Error: Cannot find module '/app/dist/main.js'"],
  [
    'Java main',
    'com.shop.Main',
    'Error: Could not find or load main class com.shop.Main\nCaused by: java.lang.ClassNotFoundException: com.shop.Main',
  ],
  [
    'Java class',
    'org/slf4j/LoggerFactory',
    'Exception in thread "main" java.lang.NoClassDefFoundError: org/slf4j/LoggerFactory',
  ],
  ['Java jar', '`/app/app.jar`', 'Error: Unable to access jarfile /app/app.jar'],
  [
    'Ruby',
    '`sidekiq`',
    "<internal:/usr/lib/ruby/rubygems/core_ext/kernel_require.rb>:136:in `require': cannot load such file -- sidekiq (LoadError)",
  ],
  ['Bundler', '`rails-7.1.3`', 'Could not find rails-7.1.3 in locally installed gems (Bundler::GemNotFound)'],
  [
    'PHP',
    'vendor/autoload.php',
    "PHP Fatal error:  Uncaught Error: Failed opening required '/app/vendor/autoload.php' (include_path='.:/usr/share/php') in /app/index.php:3",
    { exitCode: 255 },
  ],
  ['PHP driver', 'extension', 'PDOException: could not find driver'],
  [
    '.NET',
    'Serilog',
    "Unhandled exception. System.IO.FileNotFoundException: Could not load file or assembly 'Serilog, Version=4.0.0.0, Culture=neutral'. The system cannot find the file specified.",
  ],
  ['Perl', 'DBI.pm', "Can't locate DBI.pm in @INC (you may need to install the DBI module)"],
])

table('app.missing-library', [
  [
    'loader',
    '`libpq.so.5`',
    '/app/server: error while loading shared libraries: libpq.so.5: cannot open shared object file: No such file or directory',
    { exitCode: 127 },
  ],
  [
    'musl',
    '`libstdc++.so.6`',
    'Error loading shared library libstdc++.so.6: No such file or directory (needed by /app/server)',
    { exitCode: 127 },
  ],
  [
    'glibc version',
    'GLIBC_2.34',
    "/app/server: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by /app/server)",
  ],
  ['Python', '`libGL.so.1`', 'ImportError: libGL.so.1: cannot open shared object file: No such file or directory'],
  [
    'Ruby',
    '`libmariadb.so.3`',
    'LoadError: libmariadb.so.3: cannot open shared object file: No such file or directory - /usr/lib/ruby/mysql2.so',
  ],
  ['musl symbol', '`__memcpy_chk`', 'Error relocating /app/addon.node: __memcpy_chk: symbol not found'],
  ['.NET', 'ICU', "Process terminated. Couldn't find a valid ICU package installed on the system.", { exitCode: 134 }],
  [
    'JNI',
    'UnsatisfiedLinkError',
    'Exception in thread "main" java.lang.UnsatisfiedLinkError: /tmp/snappy-1.1.8-libsnappyjava.so: Error loading shared library ld-linux-x86-64.so.2: No such file or directory',
  ],
  [
    'Prisma',
    'linux-musl',
    'PrismaClientInitializationError: Prisma Client could not locate the Query Engine for runtime "linux-musl-openssl-3.0.x".',
  ],
])

table('app.api-forbidden', [
  [
    'client-go',
    '`list pods`',
    'E0504 11:59:00.101010       1 reflector.go:150] failed to list *v1.Pod: pods is forbidden: User "system:serviceaccount:shop:api" cannot list resource "pods" in API group "" in the namespace "shop"',
  ],
  [
    'cluster scope',
    'ClusterRole',
    'Error: nodes is forbidden: User "system:serviceaccount:shop:api" cannot list resource "nodes" in API group "" at the cluster scope',
  ],
  [
    'Python client',
    '`get configmaps`',
    log(`
    kubernetes.client.exceptions.ApiException: (403)
    Reason: Forbidden
    HTTP response body: {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"configmaps \\"flags\\" is forbidden: User \\"system:serviceaccount:shop:default\\" cannot get resource \\"configmaps\\" in API group \\"\\" in the namespace \\"shop\\"","reason":"Forbidden","code":403}`),
  ],
  [
    'leases',
    'coordination.k8s.io',
    'error retrieving resource lock shop/api: leases.coordination.k8s.io "api" is forbidden: User "system:serviceaccount:shop:api" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "shop"',
  ],
  [
    'fabric8',
    'service account',
    "io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: GET at: https://10.96.0.1/api/v1/namespaces/shop/pods. Message: Forbidden!Configured service account doesn't have access. Service account may have been revoked.",
  ],
  [
    'no token accepted',
    'token',
    'error: You must be logged in to the server (the server has asked for the client to provide credentials)',
  ],
])

table('app.cloud-identity', [
  [
    'boto',
    'PutObject',
    'botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the PutObject operation: Access Denied',
  ],
  [
    'Go SDK',
    's3:GetObject',
    'operation error S3: GetObject, https response error StatusCode: 403, api error AccessDenied: User: arn:aws:sts::123456789012:assumed-role/x/y is not authorized to perform: s3:GetObject',
  ],
  ['no credentials', 'credentials', 'botocore.exceptions.NoCredentialsError: Unable to locate credentials'],
  ['JavaScript SDK', 'credentials', 'CredentialsProviderError: Could not load credentials from any providers'],
  [
    'IRSA',
    'AssumeRoleWithWebIdentity',
    'WebIdentityErr: failed to retrieve credentials caused by: AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity',
  ],
  [
    'Google',
    'storage.objects.get',
    'google.api_core.exceptions.Forbidden: 403 GET https://storage.googleapis.com/b/x: app@proj.iam.gserviceaccount.com does not have storage.objects.get access to the Google Cloud Storage object.',
  ],
  [
    'Google default',
    'default credentials',
    'google.auth.exceptions.DefaultCredentialsError: Your default credentials were not found.',
  ],
  [
    'Azure',
    'managed identity',
    'azure.core.exceptions.ClientAuthenticationError: DefaultAzureCredential failed to retrieve a token from the included credentials.',
  ],
  ['Entra', 'AADSTS70021', 'AADSTS70021: No matching federated identity record found for presented assertion.'],
])

table('app.dns-loop', [
  [
    'CoreDNS',
    '127.0.0.53',
    '[FATAL] plugin/loop: Loop (127.0.0.1:53812 -> :53) detected for zone ".", see https://coredns.io/plugins/loop#troubleshooting. Query: "HINFO 4547991504243258144.3688648895315093531."',
  ],
])

table('oom.ulimit-allocation', [
  ['Squid', 'ulimit -n', 'FATAL: xcalloc: Unable to allocate 1073741816 blocks of 432 bytes!'],
  ['OpenLDAP', 'ulimit -n', 'ch_calloc of 1073741816 elems of 704 bytes failed'],
])
