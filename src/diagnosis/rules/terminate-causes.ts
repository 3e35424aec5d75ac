import type { Evidence } from '../diagnosis.ts'
import { taintText, untoleratedTaints } from '../node-selection.ts'
import { nodeOf } from '../node-trouble.ts'
import type { Owner } from '../owner.ts'
import { code, eventFact, fact, quote } from '../rule.ts'
import type { View } from '../view.ts'

/** Who asked for a deletion, as far as the pod tells. */
export interface Deleter {
  readonly id: string
  /** Appended to `The pod is being deleted`. */
  readonly text: string
  /** Appended to the first fix. */
  readonly fix: string
  readonly evidence: readonly Evidence[]
}

const byUser: Deleter = { id: 'terminate.finalizer-or-grace', text: '', fix: '', evidence: [] }

/** The pod's DisruptionTarget condition, and the events of releases that had none yet. */
export const whoDeleted = (view: View): Deleter => {
  const condition = view.condition('DisruptionTarget')
  const preempted = view.events.findLast(({ reason }) => reason === 'Preempted' || reason === 'Preempting')
  const tainted = view.events.findLast(({ reason }) => reason === 'TaintManagerEviction')
  const node = tainted || condition?.reason === 'DeletionByTaintManager' ? nodeOf(view) : null
  const taints =
    node && node !== 'absent' && view.pod?.spec
      ? untoleratedTaints(view.pod.spec, node)
          .filter(({ effect }) => effect === 'NoExecute')
          .map(taintText)
          .map(code)
          .join(', ')
      : ''
  const evidence = [
    ...(condition
      ? [
          fact(
            'status.conditions[DisruptionTarget]',
            `${code(condition.reason ?? '')}, ${quote(condition.message ?? '')}`,
          ),
        ]
      : []),
    ...(preempted ? [eventFact(preempted)] : []),
    ...(tainted ? [eventFact(tainted)] : []),
  ]
  const reason = condition?.status === 'True' ? condition.reason : undefined
  if (reason === 'PreemptionByScheduler' || (reason === undefined && preempted))
    return {
      id: 'evict.other',
      text: ': it was preempted by the scheduler to make room for a pod of higher priority',
      fix: ' Nothing is broken in it: add capacity, or give the workload a PriorityClass if it must not be the one to go.',
      evidence,
    }
  if (reason === 'EvictionByEvictionAPI')
    return {
      id: 'terminate.finalizer-or-grace',
      text: ': it was evicted through the Eviction API (a drain of its node, or an autoscaler)',
      fix: '',
      evidence,
    }
  if (reason === 'DeletionByTaintManager' || (reason === undefined && tainted))
    return {
      id: 'evict.other',
      text: `: its node got a NoExecute taint that it does not tolerate (any longer)${taints ? ` – ${taints}` : ''}`,
      fix: ' Look at the taints and conditions of the node.',
      evidence,
    }
  if (reason === 'TerminationByKubelet')
    return {
      id: 'evict.other',
      text: `: the kubelet ended it (${quote(condition?.message ?? '', 160)})`,
      fix: '',
      evidence,
    }
  return { ...byUser, evidence }
}

/** Who is to remove a finalizer. */
export const finalizerAdvice = (finalizer: string, owner: Owner | null): string => {
  if (finalizer === 'batch.kubernetes.io/job-tracking')
    return `Let the Job controller remove ${code(finalizer)}${owner ? ` (it counts the pod for Job ${code(owner.name)})` : ''}: check webhooks that mutate pod updates or refuse them, because then its patch fails; a Job deleted with orphaned pods leaves it behind.`
  if (finalizer === 'foregroundDeletion')
    return `Wait until what the pod owns is deleted (${code(finalizer)}); look for objects whose ownerReferences name it.`
  return `Let the controller that owns ${code(finalizer)} finish: check that it runs and what it logs. Only if it is gone for good, remove the finalizer by hand.`
}
