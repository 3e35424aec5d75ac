import type { Logger } from 'pino'
import { causeChanged } from '../answer/notices.ts'
import { slackAnswer } from '../answer/slack-answer.ts'
import { ClusterError } from '../cluster/cluster-error.ts'
import { ownerHealth } from '../diagnosis/owner-health.ts'
import { causeKey, hashOf, type Incident } from '../incidents/incident.ts'
import type { IncidentBook } from '../incidents/incident-book.ts'
import { checkOffsetMs, recovery, WATCHED_MS } from '../incidents/recovery.ts'
import { withFreshLook } from '../incidents/sighting.ts'
import type { Target, Task } from '../queue/job.ts'
import { RetryLater } from '../queue/retry-later.ts'
import type { Run } from '../queue/worker.ts'
import type { Place, Poster } from '../slack/poster.ts'
import { MessageGone, NotInChannel, RateLimited } from '../slack/slack-error.ts'
import { type AnswerRecords, answerRecord } from './answer-records.ts'
import type { Read } from './explaining.ts'
import type { IncidentMessages } from './incident-messages.ts'
import type { Schedule } from './schedule.ts'
import { causeOf } from './sighted.ts'

export interface IncidentTasksOptions {
  readonly book: IncidentBook
  readonly records: AnswerRecords
  readonly messages: IncidentMessages
  readonly schedule: Schedule
  readonly poster: Poster
  read(target: Target, signal: AbortSignal): Promise<Read>
  readonly log: Logger
  /** How long Ready counts as recovered. */
  readonly readyMs: number
  readonly now?: () => number
}

/** The reaction under an answer whose incident is over. */
const RECOVERED = 'white_check_mark'
const MAX_REDRAWS = 3
/** Longer than a call of Slack may take. */
const POSTING_MS = 12_000
/** So much too early a check may run: clocks differ. What comes earlier belongs to a watch before a relapse. */
const EARLY_MS = 30_000

/** Nobody can be told in a message that was deleted. */
const unlessGone = (error: unknown): void => {
  if (!(error instanceof MessageGone)) throw error
}

const isGone = (error: unknown): boolean => error instanceof Error && error.name === 'NoSuchPod'

/** What becomes of incidents without anybody asking: their messages follow them, and their recovery is looked for. */
export const incidentTasks = (options: IncidentTasksOptions) => {
  const { book, records, messages, schedule, poster, read, log, readyMs, now = Date.now } = options
  const at = (): string => new Date(now()).toISOString()

  /** Edits a message until it shows what is known; what changes meanwhile may be known to a slower run only. */
  const follow = async (
    place: Place,
    message: () => Promise<({ text: string } & Parameters<Poster['update']>[0]['message']) | null>,
  ) => {
    let shown = ''
    for (let edit = 0; edit < MAX_REDRAWS; edit++) {
      const next = await message()
      if (next === null || JSON.stringify(next) === shown) return
      shown = JSON.stringify(next)
      await poster.update({ ...place, message: next, unlessShown: edit === 0 })
    }
  }

  const redraw = async (key: string, started: number): Promise<void> => {
    const incident = await book.get(key)
    if (incident === null) return
    if (incident.digest !== null) return digest(incident.channelId, incident.digest, started)
    const place = await poster.posted(incident.question, 'root')
    if (place === null) return
    const fresh = async () => {
      const present = await book.get(key)
      return present === null ? null : messages.root(present)
    }
    await follow(place, fresh)
    const ended = (await book.get(key))?.ended?.how
    if (ended === 'recovered') await poster.react(place, RECOVERED)
    else if (incident.relapses > 0) await poster.react(place, RECOVERED, false)
  }

  const digest = async (channel: string, id: string, started: number): Promise<void> => {
    // Another run may be posting it right now; where that one has died, this one posts it when it is started again.
    const isBegun = (await poster.posted(id, 'root')) === null && (await poster.begun(id, 'root'))
    if (isBegun && started === 1) throw new RetryLater(POSTING_MS)
    const first = await messages.digest(channel, id)
    if (first === null) return
    const { message } = first
    const place = await poster.post({ question: id, part: 'root', channel, threadTs: null, message, isPaced: true })
    let isOver = first.isOver
    await follow(place, async () => {
      const present = await messages.digest(channel, id)
      isOver = present?.isOver ?? isOver
      return present?.message ?? null
    })
    if (isOver) await poster.react(place, RECOVERED)
    else if (first.hasRelapsed) await poster.react(place, RECOVERED, false)
  }

  /** Says once in the thread that the cause is another one now; a known one that comes back is not said again. */
  const sayChange = async (before: Incident, cause: Incident['causes'][number] | undefined) => {
    const [old] = before.causes
    if (cause === undefined || old === undefined || (await book.muted(before.key)) !== null) return
    if (before.causes.some(each => causeKey(each) === causeKey(cause))) return
    const root = await poster.posted(before.question, 'root')
    if (root === null) return
    const message = causeChanged(old.summary, cause.summary)
    const part = `cause-${hashOf(causeKey(cause)).slice(0, 8)}`
    const place = { question: before.question, part, channel: root.channel }
    await poster.post({ ...place, threadTs: before.threadTs ?? root.ts, message, isPaced: true }).catch(unlessGone)
  }

  /** Takes over what a fresh look has seen of an incident that goes on. */
  const looked = async (before: Incident, fresh: Read, failing: readonly string[]): Promise<void> => {
    const cause = causeOf(fresh)
    const { pod } = fresh.diagnosis
    const look = { cause, pod, failing, at: at(), before }
    // Before it is remembered: a run that ends in between says it again, in the same message.
    await sayChange(before, withFreshLook(before, look)?.causes[0])
    const after = await book.update(before.key, incident => withFreshLook(incident, look))
    if (after === null || after.ended !== null) return
    const { root } = slackAnswer(fresh.diagnosis)
    await records.put(
      after.question,
      answerRecord({ question: after.question, target: fresh.target, root }, fresh.diagnosis),
    )
    await schedule.redraw(after)
  }

  /** Ends an incident, unless an alert or another look has seen it since it was `before`. */
  const end = async (
    before: Incident,
    how: 'recovered' | 'gone' | 'unwatched',
    since: string = at(),
  ): Promise<void> => {
    const { key, seenAt, question } = before
    const after = await book.update(key, incident =>
      incident.ended === null && incident.seenAt === seenAt && incident.question === question
        ? { ...incident, ended: { how, at: since } }
        : null,
    )
    if (after === null || after.ended === null) return
    log.info({ incident: key, how }, 'an incident is over')
    await schedule.redraw(after)
  }

  /** Gives whether the pods are on their way to be recovered. */
  const look = async (incident: Incident, signal: AbortSignal): Promise<boolean> => {
    let fresh: Read
    try {
      fresh = await read(incident.target, signal)
    } catch (error) {
      if (isGone(error)) await end(incident, 'gone')
      else if (!(error instanceof ClusterError)) throw error
      else log.info({ incident: incident.key, reason: error.message }, 'a recovery could not be looked for')
      return false
    }
    const health = ownerHealth(fresh.snapshot, incident.owner)
    const found = recovery(health, readyMs)
    if (found.state === 'settling') {
      await schedule.settled(incident, { atMs: found.atMs, inMs: found.atMs - Date.parse(health.at ?? at()) })
      return true
    }
    if (found.state === 'gone') await end(incident, 'gone')
    else if (found.state === 'recovered') {
      await end(incident, 'recovered', found.sinceMs === null ? at() : new Date(found.sinceMs).toISOString())
    } else if (!fresh.diagnosis.healthy) {
      const failing = health.pods.filter(each => each.readySince === null && !each.isDone && !each.isLeaving)
      await looked(
        incident,
        fresh,
        failing.map(({ name }) => name),
      )
    }
    return false
  }

  const recheck = async (key: string, check: number, signal: AbortSignal): Promise<void> => {
    const incident = await book.get(key)
    if (incident === null) return
    // Once more, in case the run that ended it got no further.
    if (incident.ended !== null) return schedule.redraw(incident)
    const watchedMs = now() - Date.parse(incident.watchedFrom)
    if (watchedMs < (checkOffsetMs(check) ?? 0) - EARLY_MS) return
    // First, so that nothing that fails now ends the watch.
    if (check > 0) await schedule.recheck(incident, check + 1)
    const isSettling = await look(incident, signal)
    const isLast = check > 0 ? checkOffsetMs(check + 1) === null : watchedMs >= WATCHED_MS
    if (!isLast || isSettling) return
    const present = await book.get(key)
    if (present?.ended === null) await end(present, 'unwatched')
  }

  return async (task: Task, { signal, started }: Pick<Run, 'signal' | 'started'>): Promise<void> => {
    try {
      if (task.do === 'recheck') await recheck(task.incident, task.check, signal)
      else if (task.do === 'redraw') await redraw(task.incident, started)
      else await digest(task.channelId, task.digest, started)
    } catch (error) {
      if (error instanceof RateLimited) throw new RetryLater(error.retryAfterMs, { cause: error })
      if (!(error instanceof MessageGone) && !(error instanceof NotInChannel)) throw error
      log.info({ task, reason: error.message }, 'a message about an incident cannot be brought up to date')
    }
  }
}
