import type { HomeRow } from '../answer/home-view.ts'
import { type Incident, onlyNamed } from '../incidents/incident.ts'
import type { IncidentBook } from '../incidents/incident-book.ts'
import type { Place } from '../slack/poster.ts'

export interface OpenIncidentsOptions {
  readonly book: Pick<IncidentBook, 'open' | 'muted'>
  readonly poster: {
    posted(question: string, part: string): Promise<Place | null>
    permalink(place: Place): Promise<string | null>
  }
}

/** So many rows get a link: each costs a call of Slack's. */
const LINKS = 25

/** What alerts have opened and what goes on, the newest first, as App Home shows it. */
export const openIncidents =
  ({ book, poster }: OpenIncidentsOptions) =>
  async (): Promise<readonly HomeRow[]> => {
    const linkTo = async ({ digest, question }: Incident): Promise<string | null> => {
      const place = await poster.posted(digest ?? question, 'root')
      return place === null ? null : poster.permalink(place)
    }
    const row = async (incident: Incident, at: number): Promise<HomeRow[]> => {
      const [cause] = incident.causes
      if (cause === undefined) return []
      const { owner, target, namespace, cluster, openedAt, pods } = incident
      const mute = await book.muted(incident.key)
      return [
        {
          ...{ namespace, cluster, cause, since: openedAt },
          subject: owner === null ? target.name : `${owner.kind} ${owner.name}`,
          pods: Math.max(Object.keys(pods).length + onlyNamed(incident).length, 1),
          permalink: at < LINKS ? await linkTo(incident) : null,
          mutedUntil: mute?.until ?? null,
        },
      ]
    }
    return (await Promise.all((await book.open()).map(row))).flat()
  }
