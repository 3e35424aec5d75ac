import type { Detector, Range } from './ranges.ts'
import { isPlaceholder } from './sensitive-name.ts'

/** Options that take a password without saying so, behind the command they belong to; group 1 is the password. */
const OPTIONS: readonly RegExp[] = [
  /\bcurl\b[^\n\0|]{0,300}?[ "'](?:-u|--user|--proxy-user)(?:[ =]|["'],\s?["']|)["']?[^\s:"'\0-][^\s:"'\0]{0,127}:([^\s"'\\\0]{1,256})/g,
  /\bhttps?\b[^\n\0|]{0,300}? (?:-a|--auth)[ =]["']?[^\s:"'\0-][^\s:"'\0]{0,127}:([^\s"'\\\0]{1,256})/g,
  /\bredis-cli\b[^\n\0|]{0,300}? (?:-a|--pass)[ =]["']?([^\s"'\\\0]{1,256})/g,
  /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n\0|]{0,300}? -p["']?([^\s"'\\\0]{1,256})/g,
  /\bsshpass[ ]-p[ ]?["']?([^\s"'\\\0]{1,256})/g,
]

/** Passwords on command lines, where only the command tells what an option means. */
export const commands: Detector = text =>
  OPTIONS.flatMap(option =>
    [...text.matchAll(option)].flatMap((match): Range[] => {
      const password = match[1] ?? ''
      const end = match.index + match[0].length
      return isPlaceholder(password) ? [] : [{ start: end - password.length, end }]
    }),
  )
