import type { ActionsBlock, Message } from '../answer/block-kit.ts'
import { digest } from '../answer/digest.ts'
import { incidentRoot } from '../answer/incident-root.ts'
import { type Incident, type Mute, podsWith } from '../incidents/incident.ts'
import type { IncidentBook } from '../incidents/incident-book.ts'
import { targetText } from '../slack/question.ts'
import type { AnswerAbout, AnswerRecords } from './answer-records.ts'

export interface IncidentMessagesOptions {
  readonly book: IncidentBook
  readonly records: AnswerRecords
  buttons(about: AnswerAbout, mute: 'mute' | 'unmute'): ActionsBlock | null
}

const subjectOf = ({ owner, target }: Incident): string =>
  owner === null ? target.name : `${owner.kind} ${owner.name}`

/** What the messages about incidents show at this moment. */
export const incidentMessages = ({ book, records, buttons }: IncidentMessagesOptions) => {
  const root = (base: Message, incident: Incident, mute: Mute | null, about: AnswerAbout): Message =>
    incidentRoot(
      base,
      {
        pod: incident.pod,
        owner: incident.owner === null ? null : `${incident.owner.kind} ${incident.owner.name}`,
        causes: incident.causes.map(cause => ({ summary: cause.summary, pods: podsWith(incident, cause) })),
        openedAt: incident.openedAt,
        ended: incident.ended,
        relapses: incident.relapses,
        muted: mute,
      },
      buttons(about, mute === null ? 'mute' : 'unmute'),
    )

  return {
    /** The first message of an incident's answer; null: its answer is not known any more. */
    async root(incident: Incident): Promise<Message | null> {
      const record = await records.get(incident.question)
      if (record === null) return null
      return root(record.root, incident, await book.muted(incident.key), record.about)
    },

    /** A channel's digest with its id; null: there is none. */
    async digest(channelId: string): Promise<{ id: string; message: Message; isOver: boolean } | null> {
      const storm = await book.storm(channelId)
      if (storm === null || storm.digest === null) return null
      const { id, startedAt, keys } = storm.digest
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
          pods: Math.max(Object.keys(incident.pods).length, 1),
          isOver: incident.ended !== null && incident.ended.how !== 'unwatched',
          cause,
        }))
      const answered = incidents.filter(incident => incident.digest !== id).map(subjectOf)
      const isOver = rows.every(row => row.isOver)
      return { id, isOver, message: digest({ startedAt: new Date(startedAt).toISOString(), rows, answered }) }
    },
  }
}
export type IncidentMessages = ReturnType<typeof incidentMessages>
