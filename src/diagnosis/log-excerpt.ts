import type { LogExcerpt } from './diagnosis.ts'
import type { Subject } from './subject.ts'

/** Lines an answer carries; the whole log is a command away. */
const SHOWN_LINES = 25
const MARK = '[redacted]'

const occurrences = (text: string): number => text.split(MARK).length - 1

/** Why there is no output to show, in words that do not send anybody to read a log that cannot exist. */
const whyMissing = ({ log, container, moment }: Subject): string => {
  if (log.missing?.startsWith('unable to retrieve container logs')) {
    return 'the runtime has already removed the log of this instance'
  }
  if (log.missing !== null) return log.missing
  if (log.lines === null) return moment === 'starting' ? 'the container has not started yet' : 'it was not read'
  const reason = container.ended?.terminated.reason
  if (reason === 'StartError' || reason === 'ContainerCannotRun')
    return 'the process never started, so it wrote nothing'
  return 'the container wrote nothing'
}

/** Which run an instance is: 0 the first one. */
const restartOf = ({ log, container, moment }: Subject): number | null => {
  if (container.status === null) return null
  // restartCount is raised when the next instance is created: while one runs again, the ended one is the run before.
  const isBefore = container.state.running !== undefined && log.instance === 'previous'
  const restart = container.restartCount - (isBefore ? 1 : 0)
  return restart < 0 || moment === 'starting' ? null : restart
}

/** The end of the log that explains the container's moment; null for a container that cannot have one yet. */
export const logExcerpt = (subject: Subject): LogExcerpt | null => {
  const { log } = subject
  const lines = log.lines ?? []
  const shown = lines.slice(-SHOWN_LINES)
  const isEmpty = lines.length === 0
  return {
    container: subject.name,
    instance: log.instance,
    restart: restartOf(subject),
    lines: shown.map(({ text }) => text),
    omitted: lines.length - shown.length,
    redacted: lines.reduce((sum, { text }) => sum + occurrences(text), 0),
    missing: isEmpty ? whyMissing(subject) : null,
    firstAt: lines[0]?.at ?? null,
    lastAt: lines.at(-1)?.at ?? null,
  }
}
