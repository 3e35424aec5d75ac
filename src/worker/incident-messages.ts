import type { ActionsBlock, Message } from '../answer/block-kit.ts'
import { answerButtons } from '../answer/buttons.ts'
import { digest } from '../answer/digest.ts'
import { incidentRoot } from '../answer/incident-root.ts'
import { type Incident, type Mute, onlyNamed, podsWith } from '../incidents/incident.ts'
import type { IncidentBook } from '../incidents/incident-book.ts'
import { targetText } from '../slack/question.ts'
import type { AnswerRecord, AnswerRecords } from './answer-records.ts'

export interface IncidentMessagesOptions {
  readonly book: IncidentBook
  readonly records: Pick<AnswerRecords, 'get'>
}

/** The buttons of an answer. `mute`: which of the two belongs there; null: none. */
const buttonsOf = ({ about, commands }: AnswerRecord, mute: 'mute' | 'unmute' | null): ActionsBlock =>
  answerButtons({ ...about, target: targetText(about.target), commands, mute })

/** An answer's first message with its buttons, where no incident is behind it. */
export const withButtons = (record: AnswerRecord): Message => ({
  ...record.root,
  blocks: [...record.root.blocks, buttonsOf(record, null)],
})

interface DigestDrawn {
  readonly message: Message
  /** Whether all that it tells of has ended; whether any of it came back before. */
  readonly isOver: boolean
  readonly hasRelapsed: boolean
}

const subjectOf = ({ owner, target }: Incident): string =>
  owner === null ? target.name : `${owner.kind} ${owner.name}`

/** What the messages about incidents show at this moment. */
export const incidentMessages = ({ book, records }: IncidentMessagesOptions) => {
  const root = (record: AnswerRecord, incident: Incident, mute: Mute | null): Message =>
    incidentRoot(
      record.root,
      {
        pod: incident.pod,
        owner: incident.owner === null ? null : `${incident.owner.kind} ${incident.owner.name}`,
        causes: incident.causes.map(cause => ({ summary: cause.summary, pods: podsWith(incident, cause) })),
        named: onlyNamed(incident),
        openedAt: incident.openedAt,
        ended: incident.ended,
        relapses: incident.relapses,
        muted: mute,
      },
      buttonsOf(record, incident.isAsked || incident.ended !== null ? null : mute === null ? 'mute' : 'unmute'),
    )

  return {
    /** The first message of an incident's answer; null: its answer is not known any more. */
    async root(incident: Incident): Promise<Message | null> {
      const record = await records.get(incident.question)
      if (record === null) return null
      return root(record, incident, await book.muted(incident.key))
    },

    /** One of a channel's digests; null: it is not known any more. */
    async digest(channelId: string, id: string): Promise<DigestDrawn | null> {
      const storm = await book.storm(channelId)
      const known = storm?.digests.find(each => each.id === id)
      if (known === undefined) return null
      const { startedAt, keys } = known
      const found = await Promise.all(keys.map(key => book.get(key)))
      const incidents = found.flatMap(incident => (incident === null ? [] : [incident]))
      const rows = incidents
        .filter(incident => incident.digest === id)
        .flatMap(incident => {
          const [cause] = incident.causes
          return cause === undefined ? [] : [{ incident, cause }]
        })
        .map(({ incident, cause }) => ({
          subject: subjectOf(incident),
          target: targetText(incident.target),
          namespace: incident.namespace,
          cluster: incident.cluster,
          pods: Math.max(Object.keys(incident.pods).length + onlyNamed(incident).length, 1),
          ended: incident.ended === null || incident.ended.how === 'unwatched' ? null : incident.ended.how,
          cause,
        }))
      const answered = incidents.filter(incident => incident.digest !== id).map(subjectOf)
      const isOver = rows.length > 0 && rows.every(row => row.ended !== null)
      const hasRelapsed = incidents.some(incident => incident.digest === id && incident.relapses > 0)
      return { isOver, hasRelapsed, message: digest({ startedAt: new Date(startedAt).toISOString(), rows, answered }) }
    },
  }
}
export type IncidentMessages = ReturnType<typeof incidentMessages>
