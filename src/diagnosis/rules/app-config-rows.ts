import type { LogRow } from '../decisive-entry.ts'

/** A name as environment variables are written; one word alone is too common to be one. */
const VARIABLE =
  '(?<![A-Za-z0-9_])(?!(?:ERR|ER|E|CERT|UNABLE|SELF|INVALID|NOT|NO|PERMISSION|RESOURCE|FAILED|ACCESS|CAP|MISSING|UNKNOWN|INTERNAL|BAD|MODULE|SQL|UNIQUE|DUPLICATE)_)(?<setting>[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,8})'
/** How a message says that a setting is not as it should be. */
export const LACKS =
  "(?:is |are |was |has |must be |cannot be |can't be |should be |may not be )?(?:not |un)?(?:a )?(?:required|missing|set|undefined|empty|blank|null|defined|configured|found|provided|specified|present|invalid|unset|mandatory|nil|no value)"

/** Rows whose words say themselves that a setting is at fault. */
export const settingRows: readonly LogRow[] = [
  // The environment that Service links inject.
  { pattern: /(?<link>tcp:\/\/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}:\d{1,5})/, weight: 17, note: 'service-link' },
  // Its own prefix taken off, as programs do that read settings from the environment: `PORT.7687.TCP.PROTO`.
  { pattern: /\bPORT[._]\d{2,5}[._](?:TCP|UDP)(?:[._](?:PROTO|ADDR|PORT))?\b/i, weight: 17, note: 'service-link' },
  { pattern: /\bport is deprecated\. Please use (?<setting>\w+)/i, weight: 17, note: 'service-link' },
  // Validators that list the variables in the lines around.
  {
    pattern: /(?:[Ii]nvalid|[Mm]issing)(?: required)? environment variables:?\s?[[{]?$|environment validation failed/,
    weight: 15,
    note: 'next',
  },
  { pattern: /\bZodError\b/, weight: 15, note: 'zod' },
  { pattern: /the following required arguments were not provided/, weight: 16, note: 'next' },
  // A variable by its name.
  {
    pattern: new RegExp(
      `${VARIABLE}['"\`}\\])]{0,3}:? ?(?:[Ee]nv(?:ironment)? ?(?:[Vv]ar(?:iable)?)? )?(?:${LACKS}|must|should|length should|is not a valid|has an invalid)\\b`,
    ),
    weight: 15,
  },
  {
    pattern: new RegExp(
      `(?:[Mm]issing|[Rr]equired?|not set|[Uu]nset|[Ii]nvalid|[Uu]ndefined|not found|[Uu]nable to (?:find|read)|fetch|[Nn]o value for|[Ss]et the|[Ss]etting (?:the)?|[Ss]pecify|provide|[Ee]mpty|lacks?|needs?|expects?)[^\\n]{0,60}?${VARIABLE}`,
    ),
    weight: 14,
  },
  { pattern: new RegExp(`[Ee]nv(?:ironment)?[ -]?[Vv]ar(?:iable)?s?[^\\n]{0,60}?['"\`: ]${VARIABLE}`), weight: 14 },
  {
    pattern:
      /[Ee]nv(?:ironment)?[ -]?var(?:iable)?s?(?: name)?:? ['"`]?(?<setting>\w{2,60})['"`]? (?:is |was |could )?(?:not|missing|required|un)/,
    weight: 14,
  },
  {
    pattern:
      /(?:[Mm]issing|[Ii]nvalid|[Rr]equired) env(?:ironment)?[ -]?(?:var(?:iable)?s?)?:? ?['"`]?(?<setting>\w{0,60})/,
    weight: 15,
  },
  { pattern: /KeyError: '(?<setting>[A-Z][A-Z0-9_]{2,60})'/, weight: 14, isCertain: false, note: 'key-error' },
  { pattern: /key not found: "(?<setting>[A-Z][A-Z0-9_]{2,60})"/, weight: 15 },
  { pattern: /\b(?<setting>\w{2,60}): (?:unbound variable|parameter (?:null or )?not set)/, weight: 16 },
  { pattern: /required key (?<setting>\w{2,80}) missing value/, weight: 16 },
  {
    pattern:
      /could not fetch environment variable "(?<setting>\w{2,60})"|environment variable (?<name>\w{2,60}) is missing/,
    weight: 16,
  },
  { pattern: /\b(?<setting>\w{2,60}) not found\. Declare it as envvar or define a default value/, weight: 16 },
  {
    pattern:
      /^(?:[\w.-]{1,60}: ){0,4}(?<setting>[A-Z][A-Z0-9_]{2,40}):? (?:must\b|is (?:not|empty|missing|required|invalid|unset)|not (?:set|given|provided|configured)|has to be)/,
    weight: 11,
  },
  // A variable in a line about the environment or the settings, and one that is asked for.
  {
    pattern: new RegExp(
      `^(?=[^\\n]*\\b(?:env|environment|config\\w*|settings?)\\b)(?=[^\\n]*\\b(?:incomplete|invalid|missing|must|unset|empty|unknown|no such|pars\\w+)\\b)[^\\n]*?${VARIABLE}`,
    ),
    weight: 10,
    isCertain: false,
  },
  {
    pattern: new RegExp(
      `(?:[Pp]lease set|\\bset\\b[^\\n]{0,30}|[Ww]ithout|[Nn]either|\\bnor|no such env:?) ?\\$?${VARIABLE}`,
    ),
    weight: 11,
  },
  { pattern: new RegExp(`${VARIABLE}=?['"][^'"]{0,80}['"]?: [^\\n]{0,60}(?:pars|invalid|strconv)`), weight: 13 },
  {
    pattern:
      /(?:parse|read|decode) (?<setting>(?!JSON|YAML|XML|HTML|CSV|HTTP|TOML|URL|DSN|PEM|UTF)[A-Z][A-Z0-9_]{3,40})(?: as\b|:)/,
    weight: 11,
    isCertain: false,
  },
  {
    pattern:
      /(?:config(?:uration)?|settings) (?:is |are )?incomplete|(?:required|mandatory) (?:setting|property) (?<setting>[\w.-]{2,80})/i,
    weight: 12,
  },
  {
    pattern: /(?:option|argument|flag) (?<setting>-{1,2}[\w-]{1,60}) (?:is|was) (?:mandatory|required|missing)/,
    weight: 15,
  },
  { pattern: new RegExp(`${VARIABLE}['"\`]? [Ee]nv(?:ironment)?[ _-]?[Vv]ar`), weight: 14 },
  {
    pattern: /[Pp]lease (?:configure|set|specify|provide|define)\b[^\n]{0,60}?['"`](?<setting>[\w.-]{2,60})['"`]/,
    weight: 11,
    isCertain: false,
  },
  { pattern: new RegExp(`[Rr]efus(?:es|ing) to (?:start|run)[^\\n]{0,60}?${VARIABLE}`), weight: 15 },
  {
    pattern:
      /[Nn]o (?<setting>--[\w-]{2,60}) (?:flags?|options?|arguments?) (?:was |were )?(?:provided|given|set|specified)/,
    weight: 15,
  },
  { pattern: /environment variable not found|\bNotPresent\b|VarError/, weight: 13 },
  // Frameworks
  { pattern: /Could not resolve placeholder '(?<setting>[^']{1,120})'/, weight: 18 },
  { pattern: /Failed to configure a DataSource: '(?<setting>\w+)' attribute is not specified/, weight: 18 },
  {
    pattern:
      /SRCFG\d+: [^\n]{0,40}property (?<setting>[\w.-]+)|[Tt]he config(?:uration)? property (?<property>[\w."-]{2,100}) is required/,
    weight: 17,
  },
  {
    pattern:
      /No configuration setting found for key '(?<setting>[^']{1,100})'|ConfigException\$\w+: [^\n]{0,80}?'(?<key>[^']{1,100})'/,
    weight: 17,
  },
  { pattern: /Failed to bind properties under '(?<setting>[^']{1,100})'/, weight: 16 },
  { pattern: /[Mm]issing required configuration "?(?<setting>[\w.-]{2,100}?)"? which has no default/, weight: 18 },
  {
    pattern:
      /ConfigException: (?:Missing required configuration|Invalid value|Unknown|No)[^\n]{0,120}?(?:configuration |config )"?(?<setting>[\w.-]{2,80})/,
    weight: 16,
  },
  {
    pattern:
      /(?<setting>advertised\.listeners|listeners|zookeeper\.connect|process\.roles|controller\.quorum\.voters|node\.id|log\.dirs)\b[^\n]{0,60}(?:cannot|must|missing|required|invalid|not)/i,
    weight: 15,
  },
  { pattern: /ImproperlyConfigured: (?:The |Set the |Requested setting )?(?<setting>[A-Z_]{3,60})?/, weight: 16 },
  {
    pattern: /validation errors? for (?<setting>\w*(?:[Ss]ettings|[Cc]onfig\w*|[Ee]nv\w*))/,
    weight: 16,
    note: 'pydantic',
  },
  { pattern: /Config validation error: "?(?<setting>\w{2,60})/, weight: 16 },
  {
    pattern:
      /No application encryption key has been specified|Missing `?secret_key_base|Missing encryption key to decrypt|MessageEncryptor::InvalidMessage|secretOrPrivateKey must have a value/,
    weight: 17,
  },
  { pattern: /Missing required configuration keys: \["(?<setting>\w+)/, weight: 16 },
  {
    pattern:
      /connection ?string[^\n]{0,60}(?:not (?:found|been|set|configured|initialized)|missing|null|empty|required|invalid)|(?:missing|no|invalid|null)[^\n]{0,20}connection ?string/i,
    weight: 14,
  },
  { pattern: /Value cannot be null\. \(Parameter '(?<setting>\w{2,60})'\)/, weight: 11, isCertain: false },
  {
    pattern:
      /OptionsValidationException|The configuration file '(?<file>[^']{1,200})' was not found and is not optional|Failed to load configuration from file '(?<path>[^']{1,200})'/,
    weight: 17,
  },
  {
    pattern: /hostname is not configured|no hostname setting provided|Key material not provided to setup HTTPS/,
    weight: 16,
  },
  // Servers' own entry points
  {
    pattern:
      /superuser password is not specified|database is uninitialized and (?:superuser )?password option is not specified/i,
    weight: 19,
    note: 'first-password',
  },
  { pattern: /MYSQL_USER="root"/, weight: 18 },
  { pattern: /You need to specify one of the following(?: as an environment variable)?/, weight: 17, note: 'next' },
  { pattern: /default discovery settings are unsuitable for production use/, weight: 18, note: 'discovery' },
  { pattern: /host not found in resolver "(?<setting>[^"]{1,253})"/, weight: 19, note: 'resolver' },
  {
    pattern:
      /[Dd]atabase \\?"(?<setting>[^"\\]{1,64})\\?" does not exist|Unknown database '(?<database>[^']{1,64})'|Database `(?<base>[^`]{1,64})` does not exist/,
    weight: 16,
    note: 'database',
  },
  {
    pattern: /KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined|serviceaccount\/token: no such file/,
    weight: 18,
    note: 'token',
  },
  // Command lines
  {
    pattern:
      /(?:unknown (?:shorthand )?flag|flag provided but not defined|unrecognized (?:option|arguments?|flag)|[Uu]nknown (?:option|argument|command|subcommand)|[Nn]o such (?:option|command)|unexpected argument|invalid option|illegal option|Unrecognized (?:VM )?option|unrecognised option|bad option)s?:? ?(?:--? )?['"`]?(?<setting>-{0,2}[\w.:=+/-]{1,80})?/,
    weight: 15,
  },
  {
    pattern:
      /(?:required flag\(s\)|the following (?:required )?arguments (?:are|were) (?:required|not provided)|[Mm]issing (?:required )?(?:flag|option|argument|parameter)s?|argument (?:is|are) required):? ?['"`<]?(?<setting>-{0,2}[\w./,-]{1,80})?/,
    weight: 15,
  },
  {
    pattern:
      /invalid (?:argument|value) ['"](?<value>[^'"]{0,80})['"] for ['"]?(?<setting>-{0,2}[\w.-]{1,60})|Invalid value for '?(?<option>-{0,2}[\w.-]{1,60})/,
    weight: 15,
  },
  {
    pattern: /Invalid maximum heap size|Invalid initial heap size|Initial heap size set to a larger value/,
    weight: 13,
  },
  {
    pattern:
      /(?:[Rr]equired|[Mm]andatory) (?:option|argument|flag|parameter|setting|property)s? (?:is |are |was )?(?:missing|not set|not given)[: ]{0,2}(?<setting>-{0,2}[\w.-]{1,60})?/,
    weight: 15,
  },
  // What follows from a wrong option; the line before names it.
  { pattern: /Could not create the Java Virtual Machine/, weight: 2 },
]
