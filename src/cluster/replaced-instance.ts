/** When a run of a container began and ended, RFC 3339 in whole seconds as the kubelet tells it. */
export interface Run {
  readonly startedAt: string
  readonly finishedAt: string
}

/** The kubelet cuts its times to the second. */
const secondMs = 1000

const timeOf = (line: string | undefined): number | null => {
  const at = Date.parse(/^\S+/.exec(line ?? '')?.[0] ?? '')
  return Number.isNaN(at) ? null : at
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter(line => line !== '')

/**
 * Whether a log read as that of a run that ended is another's: the pod was read first, and the kubelet may have started
 * the next instance since. `perhaps`: it is empty, or begins in the last second of a run of more than one.
 */
export const isOfLaterRun = (text: string, { startedAt, finishedAt }: Run): 'no' | 'perhaps' | 'yes' => {
  const first = timeOf(linesOf(text)[0])
  const end = Date.parse(finishedAt)
  const isShort = Date.parse(startedAt) >= end
  if (first === null) return text === '' ? 'perhaps' : 'no'
  if (first >= end + secondMs) return 'yes'
  return first >= end && !isShort ? 'perhaps' : 'no'
}

/** Whether a log ends within a run, its first second aside, which the run before may have ended in. */
export const isOfRun = (text: string, { startedAt, finishedAt }: Run): boolean => {
  const last = timeOf(linesOf(text).at(-1))
  const start = Date.parse(startedAt)
  const end = Date.parse(finishedAt)
  return last !== null && last >= Math.min(start + secondMs, end) && last < end + secondMs
}
