import { describe, expect, test } from 'vitest'
import { crashed, log } from './crashed-app.ts'

describe('a setting that is missing or wrong', () => {
  test.each<[string, string, string]>([
    [
      'Node',
      'MAILER_URL',
      log(`
      /srv/app/config.js:8
        throw new Error(\`\${name} is not set\`)
        ^

      Error: MAILER_URL is not set
          at required (/srv/app/config.js:8:9)
          at Object.<anonymous> (/srv/app/index.js:3:14)

      Node.js v22.11.0`),
    ],
    ['Node, several', 'STRIPE_KEY', 'Error: Missing required environment variables: STRIPE_KEY, STRIPE_WEBHOOK_SECRET'],
    ['Nest with Joi', 'JWT_SECRET', 'Error: Config validation error: "JWT_SECRET" is required'],
    [
      'envalid',
      'DATABASE_URL',
      log(`
      ================================
       Missing environment variables:
          DATABASE_URL: database connection string (eg. "postgres://…")
      ================================`),
    ],
    [
      't3-env',
      'NEXTAUTH_SECRET',
      log(`
      ❌ Invalid environment variables: [
        NEXTAUTH_SECRET: [ 'Required' ]
      ]
      Error: Invalid environment variables
          at onValidationError (/app/env.js:40:11)`),
    ],
    [
      'Prisma',
      'DATABASE_URL',
      log(`
      Prisma schema loaded from prisma/schema.prisma
      Error: Prisma schema validation - (get-config wasm)
      Error code: P1012
      error: Environment variable not found: DATABASE_URL.
        -->  prisma/schema.prisma:7`),
    ],
    [
      'Python KeyError',
      'QUEUE_NAME',
      log(`
      Traceback (most recent call last):
        File "/app/main.py", line 4, in <module>
          queue = os.environ["QUEUE_NAME"]
                  ~~~~~~~~~~^^^^^^^^^^^^^^
        File "<frozen os>", line 679, in __getitem__
      KeyError: 'QUEUE_NAME'`),
    ],
    ['Django', 'SECRET_KEY', 'django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.'],
    [
      'pydantic',
      'redis_url',
      log(`
      Traceback (most recent call last):
        File "/app/settings.py", line 12, in <module>
          settings = Settings()
      pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings
      redis_url
        Field required [type=missing, input_value={}, input_type=dict]
          For further information visit https://errors.pydantic.dev/2.9/v/missing`),
    ],
    [
      'decouple',
      'EMAIL_HOST',
      'decouple.UndefinedValueError: EMAIL_HOST not found. Declare it as envvar or define a default value.',
    ],
    [
      'Spring placeholder',
      'billing.endpoint',
      log(`
      2026-05-04T11:59:01.120Z ERROR 1 --- [main] o.s.boot.SpringApplication : Application run failed

      org.springframework.beans.factory.BeanCreationException: Error creating bean with name 'billingClient'
      \tat org.springframework.beans.factory.annotation.AutowiredAnnotationBeanPostProcessor.postProcessProperties(AutowiredAnnotationBeanPostProcessor.java:515)
      Caused by: java.lang.IllegalArgumentException: Could not resolve placeholder 'billing.endpoint' in value "\${billing.endpoint}"
      \tat org.springframework.util.PropertyPlaceholderHelper.parseStringValue(PropertyPlaceholderHelper.java:180)
      \t... 22 common frames omitted`),
    ],
    [
      'Spring data source',
      'url',
      log(`
      ***************************
      APPLICATION FAILED TO START
      ***************************

      Description:

      Failed to configure a DataSource: 'url' attribute is not specified and no embedded datasource could be configured.

      Reason: Failed to determine a suitable driver class`),
    ],
    [
      'Quarkus',
      'quarkus.datasource.jdbc.url',
      'java.lang.RuntimeException: SRCFG00014: The config property quarkus.datasource.jdbc.url is required but it could not be found in any config source',
    ],
    [
      'Kafka client',
      'bootstrap.servers',
      'Exception in thread "main" org.apache.kafka.common.config.ConfigException: Missing required configuration "bootstrap.servers" which has no default value.',
    ],
    ['Go envconfig', 'PAYMENTS_TOKEN', '2026/05/04 11:59:00 required key PAYMENTS_TOKEN missing value'],
    ['Go env', 'HTTP_ADDR', '2026/05/04 11:59:00 parse env: env: required environment variable "HTTP_ADDR" is not set'],
    [
      'Go slog JSON',
      'OIDC_ISSUER',
      '{"time":"2026-05-04T11:59:00Z","level":"ERROR","msg":"cannot start","error":"OIDC_ISSUER must be set"}',
    ],
    [
      'Go flag',
      '--listen-adress',
      log(`
      Error: unknown flag: --listen-adress
      Usage:
        gateway serve [flags]`),
    ],
    [
      'Rails ENV.fetch',
      'REDIS_URL',
      '/app/config/initializers/redis.rb:1:in `fetch\': key not found: "REDIS_URL" (KeyError)',
    ],
    [
      'Rails secret',
      'secret_key_base',
      "Missing `secret_key_base` for 'production' environment, set this string with `bin/rails credentials:edit` (ArgumentError)",
    ],
    [
      'Laravel',
      'encryption key',
      'production.ERROR: No application encryption key has been specified. {"exception":"[object] (Illuminate\\\\Encryption\\\\MissingAppKeyException"}',
    ],
    ['Symfony', 'APP_DSN', 'In EnvVarProcessor.php line 221: Environment variable not found: "APP_DSN".'],
    [
      '.NET',
      'ConnectionString',
      log(`
      Unhandled exception. System.InvalidOperationException: The ConnectionString property has not been initialized.
         at Npgsql.NpgsqlConnection.Open(Boolean async, CancellationToken cancellationToken)`),
    ],
    [
      'Rust',
      'NotPresent',
      log(`
      thread 'main' panicked at src/main.rs:14:44:
      called \`Result::unwrap()\` on an \`Err\` value: NotPresent
      note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`),
    ],
    ['Elixir', 'SECRET_KEY_BASE', '** (RuntimeError) environment variable SECRET_KEY_BASE is missing.'],
    ['shell', 'TARGET_BUCKET', '/entrypoint.sh: line 7: TARGET_BUCKET: unbound variable'],
    ['shell with a message', 'API_TOKEN', 'sh: API_TOKEN: parameter not set'],
    ['argparse', '--concurency', 'worker.py: error: unrecognized arguments: --concurency=4'],
    [
      'clap',
      '--config',
      log(`
      error: the following required arguments were not provided:
        --config <FILE>`),
    ],
    [
      'JVM option',
      'UseG2GC',
      log(`
      Unrecognized VM option 'UseG2GC'
      Error: Could not create the Java Virtual Machine.
      Error: A fatal exception has occurred. Program will exit.`),
    ],
    [
      'nginx directive',
      'proxy_pas',
      '2026/05/04 11:59:00 [emerg] 1#1: unknown directive "proxy_pas" in /etc/nginx/conf.d/site.conf:14',
    ],
    [
      'nginx resolver',
      'dns.kube-system',
      'nginx: [emerg] host not found in resolver "dns.kube-system" in /etc/nginx/nginx.conf:18',
    ],
    [
      'nginx certificate',
      '/etc/tls/tls.crt',
      'nginx: [emerg] cannot load certificate "/etc/tls/tls.crt": BIO_new_file() failed (SSL: error:80000002:system library::No such file or directory)',
    ],
    [
      'Apache',
      'SSLEngin',
      "AH00526: Syntax error on line 31 of /usr/local/apache2/conf/httpd.conf:\nInvalid command 'SSLEngin', perhaps misspelled or defined by a module not included in the server configuration",
    ],
    [
      'HAProxy',
      'blance',
      "[ALERT]    (1) : config : parsing [/usr/local/etc/haproxy/haproxy.cfg:22] : unknown keyword 'blance' in 'backend' section",
    ],
    [
      'php-fpm',
      'pm.max_childs',
      "[04-May-2026 11:59:00] ERROR: [/usr/local/etc/php-fpm.d/www.conf:9] unknown entry 'pm.max_childs'",
    ],
    [
      'PostgreSQL first start',
      'password',
      log(`
      Error: Database is uninitialized and superuser password is not specified.
             You must specify POSTGRES_PASSWORD to a non-empty value for the
             superuser.`),
    ],
    ['PostgreSQL parameter', 'shared_bufers', 'FATAL:  unrecognized configuration parameter "shared_bufers"'],
    [
      'PostgreSQL database',
      'ledger',
      'psycopg2.OperationalError: connection to server at "ledger-db" (10.96.4.4), port 5432 failed: FATAL:  database "ledger" does not exist',
    ],
    [
      'MySQL first start',
      'password',
      log(`
      2026-05-04 11:59:00+00:00 [ERROR] [Entrypoint]: Database is uninitialized and password option is not specified
          You need to specify one of the following as an environment variable:
          - MYSQL_ROOT_PASSWORD`),
    ],
    [
      'MySQL variable',
      'inodb_buffer_pool_size',
      "2026-05-04T11:59:00.1Z 0 [ERROR] [MY-000067] [Server] unknown variable 'inodb_buffer_pool_size=1G'.",
    ],
    [
      'Redis',
      'maxmemry',
      log(`

      *** FATAL CONFIG FILE ERROR (Redis 7.2.5) ***
      Reading the configuration file, at line 12
      >>> 'maxmemry 200mb'
      Bad directive or wrong number of arguments`),
    ],
    ['MongoDB', '--bind_ipp', "Error parsing command line: unrecognised option '--bind_ipp'"],
    [
      'RabbitMQ',
      'vm_memory',
      log(`
      11:59:00.121 [error] You've tried to set vm_memory.high_watermark, but there is no setting with that name.
      11:59:00.125 [error] Error generating configuration in phase transform_datatypes
      11:59:00.125 [error] Conf file attempted to set unknown variable: vm_memory.high_watermark`),
    ],
    [
      'Elasticsearch setting',
      'cluster.nmae',
      'java.lang.IllegalArgumentException: unknown setting [cluster.nmae] please check that any required plugins are installed',
    ],
    [
      'Elasticsearch discovery',
      'discovery',
      'bootstrap check failure [1] of [1]: the default discovery settings are unsuitable for production use; at least one of [discovery.seed_hosts, discovery.seed_providers, cluster.initial_master_nodes] must be configured',
    ],
    [
      'Prometheus',
      'prometheus.yml',
      'ts=2026-05-04T11:59:00Z caller=main.go:520 level=error msg="Error loading config (--config.file=/etc/prometheus/prometheus.yml)" file=/etc/prometheus/prometheus.yml err="parsing YAML file /etc/prometheus/prometheus.yml: yaml: unmarshal errors:\\n  line 9: field scrape_config not found in type config.plain"',
    ],
    ['CoreDNS', 'forwrd', "/etc/coredns/Corefile:7 - Error during parsing: Unknown directive 'forwrd'"],
    [
      'Envoy',
      'configuration',
      "[2026-05-04 11:59:00.101][1][critical][main] [source/server/server.cc:131] error initializing configuration '/etc/envoy/envoy.yaml': Unable to parse JSON as proto",
    ],
    [
      'OpenTelemetry collector',
      'configuration',
      'Error: failed to get config: cannot unmarshal the configuration: decoding failed due to the following error(s):',
    ],
    ['Keycloak', 'hostname', 'ERROR: Strict hostname resolution configured but no hostname setting provided'],
    [
      'Bitnami',
      'MARIADB_ROOT_PASSWORD',
      'mariadb 11:59:00.10 ERROR ==> The MARIADB_ROOT_PASSWORD environment variable is empty or not set. Set the environment variable ALLOW_EMPTY_PASSWORD=yes to allow the container to be started with blank passwords.',
    ],
    [
      'YAML in Python',
      'setting',
      log(`
      Traceback (most recent call last):
        File "/app/main.py", line 9, in <module>
          config = yaml.safe_load(stream)
      yaml.scanner.ScannerError: mapping values are not allowed here
        in "/config/app.yaml", line 3, column 9`),
    ],
    ['missing file in Go', '/config/app.yaml', '2026/05/04 11:59:00 open /config/app.yaml: no such file or directory'],
    [
      'missing file in Node',
      '/etc/app/settings.json',
      "Error: ENOENT: no such file or directory, open '/etc/app/settings.json'",
    ],
    [
      'missing file in .NET',
      '/app/appsettings.Production.json',
      "Unhandled exception. System.IO.FileNotFoundException: The configuration file '/app/appsettings.Production.json' was not found and is not optional.",
    ],
    ['own words', 'PARTNER_KEY', '[main] FATAL configuration: PARTNER_KEY is empty'],
    [
      'Java own words',
      'TENANT_ID',
      'Exception in thread "main" java.lang.IllegalStateException: Environment variable TENANT_ID must not be blank',
    ],
    [
      'Grafana',
      'datasource',
      'Error: ✗ Datasource provisioning error: failed to load config file /etc/grafana/provisioning/datasources/ds.yaml: yaml: line 4: did not find expected key',
    ],
    ['listen address', '0.0.0.0', 'listen tcp 10.1.2.3:8080: bind: cannot assign requested address'],
  ])('%s: %s', (_what, mention, text) => {
    const { cause } = crashed({ log: text })
    expect(cause.id).toBe('app.bad-config')
    expect(`${cause.summary}\n${cause.fix.join('\n')}`.toLowerCase()).toContain(mention.toLowerCase())
  })

  test('a Service link that overrides a setting names the Service', () => {
    const { cause } = crashed({
      log: "ValueError: invalid literal for int() with base 10: 'tcp://10.96.7.7:6379'\n",
      snapshot: {
        related: {
          services: [
            {
              metadata: { name: 'redis', namespace: 'shop' },
              spec: { clusterIP: '10.96.7.7', ports: [{ port: 6379 }] },
            },
          ],
          endpointSlices: [],
        },
      },
    })
    expect(cause.id).toBe('app.bad-config')
    expect(cause.summary).toContain('`REDIS_PORT`')
    expect(cause.fix[0]).toContain('enableServiceLinks: false')
  })

  test('the variable that is there but wrong is to be corrected, not set', () => {
    const { cause } = crashed({
      log: 'Error: LOG_LEVEL is invalid\n',
      spec: { env: [{ name: 'LOG_LEVEL', value: 'loud' }] },
    })
    expect(cause.fix[0]).toContain('Correct the value of `LOG_LEVEL`')
  })
})
