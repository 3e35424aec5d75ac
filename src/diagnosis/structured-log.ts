import { type LogLevel, levelNamed } from './log-level.ts'

/** A JSON line as a person would read it. */
export interface StructuredLine {
  readonly level: LogLevel | null
  /** Message, error, cause: each a text of its own, none with line breaks. */
  readonly texts: readonly string[]
}

/** A line longer than this is not parsed: it would be cut by the runtime anyway (16 KiB). */
const LONGEST = 64 * 1024

const LEVEL_KEYS: ReadonlySet<string> = new Set([
  'level',
  'severity',
  'lvl',
  'loglevel',
  'log.level',
  'levelname',
  '@l',
  '@level',
  's',
])
const TEXT_KEYS =
  /^(?:@?m(?:sg|essage|t)?|text|textpayload|log|event|short_message|full_message|description|details?|reason|title|@x|body)$|err|exception|exc_?info|cause|stack|fail|fatal/i

const collect = (value: unknown, key: string, depth: number, into: string[]): void => {
  if (into.length >= 24) return
  if (typeof value === 'string') {
    if (!TEXT_KEYS.test(key)) return
    for (const part of value.split('\n', 60)) if (part.trim() !== '') into.push(part)
    return
  }
  if (typeof value !== 'object' || value === null || depth >= 4) return
  // What stands inside an error is about it, whatever its key: `attr`, `error: { code, message }`.
  const inherited = TEXT_KEYS.test(key) || key === 'attr' || key === ''
  for (const [name, inner] of Object.entries(value)) {
    const isNamed = TEXT_KEYS.test(name)
    if (typeof inner === 'object' || isNamed)
      collect(inner, isNamed || !inherited ? name : key || name, depth + 1, into)
    else if (inherited && depth > 0 && /^(?:code|name|type|path|file|host(?:name)?|address)$/i.test(name))
      into.push(`${name}: ${String(inner)}`)
    // A sentence inside an error is about it, whatever its key.
    else if (inherited && depth > 1 && typeof inner === 'string' && / \w+ /.test(inner)) into.push(inner.trim())
  }
}

/** Reads one line of a JSON log – zap, pino, bunyan, logback, Serilog, MongoDB, structlog …; null: it is no JSON. */
export const structuredLine = (text: string): StructuredLine | null => {
  const start = text.indexOf('{')
  // Some runners put a name before the object: `api | {"level":…`.
  if (start < 0 || start > 40 || text.length > LONGEST || !text.trimEnd().endsWith('}')) return null
  if (start > 0 && !/^[\s\w|.:[\]-]*$/.test(text.slice(0, start))) return null
  let parsed: unknown
  try {
    parsed = JSON.parse(text.slice(start))
  } catch {
    return null
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null
  let level: LogLevel | null = null
  for (const [key, value] of Object.entries(parsed)) {
    const isWord = typeof value === 'string' || typeof value === 'number'
    if (level === null && isWord && LEVEL_KEYS.has(key.toLowerCase())) level = levelNamed(value)
    // Elastic's `log: { level }`.
    const nested = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)['level'] : undefined
    if (level === null && key === 'log' && typeof nested === 'string') level = levelNamed(nested)
  }
  const texts: string[] = []
  collect(parsed, '', 0, texts)
  return texts.length === 0 && level === null ? null : { level, texts }
}
