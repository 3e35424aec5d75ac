import type { Value } from './read-value.ts'
import { isHarmlessKey, isPlaceholder, looksRandom } from './sensitive-name.ts'

/** A key that ends with a word for credentials, and the value behind it. */
export interface Pair {
  readonly text: string
  readonly key: string
  readonly keyStart: number
  /** The character before the key; '' at the beginning of the text. */
  readonly before: string
  readonly keyword: string
  /** `"key": v` · `key: v` · `key=v` · `--key v` · `key v`. */
  readonly form: 'quoted' | 'colon' | 'assigned' | 'flag' | 'word'
  /** True with a blank before the value. */
  readonly spaced: boolean
  readonly value: Value
}

/** What prose says about a credential, after `password:` or `token:`. */
const VERDICTS =
  /^(?:required|missing|invalid|incorrect|wrong|expired|malformed|revoked|mismatch|failed|failure|denied|forbidden|unauthorized|unauthenticated|unknown|unsupported|unexpected|expected|not|must|cannot|error|timeout|eof|rejected|valid|ok|set|present|found|changed|updated|loaded|provided|given|used|using|created|deleted|received|refreshed|blank|too|is|was|has|the|a|an|for|from|in|of|to|and|or|with|your|does|should|flag|option|requires|cannot|deprecated|no)[.:!?]?$/i
const ABSENCE = /^[\\"'`]{0,4}[ \t]{1,4}(?:not found|does not exist|is missing|is forbidden|already exists|was not)/
const END_OF_VALUE = /^[ \t]*(?:$|[\r\n\0,;)}\]"'`|&\\])/
const CODE =
  /^(?:[A-Za-z_][\w.]*[([]|(?:self|this|config|cfg|settings|process\.env|os\.environ|env|opts|options|args|req|ctx|params)\.)/
/** `namespace/name`, as structured logs name a Secret. */
const OBJECT = /^[a-z0-9][a-z0-9.-]{0,252}\/[a-z0-9][a-z0-9.-]{0,252}$/
const VERSION = /^v?\d+(?:\.\d+)*$/

const isPassword = (keyword: string): boolean => /pass|pwd|auth$/i.test(keyword)

/** Words before the key on its line: then `token: expired` is a sentence, and no YAML. */
const isInProse = (pair: Pair): boolean =>
  /[A-Za-z,][ \t]$/.test(pair.text.slice(Math.max(0, pair.keyStart - 2), pair.keyStart))

/** `PASS: TestFoo`, `pass=2/3`, `health check pass: db`: a result, where no word before makes it a password. */
const isResult = (pair: Pair, value: string): boolean =>
  /^pass$/i.test(pair.key) &&
  (/^[\d/.%]{1,8}$/.test(value) || (pair.form === 'colon' && (pair.key === 'PASS' || isInProse(pair))))

const isColonCredential = (pair: Pair, value: string): boolean => {
  if (pair.before === '/' || pair.before === '@') return false
  if (!pair.spaced && VERSION.test(value) && !isPassword(pair.keyword)) return false
  const rest = pair.text.slice(pair.value.end, pair.value.end + 40)
  if (ABSENCE.test(rest) || VERDICTS.test(value)) return false
  if (pair.value.quoted) return !isInProse(pair) || isPassword(pair.keyword) || looksRandom(value)
  if (/^[|>][+-]?$/.test(value) || CODE.test(value) || /^\d{1,3}$/.test(value)) return false
  if (!END_OF_VALUE.test(rest)) return looksRandom(value) && !OBJECT.test(value) && !/[:.]$/.test(value)
  return isPassword(pair.keyword) || !isInProse(pair) || looksRandom(value)
}

/** True where the value of the pair is a credential, and not a word about one, a reference or a placeholder. */
export const isCredential = (pair: Pair): boolean => {
  const value = pair.text.slice(pair.value.start, pair.value.end)
  if (isPlaceholder(value) || isHarmlessKey(pair.key) || isResult(pair, value)) return false
  if (pair.before === '/' && /checksum\/$/.test(pair.text.slice(pair.keyStart - 9, pair.keyStart))) return false
  if (/^secret$/i.test(pair.keyword) && OBJECT.test(value)) return false
  switch (pair.form) {
    case 'colon':
      return isColonCredential(pair, value)
    case 'flag':
      return !value.startsWith('-') && !VERDICTS.test(value) && value.toLowerCase() !== pair.keyword.toLowerCase()
    case 'word':
      return /^requirepass$/i.test(pair.keyword) || (value.length >= 8 && looksRandom(value) && !/^sha\d/.test(value))
    case 'quoted':
      return (
        pair.value.quoted ||
        (!/^[{[]/.test(value) && (isPassword(pair.keyword) || looksRandom(value) || /^\d{6,}$/.test(value)))
      )
    case 'assigned':
      if (pair.value.quoted) return true
      return !CODE.test(value) && !(/^\d{1,3}$/.test(value) && !isPassword(pair.keyword))
  }
}
