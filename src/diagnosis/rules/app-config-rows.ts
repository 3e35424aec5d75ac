import type { LogRow } from '../decisive-entry.ts'

/** A name as environment variables are written; one word alone is too common to be one. */
const VARIABLE =
  '(?<![A-Za-z0-9_])(?!(?:ERR|ER|E|CERT|UNABLE|SELF|INVALID|NOT|NO|PERMISSION|RESOURCE|FAILED|ACCESS|MISSING|UNKNOWN|INTERNAL|BAD|MODULE|SQL|UNIQUE|DUPLICATE)_)(?<setting>[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,8})'
const SETTING = String.raw`(?<setting>[A-Za-z_][\w.:-]{1,100}\w)`
const LACKS =
  "(?:is |are |was |has |must be |cannot be |can't be |should be |may not be )?(?:not |un)?(?:a )?(?:required|missing|set|undefined|empty|blank|null|defined|configured|found|provided|specified|present|invalid|unset|mandatory|nil)"

/** Rows whose words say themselves that a setting is at fault. */
export const settingRows: readonly LogRow[] = [
  // The environment that Service links inject.
  { pattern: /(?<link>tcp:\/\/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}:\d{1,5})/, weight: 17, note: 'service-link' },
  { pattern: /\bport is deprecated\. Please use (?<setting>\w+)/i, weight: 17, note: 'service-link' },
  // Validators that list the variables in the lines around.
  {
    pattern: /(?:[Ii]nvalid|[Mm]issing)(?: required)? environment variables:?\s?[[{]?$|environment validation failed/,
    weight: 15,
    note: 'next',
  },
  { pattern: /the following required arguments were not provided/, weight: 16, note: 'next' },
  // A variable by its name.
  {
    pattern: new RegExp(
      `${VARIABLE}['"\`}\\])]{0,3}:? ?(?:env(?:ironment)? ?(?:var(?:iable)?)? )?(?:${LACKS}|must|is not a valid|has an invalid)\\b`,
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
      /(?:unknown (?:shorthand )?flag|flag provided but not defined|unrecognized (?:option|arguments?|flag)|unknown (?:option|argument|command|subcommand)|[Nn]o such (?:option|command)|unexpected argument|invalid option|illegal option|Unrecognized (?:VM )?option|unrecognised option|bad option)s?:? ?(?:--? )?['"`]?(?<setting>-{0,2}[\w.:=+/-]{1,80})?/,
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
  // Configuration files
  { pattern: /Bad directive or wrong number of arguments|FATAL CONFIG FILE ERROR/, weight: 18, note: 'redis' },
  {
    pattern:
      /(?:unknown|duplicate|invalid|unrecognized) directive:? "?(?<setting>[\w.-]{1,80})|"(?<directive>[\w.-]{1,60})" directive is (?:duplicate|not allowed)|invalid number of arguments in "(?<name>\w{1,60})"|directive "(?<open>\w{1,60})" (?:is not terminated|has no)|no "(?:events|http)" section|unexpected (?:end of file|"[;{}]"), expecting|unexpected "[;{}]"/,
    weight: 18,
  },
  {
    pattern:
      /Unknown directive '(?<setting>[^']{1,60})'|unknown keyword '(?<keyword>[^']{1,60})'|Invalid command '(?<command>[^']{1,60})'|unknown entry '(?<entry>[^']{1,60})'|AH00526: Syntax error/,
    weight: 18,
  },
  {
    pattern:
      /unrecognized configuration parameter "(?<setting>[^"]{1,80})|invalid value for parameter "(?<parameter>[^"]{1,80})|parameter "(?<name>[^"]{1,80})" (?:cannot|requires)|configuration file "(?<file>[^"]{1,200})" contains errors/,
    weight: 18,
  },
  {
    pattern:
      /unknown variable '(?<setting>[^']{1,80})|unknown setting \[(?<name>[^\]]{1,80})\]|Unknown (?:configuration )?(?:key|property|setting|parameter)s?:? ['"`[]?(?<key>[\w.-]{1,80})|attempted to set unknown variable: (?<variable>[\w.-]{1,80})/i,
    weight: 17,
  },
  {
    pattern:
      /field (?<setting>[\w.-]{1,60}) not found in type|missing field `(?<field>\w{1,60})`|unknown field [`"'](?<name>[^`"']{1,60})|cannot unmarshal [^\n]{0,60}into Go (?:struct field|value)|has invalid keys: (?<keys>[\w., -]{1,80})/,
    weight: 16,
  },
  {
    pattern:
      /yaml: (?:unmarshal errors|line \d+: |mapping|did not|control|invalid)|(?:yaml|ruamel)\.\w{1,20}\.(?:Scanner|Parser|Composer|Constructor)Error|while (?:parsing|scanning) (?:a (?:block|flow|quoted|simple|plain)|for the next token)|TOML parse error|toml: line \d+|tomllib\.TOMLDecodeError|YAMLException|JSON configuration is not valid|expected <block end>|mapping values are not allowed/,
    weight: 14,
    note: 'syntax',
  },
  {
    pattern:
      /(?:[Ee]rror|[Ff]ail(?:ed|ure)?|[Uu]nable|[Cc]annot|[Cc]ould not|can't)[^\n]{0,30} (?:pars|load|read|open|decod|initiali[sz]|find|validat|unmarshal|verify)\w{0,5}(?: the| your)?(?: \w{1,20})? ?(?:config(?:uration)?|flags|settings|Corefile|cfg)\b/i,
    weight: 14,
  },
  {
    pattern:
      /(?:config(?:uration)?|settings?|cfg)(?: file)?[^\n]{0,40}(?:is (?:invalid|not valid|malformed|missing)|not found|does not exist|could not be (?:found|read|loaded|parsed)|errors? (?:found )?in|contains errors)|[Ii]nvalid (?:config(?:uration)?|settings?)\b|[Bb]ad config(?:uration)?\b|CONFIG(?:URATION)? ERROR|Fatal errors found in configuration|Invalid config, exiting/i,
    weight: 13,
  },
  {
    pattern:
      /\b\w{0,60}Config(?:uration)?(?:Error|Exception)\b|\bBadValue: (?<setting>[\w.]{2,80})?|command traefik error/,
    weight: 13,
  },
  {
    pattern:
      /[Ee]rror (?:parsing|loading|reading|decoding) (?<file>\S{0,200}\.(?:json|ya?ml|hcl|toml|conf|ini|cfg|properties|xml))\b/,
    weight: 14,
  },
  { pattern: /requirement failed: [^\n]{0,80}listener|couldn't find local name|requires scheme\. See/, weight: 15 },
  {
    pattern:
      /no start line|failed to find any PEM data|private key does not match|key values mismatch|unable to load (?:private key|certificate)|tls: private key|bad decrypt/,
    weight: 12,
  },
  // Values
  {
    pattern:
      /(?:[Uu]nknown|[Ii]nvalid|[Uu]nsupported) (?:log(?:ging)? ?level|dialect|backend|provider|storage (?:type|driver)|environment|profile)\b/,
    weight: 11,
    isCertain: false,
  },
  {
    pattern:
      /[Ii]nvalid (?:URL|URI|DSN|connection string|port(?: number)?|duration|log level|time ?zone|region)\b|missing protocol scheme|first path segment in URL cannot contain colon|Invalid URL|invalid literal for int\(\) with base 10: '(?<value>[^']{0,80})'|could not parse (?:the )?(?:DSN|URL|url)|unsupported (?:scheme|protocol)|No schema supplied|must start with the protocol/,
    weight: 12,
    isCertain: false,
  },
  {
    pattern: new RegExp(
      `\\b(?:[Mm]issing|[Uu]nknown|[Ii]nvalid) (?:required )?(?:config(?:uration)?|setting|property|parameter|option|key|value)(?: (?:key|value|setting|property|for|named))?[: ]{1,2}['"\`]?${SETTING}`,
    ),
    weight: 12,
  },
  {
    pattern: new RegExp(
      `(?:config(?:uration)?|setting|property|parameter|option|secret|flag) ['"\`]?${SETTING}['"\`]? (?:${LACKS})\\b`,
      'i',
    ),
    weight: 12,
  },
]

/** Files that are settings, by their name or place. */
export const SETTINGS_FILE =
  /\.(?:ya?ml|json|toml|ini|conf|cnf|cfg|config|properties|env|xml|pem|crt|cer|key|cert|p12|jks|pfx|hcl|htpasswd|kubeconfig|license|lic|tfvars)$|^\/(?:etc|config|conf|secrets?|run\/secrets|vault\/secrets|certs?|tls)\/|\/(?:config|conf|secrets?|certs?|settings)\//i
