/** A text with a credential in it. Credentials are put together at run time, so that no scanner takes them for real. */
export interface Planted {
  readonly kind: string
  readonly text: string
  /** What must not be in the output. */
  readonly secret: string
  /** What must still be in the output. */
  readonly kept?: readonly string[]
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Reproducible text of the alphabet, at least one digit in it. */
export const random = (length: number, seed: number, alphabet = ALPHABET): string => {
  let state = seed * 2654435761 + 12345
  let text = ''
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    text += alphabet.charAt((state >>> 8) % alphabet.length)
  }
  return `${text.slice(0, length - 1)}7`
}

const hex = (length: number, seed: number): string => random(length, seed, '0123456789abcdef')
const upper = (length: number, seed: number): string => random(length, seed, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')
const base64 = (length: number, seed: number): string => random(length, seed, `${ALPHABET}+/`)
const jwt = (seed: number): string =>
  `ey${'J'}${random(30, seed)}.ey${'J'}${random(60, seed + 1)}.${random(43, seed + 2)}`
const basic = (userAndPassword: string): string => Buffer.from(userAndPassword).toString('base64')

/** Prefixes of services' tokens, and how long what follows is. */
const PREFIXES: readonly (readonly [kind: string, prefix: string, rest: string])[] = [
  ['Slack bot token', 'xox' + 'b-', `${hex(12, 1)}-${hex(12, 2)}-${random(24, 3)}`],
  ['Slack app token', 'xap' + 'p-', `1-A${upper(10, 4)}-${hex(13, 5)}-${hex(64, 6)}`],
  ['GitHub token', 'gh' + 'p_', random(36, 7)],
  ['GitHub fine-grained token', 'github_' + 'pat_', random(82, 8)],
  ['GitLab token', 'glp' + 'at-', random(20, 9)],
  ['Stripe key', 'sk_' + 'live_', random(24, 10)],
  ['npm token', 'np' + 'm_', random(36, 11)],
  ['PyPI token', 'py' + 'pi-', `AgEIcHlwaS5vcmc${random(60, 12)}`],
  ['SendGrid key', 'S' + 'G.', `${random(22, 13)}.${random(43, 14)}`],
  ['Twilio key', 'S' + 'K', hex(32, 15)],
  ['OpenAI key', 'sk' + '-proj-', random(48, 16)],
  ['Anthropic key', 'sk' + '-ant-', `api03-${random(93, 17)}AA`],
  ['Hugging Face token', 'h' + 'f_', random(34, 18)],
  ['Google API key', 'AI' + 'za', random(35, 19)],
  ['Google OAuth token', 'ya' + '29.', random(60, 20)],
  ['AWS access key id', 'AK' + 'IA', upper(16, 21)],
  ['DigitalOcean token', 'dop' + '_v1_', hex(64, 22)],
  ['Shopify token', 'shp' + 'at_', hex(32, 23)],
  ['Vault token', 'hv' + 's.', random(95, 24)],
  ['Docker Hub token', 'dckr_' + 'pat_', random(27, 25)],
  ['Grafana token', 'gls' + 'a_', `${random(32, 26)}_${hex(8, 27)}`],
  ['New Relic key', 'NR' + 'AK-', upper(27, 28)],
  ['Linear key', 'lin' + '_api_', random(40, 29)],
  ['Figma token', 'fig' + 'd_', random(40, 30)],
  ['Telegram bot token', '123456789' + ':AA', random(33, 31)],
]

const password = `Tr0ub4dor${'-'}${random(9, 40)}`
const awsSecret = base64(40, 41)

/** What coloured loggers and printers make of a pair. */
const COLOURED = [
  `password\u001b[0m=${password} done`,
  `\u001b[36mINFO\u001b[0m[0003] login \u001b[36mpassword\u001b[0m=${password}`,
  `\u001b[2m12:00\u001b[0m [\u001b[32minfo\u001b[0m] \u001b[36mpassword\u001b[0m=\u001b[35m${password}\u001b[0m`,
  `    \u001b[35mpassword\u001b[39m: "${password}"`,
  `{ password: \u001b[32m'${password}'\u001b[39m }`,
  `\u001b[1;39m{\u001b[0m\u001b[34;1m"password"\u001b[0m\u001b[1;39m:\u001b[0m \u001b[0;32m"${password}"\u001b[0m`,
  `Authorization: \u001b[32mBearer ${password}\u001b[0m`,
]

/** At least one line for each kind and each way in which it is written. */
export const planted: readonly Planted[] = [
  ...PREFIXES.map(([kind, prefix, rest]) => ({
    kind,
    text: `using ${prefix}${rest} for calls`,
    secret: rest,
    kept: ['for calls'],
  })),
  {
    kind: 'AWS secret key',
    text: `AWS_SECRET_ACCESS_KEY=${awsSecret}`,
    secret: awsSecret,
    kept: ['AWS_SECRET_ACCESS_KEY='],
  },
  { kind: 'AWS secret key', text: `aws_secret_access_key = ${awsSecret}`, secret: awsSecret },
  { kind: 'AWS secret key', text: `keys ${'AK' + 'IA'}${upper(16, 42)}:${awsSecret}`, secret: awsSecret },
  {
    kind: 'AWS signed URL',
    text: `GET https://b.s3.amazonaws.com/k?X-Amz-Date=1&X-Amz-Signature=${hex(64, 43)} 403`,
    secret: hex(64, 43),
    kept: ['https://b.s3.amazonaws.com/k?', ' 403'],
  },
  {
    kind: 'Azure account key',
    text: `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${base64(86, 44)}==;EndpointSuffix=core.windows.net`,
    secret: base64(86, 44),
    kept: ['AccountName=shop;AccountKey=', ';EndpointSuffix=core.windows.net'],
  },
  {
    kind: 'Azure SAS',
    text: `https://shop.blob.core.windows.net/c?sv=2024&sig=${random(44, 45)}%3D&se=2026`,
    secret: random(44, 45),
    kept: ['?sv=2024&sig=', '&se=2026'],
  },
  {
    kind: 'Google service account',
    text: JSON.stringify({
      type: 'service_account',
      private_key: `-----BEGIN ${'PRIVATE'} KEY-----\n${base64(64, 46)}\n${base64(30, 47)}\n-----END ${'PRIVATE'} KEY-----\n`,
      client_email: 'a@b.iam',
    }),
    secret: base64(64, 46),
    kept: ['a@b.iam', 'service_account'],
  },
  { kind: 'JWT', text: `token rejected: ${jwt(50)} (exp)`, secret: jwt(50), kept: ['token rejected: ', '(exp)'] },
  {
    kind: 'bearer header',
    text: `Authorization: Bearer ${jwt(53)}`,
    secret: jwt(53),
    kept: ['Authorization: Bearer '],
  },
  {
    kind: 'bearer header',
    text: `-H 'Authorization: Bearer ${random(20, 56)}' https://api`,
    secret: random(20, 56),
    kept: ["' https://api"],
  },
  { kind: 'bearer header', text: `"authorization":["Bearer ${random(40, 57)}"]`, secret: random(40, 57) },
  {
    kind: 'bearer header',
    text: `map[Authorization:[Bearer ${random(30, 58)}] Accept:[*/*]]`,
    secret: random(30, 58),
    kept: ['Accept:[*/*]]'],
  },
  {
    kind: 'basic header',
    text: `authorization: Basic ${basic(`admin:${password}`)}`,
    secret: basic(`admin:${password}`),
    kept: ['authorization: Basic '],
  },
  {
    kind: 'basic header',
    text: `sent header Basic ${basic(`u:${password}`)} to proxy`,
    secret: basic(`u:${password}`),
    kept: [' to proxy'],
  },
  { kind: 'API key header', text: `X-Api-Key: ${random(32, 59)}`, secret: random(32, 59), kept: ['X-Api-Key: '] },
  { kind: 'API key header', text: `headers={x-auth-token:[${random(24, 60)}]}`, secret: random(24, 60) },
  {
    kind: 'cookie',
    text: `Cookie: sid=${random(24, 61)}; theme=${random(8, 62)}; Path=/`,
    secret: random(24, 61),
    kept: ['Cookie: sid=', 'Path=/'],
  },
  {
    kind: 'curl user',
    text: `curl -fsS -u deploy:${password} https://repo.shop/x`,
    secret: password,
    kept: ['-u deploy:', 'https://repo.shop/x'],
  },
  {
    kind: 'curl user',
    text: `curl -udeploy:${password} https://x`,
    secret: password,
    kept: ['-udeploy:', ' https://x'],
  },
  { kind: 'curl user', text: `curl -fsSu deploy:${password} https://x`, secret: password, kept: ['-fsSu deploy:'] },
  {
    kind: 'command',
    text: `redis-cli -h redis -a ${password} ping`,
    secret: password,
    kept: ['redis-cli -h redis -a ', ' ping'],
  },
  { kind: 'command', text: `mysql -uroot -p${password} -h db`, secret: password, kept: ['mysql -uroot -p', ' -h db'] },
  { kind: 'command', text: `sshpass -p ${password} ssh deploy`, secret: password, kept: [' ssh deploy'] },
  {
    kind: 'command',
    text: `mongosh --host db -u app -p ${password} --quiet`,
    secret: password,
    kept: ['mongosh --host db -u app -p ', ' --quiet'],
  },
  {
    kind: 'command',
    text: `ldapsearch -x -D cn=admin -w ${password} -b dc=shop`,
    secret: password,
    kept: ['ldapsearch -x -D cn=admin -w ', ' -b dc=shop'],
  },
  {
    kind: 'command',
    text: `/usr/local/bin/rabbitmqadmin -u app -p ${password} list queues`,
    secret: password,
    kept: ['rabbitmqadmin -u app -p ', ' list queues'],
  },
  {
    kind: 'command',
    text: `exec ["redis-cli","-h","redis","-a","${password}","ping"] failed`,
    secret: password,
    kept: ['["redis-cli","-h","redis","-a","', '","ping"] failed'],
  },
  {
    kind: 'command',
    text: `exec ["mysqladmin","-p${password}","ping"] failed`,
    secret: password,
    kept: ['["mysqladmin","-p', '","ping"] failed'],
  },
  { kind: 'pair', text: `PGPASS=${password}`, secret: password, kept: ['PGPASS='] },
  { kind: 'pair', text: `DB_PW=${password}`, secret: password, kept: ['DB_PW='] },
  { kind: 'sentence', text: `the password is: ${password}`, secret: password, kept: ['the password is: '] },
  ...COLOURED.map(text => ({ kind: 'coloured log', text, secret: password })),
  {
    kind: 'netrc',
    text: `machine git.shop login app password ${password}`,
    secret: password,
    kept: ['login app password '],
  },
  { kind: 'sentence', text: `the password is ${password} now`, secret: password, kept: ['the password is ', ' now'] },
  { kind: 'sentence', text: `Using password "${password}" for app`, secret: password, kept: [' for app'] },
  {
    kind: 'Oracle easy connect',
    text: `sqlplus app/${password}@//ora:1521/XE`,
    secret: password,
    kept: ['app/', '@//ora:1521/XE'],
  },
  { kind: 'pair', text: `SECRET_KEY_BASE=${random(40, 71)}`, secret: random(40, 71), kept: ['SECRET_KEY_BASE='] },
  { kind: 'pair', text: `Driver={x};UID=sa;PWD=${password};`, secret: password, kept: ['UID=sa;PWD='] },
  {
    kind: 'PostgreSQL URL',
    text: `postgres://shop:${password}@db.shop.svc:5432/orders?sslmode=disable`,
    secret: password,
    kept: ['postgres://shop:', '@db.shop.svc:5432/orders?sslmode=disable'],
  },
  {
    kind: 'PostgreSQL URL',
    text: `postgresql+asyncpg://shop:p${'@'}ss${password}@db:5432/orders`,
    secret: password,
    kept: ['@db:5432/orders'],
  },
  {
    kind: 'PostgreSQL URL',
    text: `postgres://shop:ab/${password}@db:5432/orders`,
    secret: password,
    kept: ['@db:5432/orders'],
  },
  {
    kind: 'PostgreSQL keywords',
    text: `host=db port=5432 user=shop password=${password} dbname=orders`,
    secret: password,
    kept: ['host=db port=5432 user=shop password=', ' dbname=orders'],
  },
  {
    kind: 'PostgreSQL keywords',
    text: `host=db password='${password} two' dbname=orders`,
    secret: password,
    kept: ["' dbname=orders"],
  },
  { kind: 'MySQL URL', text: `mysql://root:${password}@mysql:3306/shop`, secret: password, kept: ['@mysql:3306/shop'] },
  {
    kind: 'Go MySQL DSN',
    text: `root:${password}@tcp(mysql.shop:3306)/orders?parseTime=true`,
    secret: password,
    kept: ['root:', '@tcp(mysql.shop:3306)/orders?parseTime=true'],
  },
  {
    kind: 'Redis URL',
    text: `redis://:${password}@redis-0.redis:6379/1`,
    secret: password,
    kept: ['redis://:', '@redis-0.redis:6379/1'],
  },
  { kind: 'Redis setting', text: `requirepass ${password}`, secret: password },
  {
    kind: 'AMQP URL',
    text: `dial amqp://guest:${password}@rabbit:5672/vhost: refused`,
    secret: password,
    kept: ['amqp://guest:', '@rabbit:5672/vhost: refused'],
  },
  {
    kind: 'MongoDB URL',
    text: `mongodb+srv://app:${password}@a.mongo.net,b.mongo.net/orders?retryWrites=true`,
    secret: password,
    kept: ['@a.mongo.net,b.mongo.net/orders?retryWrites=true'],
  },
  {
    kind: 'Kafka SASL',
    text: `sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="${password}";`,
    secret: password,
    kept: ['username="app" password="', '";'],
  },
  {
    kind: 'JDBC URL',
    text: `jdbc:postgresql://db:5432/shop?user=app&password=${password}&ssl=true`,
    secret: password,
    kept: ['jdbc:postgresql://db:5432/shop?user=app&password=', '&ssl=true'],
  },
  {
    kind: 'JDBC URL',
    text: `jdbc:oracle:thin:app/${password}@ora:1521/XE`,
    secret: password,
    kept: ['jdbc:oracle:thin:app/', '@ora:1521/XE'],
  },
  {
    kind: 'ADO.NET string',
    text: `Server=sql,1433;Database=shop;User Id=sa;Password=${password};Encrypt=true`,
    secret: password,
    kept: ['Server=sql,1433;Database=shop;User Id=sa;Password=', ';Encrypt=true'],
  },
  {
    kind: 'ADO.NET string',
    text: `Data Source=sql;Uid=sa;Pwd=${password};Trust Server Certificate=true`,
    secret: password,
    kept: ['Uid=sa;Pwd=', ';Trust Server Certificate=true'],
  },
  {
    kind: 'SQL',
    text: `CREATE USER app IDENTIFIED BY '${password}';`,
    secret: password,
    kept: ["IDENTIFIED BY '", "';"],
  },
  { kind: 'pair', text: `DB_PASSWORD=${password}`, secret: password, kept: ['DB_PASSWORD='] },
  { kind: 'pair', text: `dbPass=${password}, user=app`, secret: password, kept: [', user=app'] },
  { kind: 'pair', text: `Config(user=app, passwd=${password}, port=1)`, secret: password, kept: [', port=1)'] },
  {
    kind: 'pair',
    text: `level=info client_secret="${password} x" msg=started`,
    secret: password,
    kept: [' msg=started'],
  },
  { kind: 'pair', text: `api_key: ${random(16, 63)}`, secret: random(16, 63), kept: ['api_key: '] },
  { kind: 'pair', text: `spring.datasource.password: ${password}`, secret: password },
  { kind: 'pair', text: `  password: "${password}"`, secret: password, kept: ['  password: "'] },
  {
    kind: 'pair',
    text: `{"user":"app","password":"${password}","port":5432}`,
    secret: password,
    kept: ['{"user":"app","password":"', '","port":5432}'],
  },
  {
    kind: 'pair',
    text: `{'host': 'db', 'secret': '${password}'}`,
    secret: password,
    kept: ["{'host': 'db', 'secret': '"],
  },
  {
    kind: 'pair',
    text: `{Host:db Password:${password} Port:5432}`,
    secret: password,
    kept: ['{Host:db Password:', ' Port:5432}'],
  },
  { kind: 'pair', text: `wrong password: ${password} for user app`, secret: password, kept: [' for user app'] },
  { kind: 'pair', text: `<password>${password}</password>`, secret: password, kept: ['</password>'] },
  {
    kind: 'flag',
    text: `server --db-password ${password} --port 1`,
    secret: password,
    kept: ['server --db-password ', ' --port 1'],
  },
  { kind: 'flag', text: `server --token=${random(20, 64)} --port 1`, secret: random(20, 64), kept: [' --port 1'] },
  { kind: 'flag', text: `["--api-key", "${random(20, 65)}", "--v"]`, secret: random(20, 65), kept: ['"--v"]'] },
  {
    kind: 'variable of a manifest',
    text: `{"env":[{"name":"DB_PASSWORD","value":"${password}"},{"name":"PORT","value":"80"}]}`,
    secret: password,
    kept: ['{"name":"PORT","value":"80"}'],
  },
  {
    kind: 'variable of a manifest',
    text: `env:\n- name: ENCRYPTION_KEY\n  value: ${password}\n- name: A`,
    secret: password,
    kept: ['- name: A'],
  },
  {
    kind: 'Docker login',
    text: `{"auths":{"r.shop":{"auth":"${basic(`u:${password}`)}"}}}`,
    secret: basic(`u:${password}`),
    kept: ['{"auths":{"r.shop":{"auth":"'],
  },
  {
    kind: 'Docker login',
    text: `config ${basic(`{"auths":{"r.shop":{"auth":"${password}"}}}`)}`,
    secret: basic(`{"auths":{"r.shop":{"auth":"${password}"}}}`).slice(8),
  },
  {
    kind: 'npm setting',
    text: `//registry.shop/:_authToken=${random(36, 66)}`,
    secret: random(36, 66),
    kept: ['//registry.shop/:_authToken='],
  },
  {
    kind: 'Slack webhook',
    text: `https://hooks.slack.com/services/T${upper(8, 67)}/B${upper(8, 68)}/${random(24, 69)}`,
    secret: random(24, 69),
    kept: ['https://hooks.slack.com/services/'],
  },
  {
    kind: 'token in a URL',
    text: `git clone https://${random(40, 70)}@git.shop/app.git`,
    secret: random(40, 70),
    kept: ['@git.shop/app.git'],
  },
  {
    kind: 'URL',
    text: `proxy http://app:${password}@proxy.shop:3128 refused`,
    secret: password,
    kept: ['http://app:', '@proxy.shop:3128 refused'],
  },
]
