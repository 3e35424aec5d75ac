import type { Detector, Range } from './ranges.ts'
import { isPlaceholder } from './sensitive-name.ts'

/** Between the words of a command: a blank, or the quotes of a list at any depth of JSON. */
const BEFORE = `[ "']`
const BETWEEN = String.raw`(?:[ =]|\\{0,6}["'],\s?\\{0,6}["'])["']?`
const USER = String.raw`[^\s:"'\0-][^\s:"'\0]{0,127}:`
const PASSWORD = String.raw`([^\s"'\\\0]{1,256})`
const REST = String.raw`[^\n\0|]{0,300}?`
/** Up to the end of this command: `-p` and `-w` mean something else in the next. */
const OWN = String.raw`[^\n\0|;&]{0,300}?`
const program = (names: string): string => String.raw`(?<![\w.-])(?:${names})(?=[ "'\\])`

/** Options that take a password without saying so, behind the command they belong to; group 1 is the password. */
const OPTIONS: readonly RegExp[] = [
  String.raw`\b(?:curl|wget)\b${REST}${BEFORE}(?:-[uU](?:${BETWEEN})?|(?:-[a-zA-Z]{1,8}u|--user|--proxy-user)${BETWEEN})${USER}${PASSWORD}`,
  String.raw`\bhttps?\b${REST}${BEFORE}(?:-a|--auth)${BETWEEN}${USER}${PASSWORD}`,
  String.raw`\b(?:redis|valkey|keydb)-cli\b${REST}${BEFORE}(?:-a|--pass)${BETWEEN}${PASSWORD}`,
  String.raw`\b(?:mysql(?:dump|admin|show|import|check|binlog|sh)?|mariadb(?:-[a-z]{1,16})?)\b${REST}${BEFORE}-p["']?${PASSWORD}`,
  String.raw`\bsshpass(?: |\\{0,6}["'],\s?\\{0,6}["'])-p(?:${BETWEEN})?["']?${PASSWORD}`,
  `${program('mongo(?:sh|dump|restore|export|import|stat|top|files)?|rabbitmqadmin')}${OWN}${BEFORE}-p${BETWEEN}(?!-|\\d{1,5}:\\d)${PASSWORD}`,
  `${program('ldap(?:search|add|modify|whoami|delete|passwd|compare|modrdn)')}${OWN}${BEFORE}-w${BETWEEN}(?!-)${PASSWORD}`,
].map(source => new RegExp(source, 'g'))

/** Passwords on command lines, where only the command tells what an option means. */
export const commands: Detector = text =>
  OPTIONS.flatMap(option =>
    [...text.matchAll(option)].flatMap((match): Range[] => {
      const password = match[1] ?? ''
      const end = match.index + match[0].length
      return isPlaceholder(password) ? [] : [{ start: end - password.length, end }]
    }),
  )
