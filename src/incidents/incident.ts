import { z } from 'zod'
import { Target } from '../queue/job.ts'

/** A cause within an incident, once however many pods have it. */
export const Cause = z.object({
  /** `group.leaf` of the catalogue. */
  id: z.string(),
  /** The container to blame; null: the pod as a whole. */
  container: z.string().nullable(),
  /** One sentence; names in back-ticks. */
  summary: z.string(),
  /** Pods seen with it as their newest cause. */
  pods: z.number().int(),
  /** RFC 3339. */
  firstAt: z.string(),
})
export type Cause = z.infer<typeof Cause>

/** What is wrong with one owner's pods, as told to one channel: one answer, however many pods, alerts and causes. */
export const Incident = z.object({
  /** Hash of (cluster, namespace, owner, channel). */
  key: z.string(),
  /** Id of the question that opened it: its answer is the incident's. */
  question: z.string(),
  cluster: z.string().nullable(),
  namespace: z.string(),
  /** Null: a pod of its own, named by `target`. */
  owner: z.object({ kind: z.string(), name: z.string() }).nullable(),
  /** What a fresh look reads: the owner, or the pod where it has none. */
  target: Target,
  channelId: z.string(),
  /** The thread of the alert's post; null: the answer stands in the channel. */
  threadTs: z.string().nullable(),
  /** Id of the digest that tells of it instead of an answer of its own; null: it has one. */
  digest: z.string().nullable(),
  /** RFC 3339, like all its times. */
  openedAt: z.string(),
  /** When it was last heard of, from an alert or a look. */
  seenAt: z.string(),
  /** Questions of alerts that joined, the first one included. */
  alerts: z.number().int(),
  /** Newest cause by pod: `id container`. At most 500 pods. */
  pods: z.record(z.string(), z.string()),
  /** The first is the one the answer explains. */
  causes: z.array(Cause),
  /** When it recovered; null: it has not. */
  recoveredAt: z.string().nullable(),
  /** How it ended; null: it has not. `gone`: the owner was deleted. */
  ended: z.enum(['recovered', 'gone', 'unwatched']).nullable(),
  /** How often it came back after a recovery. */
  relapses: z.number().int(),
})
export type Incident = z.infer<typeof Incident>

/** Who silenced an incident, and until when. */
export const Mute = z.object({ userId: z.string(), until: z.string() })
export type Mute = z.infer<typeof Mute>
