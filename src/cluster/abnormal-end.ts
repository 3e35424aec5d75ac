import { FORGIVEN_AFTER_SECONDS } from '../diagnosis/back-off.ts'
import { secondsBetween } from '../diagnosis/containers.ts'
import { type ContainerStatus, pod as podShape, type Terminated } from '../diagnosis/kubernetes-pod.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'

/** A run of a container that failed, and that none before it in a row of failures explains. */
export interface AbnormalEnd {
  readonly container: string
  /** Which run it was: 0 the first. */
  readonly restart: number
  readonly exitCode: number
  readonly reason: string
  readonly message: string | null
  /** RFC 3339; null: it never started. */
  readonly startedAt: string | null
  readonly finishedAt: string
  /** Whether the next run has begun: then its log is that of the `previous` instance. */
  readonly isReplaced: boolean
}

/** How a pod came to be looked at: `at` is the time, RFC 3339. */
export type Sight = { readonly from: 'watch' } | { readonly from: 'list'; readonly at: string }

/** What a list shows of the past is worth keeping so long after it happened. */
const RECENT_SECONDS = 600

const isAbnormal = ({ exitCode, reason }: Terminated): boolean => exitCode !== 0 || reason === 'OOMKilled'

/** One run that ended. */
interface Ended {
  readonly terminated: Terminated
  readonly restart: number
  readonly isReplaced: boolean
  /** The run before it, where the status tells of it. */
  readonly before: Terminated | undefined
}

/** The runs that a status tells of, oldest first; the kubelet counts a restart when the next run is created. */
const endsOf = ({ state, lastState, restartCount = 0 }: ContainerStatus): readonly Ended[] => {
  const last = lastState?.terminated
  const isReplaced = state?.waiting === undefined
  const older: Ended[] = last
    ? [{ terminated: last, restart: Math.max(0, restartCount - (isReplaced ? 1 : 0)), isReplaced, before: undefined }]
    : []
  const now = state?.terminated
  return now ? [...older, { terminated: now, restart: restartCount, isReplaced: false, before: last }] : older
}

/** The first run of all, one after a run that was forgiven, or one after a good end: what came before explains nothing. */
const isFirstOfRow = ({ restart, terminated, before }: Ended): boolean =>
  restart === 0 ||
  (secondsBetween(terminated.startedAt, terminated.finishedAt) ?? 0) >= FORGIVEN_AFTER_SECONDS ||
  (before !== undefined && !isAbnormal(before))

/** Ends that a deletion asked for are none of the program's. */
const wasAskedToEnd = (deletedAt: string | undefined, graceSeconds: number, finishedAt: string): boolean =>
  deletedAt !== undefined && (secondsBetween(deletedAt, finishedAt) ?? 0) >= -graceSeconds - 1

const toEnd = (container: string, { terminated, restart, isReplaced }: Ended): AbnormalEnd[] => {
  const { exitCode = 0, reason = '', message = null, startedAt, finishedAt } = terminated
  if (finishedAt === undefined || !(Date.parse(finishedAt) > 0)) return []
  const hasStarted = startedAt !== undefined && Date.parse(startedAt) > 0
  const times = { startedAt: hasStarted ? startedAt : null, finishedAt }
  return [{ container, restart, exitCode, reason, message, ...times, isReplaced }]
}

/** What a list shows may have happened long ago. */
const isWorthKeeping = ({ restart, isReplaced, finishedAt }: AbnormalEnd, sight: Sight): boolean =>
  sight.from === 'watch' ||
  (restart === 0 && !(isReplaced && (secondsBetween(finishedAt, sight.at) ?? 0) > RECENT_SECONDS))

/** The first abnormal ends that a pod shows at this moment, one for each container at most. */
export const firstAbnormalEnds = (json: JsonObject, sight: Sight): readonly AbnormalEnd[] => {
  const { metadata, spec, status } = podShape(json) ?? {}
  if (status?.phase === 'Succeeded') return []
  const grace = spec?.terminationGracePeriodSeconds ?? 30
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].flatMap(each => {
    const firsts = endsOf(each).filter(end => isAbnormal(end.terminated) && isFirstOfRow(end))
    return firsts
      .flatMap(end => toEnd(each.name ?? '', end))
      .filter(end => end.container !== '' && !wasAskedToEnd(metadata?.deletionTimestamp, grace, end.finishedAt))
      .filter(end => isWorthKeeping(end, sight))
      .slice(0, 1)
  })
}
