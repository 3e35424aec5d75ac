import { secondsBetween } from '../containers.ts'
import type { Evidence } from '../diagnosis.ts'
import { humanDuration } from '../human-duration.ts'
import { code, fact } from '../rule.ts'
import type { View } from '../view.ts'

/** A deletion: when its grace period ends, how far that is, and what may hold it up. */
export interface Deletion {
  readonly view: View
  /** RFC 3339: when the grace period ends or ended. */
  readonly due: string
  readonly grace: number
  /** Seconds since it was asked for; null: not known. */
  readonly age: number | null
  /** Seconds past the grace period; negative: still within; null: not known. */
  readonly overdue: number | null
  readonly finalizers: readonly string[]
  readonly isOver: boolean
  readonly evidence: readonly Evidence[]
}

/** Null: nobody has deleted the pod. */
export const deletionOf = (view: View): Deletion | null => {
  const { metadata, status, spec } = view.pod ?? {}
  const due = metadata?.deletionTimestamp
  if (due === undefined) return null
  const grace = metadata?.deletionGracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? 30
  const overdue = secondsBetween(due, view.takenAt)
  const isOver =
    status?.phase === 'Succeeded' ||
    status?.phase === 'Failed' ||
    !spec?.nodeName ||
    (view.containers.some(({ status: known }) => known) && !view.containers.some(({ state }) => state.running))
  return {
    view,
    due,
    grace,
    age: overdue === null ? null : overdue + grace,
    overdue,
    finalizers: metadata?.finalizers ?? [],
    isOver,
    evidence: [
      fact('metadata.deletionTimestamp', `${due}: the end of a grace period of ${grace} s`),
      ...((metadata?.finalizers ?? []).length > 0
        ? [fact('metadata.finalizers', (metadata?.finalizers ?? []).map(code).join(', '))]
        : []),
    ],
  }
}

/** ` 17s ago`; empty where not known. */
export const since = ({ age }: Deletion): string => (age === null ? '' : ` ${humanDuration(Math.max(age, 0))} ago`)
/** `; its grace period ended 7s ago`; empty while it lasts. */
export const late = ({ overdue }: Deletion): string =>
  overdue === null || overdue <= 0 ? '' : `; its grace period ended ${humanDuration(overdue)} ago`
