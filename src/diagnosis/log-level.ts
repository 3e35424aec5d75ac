/** How grave a line says it is; null: it does not say. */
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info'

const WORDS: Readonly<Record<string, LogLevel>> = {
  fatal: 'fatal',
  panic: 'fatal',
  emerg: 'fatal',
  emergency: 'fatal',
  critical: 'fatal',
  crit: 'fatal',
  alert: 'fatal',
  severe: 'error',
  error: 'error',
  err: 'error',
  eror: 'error',
  fail: 'error',
  warn: 'warn',
  warning: 'warn',
  wrn: 'warn',
  notice: 'info',
  note: 'info',
  info: 'info',
  information: 'info',
  inf: 'info',
  log: 'info',
  system: 'info',
  debug: 'info',
  dbug: 'info',
  dbg: 'info',
  trace: 'info',
  trce: 'info',
  verbose: 'info',
  hint: 'info',
}

/** A level's word, as JSON logs give it, in any case; numbers are pino's and bunyan's. */
export const levelNamed = (word: string | number): LogLevel | null => {
  const number = Number(word)
  if (!Number.isNaN(number)) {
    return number >= 60 ? 'fatal' : number >= 50 ? 'error' : number >= 40 ? 'warn' : number >= 10 ? 'info' : null
  }
  // MongoDB writes one letter.
  const letter: Readonly<Record<string, LogLevel>> = { F: 'fatal', E: 'error', W: 'warn', I: 'info', D: 'info' }
  return letter[String(word)] ?? WORDS[String(word).toLowerCase()] ?? null
}

/** Where levels stand: upper case between blanks and brackets, lower case only where it cannot be prose. */
const UPPER =
  /(?:^|[\s[("'|<>/:=-])(FATAL|PANIC|EMERG|EMERGENCY|CRITICAL|CRIT|ALERT|SEVERE|ERROR|ERR|FAIL|WARN|WARNING|WRN|NOTICE|NOTE|INFO|INF|LOG|DEBUG|DBG|TRACE|HINT)(?=[\s\])"'|>:,/-]|$)/
const BRACKETED =
  /[[<](fatal|panic|emerg|alert|crit|critical|error|err|warn|warning|notice|note|info|system|debug)[\]>]/i
const KEYED = /\b(?:level|lvl|severity|log\.level)["']?[=:]\s?["']?([a-zA-Z]{3,11})\b/
const LEADING =
  /^(?:[\w./ -]{1,40}: )?(fatal|panic|alert|crit|critical|error|fail|warn|warning|info|dbug|trce)(?: error)?(?::| \[)/i
const KLOG = /^([FEWI])\d{4} \d{2}:\d{2}:\d{2}/
/** Redis marks warnings and worse with `#`. */
const REDIS = /^\d+:[A-Z] \d{1,2} \w{3} \d{4} [\d:.]+ ([#*.-]) (WARNING)?/

/** An exception's own line, which no logger has given a level: something was not caught. */
const EXCEPTION =
  /^(?:---> )?(?:(?:Unhandled|Uncaught|PHP Fatal error:|Fatal error:|Exception in thread|Caused by:|\[cause\]:)[ :]|\*\*\s?\(|thread '[^']{1,80}'(?: \(\d+\))? panicked|(?:[A-Za-z_][\w$]{0,80}[.:]{1,2}){0,12}[A-Z][\w$]{0,80}(?:Error|Exception|Exit|Fault|Failure|Interrupt|Panic|Errno)(?: \[\w+\])?(?::|$| \())/

/** The level of a line that is no JSON. */
export const levelOf = (text: string): LogLevel | null => {
  const head = text.length > 160 ? text.slice(0, 160) : text
  const klog = KLOG.exec(head)
  if (klog?.[1]) return levelNamed(klog[1])
  const redis = REDIS.exec(head)
  if (redis) return redis[1] === '#' ? (redis[2] ? 'warn' : null) : 'info'
  const word =
    UPPER.exec(head)?.[1] ?? BRACKETED.exec(head)?.[1] ?? KEYED.exec(head)?.[1] ?? LEADING.exec(head)?.[1] ?? null
  const level = word === null ? null : levelNamed(word)
  if (level !== null) return level
  return EXCEPTION.test(head.trimStart()) ? 'fatal' : null
}
