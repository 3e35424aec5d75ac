import { decisiveMatches, type Match } from '../decisive-entry.ts'
import { lastWords } from '../last-words.ts'
import { isNoise } from '../log-entries.ts'
import type { ContainerRule, Draft } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { access } from './app-access.ts'
import { settings } from './app-config.ts'
import { dependency } from './app-dependency.ts'
import { dependencyAuth } from './app-dependency-auth.ts'
import { dns } from './app-dns.ts'
import { files } from './app-files.ts'
import { limits } from './app-limits.ts'
import type { AppFamily } from './app-log-draft.ts'
import { missing } from './app-missing.ts'
import { native } from './app-native.ts'
import { ownErrors } from './app-own-errors.ts'
import { ports } from './app-ports.ts'

/** Every family of application logs. */
export const appFamilies: readonly AppFamily[] = [
  ...dns,
  ...limits,
  ...native,
  ...missing,
  ...access,
  ...ports,
  ...files,
  ...dependencyAuth,
  ...dependency,
  ...settings,
]

const isApp = (family: Match['family']): family is AppFamily => 'tell' in family

/** SIGTERM, SIGKILL and SIGINT come from outside: what the log says did not end the process. */
const isFromOutside = (subject: Subject): boolean => {
  const code = subject.exitCode
  return subject.probeKill !== null || code === 143 || code === 137 || code === 130
}

/** Lines after an entry that are no trace: how long the program went on. */
const wentOn = ({ lines }: Subject, index: number): number => {
  let count = 0
  for (let after = index + 1; after < lines.length && count <= 200; after++) if (!isNoise(lines, after)) count++
  return count
}

/** A mild line is a cause only where the log ends with it, and nothing graver came after. */
const isCarried = (subject: Subject, match: Match): boolean => {
  const { level, index } = match.entry
  if (match.score < 20) return false
  const fromEnd = subject.lines.length - index
  if (level === 'warn' || level === 'info') {
    const last = lastWords(subject.lines)
    return fromEnd <= 12 && (last === null || !last.isError || last.index <= index)
  }
  // What a program outlived by so many lines did not end it.
  if (fromEnd > 80 && wentOn(subject, index) > (level === 'fatal' ? 200 : 80)) return false
  // A program that ends with 0 has not failed by its own account, unless its last lines say so.
  return subject.exitCode !== 0 || (fromEnd <= 8 && (level === 'fatal' || level === 'error'))
}

/** What a container's own log proves about why it ended. */
export const appLogs: ContainerRule = subject => {
  const { moment, container } = subject
  if (!container.ended || (moment !== 'looping' && moment !== 'failed')) return null
  if (container.ended.terminated.reason === 'OOMKilled' || isFromOutside(subject)) return null
  if (subject.lines.length === 0) return null
  for (const match of decisiveMatches(subject.lines, [...appFamilies, ownErrors])) {
    if (!isCarried(subject, match)) continue
    if (!isApp(match.family)) return null
    const draft: Draft | null = match.family.tell(subject, match)
    if (draft) return draft
  }
  return null
}
