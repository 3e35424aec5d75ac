import type { Causes } from './cause.ts'

export const limits: Causes = {
  'job.deadline-exceeded': {
    what: 'The Job ran longer than its `activeDeadlineSeconds`; its pods were deleted, and no more are made.',
    looksAt: 'the conditions and events of the Job',
    todo: 'Raise the deadline or make the work shorter, and create the Job again.',
  },
  'job.backoff-limit': {
    what: 'Too many pods of the Job failed, and it has given up.',
    looksAt: 'the conditions of the Job and its `backoffLimit`',
    todo: 'Mend what made its pods fail, and create the Job again.',
  },
  'job.sidecar-running': {
    what: 'The work is done, but another container of the pod goes on running, so neither the pod nor its Job ever completes.',
    looksAt: 'containers that ended with 0 beside one that still runs, where nothing restarts',
    todo: 'Make the helper a native sidecar (`restartPolicy: Always` among the init containers), or let the work end it.',
  },
  'pod.deadline-exceeded': {
    what: 'The pod ran longer than its own `activeDeadlineSeconds`.',
    looksAt: '`status.reason`; the exit codes are only that end',
    todo: 'Raise the deadline, or make the work shorter.',
  },
}
