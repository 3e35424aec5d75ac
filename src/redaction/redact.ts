import type { NamespaceSnapshot } from '../diagnosis/namespace-snapshot.ts'
import type { Json, JsonObject, PodSnapshot } from '../diagnosis/snapshot.ts'
import { passwordStart } from './arguments.ts'
import { distinctCredentials, withoutKnown } from './known-credentials.ts'
import { plainText } from './plain-text.ts'
import { MARKER } from './ranges.ts'
import { redactStrings } from './redact-strings.ts'
import { isPlaceholder, isSensitiveKey, isSensitiveVariable } from './sensitive-name.ts'
import { urls } from './urls.ts'

type Place = {
  readonly key: string
  readonly holder: JsonObject | null
  readonly before: Json | undefined
  /** The strings before it on its command line. */
  readonly words: readonly string[]
}
type Visit = (text: string, place: Place) => string

const FLAG = /^--?[\w.-]{1,128}$/
const ASSIGNMENT = /^--?([\w.-]{1,128})=/
/** Keys of fields whose values name objects. */
const NAMING: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'target',
  'generateName',
  'image',
  'nodeName',
  'hostname',
  'kind',
])
/** Of longer texts – logs, whole manifests – the passwords in URLs are not looked for elsewhere. */
const LONGEST_URL = 4_096
const URL_LIKE = /^[a-z][a-z0-9+.-]{1,20}:\/\//i

/** What stands before the first item of a list: a container's `args` go on where its `command` ends. */
const wordsBefore = ({ key, holder }: Place): string[] => {
  const command = key === 'args' ? holder?.['command'] : undefined
  return Array.isArray(command) ? command.filter(word => typeof word === 'string') : []
}

/**
 * Rebuilds a JSON value with every string passed through `visit`, always in the same order. An object that stands in
 * several places (`seen`) is visited in the first and shared again.
 */
const mapStrings = (value: Json, place: Place, visit: Visit, seen = new Map<JsonObject, Json>()): Json => {
  if (typeof value === 'string') return visit(value, place)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const words = wordsBefore(place)
    return value.map((item, index) => {
      const mapped = mapStrings(item, { key: '', holder: null, before: value[index - 1], words }, visit, seen)
      if (typeof item === 'string') words.push(item)
      return mapped
    })
  }
  const holder = value as JsonObject
  const done = seen.get(holder)
  if (done !== undefined) return done
  const mapped = Object.fromEntries(
    Object.entries(holder).map(([key, item]) => [
      key,
      item === undefined ? item : mapStrings(item, { key, holder, before: undefined, words: [] }, visit, seen),
    ]),
  ) as JsonObject
  seen.set(holder, mapped)
  return mapped
}

const isFlagFor = (before: Json | undefined): boolean =>
  typeof before === 'string' && FLAG.test(before) && isSensitiveKey(before.replace(/^-+/, ''))

/** Where a string is a credential by its place alone: the offset it starts at; null where its text must tell. */
const credentialStart = (text: string, { key, holder, before, words }: Place): number | null => {
  const isVariable = key === 'value' && typeof holder?.['name'] === 'string' && isSensitiveVariable(holder['name'])
  const assignment = key === '' ? ASSIGNMENT.exec(text) : null
  const option = passwordStart(words, text)
  const start = assignment !== null && isSensitiveKey(assignment[1] ?? '') ? assignment[0].length : (option ?? 0)
  const isWhole =
    isVariable || start > 0 || option !== null || (isFlagFor(before) && !text.startsWith('-')) || isSensitiveKey(key)
  const value = text.slice(start)
  return !isWhole || isPlaceholder(value) || URL_LIKE.test(value) || value.includes(MARKER) ? null : start
}

/**
 * Removes the credentials of every string of a snapshot, each replaced by `[redacted]`: known shapes and pairs in texts,
 * values of variables, flags and keys whose names speak of a credential, and the same values elsewhere. Terminal sequences
 * go as well, line breaks stay. The snapshot given stays as it is. Of a namespace all snapshots pass together: what is known
 * from one is removed from all.
 */
export const redact = async <Snapshot extends PodSnapshot | NamespaceSnapshot>(
  snapshot: Snapshot,
): Promise<Snapshot> => {
  const root = snapshot as unknown as Json
  const top: Place = { key: '', holder: null, before: undefined, words: [] }
  const texts: string[] = []
  const names: string[] = []
  const credentials: string[] = []
  mapStrings(root, top, (raw, place) => {
    const text = plainText(raw)
    const start = credentialStart(text, place)
    texts.push(start === null ? text : text.slice(0, start) + MARKER)
    if (start !== null) credentials.push(text.slice(start))
    else if (NAMING.has(place.key)) names.push(text)
    else if (text.length <= LONGEST_URL) {
      for (const range of urls(text)) credentials.push(text.slice(range.start, range.end))
    }
    return text
  })
  const known = distinctCredentials(credentials, names)
  const { texts: redacted } = await redactStrings(texts.map(text => withoutKnown(text, known)))
  let next = 0
  return mapStrings(root, top, text => redacted[next++] ?? text) as unknown as Snapshot
}
