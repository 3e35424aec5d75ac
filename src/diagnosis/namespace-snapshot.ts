import type { PodSnapshot, Unread } from './snapshot.ts'

/** A pod of which only its row was read: it fails as another does that was looked into. */
export interface AlikePod {
  readonly name: string
  /** STATUS, READY, RESTARTS as that API server prints them. */
  readonly status: string
  readonly ready: string
  readonly restarts: string
}

/** One pod, or one owner without pods, that is not well. */
export interface UnwellCase {
  readonly snapshot: PodSnapshot
  /** Pods of the same owner in the same state. */
  readonly alike: readonly AlikePod[]
}

/** What was read about all pods of a namespace at one moment. */
export interface NamespaceSnapshot {
  readonly kind: 'NamespaceSnapshot'
  readonly cluster: string | null
  readonly namespace: string
  /** RFC 3339. */
  readonly takenAt: string | null
  /** How many pods there are. */
  readonly pods: number
  /** How many of them are ready or have done their work; about those nothing more was read. */
  readonly fine: number
  /** The others, the worst first. */
  readonly cases: readonly UnwellCase[]
  /** What concerns the namespace as a whole; each case names its own. */
  readonly unread: readonly Unread[]
}
