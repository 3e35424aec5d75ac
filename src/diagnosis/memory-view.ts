import type { Json, JsonObject, PodSnapshot, RememberedCrash } from './snapshot.ts'
import { View } from './view.ts'

const isRecord = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const recordOf = (value: Json | undefined): JsonObject => (isRecord(value) ? value : {})

const terminatedOf = ({ exitCode, reason, message, startedAt, finishedAt }: RememberedCrash): JsonObject => ({
  exitCode,
  ...(reason === '' ? {} : { reason }),
  ...(message === null ? {} : { message }),
  ...(startedAt === null ? {} : { startedAt }),
  finishedAt,
})

const withStatus = (statuses: Json | undefined, crash: RememberedCrash): Json | undefined =>
  Array.isArray(statuses)
    ? statuses.map(status =>
        isRecord(status) && status['name'] === crash.container
          ? {
              ...status,
              state: { terminated: terminatedOf(crash) },
              lastState: {},
              ready: false,
              started: false,
              restartCount: crash.restart,
            }
          : status,
      )
    : statuses

/**
 * The pod as it was when a remembered run had just ended: that container's state, log and events are those of then. It
 * counts as over, so that rules speak of one failed run and not of a loop.
 */
export const memoryView = ({ snapshot }: View, crash: RememberedCrash): View => {
  const status = recordOf(snapshot.pod?.['status'])
  const past: PodSnapshot = {
    ...snapshot,
    takenAt: crash.finishedAt,
    pod: {
      ...snapshot.pod,
      status: {
        ...status,
        phase: 'Failed',
        initContainerStatuses: withStatus(status['initContainerStatuses'], crash),
        containerStatuses: withStatus(status['containerStatuses'], crash),
      },
    },
    events: crash.events,
    logs: { ...snapshot.logs, [crash.container]: { current: crash.log, previous: null } },
    logErrors: {},
    remembered: [],
  }
  return new View(past)
}
