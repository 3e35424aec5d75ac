import { event as eventShape } from '../diagnosis/kubernetes.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'
import { ClusterError, oneLine } from './cluster-error.ts'

/** Nothing of that name is there. */
export class NoSuchPod extends ClusterError {
  override name = 'NoSuchPod'
  /** Pods of the namespace that may have been meant, at most three. */
  readonly near: readonly string[]
  constructor(message: string, near: readonly string[] = []) {
    super(message)
    this.near = near
  }
}

/** Several things of that name are there. */
export class AmbiguousTarget extends ClusterError {
  override name = 'AmbiguousTarget'
  /** Targets to choose from, at most five: `Deployment/web`, or names of pods. */
  readonly candidates: readonly string[]
  constructor(message: string, candidates: readonly string[]) {
    super(message)
    this.candidates = candidates
  }
}

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
