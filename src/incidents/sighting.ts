import { type Cause, causeKey, hashOf, type Incident } from './incident.ts'

/** What an alert or a fresh look has seen of an owner. */
export type Sighting = Pick<
  Incident,
  'isAsked' | 'question' | 'cluster' | 'namespace' | 'owner' | 'target' | 'channelId' | 'threadTs' | 'pod' | 'named'
> & {
  readonly cause: Omit<Cause, 'firstAt'>
  /** RFC 3339. */
  readonly at: string
}

/** What became of a sighting. `relapsed`: the incident had recovered a short while ago, and goes on. */
export type Outcome = 'opened' | 'joined' | 'relapsed'

/** After so long without a word a new alert is a new incident. */
const FORGOTTEN_MS = 24 * 60 * 60_000
/** What is known of its answer is kept for a week: nothing older than this is folded into any more. */
const MAX_AGE_MS = 6 * 24 * 60 * 60_000
/** What recovers and fails again within this is one incident that flaps. */
const RELAPSE_MS = 60 * 60_000
const MAX_PODS = 500
const MAX_CAUSES = 12

/** One incident for each (cluster, namespace, owner, channel); one for each question that somebody asked. */
export const incidentKey = (seen: Omit<Sighting, 'cause' | 'at'>): string => {
  const { isAsked, question, cluster, namespace, owner, target, channelId } = seen
  return isAsked
    ? hashOf('asked', question)
    : hashOf(cluster, namespace, owner?.kind ?? 'Pod', owner?.name ?? target.name, channelId)
}

/** Verdicts that leave nothing to do. */
const isFine = ({ id }: Pick<Cause, 'id'>): boolean => id === 'healthy' || id === 'completed'

/** Whether nothing was wrong when it was answered: then nothing has to get better. */
export const wasFine = ({ causes }: Incident): boolean => causes.every(isFine)

const isOver = (incident: Incident, { cause, at }: Sighting): boolean => {
  const { ended, seenAt, openedAt } = incident
  const sinceMs = (time: string): number => Date.parse(at) - Date.parse(time)
  const forgotten = sinceMs(seenAt) > FORGOTTEN_MS || sinceMs(openedAt) > MAX_AGE_MS
  const recoveredLongAgo = ended?.how === 'recovered' && sinceMs(ended.at) > RELAPSE_MS
  return forgotten || recoveredLongAgo || ended?.how === 'gone' || (wasFine(incident) && !isFine(cause))
}

const opened = ({ cause, at, ...place }: Sighting): Incident => ({
  ...place,
  key: incidentKey(place),
  digest: null,
  openedAt: at,
  watchedFrom: at,
  seenAt: at,
  pods: place.pod === null ? {} : { [place.pod]: causeKey(cause) },
  causes: [{ ...cause, firstAt: at }],
  ended: isFine(cause) ? { how: 'unwatched', at } : null,
  relapses: 0,
})

/** The incident with one more pod and cause; a cause it has is not added again. */
const withSighting = (
  incident: Incident,
  { cause, pod, named, at }: Pick<Sighting, 'cause' | 'pod' | 'named' | 'at'>,
): Incident => {
  const key = causeKey(cause)
  const isKnown = incident.causes.some(each => causeKey(each) === key)
  const hasRoom = pod !== null && (Object.hasOwn(incident.pods, pod) || Object.keys(incident.pods).length < MAX_PODS)
  return {
    ...incident,
    named: [...new Set([...incident.named, ...named])].slice(0, MAX_PODS),
    seenAt: at > incident.seenAt ? at : incident.seenAt,
    pods: hasRoom ? { ...incident.pods, [pod]: key } : incident.pods,
    causes:
      isKnown || incident.causes.length >= MAX_CAUSES
        ? incident.causes
        : [...incident.causes, { ...cause, firstAt: at }],
  }
}

/** Folds a sighting into what is known: one owner, one incident. Running it again changes nothing more. */
export const fold = (before: Incident | null, seen: Sighting): { incident: Incident; outcome: Outcome } => {
  if (before === null || (before.question !== seen.question && isOver(before, seen))) {
    return { incident: opened(seen), outcome: 'opened' }
  }
  const isOpening = before.question === seen.question
  if (isFine(seen.cause)) return { incident: before, outcome: isOpening ? 'opened' : 'joined' }
  const incident = withSighting(before, seen)
  if (isOpening) return { incident, outcome: 'opened' }
  if (before.ended === null) return { incident, outcome: 'joined' }
  const relapses = incident.relapses + (before.ended.how === 'recovered' ? 1 : 0)
  return {
    incident: { ...incident, ended: null, watchedFrom: seen.at, relapses },
    outcome: before.ended.how === 'recovered' ? 'relapsed' : 'joined',
  }
}

/** What a fresh look at an owner has seen: the cause of its worst pod, and all that are failing. */
export interface FreshLook {
  readonly cause: Sighting['cause']
  readonly pod: string | null
  readonly failing: readonly string[]
  /** The incident when the look began. */
  readonly before: Incident
  /** RFC 3339. */
  readonly at: string
}

/**
 * The incident after a fresh look: that cause leads, pods that fail no more are not counted any more. Null: it has ended
 * meanwhile, or is another one.
 */
export const withFreshLook = (present: Incident, { cause, pod, failing, before, at }: FreshLook): Incident | null => {
  if (present.ended !== null || present.question !== before.question) return null
  const key = causeKey(cause)
  const known = present.causes.find(each => causeKey(each) === key)
  const lead = { ...cause, firstAt: known?.firstAt ?? at }
  const others = present.causes.filter(each => causeKey(each) !== key)
  // Of pods that no alert and no look was about the cause is not known: they are not counted.
  const counted = Object.entries(present.pods).filter(
    ([name]) => failing.includes(name) || !Object.hasOwn(before.pods, name),
  )
  return {
    ...present,
    named: present.named.filter(name => failing.includes(name) || !before.named.includes(name)),
    seenAt: at,
    pod,
    pods: Object.fromEntries(pod === null ? counted : [...counted, [pod, key]]),
    causes: [lead, ...others].slice(0, MAX_CAUSES),
  }
}

/** The incident after a look at a pod that was only named; `cause` null: it is well, gone or another owner's. */
export const withNamedPod = (
  incident: Incident,
  { pod, cause, at }: { pod: string; cause: Sighting['cause'] | null; at: string },
): Incident => {
  const named = incident.named.filter(name => name !== pod)
  return cause === null ? { ...incident, named } : withSighting({ ...incident, named }, { pod, cause, named: [], at })
}

/** The incident with more pods that alerts name. */
export const withNamed = (incident: Incident, pods: readonly string[]): Incident => ({
  ...incident,
  named: [...new Set([...incident.named, ...pods])].slice(0, MAX_PODS),
})
