import { editOwner } from '../commands.ts'
import { specHome } from '../owner.ts'
import { code, eventFact, fact, type PodRule, quote } from '../rule.ts'
import { successor } from '../successor.ts'

/** The pod's own `activeDeadlineSeconds` ran out. A Job's deadline deletes its pods instead. */
export const podDeadline: PodRule = view => {
  const { status, spec } = view.pod ?? {}
  if (status?.phase !== 'Failed' || status.reason !== 'DeadlineExceeded') return null
  const seconds = spec?.activeDeadlineSeconds
  const event = view.events.findLast(({ reason }) => reason === 'DeadlineExceeded')
  return {
    id: 'pod.deadline-exceeded',
    confidence: 'certain',
    container: null,
    summary: `The pod ran longer than its own deadline${seconds === undefined ? '' : `, ${code(`activeDeadlineSeconds: ${seconds}`)}`}, so the kubelet ended it. An exit code of 137 or 143 is that end, not a crash.`,
    evidence: [
      fact('status.reason', code('DeadlineExceeded')),
      ...(seconds === undefined ? [] : [fact('spec.activeDeadlineSeconds', String(seconds))]),
      fact('status.message', quote(status.message ?? '')),
      ...(event ? [eventFact(event)] : []),
    ],
    fix: [
      `Raise ${code('spec.activeDeadlineSeconds')}${seconds === undefined ? '' : ` (${seconds})`} in ${specHome(view)}, or make the work end sooner. ${successor(view)}`,
    ],
    verify: ['The next run ends with phase Succeeded.'],
    commands: editOwner(view),
  }
}
