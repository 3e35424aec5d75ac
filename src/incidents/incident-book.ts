import { z } from 'zod'
import type { Target } from '../queue/job.ts'
import { hashOf, type Incident, Incident as IncidentShape, Mute } from './incident.ts'
import { records, type Store } from './records.ts'
import { fold, incidentKey, type Outcome, type Sighting } from './sighting.ts'
import { enter, Storm, takeLink } from './storm.ts'

const DAY_MS = 24 * 60 * 60_000
const KEPT_MS = 7 * DAY_MS
const MAX_OPEN = 500
const OPEN = 'all'

const placeOf = (channelId: string, { cluster, namespace, kind, name }: Target, home: string): string =>
  hashOf(channelId, cluster ?? home, namespace, kind ?? 'Pod', name)

/** The incidents, kept in a store that several processes share: whoever is first opens one, all others join it. */
export type IncidentBook = ReturnType<typeof incidentBook>

export const incidentBook = (store: Store, now: () => number = Date.now) => {
  const incidents = records(store, { prefix: 'incident:', shape: IncidentShape, ttlMs: KEPT_MS })
  const questions = records(store, { prefix: 'incident-of:', shape: z.string(), ttlMs: KEPT_MS })
  const targets = records(store, { prefix: 'incident-at:', shape: z.string(), ttlMs: KEPT_MS })
  const storms = records(store, { prefix: 'storm:', shape: Storm, ttlMs: KEPT_MS })
  const open = records(store, { prefix: 'incidents-open:', shape: z.array(z.string()), ttlMs: KEPT_MS })
  const mutes = records(store, { prefix: 'mute:', shape: Mute, ttlMs: DAY_MS })

  const listed = (key: string) =>
    open.change(OPEN, (keys: string[] | null) => (keys?.includes(key) ? null : [...(keys ?? []), key].slice(-MAX_OPEN)))
  const unlisted = (key: string) =>
    open.change(OPEN, (keys: string[] | null) => (keys ?? []).filter(each => each !== key))

  const muted = async (key: string): Promise<Mute | null> => {
    const mute = await mutes.get(key)
    return mute !== null && Date.parse(mute.until) > now() ? mute : null
  }

  return {
    get: (key: string): Promise<Incident | null> => incidents.get(key),

    /** The incident that a question has opened or joined; null: none. */
    async of(question: string): Promise<Incident | null> {
      const key = await questions.get(question)
      return key === null ? null : incidents.get(key)
    },

    /** Says which incident a question belongs to. */
    async assign(question: string, { key }: Incident): Promise<void> {
      await questions.change(question, () => key)
    },

    /** Remembers that an alert about this target belongs to an incident. `cluster`: the one where none is named. */
    async remember(channelId: string, target: Target, { key, cluster }: Incident): Promise<void> {
      await targets.change(placeOf(channelId, target, cluster), () => key)
    },

    /** The incident that an alert about this target belongs to; null: none. `cluster` as above. */
    async at(channelId: string, target: Target, cluster: string): Promise<Incident | null> {
      const key = await targets.get(placeOf(channelId, target, cluster))
      return key === null ? null : incidents.get(key)
    },

    /** Opens the incident of what was seen, or folds it into the one there is. */
    async join(seen: Sighting): Promise<{ incident: Incident; outcome: Outcome; before: Incident | null }> {
      const key = incidentKey(seen)
      let outcome: Outcome = 'joined'
      let before: Incident | null = null
      const incident = await incidents.change(key, present => {
        const folded = fold(present, seen)
        outcome = folded.outcome
        before = present
        return folded.incident
      })
      if (incident === null) throw new Error(`incident ${key} was not written`)
      await questions.change(seen.question, () => key)
      if (incident.ended === null && !incident.isAsked) await listed(key)
      return { incident, outcome, before }
    },

    /**
     * Makes a question the one whose answer is the incident's, in place of one that was never answered. Null: another
     * question has.
     */
    async takeOver({ key, question }: Incident, by: { question: string; threadTs: string | null; at: string }) {
      let isTaken = false
      const incident = await incidents.change(key, present => {
        isTaken = present?.question === question
        if (present === null || !isTaken) return null
        return { ...present, question: by.question, threadTs: by.threadTs, openedAt: by.at }
      })
      return isTaken ? incident : null
    },

    /** Changes an incident; null from `by`, or no such incident: nothing happens. */
    async update(key: string, by: (incident: Incident) => Incident | null): Promise<Incident | null> {
      const after = await incidents.change(key, present => (present === null ? null : by(present)))
      if (after !== null && after.ended !== null) await unlisted(key)
      return after
    },

    /** Whether an incident that opens is told in the channel's digest: its id, then remembered in the incident. */
    async enterStorm(incident: Incident): Promise<string | null> {
      if (incident.digest !== null) return incident.digest
      const { key, channelId } = incident
      const at = now()
      let digest: string | null = null
      await storms.change(channelId, before => {
        const entered = enter(before, { key, channelId, at })
        digest = entered.digest
        return entered.storm
      })
      if (digest !== null) await incidents.change(key, present => (present === null ? null : { ...present, digest }))
      return digest
    },

    storm: (channelId: string): Promise<Storm | null> => storms.get(channelId),

    /** Whether one more thread may be told where its incident stands: a digest, or an answer where that is null. */
    async takeLink(channelId: string, digest: string | null): Promise<boolean> {
      const at = now()
      let isTaken = false
      await storms.change(channelId, storm => {
        const taken = takeLink(storm, { digest, at })
        isTaken = taken !== null
        return taken
      })
      return isTaken
    },

    /** Those that alerts have opened and that go on, the newest first. */
    async open(): Promise<Incident[]> {
      const keys = (await open.get(OPEN)) ?? []
      const found = await Promise.all(keys.toReversed().map(key => incidents.get(key)))
      return found.flatMap(incident => (incident === null || incident.ended !== null ? [] : [incident]))
    },

    /** Who silenced it, as long as that lasts. */
    muted,

    async mute(key: string, mute: Mute): Promise<void> {
      await mutes.change(key, () => mute)
    },

    async unmute(key: string): Promise<void> {
      await store.delete(`mute:${key}`)
    },
  }
}
