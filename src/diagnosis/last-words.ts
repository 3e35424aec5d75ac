import type { LogLine } from './log-lines.ts'

/** The line of a log that tells most about its end. */
export interface LastWords extends LogLine {
  /** True where the line itself says that something went wrong. */
  readonly isError: boolean
}

const ERROR =
  /\b(?:fatal|panic|emerg|critical|severe|exception|traceback|error|err|failed|failure|cannot|can't|could not|unable to|denied|refused|not found|no such|invalid|missing|required|aborted|unknown)\b|[a-z](?:Error|Exception)\b/i

/** Lines that belong to a trace or repeat the source; they never tell the cause themselves. */
const TRACE =
  /^\s+(?:at |File "|\.\.\. \d+ more|from )|^\s*\^+\s*$|^goroutine \d+|^\t|^Traceback \(most recent call last\)|^\s*$|^Node\.js v\d|^\s*throw |^[\])}]+$/

const SEVERE = /\b(?:fatal|panic|emerg|critical|severe)\b|Exception in thread|^[\w.]+(?:Error|Exception|Exit)\b/i

/** The newest line that names an error – a severe one before others –, else the last line that says anything. */
export const lastWords = (lines: readonly LogLine[]): LastWords | null => {
  const telling = lines.filter(({ text }) => text.trim() !== '' && !TRACE.test(text))
  const near = telling.slice(-200)
  const severe = near.findLast(({ text }) => SEVERE.test(text))
  const error = severe ?? near.findLast(({ text }) => ERROR.test(text))
  const line = error ?? telling.at(-1)
  return line ? { ...line, isError: error !== undefined } : null
}
