import type { Detector, Range } from './ranges.ts'
import { isPlaceholder, looksRandom } from './sensitive-name.ts'

const SCHEMES = 'Basic|Bearer|Token|ApiKey|Api-Key|Splunk|Negotiate|NTLM|GenieKey|Key|OAuth'
const AUTHORIZATION = new RegExp(
  `(?<![a-z])authorization\\\\{0,6}["']?[ \\t]{0,4}[:=][ \\t]{0,4}\\[?\\\\{0,6}["']?(?:(${SCHEMES})[ \\t]{1,4})?`,
  'gi',
)
const BEARER = /(?<![a-z-])bearer(?:[ \t]{1,4}|%20)["']?([a-z0-9._~+/-]{8,}=*)/gi
const BASIC = /(?<![a-z-])basic(?:[ \t]{1,4}|%20)([a-z0-9+/]{8,}={0,2})/gi
const CREDENTIAL = /[^\s"'\\,;)\]}\0]+/y
const COOKIE = /(?<![a-z])cookie2?\\{0,6}["']?[ \t]{0,4}[:=][ \t]{0,4}\[?\\{0,6}["']?(?=[\w.-]{1,128}=)/gi
const COOKIE_PAIR = /([\w.-]{1,128})(?:=([^\s;,"'\\\]\0]*))?(?:; ?)?/y
const COOKIE_ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|partitioned)$/i

const isBasic = (encoded: string): boolean => {
  try {
    return /^[\x20-\x7e\x80-\xff]*:[\x20-\x7e\x80-\xff]*$/.test(atob(encoded))
  } catch {
    return false
  }
}

const last = (match: RegExpExecArray, credential: string): Range => {
  const end = match.index + match[0].length
  return { start: end - credential.length, end }
}

const authorizationHeaders = (text: string): Range[] => {
  const ranges: Range[] = []
  for (const match of text.matchAll(AUTHORIZATION)) {
    CREDENTIAL.lastIndex = match.index + match[0].length
    const value = CREDENTIAL.exec(text)?.[0]
    if (value === undefined || isPlaceholder(value)) continue
    if (match[1] !== undefined || (looksRandom(value) && !/^AWS4-HMAC/.test(value))) {
      ranges.push({ start: CREDENTIAL.lastIndex - value.length, end: CREDENTIAL.lastIndex })
    }
  }
  return ranges
}

const cookies = (text: string): Range[] => {
  const ranges: Range[] = []
  for (const match of text.matchAll(COOKIE)) {
    COOKIE_PAIR.lastIndex = match.index + match[0].length
    for (let pair = COOKIE_PAIR.exec(text); pair !== null; pair = COOKIE_PAIR.exec(text)) {
      const [, name = '', value = ''] = pair
      if (value === '' && pair[0].endsWith(name) && !pair[0].includes('=')) break
      const start = pair.index + name.length + 1
      if (!COOKIE_ATTRIBUTE.test(name) && !isPlaceholder(value)) ranges.push({ start, end: start + value.length })
    }
  }
  return ranges
}

/** Credentials of HTTP headers, wherever they are printed; header, scheme and cookie names stay. */
export const headers: Detector = text => {
  const ranges = [...authorizationHeaders(text), ...cookies(text)]
  for (const match of text.matchAll(BEARER)) {
    const token = match[1] ?? ''
    if ((looksRandom(token) && /\d/.test(token)) || token.length >= 32) ranges.push(last(match, token))
  }
  for (const match of text.matchAll(BASIC)) {
    if (isBasic(match[1] ?? '')) ranges.push(last(match, match[1] ?? ''))
  }
  return ranges
}
