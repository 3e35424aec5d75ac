import type { Logger } from 'pino'
import { ClusterError } from '../cluster/cluster-error.ts'
import { type Incident, onlyNamed } from '../incidents/incident.ts'
import type { IncidentBook } from '../incidents/incident-book.ts'
import { withNamedPod } from '../incidents/sighting.ts'
import type { Target } from '../queue/job.ts'
import type { Read } from './explaining.ts'
import { incidentOwner } from './incident-owner.ts'
import type { Schedule } from './schedule.ts'
import { causeOf } from './sighted.ts'

export interface NamedPodsOptions {
  readonly book: Pick<IncidentBook, 'update' | 'remember'>
  readonly schedule: Pick<Schedule, 'redraw'>
  read(target: Target, signal: AbortSignal): Promise<Read>
  readonly log: Logger
  readonly now: () => number
}

/** Pods of one incident that are looked at one by one; of all others only their number is told. */
const LOOKED_AT = 8

/**
 * Looks at pods that alerts have only named: each may have a cause of its own. One that is well, gone or another owner's is
 * not counted any more; one that cannot be read stays named.
 */
export const lookingAtNamed =
  ({ book, schedule, read, log, now }: NamedPodsOptions) =>
  async (incident: Incident, signal: AbortSignal): Promise<void> => {
    const room = Math.max(0, LOOKED_AT - Object.keys(incident.pods).length)
    const pods = onlyNamed(incident).slice(0, room)
    const lookAt = async (pod: string): Promise<void> => {
      const target = { ...incident.target, kind: 'Pod', name: pod }
      const found = await read(target, signal).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'NoSuchPod') return null
        if (error instanceof ClusterError) return log.info({ pod, reason: error.message }, 'a pod was not looked at')
        throw error
      })
      if (found === undefined) return
      const isItsOwn = found !== null && incidentOwner(found)?.name === incident.owner?.name
      const cause = found !== null && isItsOwn && !found.diagnosis.healthy ? causeOf(found) : null
      await book.update(incident.key, present =>
        withNamedPod(present, { pod, cause, at: new Date(now()).toISOString() }),
      )
      if (cause !== null) await book.remember(incident.channelId, target, incident)
    }
    for (const pod of pods) await lookAt(pod)
    if (pods.length > 0) await schedule.redraw(incident)
  }
