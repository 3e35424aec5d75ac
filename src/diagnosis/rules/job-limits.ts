import { read } from '../commands.ts'
import { job as jobShape, type KubernetesJob } from '../kubernetes.ts'
import type { Condition } from '../kubernetes-metadata.ts'
import { code, type Draft, eventFact, fact, type PodRule, quote } from '../rule.ts'
import type { View } from '../view.ts'

const IDS: Readonly<Record<string, string>> = {
  DeadlineExceeded: 'job.deadline-exceeded',
  BackoffLimitExceeded: 'job.backoff-limit',
  MaxFailedIndexesExceeded: 'job.backoff-limit',
  FailedIndexes: 'job.backoff-limit',
}

/** The Job that a pod belongs to or that is the target itself. */
const jobName = (view: View): string | null => {
  if (!view.pod) return /^Job\/(.+)$/.exec(view.snapshot.target)?.[1] ?? null
  return view.pod.metadata?.ownerReferences?.find(({ kind, controller }) => kind === 'Job' && controller)?.name ?? null
}

const failure = (job: KubernetesJob): Condition | undefined =>
  job.status?.conditions?.find(
    ({ type, status, reason }) =>
      (type === 'Failed' || type === 'FailureTarget') && status === 'True' && IDS[reason ?? ''] !== undefined,
  )

const draft = (view: View, name: string, job: KubernetesJob | null, reason: string, words: string): Draft => {
  const deadline = job?.spec?.activeDeadlineSeconds
  const limit = job?.spec?.backoffLimit
  const isDeadline = IDS[reason] === 'job.deadline-exceeded'
  const event = (view.eventsOf('Job', name) ?? []).findLast(({ reason: said }) => said === reason)
  const failed = job?.status?.failed
  return {
    id: IDS[reason] ?? 'job.backoff-limit',
    confidence: 'certain',
    summary: isDeadline
      ? `Job ${code(name)} ran longer than its deadline${deadline === undefined ? '' : ` (${code(`activeDeadlineSeconds: ${deadline}`)})`}: its pods were deleted, and no more are made.`
      : `Job ${code(name)} has given up: ${failed === undefined ? 'too many' : failed} failed pod${failed === 1 ? '' : 's'}${limit === undefined ? '' : `, ${code(`backoffLimit: ${limit}`)}`}; no more are made.`,
    evidence: [
      fact(`job ${name} status.conditions`, `${code(reason)}, ${quote(words)}`),
      ...(event ? [eventFact(event)] : []),
    ],
    fix: [
      isDeadline
        ? `Raise ${code('spec.activeDeadlineSeconds')} of Job ${code(name)} or make the work end sooner, then create the Job again.`
        : `Mend what made its pods fail, then create Job ${code(name)} again; a failed Job is never retried.`,
    ],
    verify: ['The new Job reaches condition Complete.'],
    commands: [read(view, 'The Job, its conditions and events', 'describe', 'job', name)],
  }
}

/** What ended the Job, or null. */
export const jobEnd = (view: View): Draft | null => {
  const name = jobName(view)
  if (name === null) return null
  const job = view.object('Job', view.namespace, name, jobShape)
  if (job === null || job === 'absent') return null
  const condition = failure(job)
  return condition ? draft(view, name, job, condition.reason ?? '', condition.message ?? '') : null
}

/** A Job without pods: its own limit is all there is to tell. */
export const jobLimits: PodRule = view => (view.pod ? null : jobEnd(view))
