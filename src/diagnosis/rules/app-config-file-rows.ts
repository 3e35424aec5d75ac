import type { LogRow } from '../decisive-entry.ts'
import { LACKS } from './app-config-rows.ts'

const SETTING = String.raw`(?<setting>[A-Za-z_][\w.:-]{1,100}\w)`

/** Rows about configuration files and the values in them, in the words of the servers that read them. */
export const fileRows: readonly LogRow[] = [
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
      /(?:[Ee]rror|[Ff]ail(?:ed|ure)?|[Uu]nable|[Cc]annot|[Cc]ould not|can't)[^\n]{0,30} (?:pars|load|read|open|decod|initiali[sz]|find|validat|unmarshal|verify|merg|appl|process)\w{0,5}(?: the| your)?(?: \w{1,20})? ?(?:config(?:uration)?|flags|settings|Corefile|cfg)\b/i,
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
    weight: 10,
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
  {
    pattern:
      /NoSectionError|NoOptionError|ConfigurationPropertiesBindException|Unable to configure HTTPS endpoint|Could not bind properties|NoRegionError|[Mm]ust specify a region/,
    weight: 14,
  },
  {
    pattern:
      /\b(?:config(?:uration)?|settings)\b: ?[^\n]{0,80}?(?:is empty|missing|required|must|invalid|unknown|not set|unsupported|expected|incomplete)/i,
    weight: 12,
  },
  {
    pattern:
      /(?<![\w./-])(?<setting>[a-z][\w-]{0,40}(?:\.[\w-]{1,40}){1,6}) (?:is (?:empty|missing|required|not set|not configured|unset)|must (?:be|not)\b|not (?:set|configured))/,
    weight: 11,
    note: 'dotted',
  },
  // Values
  {
    pattern:
      /(?:[Ll]oading|[Rr]eading|[Pp]arsing) (?:the )?config(?:uration)?(?: file)? failed"?(?:[^\n]{0,40}\bfile=(?<file>[^\s"]{1,200}))?/,
    weight: 15,
  },
  { pattern: /NoSuchBucket|\bbucket (?:"?[\w.-]{1,80}"? )?does not exist/, weight: 15 },
  {
    pattern: new RegExp(`[Mm]issing ${SETTING} (?:config(?:uration)?|setting|property|option|parameter)\\b`),
    weight: 13,
  },
  { pattern: /\bconfig(?:uration)? validation of \[?(?<setting>[^:\n]{1,80}?)\]?: /, weight: 15 },
  {
    pattern:
      /\b(?<setting>\w{0,30}(?:key|secret|password|token))\b (?:must be|should be|has to be|needs to be) (?:at least |exactly )?\d+ (?:bytes|characters|chars|bits)/i,
    weight: 14,
  },
  {
    pattern: /\b(?:token|licen[cs]e(?: key)?|api key) (?:is |was )?(?:not valid|invalid|malformed)\b/i,
    weight: 12,
    isCertain: false,
  },
  // Its own first log-in, not one to another service.
  {
    pattern:
      /credentials inherited from the (?:shell )?environment|[Aa]ccess key length should be|secret key length (?:should be )?at least/,
    weight: 16,
  },
  {
    pattern:
      /\bport\b[^\n]{0,20}(?:is not a (?:number|valid)|out of range)|[Ii]nvalid (?:endpoint|address|hostname)\b|[Nn]o (?:DSN|URL|URI|host|hostname|endpoint|bucket|region|token|(?:api|API) key|licen[cs]e key|database) (?:was |is )?(?:given|set|configured|provided|specified)/,
    weight: 12,
  },
  {
    pattern:
      /(?:[Uu]nknown|[Ii]nvalid|[Uu]nsupported|[Nn]o such) (?:database |storage |log )?(?:transport|log(?:ging)? ?level|level|driver|dialect|backend|provider|storage (?:type|driver)|environment|profile)\b/,
    weight: 11,
    isCertain: false,
  },
  // A number of the settings or of the program's data: the lines around tell.
  { pattern: /invalid literal for int\(\) with base 10: '/, weight: 12, isCertain: false, note: 'key-error' },
  {
    pattern:
      /[Ii]nvalid (?:URL|URI|DSN|connection string|port(?: number)?|duration|log level|time ?zone|region)\b|missing protocol scheme|first path segment in URL cannot contain colon|Invalid URL|could not parse (?:the )?(?:DSN|URL|url)|unsupported (?:scheme|protocol)|No schema supplied|must start with the protocol/,
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
  /\.(?:ya?ml|json|toml|ini|conf|cnf|cfg|config|properties|env|xml|pem|crt|cer|key|cert|p12|jks|pfx|hcl|htpasswd|kubeconfig|license|lic|tfvars)$|^\/(?:etc|config|conf|secrets?|credentials?|run\/secrets|vault\/secrets|certs?|tls)\/|\/(?:config|conf|secrets?|credentials?|certs?|settings)\//i
