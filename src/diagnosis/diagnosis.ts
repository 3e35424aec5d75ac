import type { Unread } from './snapshot.ts'

/** How sure: read from the cluster · the evidence points there · one of several explanations. */
export type Confidence = 'certain' | 'likely' | 'possible'

/** One fact and where it was read: `status.initContainerStatuses[1].lastState.terminated.exitCode`, an event, a log line. */
export interface Evidence {
  readonly source: string
  /** Plain sentence part; names and values of the user's stand in back-ticks. */
  readonly text: string
}

/** A command as an argument vector; it is quoted only when rendered. */
export interface Command {
  readonly purpose: string
  readonly argv: readonly string[]
  /** True where running it changes the cluster. */
  readonly changes: boolean
}

/**
 * What one rule found. Texts are plain sentences without Slack markup or emoji; names and values of the user's stand in
 * back-ticks.
 */
export interface Finding {
  /** `group.leaf` of the catalogue, or `healthy`, `completed`, `gone`. */
  readonly id: string
  readonly confidence: Confidence
  /** The container it is about; null: the pod as a whole. */
  readonly container: string | null
  /** One or two sentences: what is wrong, and what that means. Enough to act on together with `fix[0]`. */
  readonly summary: string
  readonly evidence: readonly Evidence[]
  /** What to do, best first; each names object and field. */
  readonly fix: readonly string[]
  /** Shortcuts that would hide the cause. */
  readonly avoid: readonly string[]
  /** How to see that the fix worked. */
  readonly verify: readonly string[]
}

export type ContainerKind = 'init' | 'sidecar' | 'app' | 'ephemeral'

/** The container to blame. */
export interface BlamedContainer {
  readonly name: string
  readonly kind: ContainerKind
  /** 1-based place among the containers of its list in the pod's spec (sidecars count among the init containers). */
  readonly position: number
  readonly of: number
  readonly image: string
  readonly restartCount: number
}

/** How the instance that is explained ended. */
export interface Exit {
  readonly code: number
  /** `SIGKILL` …; null where the code names no signal. */
  readonly signal: string | null
  readonly reason: string
  /** What the code means here. */
  readonly meaning: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

/** The lines of the instance that is explained. */
export interface LogExcerpt {
  readonly container: string
  readonly instance: 'current' | 'previous'
  /** Which run this is: 0 the first, 4 the one after the fourth restart; null where that cannot be told. */
  readonly restart: number | null
  /** The newest lines, oldest first, without their timestamps. */
  readonly lines: readonly string[]
  /** How many earlier lines are not shown. */
  readonly omitted: number
  /** How many secrets were removed from the lines of this instance. */
  readonly redacted: number
  /** Why there is no log; null where there is one. */
  readonly missing: string | null
  /** RFC 3339 times of the first and last line, the proof that they belong to this instance; null without timestamps. */
  readonly firstAt: string | null
  readonly lastAt: string | null
}

/** Everything podwhy has to say about one target; the same snapshot gives the same diagnosis. */
export interface Diagnosis {
  readonly cluster: string | null
  readonly namespace: string
  readonly pod: string | null
  readonly owner: { readonly kind: string; readonly name: string } | null
  readonly uid: string | null
  readonly takenAt: string | null
  /** STATUS, READY, RESTARTS as that API server prints them; null without a pod. */
  readonly status: string | null
  readonly ready: string | null
  readonly restarts: string | null
  /** Since when it is as it is, RFC 3339. */
  readonly since: string | null
  /** True only for `healthy` and `completed`. */
  readonly healthy: boolean
  readonly container: BlamedContainer | null
  readonly exit: Exit | null
  readonly cause: Finding
  readonly others: readonly Finding[]
  readonly log: LogExcerpt | null
  /** When the kubelet will try again, RFC 3339; null where nothing waits or it cannot be told. */
  readonly nextRestart: string | null
  readonly commands: readonly Command[]
  readonly unread: readonly Unread[]
}
