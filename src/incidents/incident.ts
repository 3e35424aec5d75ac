import { createHash } from 'node:crypto'
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
  /** What it may share with other incidents: `node worker-1`, `registry quay.io`. */
  facts: z.array(z.string()),
  /** When it was first seen. */
  firstAt: z.string(),
})
export type Cause = z.infer<typeof Cause>

/**
 * What is wrong with one owner's pods, as told to one channel: one answer, however many pods, alerts and causes. Times are
 * RFC 3339.
 */
export const Incident = z.object({
  key: z.string(),
  /** True: somebody asked. It is an incident of its own then, that no alert joins. */
  isAsked: z.boolean().default(false),
  /** Id of the question that opened it: its answer is the incident's. */
  question: z.string(),
  cluster: z.string(),
  namespace: z.string(),
  /** Null: a pod of its own, named by `target`. */
  owner: z.object({ kind: z.string(), name: z.string() }).nullable(),
  /** What a fresh look reads: the owner, or the pod where it has none. */
  target: Target,
  channelId: z.string(),
  /** The thread of the alert's post; null: the answer stands in the channel. */
  threadTs: z.string().nullable(),
  /** Id of the digest that tells of it; null: it has an answer of its own. */
  digest: z.string().nullable(),
  openedAt: z.string(),
  /** From when on its recovery is looked for: its opening, or its last relapse. */
  watchedFrom: z.string(),
  /** When it was last heard of, from an alert or a look. */
  seenAt: z.string(),
  /** The pod that the answer is about; null: the owner has none. */
  pod: z.string().nullable(),
  /** Pods that alerts have named along, without a look at each; bounded. */
  named: z.array(z.string()).default([]),
  /** Every failing pod's newest cause, as `causeKey`; bounded. */
  pods: z.record(z.string(), z.string()),
  /** The first is the one that the answer explains. */
  causes: z.array(Cause),
  /** How and when it ended: its pods recovered, its owner was deleted, or nobody looks any more. Null: it goes on. */
  ended: z.object({ how: z.enum(['recovered', 'gone', 'unwatched']), at: z.string() }).nullable(),
  /** How often it came back after a recovery. */
  relapses: z.number().int(),
})
export type Incident = z.infer<typeof Incident>

/** Who silenced an incident, and until when. */
export const Mute = z.object({ userId: z.string(), until: z.string() })
export type Mute = z.infer<typeof Mute>

/** 32 hex digits that follow from the parts. */
export const hashOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)

/** The same for causes that are told once: what is wrong, and with which container. */
export const causeKey = ({ id, container }: Pick<Cause, 'id' | 'container'>): string => `${id} ${container ?? ''}`

/** How many of its pods have a cause. */
export const podsWith = ({ pods }: Pick<Incident, 'pods'>, cause: Cause): readonly string[] =>
  Object.entries(pods)
    .filter(([, key]) => key === causeKey(cause))
    .map(([pod]) => pod)

/** Pods that only alerts have named. */
export const onlyNamed = ({ named, pods }: Pick<Incident, 'named' | 'pods'>): readonly string[] =>
  named.filter(pod => !Object.hasOwn(pods, pod))
