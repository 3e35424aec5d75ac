import type { LogLine } from '../log-lines.ts'
import type { Subject } from '../subject.ts'

/** What the container itself logged while its probe failed. */
export interface Complaint {
  readonly line: LogLine
  /** The host it could not reach, where the line names one. */
  readonly dependency: string | null
}

const UNREACHABLE =
  /\b([a-z0-9](?:[a-z0-9.-]{0,120}[a-z0-9])?):(\d{2,5})\b[^\n]{0,120}(?:refused|timed? ?out|unreachable|no route|reset|not known|no such host|closed)/i
const NAMED =
  /(?:dial tcp|connect(?:ing|ion)? to|ECONNREFUSED|ENOTFOUND|lookup|resolve) "?([a-z0-9](?:[a-z0-9.-]{0,120}[a-z0-9])?)/i
const COMPLAINS =
  /\b(?:refused|timed? ?out|unreachable|unavailable|no such host|not known|cannot|can't|could not|unable|failed|failure|error|fatal|x509|denied|down|degraded|not ready|not connected)\b/i
/** The access log of the probe itself says nothing about why. */
const ACCESS_LOG = /"(?:GET|HEAD|POST) \S+ HTTP\/[\d.]+"|\bGET \/\S* (?:HTTP|\d{3})/

/** The newest line that complains, the access log left out; null where none does. */
export const probeComplaint = (subject: Subject): Complaint | null => {
  const line = subject.lines.slice(-200).findLast(({ text }) => COMPLAINS.test(text) && !ACCESS_LOG.test(text))
  if (!line) return null
  const short = line.text.slice(0, 1000)
  const host = UNREACHABLE.exec(short)?.[1] ?? NAMED.exec(short)?.[1] ?? null
  const isLocal = host === null || /^(?:localhost|127\.|0\.0\.0\.0$|\d+$)/.test(host)
  return { line, dependency: isLocal ? null : host }
}
