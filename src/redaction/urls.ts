import type { Detector, Range } from './ranges.ts'
import { isPlaceholder, looksRandom } from './sensitive-name.ts'

// `://user:password@`. A password may hold a raw `@` or `/`; a port and a path are no password. All runs are bounded
// or end the match, so that no text is read more than a fixed number of times.
const USER_AND_PASSWORD =
  /:\\?\/\\?\/([^\s:/?#@"'<>\\\0]{0,128}):(?!\d{1,5}(?:[/?#\s"',)\]}\\\0]|$))([^\s"'<>@\0]{1,256}(?:@[^\s"'<>@/?#:,\0]{1,256}(?=@))*)@/g
const TOKEN_ONLY = /:\/\/([A-Za-z0-9_-]{20,256})@/g
const GO_DSN_HOST = /@(?:tcp[46]?|unix|udp)\(/g
const GO_DSN_START = /[\s"'`=\0]/
const ORACLE = /jdbc:oracle:\w{1,16}:[^\s/@"'\0]{1,128}\/([^\s@"'\0]{1,256})@/gi
const ORACLE_EASY = /(?<![\w/.-])\w{1,64}\/([^\s/@"'\0]{1,128})@\/\//g
const LONGEST_DSN_HEAD = 512

const push = (ranges: Range[], end: number, credential: string): void => {
  if (!isPlaceholder(credential)) ranges.push({ start: end - credential.length, end })
}

/** `user:password` before `@tcp(`: Go's MySQL driver. */
const goDsnPassword = (text: string, previous: number, at: number): Range | null => {
  const floor = Math.max(previous, at - LONGEST_DSN_HEAD)
  let start = at
  while (start > floor && !GO_DSN_START.test(text.charAt(start - 1))) start -= 1
  const colon = text.indexOf(':', start)
  if (colon === -1 || colon >= at - 1 || isPlaceholder(text.slice(colon + 1, at))) return null
  return { start: colon + 1, end: at }
}

/** Passwords in URLs and data source names; scheme, user, host, port and database stay. */
export const urls: Detector = text => {
  const ranges: Range[] = []
  for (const match of text.matchAll(USER_AND_PASSWORD)) {
    const [whole, user = '', password = ''] = match
    const end = match.index + whole.length - 1
    // Where the password is a fixed word the user is the credential.
    if (password === 'x-oauth-basic') push(ranges, end - password.length - 1, user)
    else push(ranges, end, password)
  }
  for (const match of text.matchAll(TOKEN_ONLY)) {
    const [whole, token = ''] = match
    if (looksRandom(token) && /\d/.test(token)) push(ranges, match.index + whole.length - 1, token)
  }
  let previous = 0
  for (const match of text.matchAll(GO_DSN_HOST)) {
    const range = goDsnPassword(text, previous, match.index)
    previous = match.index + match[0].length
    if (range !== null) ranges.push(range)
  }
  for (const match of text.matchAll(ORACLE)) push(ranges, match.index + match[0].length - 1, match[1] ?? '')
  for (const match of text.matchAll(ORACLE_EASY)) push(ranges, match.index + match[0].length - 3, match[1] ?? '')
  return ranges
}
