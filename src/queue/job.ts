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

/** What a button asks for; `answer` is what every other question wants. */
export const Want = z.enum(['answer', 'refresh', 'log', 'earlier', 'events', 'describe', 'mute', 'unmute'])
export type Want = z.infer<typeof Want>

/** The answer under which a button was pressed. */
export const About = z.object({
  /** Id of the question it answers. */
  question: z.string(),
  /** Where its first message stands. */
  channel: z.string(),
  ts: z.string(),
  /** The pod it is about, and its container to blame; null: none. Another pod of that name is not the same. */
  uid: z.string().nullable(),
  container: z.string().nullable(),
})
export type About = z.infer<typeof About>

/** One question somebody asked, and where its answer goes. Slack's words. */
export const Question = z.object({
  /** Hash of (team, channel, ts or trigger_id, cluster, target): the job's id, and what posts carry as metadata. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  target: Target,
  /** What else may be meant, in order, where there is nothing of the target's name. */
  alternatives: z.array(Target).default([]),
  /** Alerts only: other pods of the same owner that were named along. */
  named: z.array(z.string()).default([]),
  via: z.enum(['command', 'mention', 'shortcut', 'alert', 'button']),
  want: Want.default('answer'),
  /** Buttons only. */
  about: About.nullable().default(null),
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

/** What is due later, without anybody asking. `incident`: its key. */
export const Task = z.discriminatedUnion('do', [
  /** Looks whether an incident's pods have recovered; `check` counts from 1. */
  z.object({ do: z.literal('recheck'), incident: z.string(), check: z.number().int() }),
  /** Brings the answer of an incident up to what is known of it. */
  z.object({ do: z.literal('redraw'), incident: z.string() }),
  /** Brings one of a channel's digests up to date; `digest`: its id. */
  z.object({ do: z.literal('digest'), channelId: z.string(), digest: z.string() }),
])
export type Task = z.infer<typeof Task>

/**
 * What stands on the queue: a question to answer, one that could not be answered and needs an apology, or a task that is
 * due.
 */
export const Job = z.discriminatedUnion('name', [
  z.object({ name: z.literal('answer'), question: Question }),
  z.object({ name: z.literal('apologise'), question: Question, why: z.string() }),
  z.object({ name: z.literal('task'), task: Task }),
])
export type Job = z.infer<typeof Job>
