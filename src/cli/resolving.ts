import type { IncidentBook } from '../incidents/incident-book.ts'
import type { Target } from '../queue/job.ts'
import type { Schedule } from '../worker/schedule.ts'

export interface ResolvingOptions {
  readonly book: Pick<IncidentBook, 'at'>
  readonly schedule: Pick<Schedule, 'recheckAt'>
  /** The cluster that is meant where none is named. */
  readonly home: string
  readonly now?: () => number
}

/**
 * An alert that is resolved says only that its rule holds no more: it makes podwhy look, soon, whether the pods have
 * recovered. Gives whether an incident goes on about one of its targets. Throws where the look cannot be queued.
 */
export const resolving =
  ({ book, schedule, home, now = Date.now }: ResolvingOptions) =>
  async (channelId: string, targets: readonly Target[]): Promise<boolean> => {
    for (const target of targets) {
      const incident = await book.at(channelId, target, home)
      if (incident === null || incident.ended !== null) continue
      await schedule.recheckAt(incident, now(), 'resolved')
      return true
    }
    return false
  }
