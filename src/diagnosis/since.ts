import { atOf } from './back-off.ts'
import { epochMs } from './rfc3339.ts'
import type { Draft } from './rule.ts'
import type { Subject } from './subject.ts'
import type { View } from './view.ts'

const earliest = (times: readonly (string | null)[]): string | null =>
  times.filter(time => time !== null).sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null

/** `deletionTimestamp` is when the grace period ends; the deletion was asked for that much earlier. */
const askedToGoAt = (view: View): string | null => {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = view.pod?.metadata ?? {}
  return atOf(deletionTimestamp, -deletionGracePeriodSeconds)
}

const traceOf = (view: View, headline: Draft, subject: Subject | undefined): string | null => {
  const ready = view.condition('Ready')?.lastTransitionTime ?? null
  if (!view.pod) return null
  if (headline.id === 'completed') return subject?.container.ended?.terminated.finishedAt ?? ready
  if (view.pod.metadata?.deletionTimestamp !== undefined) return askedToGoAt(view)
  if (!subject)
    return view.condition('PodScheduled')?.status === 'False'
      ? (view.pod.metadata?.creationTimestamp ?? null)
      : (ready ?? view.pod.status?.startTime ?? null)
  if (subject.moment === 'running') return subject.container.state.running?.startedAt ?? ready
  if (subject.moment === 'failed') return subject.container.ended?.terminated.finishedAt ?? ready
  const seen = subject.events.filter(({ reason }) => ['BackOff', 'Killing', 'Failed', 'Unhealthy'].includes(reason))
  return earliest(seen.map(({ firstAt }) => firstAt)) ?? subject.container.ended?.terminated.finishedAt ?? ready
}

/** Since when it is as the headline says, RFC 3339: the earliest trace of it that is left; null where none is. */
export const sinceWhen = (view: View, headline: Draft, subject: Subject | undefined): string | null => {
  const at = traceOf(view, headline, subject)
  return epochMs(at) === null ? null : at
}
