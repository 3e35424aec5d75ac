import { z } from 'zod'

/** `[CONTEXT:][NS/][KIND/]NAME` after parsing. */
export const Target = z.object({
  /** Configured cluster name; null: the default one. */
  cluster: z.string().nullable(),
  namespace: z.string().min(1),
  /** Kubernetes kind in its own spelling (`Deployment`); null: not said, then a pod is meant first. */
  kind: z.string().nullable(),
  name: z.string().min(1),
})
export type Target = z.infer<typeof Target>

/** One question somebody asked, and where its answer goes. Slack's words. */
export const Question = z.object({
  /** Hash of (team, channel, ts or trigger_id, cluster, target): the job's id, and what posts carry as metadata. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  target: Target,
  /** What else may be meant, in order, where there is nothing of the target's name. */
  alternatives: z.array(Target).default([]),
  via: z.enum(['command', 'mention', 'shortcut', 'alert']),
  /** Alerts only: no answer about a healthy pod. */
  onlyUnhealthy: z.boolean().default(false),
  teamId: z.string(),
  channelId: z.string(),
  userId: z.string(),
  /** Answer in this thread instead of with a message of its own. */
  threadTs: z.string().nullable(),
  /** Slash commands only: usable 5 times within 30 minutes. */
  responseUrl: z.string().nullable(),
  /** RFC 3339. */
  askedAt: z.string(),
})
export type Question = z.infer<typeof Question>

/** What stands on the queue: a question to answer, or one that could not be answered and needs an apology. */
export const Job = z.discriminatedUnion('name', [
  z.object({ name: z.literal('answer'), question: Question }),
  z.object({ name: z.literal('apologise'), question: Question, why: z.string() }),
])
export type Job = z.infer<typeof Job>
