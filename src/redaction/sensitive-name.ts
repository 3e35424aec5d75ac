/**
 * Words that, at the end of a key, say that its value is a credential: `DB_PASSWORD`, `clientSecret`, `x-api-key`.
 * Source of a case-insensitive regular expression; no unbounded repetition, so that it may be tried at every offset.
 */
export const KEYWORD =
  '(?:(?:api|access|secret|private|account|encryption) key|pass(?:words?|wort|wd|phrase|code)\\d?|requirepass|pgpass|(?<=_)pw|(?<![a-z])pass|(?-i:(?<=[a-z])Pass|(?<![A-Za-z])pwd|(?<=[_;])PWD|Pwd)' +
  '|(?:jsession|phpsess)id|connect\\.sid|secret(?:[_.-]?(?:string|value|text))?|token|credentials?|(?<![a-z])jwt|(?<![a-z0-9])_auth' +
  '|(?:api|access|secret|private|signing|signature|encryption|auth|account|shared|master|license|service|admin|app' +
  '|client|consumer|webhook|subscription|storage|session|hmac|jwt|crypto|cookie|deploy|ssh|integration|write)[_.-]?key' +
  '(?:[_-]?id|_base)?)(?:[_-]?(?:base64|b64))?'

const SENSITIVE = new RegExp(`${KEYWORD}$`, 'i')
const ENV_WORD =
  /passw(?:or)?d|passphrase|secret|token(?!s)|credential|(?:^|[_.-])(?:pgpass|pass|pwd?|creds?|auth|key)(?![a-z])|apikey/i
/** Names that speak about a credential without being one. */
const ABOUT =
  /(?:^|[_.-])(?:file|files|path|dir|directory|name|names|url|uri|endpoint|host|port|ttl|expiry|expires?|expiration|lifetime|seconds|minutes|ms|timeout|length|size|type|enabled|disabled|required|optional|policy|header|issuer|audience|algorithm|alg|user|username|ref|prefix|suffix|count|limit|version|provider|store|engine|backend|mode|method|format|region|rotation|interval|class|budget)$/i
const NOT_A_KEY =
  /(?:public|partition|sort|primary|foreign|cache|routing|row|group|object|bucket|lock|queue)[_.-]?key$/i
const CHECKSUM = /checksum|hash|digest|fingerprint/i

/** True for a key that ends with a keyword and yet holds no credential: `checksum/secret`, `cache_key`. */
export const isHarmlessKey = (key: string): boolean => CHECKSUM.test(key) || NOT_A_KEY.test(key)

/** True for the key of an object or a flag whose value is a credential. */
export const isSensitiveKey = (key: string): boolean => key.length <= 256 && SENSITIVE.test(key) && !isHarmlessKey(key)

/** True for an environment variable whose literal value is to be removed; wider than keys: `ENCRYPTION_KEY` counts too. */
export const isSensitiveVariable = (name: string): boolean =>
  name.length <= 256 && ENV_WORD.test(name) && !ABOUT.test(name) && !CHECKSUM.test(name) && !NOT_A_KEY.test(name)

const WORDS =
  /^(?:true|false|yes|no|on|off|null|nil|none|undefined|unset|empty|default|string|strings|int|bool|value|redacted|masked|hidden|filtered|removed|\(null\)|\(empty\)|\(none\)|0|1)$/i
const REFERENCE =
  /^(?:\$\([^)]*\)?|\$\{[^}]*\}?|\$[A-Z_][A-Z0-9_]*|\{\{.*|%[A-Z_]+%|%[sqvd]|<[^>]*>?|\[[^\]]*\]?|\*{2,}|[xX]{3,}|\.{3,}|(?:vault|env|file|ref\+\w+|arn):.*)$/
const FILE =
  /^(?:\/(?:var|etc|run|mnt|opt|home|tmp|usr|app|root|srv|data|secrets?|vault|config|certs?|keys?)\/|\.{1,2}\/)[\w./@-]+$/

/** True for what stands in a credential's place without being one: `$(DB_PASSWORD)`, `YES`, `***`, a file, `[redacted]`. */
export const isPlaceholder = (value: string): boolean => {
  const trimmed = value.trim()
  return (
    trimmed === '' || (trimmed.length <= 512 && (WORDS.test(trimmed) || REFERENCE.test(trimmed) || FILE.test(trimmed)))
  )
}

/** True where a text is more likely generated than a word of prose. */
export const looksRandom = (value: string): boolean =>
  (value.length >= 6 && /\d/.test(value) && /[A-Za-z]/.test(value)) ||
  (value.length >= 6 && /[A-Za-z]/.test(value) && /[!@#$%^&*+=?~]/.test(value)) ||
  value.length >= 32
