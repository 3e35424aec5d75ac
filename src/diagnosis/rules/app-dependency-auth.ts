import { addressIn, placeOf } from '../addresses.ts'
import type { Match } from '../decisive-entry.ts'
import { code, fact } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { type AppFamily, around, logDraft, said } from './app-log-draft.ts'

/** Where the container takes a password from: the first variable that is named like one. */
const passwordSource = ({ container }: Subject): { readonly text: string; readonly source: string } | null => {
  const env = container.spec.env ?? []
  const index = env.findIndex(({ name = '' }) => /PASS(?:WORD|WD)?|SECRET|CREDENTIAL|TOKEN/i.test(name))
  const found = env[index]
  if (!found?.name) return null
  const { secretKeyRef } = found.valueFrom ?? {}
  const from = secretKeyRef ? ` (Secret ${code(secretKeyRef.name ?? '')}, key ${code(secretKeyRef.key ?? '')})` : ''
  return { text: `${code(found.name)}${from}`, source: `${container.specPath}.env[${index}]` }
}

const hostOf = (subject: Subject, match: Match): string | null => {
  const own = addressIn(match.entry.text.replace(/'[^'@]{0,64}'@'[^']{0,64}'/g, ''))
  const nearby = around(subject, match, 6, 0)
    .toReversed()
    .map(addressIn)
    .find(address => address !== null)
  const host = own?.host ?? nearby?.host ?? null
  return host !== null && placeOf(host, subject.view.namespace).kind !== 'ip' ? host : null
}

const auth: AppFamily = {
  id: 'app.dependency-auth',
  hint: /auth|password|login|access|denied|credential|refused|not allowed|role|permission|NOPERM|WRONGPASS|AUTH|publickey|security_exception|invalid_|unauthorized|40[13]|P1010|pg_hba/i,
  rows: [
    // PostgreSQL
    { pattern: /password authentication failed for user \\?"(?<user>[^"\\]{1,64})/, weight: 20 },
    {
      pattern:
        /(?:PAM|LDAP|RADIUS|GSSAPI|SSPI|certificate|peer|Ident|Peer|SCRAM) authentication failed(?: for user "(?<user>[^"]{1,64}))?/,
      weight: 18,
    },
    { pattern: /no pg_hba\.conf entry for host[^\n]{0,80}user "(?<user>[^"]{1,64})/, weight: 18 },
    { pattern: /\brole \\?"(?<user>[^"\\]{1,64})\\?" (?:does not exist|is not permitted to log in)/, weight: 17 },
    { pattern: /no password supplied|client password must be a string/, weight: 17, note: 'none' },
    {
      pattern:
        /permission denied for (?<object>(?:table|schema|relation|database|sequence|function|language) \S+)|must be owner of (?<owned>\w+ \S+)/,
      weight: 15,
      note: 'rights',
    },
    // MySQL
    { pattern: /Access denied for user '(?<user>[^']{0,64})'@/, weight: 20 },
    { pattern: /access denied for user '?(?<user>[\w.@-]{1,64})/i, weight: 17 },
    { pattern: /Host '[^']{1,80}' is not allowed to connect to this (?:MySQL|MariaDB) server/, weight: 18 },
    {
      pattern:
        /ER_NOT_SUPPORTED_AUTH_MODE|Authentication plugin '[^']{1,60}' cannot be loaded|requested authentication method unknown to the client/,
      weight: 17,
    },
    // MongoDB
    {
      pattern:
        /MongoServerError: (?:Authentication failed|bad auth)|AuthenticationFailed|bad auth ?: ?[Aa]uthentication failed|[Cc]ommand \w+ requires authentication|not authorized on \w{1,60} to execute command|MongoSecurityException/,
      weight: 18,
    },
    // Redis
    {
      pattern:
        /WRONGPASS|NOAUTH|ERR invalid password|Client sent AUTH, but no password is set|AUTH <password> called without any password configured|\bNOPERM\b/,
      weight: 18,
    },
    // RabbitMQ, Kafka, NATS
    {
      pattern:
        /ACCESS_REFUSED|NOT_ALLOWED - (?:access to )?vhost|access to vhost '[^']{0,80}' refused for user '(?<user>[^']{1,64})|username or password not allowed/,
      weight: 18,
    },
    {
      pattern:
        /(?:Sasl|SSL)?Authentication(?:Failed)?Exception: (?:Authentication failed|Unexpected handshake|Invalid)|(?:Topic|Cluster|Group|TransactionalId)AuthorizationException|SASL(?:[ -]\w+){0,3} (?:authentication|handshake) (?:failed|error)|SASL Authentication Failed|Invalid username or password|Topic authorization failed/i,
      weight: 17,
    },
    { pattern: /Authorization Violation|authorization violation/, weight: 16 },
    // Search, directory, others
    {
      pattern:
        /missing authentication credentials for REST request|(?:unable to authenticate|failed to authenticate) user \[(?<user>[^\]]{1,64})|security_exception|AuthenticationException\(401/,
      weight: 17,
    },
    {
      pattern:
        /(?:LDAP: error code 49|[Ii]nvalid [Cc]redentials \(49\)|invalidCredentials|ldap_bind: Invalid credentials)/,
      weight: 18,
    },
    { pattern: /Login failed for user '(?<user>[^']{1,64})/, weight: 19 },
    { pattern: /ORA-01017|ORA-28000|ORA-01045/, weight: 18 },
    { pattern: /Provided username (?<user>\S{1,64}) and\/or password are incorrect/, weight: 18 },
    { pattern: /Authentication failed against database server|P1000\b|was denied access on the database/, weight: 18 },
    {
      pattern:
        /[Ii]ncorrect (?:user(?:name)?|login|e-?mail) (?:or|and|\/) password|Authentication failed: password is incorrect|invalid user ID or password|(?:user(?:name)?|login)(?: name)? (?:or|and|and\/or) password (?:is |are )?(?:incorrect|invalid|wrong)/i,
      weight: 17,
    },
    {
      pattern: /\b535[ -][\d. ]{0,8}(?:Authentication|Error: authentication|Incorrect)|Invalid login: 535/,
      weight: 17,
    },
    {
      pattern:
        /Permission denied \(publickey|Authentication failed for 'https?:|could not read Username for 'https?:|Too many authentication failures/,
      weight: 17,
    },
    { pattern: /\b(?:invalid_client|unauthorized_client|invalid_grant)\b/, weight: 15 },
    {
      pattern:
        /service account name not authorized|invalid role name|namespace not authorized|Code: 403\. Errors:|\* permission denied\b/,
      weight: 15,
    },
    {
      pattern:
        /authentication (?:failed|failure|error)\b|credentials\b[^\n]{0,60}\b(?:rejected|refused|not accepted|incorrect)|log-?in rejected|failed to authenticate|login failed|invalid (?:user(?:name)?|login|credentials|api[ _-]?key|access token|password)\b|incorrect password|wrong password|bad credentials|unauthorized access/i,
      weight: 12,
      isCertain: false,
    },
    {
      pattern:
        /\b401\b[^\n]{0,20}Unauthorized|status(?: ?code)?[ :=]{1,2}401\b|HTTP 401|401 Client Error|Unauthorized \(401\)/i,
      weight: 11,
      isCertain: false,
    },
  ],
  tell: (subject, match) => {
    const { text } = match.entry
    // The cloud's and the Kubernetes API's refusals are causes of their own.
    if (/system:serviceaccount:(?!.*not authorized)|sts:|arn:aws|is forbidden:/.test(text)) return null
    const { user, object, owned } = match.groups
    const host = hostOf(subject, match)
    const at = host === null ? 'its data store or service' : code(host)
    const source = passwordSource(subject)
    if (match.row.note === 'rights') {
      return logDraft(subject, match, {
        because: `${at} accepts its log-in but refuses what it does: its user has no right on ${code(object ?? owned ?? 'that object')}. Its log says ${said(match)}.`,
        fix: [
          `Grant the user the right on ${code(object ?? owned ?? 'that object')} (as the owner or a superuser of the database), or let the user that owns it run the migration.`,
        ],
      })
    }
    const who = user === undefined ? 'its credentials' : `user ${code(user)}`
    const what = match.row.note === 'none' ? 'it sends no password' : `${at} does not accept ${who}`
    return logDraft(subject, match, {
      because: `${what}; the server answers, so it is reachable. Its log says ${said(match, 260)}.`,
      evidence: source ? [fact(source.source, source.text)] : [],
      fix: [
        `Make the password${source ? ` in ${source.text}` : ''} of ${code(subject.name)} equal the one ${at} was initialised with.`,
        'A database keeps the password of its first start: if its PersistentVolumeClaim is older than the Secret (the PVC keeps the old password, a chart regenerated the Secret), change the password in the database, or restore the old one in the Secret and pin it (`existingSecret`).',
      ],
      avoid: ['Deleting the database volume to make the new password fit: its data goes with it.'],
      verify: [`${code(subject.name)} stays up after its next start.`],
    })
  },
}

export const dependencyAuth: readonly AppFamily[] = [auth]
