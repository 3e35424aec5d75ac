import { createHash } from 'node:crypto'
import type { Target } from '../queue/job.ts'

/** What makes two questions the same one. `trigger`: a command's or shortcut's `trigger_id`, an event's `ts`. */
export type Asked = { teamId: string; channelId: string; trigger: string; target: Target }

/**
 * The question's id: 32 hex digits, the same for every delivery of the same command or event. A hash, because a job id
 * must not contain `:`, and because it travels as metadata that every app of the workspace can read.
 */
export function questionId({ teamId, channelId, trigger, target }: Asked): string {
  const { cluster, namespace, kind, name } = target
  return createHash('sha256')
    .update(JSON.stringify([teamId, channelId, trigger, cluster, namespace, kind, name]))
    .digest('hex')
    .slice(0, 32)
}

/** The target as one would type it, for logs and notices. */
export function targetText({ cluster, namespace, kind, name }: Target): string {
  const where = `${cluster === null ? '' : `${cluster}:`}${namespace}/`
  return kind === 'Namespace' ? where : `${where}${kind === null ? '' : `${kind}/`}${name}`
}
