import { describePod, read } from '../commands.ts'
import { secondsBetween } from '../containers.ts'
import { humanDuration } from '../human-duration.ts'
import { lostEvidence, nodeOf, nodeTrouble, readyOf, seemsLost } from '../node-trouble.ts'
import { ownerOf } from '../owner.ts'
import { code, type Draft, eventFact, fact, type PodRule, quote } from '../rule.ts'
import { type Deletion, deletionOf, late, since } from './deletion.ts'
import { jobEnd } from './job-limits.ts'
import { finalizerAdvice, whoDeleted } from './terminate-causes.ts'
import { describeNode } from './unscheduled.ts'

/** The node itself was not read; the pod's own status and events speak of it. */
const unconfirmed = (deletion: Deletion, name: string): Draft => ({
  id: 'terminate.node-gone',
  confidence: 'likely',
  summary: `The pod was deleted${since(deletion)} and has not finished; its node ${code(name)} seems to have stopped reporting, so nobody confirms that its containers have stopped${late(deletion)}.`,
  evidence: [...deletion.evidence, ...lostEvidence(deletion.view)],
  fix: [`Look at node ${code(name)}: bring it back, or if the machine is gone for good delete the Node object.`],
  avoid: ['`--force` while the machine may still run: the process and its volumes could be used twice.'],
  verify: ['The pod is gone, and its replacement has a node.'],
  commands: [describeNode(name)],
})

const nodeGone = (deletion: Deletion): Draft | null => {
  const { view, overdue } = deletion
  const name = view.pod?.spec?.nodeName
  const node = nodeOf(view)
  if (!name || deletion.isOver) return null
  if (node === null || (node !== 'absent' && !readyOf(node)))
    return seemsLost(view) ? unconfirmed(deletion, name) : null
  const trouble = node === 'absent' ? null : nodeTrouble(node)
  if (node !== 'absent' && trouble?.id !== 'node.lost') return null
  if (trouble && !trouble.isCertain && (overdue ?? 0) <= 0) return null
  const { reason, message, lastTransitionTime } = trouble?.ready ?? {}
  return {
    id: 'terminate.node-gone',
    confidence: trouble && !trouble.isCertain ? 'likely' : 'certain',
    summary: `The pod was deleted${since(deletion)} and cannot finish: node ${code(name)} ${trouble ? trouble.what : 'is no longer in the cluster'}, so nobody confirms that its containers have stopped${late(deletion)}.`,
    evidence: [
      ...deletion.evidence,
      trouble
        ? fact(
            `node ${name} status.conditions[Ready]`,
            `${trouble.ready.status}, reason ${code(reason ?? '')}, ${quote(message ?? '')}${lastTransitionTime ? `, since ${lastTransitionTime}` : ''}`,
          )
        : fact(`node ${name}`, 'not found'),
    ],
    fix: [
      trouble
        ? `Bring ${code(name)} back. If the machine is gone for good, delete the Node object (or taint it ${code('node.kubernetes.io/out-of-service')}): its pods are then removed.`
        : 'Pod garbage collection removes it within a minute or two; where it does not, look at finalizers.',
    ],
    avoid: ['`--force` while the machine may still run: the process and its volumes could be used twice.'],
    verify: ['The pod is gone, and its replacement has a node.'],
    commands: [describeNode(name)],
  }
}

/** Said under other reasons, too. */
const CANNOT_KILL = /device or resource busy|failed to "Kill(?:Container|PodSandbox)"|failed to "TeardownVolumes"/

const runtimeStuck = (deletion: Deletion): Draft | null => {
  const { view, overdue, isOver } = deletion
  const name = view.pod?.spec?.nodeName ?? ''
  const node = nodeOf(view)
  const trouble = node && node !== 'absent' ? nodeTrouble(node) : null
  const events = view.events.filter(({ reason, message, lastAt }) => {
    const age = secondsBetween(lastAt, view.takenAt)
    return (
      (reason === 'FailedKillPod' || reason === 'ExceededGracePeriod' || CANNOT_KILL.test(message)) &&
      (age === null || deletion.age === null || age <= deletion.age + 300)
    )
  })
  const failed = events.at(-1)
  const isDown = trouble?.id === 'node.runtime-down'
  const isSilent = (overdue ?? 0) > 60 && !isOver && deletion.finalizers.length === 0 && node !== null
  if (!failed && !isDown && !isSilent) return null
  const why = isDown
    ? `the container runtime of node ${code(name)} does not answer`
    : failed
      ? `the kubelet cannot stop it – ${quote(failed.message, 240)}`
      : `the kubelet of node ${code(name)} has not reported its containers stopped`
  return {
    id: 'terminate.runtime-stuck',
    confidence: isDown || failed ? 'certain' : 'likely',
    summary: `The pod was deleted${since(deletion)} and cannot finish: ${why}${late(deletion)}.`,
    evidence: [
      ...deletion.evidence,
      ...(failed ? [eventFact(failed, quote(failed.message, 500))] : []),
      ...(isDown ? [fact(`node ${name} status.conditions[Ready]`, quote(trouble?.ready.message ?? ''))] : []),
    ],
    fix: [
      failed && /network|cni|plugin type=/i.test(failed.message)
        ? `Repair the network add-on (CNI) on ${code(name)}: the sandbox is only removed once its network can be torn down.`
        : failed && /busy/.test(failed.message)
          ? `Find what holds the mount on ${code(name)} (${code('fuser -vm')} or ${code('lsof')} on the path it names) and stop it; then the kubelet finishes by itself.`
          : `Look at kubelet and container runtime on ${code(name)} (their logs, processes that hang in state D) and restart the runtime if it hangs.`,
    ],
    avoid: ['`--force`: it only removes the record; the process may go on running on the node.'],
    verify: ['The pod is gone.'],
    commands: [describeNode(name), describePod(view)],
  }
}

const finalizers = (deletion: Deletion): Draft | null => {
  const { view, isOver } = deletion
  if (deletion.finalizers.length === 0 || !isOver) return null
  const names = deletion.finalizers.map(code).join(', ')
  return {
    id: 'terminate.finalizer-or-grace',
    confidence: 'certain',
    summary: `The pod was deleted${since(deletion)} and its containers have ended; what keeps it is finalizer${deletion.finalizers.length === 1 ? '' : 's'} ${names}, which nobody has removed${late(deletion)}.`,
    evidence: deletion.evidence,
    fix: deletion.finalizers.map(finalizer => finalizerAdvice(finalizer, ownerOf(view))),
    avoid: ['`--force`: it does not touch finalizers. Patching them away skips the clean-up they stand for.'],
    verify: ['`metadata.finalizers` is empty; then the pod is gone at once.'],
    commands: [
      read(
        view,
        'Who holds it, and since when',
        'get',
        'pod',
        view.pod?.metadata?.name ?? '',
        '-o',
        'jsonpath={.metadata.deletionTimestamp} {.metadata.finalizers}',
      ),
      ...(deletion.finalizers.includes('batch.kubernetes.io/job-tracking')
        ? [
            {
              purpose: 'Webhooks that may spoil updates of pods',
              argv: ['kubectl', 'get', 'mutatingwebhookconfigurations,validatingwebhookconfigurations'],
              changes: false,
            },
          ]
        : []),
    ],
  }
}

const inGrace = (deletion: Deletion): Draft => {
  const { view, grace, overdue } = deletion
  const by = whoDeleted(view)
  const running = view.containers.filter(({ kind, state }) => kind !== 'init' && state.running).map(({ name }) => name)
  const left = overdue === null ? null : -overdue
  const isWaiting = left !== null && left > 0
  const ends = isWaiting ? `at the latest in ${humanDuration(left)}` : 'any moment now'
  const isJustDeleted = deletion.age !== null && deletion.age < 10
  const killing = view.events.findLast(({ reason }) => reason === 'Killing')
  const still =
    running.length === 0
      ? ''
      : ` ${running.map(code).join(', ')} ${running.length === 1 ? 'has' : 'have'} not exited yet${isJustDeleted ? '' : ' on SIGTERM'}.`
  const held =
    deletion.finalizers.length > 0 ? ` After that ${deletion.finalizers.map(code).join(', ')} must be removed.` : ''
  return {
    id: by.id,
    confidence: overdue === null || overdue > 60 ? 'likely' : 'certain',
    summary: `The pod is being deleted${since(deletion) ? `, asked for${since(deletion)}` : ''}${by.text}. It has a grace period of ${grace} s${grace >= 120 ? ` (${humanDuration(grace)})` : ''} and ${(overdue ?? 0) > 60 ? `was to be gone ${humanDuration(overdue ?? 0)} ago; what holds it could not be read` : `goes ${ends}`}.${still}${held}${isJustDeleted ? ' Nothing is wrong with that so far.' : ''}`,
    evidence: [...deletion.evidence, ...by.evidence, ...(killing ? [eventFact(killing)] : [])],
    fix: [
      isWaiting
        ? `Wait: it ends ${ends}.${grace > 60 ? ` To go sooner, let the program exit on SIGTERM or lower ${code('terminationGracePeriodSeconds')} (${grace}).` : ''}${by.fix}`
        : `Ask again in a minute; if it is still there, look at the kubelet of ${code(view.pod?.spec?.nodeName ?? 'its node')}.${by.fix}`,
    ],
    avoid: ['`--force`: it only removes the record, the process may go on running.'],
    verify: ['The pod is gone.'],
    commands: [describePod(view)],
  }
}

/** A pod that is being deleted: why it is still there, or that it has only just been asked to go. */
export const terminate: PodRule = view => {
  const deletion = deletionOf(view)
  if (!deletion) return null
  return nodeGone(deletion) ?? finalizers(deletion) ?? runtimeStuck(deletion) ?? jobEnd(view) ?? inGrace(deletion)
}
