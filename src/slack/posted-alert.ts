import type { Target } from '../queue/job.ts'

/** An alert in a message, as far as the listeners need it. */
export type PostedAlert = {
  status: 'firing' | 'resolved'
  /** For each owner, told apart by `owner`, what may be meant, in order, and which other pods of it are named. */
  asked: readonly { owner: string; targets: readonly [Target, ...Target[]]; named: readonly string[] }[]
  /** Alerts in it about clusters that are not configured; not in `asked`. */
  otherCluster: number
  /** Whether a pod's state explains alerts of this name. */
  isKnown: boolean
}

/** What a resolved alert was about, and where it was told: in a post, `threadTs` its `ts`, or by the webhook. */
export type ResolvedAlert = {
  channelId: string
  threadTs: string | null
  /** What was meant, in order. */
  targets: readonly [Target, ...Target[]]
}

/** What became of an alert. */
export type AlertOutcome =
  | 'asked'
  | 'folded'
  | 'resolved'
  | 'without target'
  | 'without channel'
  | 'other cluster'
  | 'refused'
  | 'muted'
  | 'unlinked'
