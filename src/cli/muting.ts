import type { IncidentBook } from '../incidents/incident-book.ts'
import type { Question } from '../queue/job.ts'
import type { Schedule } from './schedule.ts'

export interface MutingOptions {
  readonly book: Pick<IncidentBook, 'of' | 'mute' | 'unmute'>
  readonly schedule: Pick<Schedule, 'redraw' | 'redrawAt'>
}

const HOUR_MS = 60 * 60_000
/** So that what is drawn then is drawn after the end. */
const AFTER_MS = 1_000

/**
 * Silences an incident for an hour, from when the button was pressed, or ends that; its answer says who did and until when.
 * Gives false where there is no such incident (any more).
 */
export const muting =
  ({ book, schedule }: MutingOptions) =>
  async ({ want, about, userId, askedAt }: Question): Promise<boolean> => {
    const incident = about === null ? null : await book.of(about.question)
    if (incident === null) return false
    if (want === 'mute') {
      const untilMs = Date.parse(askedAt) + HOUR_MS
      await book.mute(incident.key, { userId, until: new Date(untilMs).toISOString() })
      await schedule.redrawAt(incident, untilMs + AFTER_MS)
    } else await book.unmute(incident.key)
    await schedule.redraw(incident)
    return true
  }
