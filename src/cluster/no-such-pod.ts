import { event as eventShape } from '../diagnosis/kubernetes.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'
import { ClusterError, oneLine } from './cluster-error.ts'
import type { ReadTarget } from './read-target.ts'

/** Nothing of that name is there. */
export class NoSuchPod extends ClusterError {
  override name = 'NoSuchPod'
  /** What may have been meant, the likeliest first. */
  readonly choices: readonly ReadTarget[]
  constructor(message: string, choices: readonly ReadTarget[] = []) {
    super(message)
    this.choices = choices
  }
}

/** Several things of that name are there. */
export class AmbiguousTarget extends ClusterError {
  override name = 'AmbiguousTarget'
  /** What to choose from, at most 100. */
  readonly choices: readonly ReadTarget[]
  constructor(message: string, choices: readonly ReadTarget[]) {
    super(message)
    this.choices = choices.slice(0, maxChoices)
  }
}

/** More are not chosen from: Slack's menus have as many. */
const maxChoices = 100

const timeOf = (event: JsonObject): string => {
  const { lastTimestamp, series, eventTime, metadata } = eventShape(event) ?? {}
  return lastTimestamp ?? series?.lastObservedTime ?? eventTime ?? metadata?.creationTimestamp ?? ''
}

/** `; its last event, 2026-05-04T12:00:00Z: Killing, Stopping container app` – '' without events. */
export const lastEventOf = (events: readonly JsonObject[]): string => {
  const last = events.toSorted((a, b) => timeOf(a).localeCompare(timeOf(b))).at(-1)
  if (!last) return ''
  const { reason, message } = eventShape(last) ?? {}
  return `; its last event, ${timeOf(last)}: ${reason}, ${oneLine(message ?? '', 200)}`
}

/** `; did you mean "a", "b"?` – '' without any. */
export const didYouMean = (near: readonly string[]): string =>
  near.length === 0 ? '' : `; did you mean ${near.map(name => `"${name}"`).join(', ')}?`
