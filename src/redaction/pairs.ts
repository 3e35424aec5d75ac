import { isCredential, type Pair } from './pair-credential.ts'
import type { Detector, Range } from './ranges.ts'
import { readValue } from './read-value.ts'
import { isPlaceholder, isSensitiveVariable, KEYWORD } from './sensitive-name.ts'

const LONGEST_KEY = 128
/** `password=`, `"password": `, `password: `, `"--password", `, `--password `. */
const KEY = new RegExp(
  `(${KEYWORD})(?:\\\\{0,6}["'\`]\\]?[ \\t]{0,4}(=>|:|=(?!=)|,)[ \\t]{0,8}|(?:[ \\t](?:is|was))?[ \\t]{0,8}(=>|:=|=(?![=>])|:(?!=))[ \\t]{0,8}|([ \\t]{1,4}(?:(?:is|was) )?))`,
  'gi',
)
const KEY_CHARACTER = /[\w.-]/
/** `"name":"DB_PASSWORD","value":"…"` of a manifest inside a text, as JSON at any depth, YAML or Go's own print. */
const VARIABLE =
  /(?<![a-z])name\\{0,6}["']?:\s{0,4}\\{0,6}["']?([\w.-]{1,128})\\{0,6}["']?(?:[\s,]|\\{1,4}n){1,40}(?:[^\s\0]{0,40}\d\d:\d\d[^\s\0]{0,24}\s{1,40})?\\{0,6}["']?value\\{0,6}["']?:[ \t]{0,4}/gi
const VARIABLE_JSON =
  /(?<=["'])name\\{0,6}["']\s{0,4}:\s{0,4}\\{0,6}["']([\w.-]{1,128})\\{0,6}["']\s{0,4},\s{0,40}\\{0,6}["']value\\{0,6}["']\s{0,4}:\s{0,4}/gi
const SQL = /\b(?:identified (?:with \w{1,40} )?by|(?:with|encrypted|set) password(?: =)?)[ \t]{1,4}(?=\\{0,6}['"])/gi
const XML = /<(\w{0,64}(?:password|passwd|secret|token|apikey))>([^<>\n\0]{1,1024})<\//gi

/** The whole key that ends with the keyword at `end`, and the character before it. */
const keyBefore = (text: string, keyword: number, end: number): { key: string; before: string; start: number } => {
  const floor = Math.max(0, keyword - LONGEST_KEY)
  let start = keyword
  while (start > floor && KEY_CHARACTER.test(text.charAt(start - 1))) start -= 1
  return { key: text.slice(start, end), before: text.charAt(start - 1), start }
}

const toPair = (text: string, match: RegExpExecArray): Pair | null => {
  const [whole, keyword = '', afterQuote, bare, blank] = match
  const at = match.index + whole.length
  const { key, before, start } = keyBefore(text, match.index, match.index + keyword.length)
  const isFlag = key.startsWith('-') && !/[\w/]/.test(before)
  const isWord = blank !== undefined && /^pass(?:word|phrase|wd|wort)|^requirepass/i.test(keyword) && before !== '-'
  if ((blank !== undefined || afterQuote === ',') && !isFlag && !isWord) return null
  const value = readValue(text, at)
  if (value === null) return null
  const form =
    isWord && !isFlag
      ? 'word'
      : blank !== undefined
        ? 'flag'
        : afterQuote !== undefined
          ? 'quoted'
          : bare === ':'
            ? 'colon'
            : 'assigned'
  return { text, key, keyStart: start, before, keyword, form, spaced: /[ \t]$/.test(whole), value }
}

const manifestVariables = (text: string): Range[] => {
  const ranges: Range[] = []
  for (const pattern of [VARIABLE, VARIABLE_JSON]) {
    for (const match of text.matchAll(pattern)) {
      const value = isSensitiveVariable(match[1] ?? '') ? readValue(text, match.index + match[0].length) : null
      if (value !== null && !isPlaceholder(text.slice(value.start, value.end)) && !text.startsWith('://', value.end)) {
        if (!/^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(text.slice(value.start, value.start + 24))) ranges.push(value)
      }
    }
  }
  return ranges
}

/** Values of keys that name a credential, in every form that configuration, logs and commands use. */
export const pairs: Detector = text => {
  const ranges = manifestVariables(text)
  KEY.lastIndex = 0
  for (let match = KEY.exec(text); match !== null; match = KEY.exec(text)) {
    const pair = toPair(text, match)
    if (pair === null || !isCredential(pair)) continue
    ranges.push({ start: pair.value.start, end: pair.value.end })
    KEY.lastIndex = Math.max(KEY.lastIndex, pair.value.end)
  }
  for (const match of text.matchAll(SQL)) {
    const value = readValue(text, match.index + match[0].length)
    if (value !== null && !isPlaceholder(text.slice(value.start, value.end))) ranges.push(value)
  }
  for (const match of text.matchAll(XML)) {
    const [, name = '', value = ''] = match
    if (!isPlaceholder(value))
      ranges.push({ start: match.index + name.length + 2, end: match.index + name.length + 2 + value.length })
  }
  return ranges
}
