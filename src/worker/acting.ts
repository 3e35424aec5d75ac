import type { Logger } from 'pino'
import type { Message } from '../answer/block-kit.ts'
import { aboutAnother, noFiles, nothingToMute, tooOld } from '../answer/button-notices.ts'
import { notInChannel } from '../answer/notices.ts'
import { openLanes } from '../cluster/lanes.ts'
import type { Incident } from '../incidents/incident.ts'
import type { IncidentBook } from '../incidents/incident-book.ts'
import type { Question, Target } from '../queue/job.ts'
import { redact } from '../redaction/redact.ts'
import { deliverAnswer } from '../slack/deliver.ts'
import type { Poster } from '../slack/poster.ts'
import { targetText } from '../slack/question.ts'
import { MessageGone, NotInChannel } from '../slack/slack-error.ts'
import { ScopeMissing } from '../slack/upload.ts'
import type { AnswerAbout, AnswerRecords } from './answer-records.ts'
import type { Clusters } from './clusters.ts'
import { describe, describeEvents, descriptionMessage } from './describing.ts'
import type { Answer } from './explaining.ts'
import { inLane } from './in-lane.ts'
import { earlierLog, fullLog } from './pressed-log.ts'
import { pressedPod } from './pressed-pod.ts'
import { refreshing } from './refreshing.ts'
import { tellPresser } from './tell-presser.ts'

export interface ActingOptions {
  readonly clusters: Clusters
  readonly poster: Poster
  readonly records: Pick<AnswerRecords, 'get'>
  /**
   * Makes the answer to a question anew – its first message with all that belongs on it, the buttons too – and remembers
   * it; null: there is nothing to explain.
   */
  answer(question: Question, signal: AbortSignal): Promise<Answer | null>
  readonly book: Pick<IncidentBook, 'of' | 'mute' | 'unmute'>
  /** Brings the answer of an incident up to date, soon and when its mute is over. */
  redraw(incident: Incident, mutedUntilMs: number | null): Promise<void>
  readonly log: Logger
  /** The slash command, for what people are told to type. */
  readonly command?: string
  /** Unix milliseconds. */
  readonly now?: () => number
}

const MUTE_MS = 60 * 60_000
/** Full logs made at once by one process: each takes some 200 MB of memory for a moment, of 512 that the container has. */
const LOGS_AT_ONCE = 1

const isSame = (a: Target, b: Target): boolean =>
  a.cluster === b.cluster && a.namespace === b.namespace && a.kind === b.kind && a.name === b.name

/** Does what a button under an answer asks for (`want` is not `answer`). Whatever runs again posts nothing twice. */
export const acting = (options: ActingOptions) => {
  const { clusters, poster, records, book, redraw, log, command = '/podwhy', now = Date.now } = options
  const refresh = refreshing({ ...options, command, now })
  const logLanes = openLanes(LOGS_AT_ONCE)

  const tell = (question: Question, message: Message): Promise<void> => tellPresser(poster, question, message)

  /** In the thread of the answer; to the one who pressed alone, where the bot is not in the channel. */
  const reply = async (question: Question, [root, ...thread]: readonly [Message, ...Message[]]): Promise<void> => {
    await deliverAnswer({ question, poster, placeholder: null, answer: async () => ({ root, thread }) })
  }

  const share = async (
    question: Question,
    file: { name: string; title: string; text: string; comment: string },
  ): Promise<void> => {
    const { id, channelId: channel, threadTs, want } = question
    try {
      if (threadTs === null) return await tell(question, notInChannel())
      await poster.upload({ question: id, part: want, channel, threadTs, ...file })
    } catch (error) {
      // Somebody deleted the answer meanwhile.
      if (error instanceof MessageGone) return
      if (error instanceof ScopeMissing) return tell(question, noFiles(error.scope))
      if (!(error instanceof NotInChannel)) throw error
      await tell(question, notInChannel())
    }
  }

  const mute = async (question: Question, answered: string): Promise<void> => {
    const incident = await book.of(answered)
    if (incident === null || incident.ended !== null) return tell(question, nothingToMute())
    const isOn = question.want === 'mute'
    // From when it was pressed, however often this runs.
    const untilMs = Date.parse(question.askedAt) + MUTE_MS
    const until = new Date(untilMs).toISOString()
    await (isOn ? book.mute(incident.key, { userId: question.userId, until }) : book.unmute(incident.key))
    log.info({ audit: true, user: question.userId, incident: incident.key, until: isOn ? until : null }, question.want)
    await redraw(incident, isOn ? untilMs : null)
  }

  const aboutPod = async (question: Question, about: AnswerAbout, signal: AbortSignal): Promise<void> => {
    const found = await pressedPod(about, { cluster: clusters.of(about.target), command, signal })
    if ('notice' in found) return tell(question, found.notice)
    const { snapshot, cluster } = found
    if (question.want === 'log') {
      return inLane(logLanes, async () => {
        const made = await fullLog({ about, snapshot, cluster, signal }, question.id)
        return 'file' in made ? share(question, made.file) : reply(question, [made.message])
      })
    }
    if (question.want === 'earlier') return reply(question, [await earlierLog({ about, snapshot, cluster, signal })])
    const clean = await redact(snapshot)
    if (question.want === 'events') return reply(question, describeEvents(clean, about))
    const text = describe(clean, about, cluster.name)
    const message = descriptionMessage(text, about)
    if (message !== null) return reply(question, [message])
    const { name } = about.target
    const file = { name: `${name.slice(-100)}-${question.id.slice(0, 8)}.txt`, title: `Description of ${name}` }
    await share(question, { ...file, text, comment: `Description of ${name}.` })
  }

  return async (question: Question, signal: AbortSignal): Promise<void> => {
    const { want, target, about: pressed } = question
    if (pressed === null) throw new Error(`a question that wants "${want}" is about no answer`)
    if (want === 'mute' || want === 'unmute') return mute(question, pressed.question)
    const record = await records.get(pressed.question)
    const ask = (of: Target): string => `${command} ${targetText(of)}`
    if (record === null) return tell(question, tooOld(ask(target)))
    const { about } = record
    // It was made anew about another pod since it was shown to who pressed.
    if (!isSame(about.target, target)) {
      return tell(question, aboutAnother({ now: targetText(about.target), ask: ask(target) }))
    }
    log.info({ id: question.id, want, answer: pressed.question }, 'a button was pressed')
    return want === 'refresh' ? refresh(question, about, signal) : aboutPod(question, about, signal)
  }
}
