import type { Logger } from 'pino'
import { answeredElsewhere } from '../answer/notices.ts'
import type { Incident } from '../incidents/incident.ts'
import type { IncidentBook } from '../incidents/incident-book.ts'
import { withNamed } from '../incidents/sighting.ts'
import type { Question } from '../queue/job.ts'
import { RetryLater } from '../queue/retry-later.ts'
import type { alertThreads } from '../slack/alert-threads.ts'
import { deliverAnswer } from '../slack/deliver.ts'
import type { AlertOutcome } from '../slack/posted-alert.ts'
import type { Poster } from '../slack/poster.ts'
import { type AnswerRecords, answerRecord } from './answer-records.ts'
import type { Explained, Read } from './explaining.ts'
import type { IncidentMessages } from './incident-messages.ts'
import type { Schedule } from './schedule.ts'
import { sighted } from './sighted.ts'

export interface AlertingOptions {
  readonly book: IncidentBook
  readonly schedule: Schedule
  readonly alerts: Pick<ReturnType<typeof alertThreads>, 'of'>
  readonly records: AnswerRecords
  readonly poster: Poster
  explain(question: Question, signal: AbortSignal): Promise<Explained>
  lookAtNamed(incident: Incident, signal: AbortSignal): Promise<void>
  /** The cluster that is meant where none is named. */
  readonly home: string
  readonly messages: Pick<IncidentMessages, 'root'>
  count(outcome: AlertOutcome): void
  readonly log: Logger
  readonly now?: () => number
}

/** So long after a look at an incident its alerts bring nothing new. */
const FRESH_MS = 60_000
/** How long an alert waits for the answer of its incident, to be able to point to it. */
const LINK_PATIENCE_MS = 60_000
const LINK_EVERY_MS = 2_000
/** The same for one that is being posted, however often Slack asks to wait. */
const POST_PATIENCE_MS = 10 * 60_000

/**
 * Alerts become incidents: the first of an owner is answered, or told of in the channel's digest while there are too many;
 * all others are folded into it. Whatever runs again changes nothing and posts nothing twice.
 */
export const alerting = (options: AlertingOptions) => {
  const { book, schedule, alerts, records, messages, poster, home, log, now = Date.now } = options
  const { explain, lookAtNamed, count } = options

  const answer = async (question: Question, opened: Incident, { answer, read }: Explained & { read: Read }) => {
    const record = answerRecord({ question: question.id, target: read.target, root: answer.root }, read.diagnosis)
    await records.put(question.id, record)
    // What an earlier run has begun to answer stays an answer, however many alerts came meanwhile.
    const hasBegun = await poster.begun(question.id, 'root')
    const incident = { ...opened, digest: hasBegun ? opened.digest : await book.enterStorm(opened) }
    if (incident.digest !== null) return inDigest(question, incident)
    const made = { ...answer, root: (await messages.root(incident)) ?? answer.root }
    const placed = { ...question, threadTs: incident.threadTs }
    await deliverAnswer({ question: placed, poster, placeholder: null, answer: async () => made, isPaced: true })
    // What joined while it was being posted.
    await schedule.redraw(incident)
  }

  /** An alert that has opened an incident of a storm. */
  const inDigest = async (question: Question, incident: Incident) => {
    await schedule.redraw(incident)
    if (incident.threadTs !== null) await link(question, incident.threadTs, incident)
  }

  /** Where the incident is told of, once it stands there. */
  const standing = async ({ digest, question, openedAt }: Incident) => {
    const place = await poster.posted(digest ?? question, 'root')
    if (place === null && now() - Date.parse(openedAt) < LINK_PATIENCE_MS) throw new RetryLater(LINK_EVERY_MS)
    return place
  }

  /**
   * Whether an incident is told of, or is about to be. It is not where it was opened while it was muted, or in a channel
   * that could not be written to then.
   */
  const isTold = async ({ digest, question, openedAt }: Incident): Promise<boolean> => {
    if (digest !== null || (await poster.posted(question, 'root')) !== null) return true
    const hasBegun = await poster.begun(question, 'root')
    return now() - Date.parse(openedAt) < (hasBegun ? POST_PATIENCE_MS : LINK_PATIENCE_MS)
  }

  /** Tells the thread of a post where the answer is; of a digest only so many threads are told. */
  const link = async (question: Question, threadTs: string, incident: Incident) => {
    const { channelId, causes, digest } = incident
    const place = await standing(incident)
    if (place === null) return
    const hasBegun = await poster.begun(question.id, 'root')
    if (!hasBegun && !(await book.takeLink(channelId, digest))) return count('unlinked')
    const message = answeredElsewhere(causes[0]?.summary ?? '', await poster.permalink(place), digest !== null)
    await poster.post({ question: question.id, part: 'root', channel: place.channel, threadTs, message, isPaced: true })
  }

  const isMuted = async (question: Question, { key }: Incident): Promise<boolean> => {
    const mute = await book.muted(key)
    if (mute === null) return false
    count('muted')
    log.info({ id: question.id, incident: key, until: mute.until }, 'a muted alert is left alone')
    return true
  }

  /** An alert of an incident that another one has opened. */
  const joined = async (question: Question, incident: Incident, threadTs: string | null) => {
    if (await isMuted(question, incident)) return
    await schedule.redraw(incident)
    if (threadTs !== null && threadTs !== incident.threadTs) await link(question, threadTs, incident)
  }

  /**
   * The incident that an alert belongs to, where reading the cluster again would bring nothing new: its pod, or its owner,
   * was looked at a short while ago.
   */
  const freshlyKnown = async (question: Question): Promise<Incident | null> => {
    const { channelId, target, named } = question
    const incident = await book.at(channelId, target, home)
    if (incident === null || incident.ended !== null || incident.question === question.id) return null
    if (now() - Date.parse(incident.seenAt) > FRESH_MS || !(await isTold(incident))) return null
    if (target.kind === 'Pod' && !Object.hasOwn(incident.pods, target.name)) return null
    return book.update(incident.key, present => withNamed(present, named))
  }

  const handle = async (question: Question, signal: AbortSignal): Promise<void> => {
    const place = question.threadTs === null ? await alerts.of(question) : null
    if (place?.in === 'wait') throw new RetryLater(place.ms)
    if (place?.in === 'post') return log.info({ id: question.id }, 'the alert is answered under its post')
    const { threadTs } = question
    // A run that waits for the answer to point to does not read the cluster again.
    const before = await book.of(question.id)
    if (before !== null && before.question !== question.id && (await isTold(before))) {
      return joined(question, before, threadTs)
    }
    if (before !== null && before.digest !== null) return inDigest(question, before)

    const known = await freshlyKnown(question)
    if (known !== null) {
      await book.assign(question.id, known)
      return joined(question, known, threadTs)
    }
    const explained = await explain(question, signal)
    const { read } = explained
    if (read === null || (question.onlyUnhealthy && read.diagnosis.healthy)) return
    const seen = sighted(question, read, threadTs, new Date(now()).toISOString())
    const { incident, outcome } = await book.join(seen)
    await book.remember(question.channelId, question.target, incident)
    if (incident.ended === null) await schedule.recheck(incident, 1)
    if (await isMuted(question, incident)) return
    if (outcome === 'opened') return answer(question, incident, { ...explained, read })
    if (!(await isTold(incident))) {
      const own = await book.takeOver(incident, { question: question.id, threadTs, at: seen.at })
      if (own !== null) return answer(question, own, { ...explained, read })
    }
    log.info({ id: question.id, incident: incident.key, outcome }, 'an alert was folded into its incident')
    await joined(question, incident, threadTs)
  }

  return async (question: Question, signal: AbortSignal): Promise<void> => {
    await handle(question, signal)
    const incident = question.named.length === 0 ? null : await book.of(question.id)
    if (incident !== null && incident.ended === null) await lookAtNamed(incident, signal)
  }
}
