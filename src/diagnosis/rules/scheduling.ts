import { describePod } from '../commands.ts'
import { isSelected } from '../node-selection.ts'
import { code, type Draft, eventFact, fact, type PodRule, quote } from '../rule.ts'
import type { Refusal } from '../scheduler-words.ts'
import type { View } from '../view.ts'
import { hostPortConflict, insufficient, tooManyPods } from './scheduling-capacity.ts'
import { pvcAwaited, pvcMissing, pvcUnbound } from './scheduling-claims.ts'
import { nodeAffinity, nodeCordoned } from './scheduling-placement.ts'
import { podPlacement } from './scheduling-pods.ts'
import { isControlPlane, taintedNodes, untoleratedTaint } from './scheduling-taints.ts'
import { volumeZone } from './scheduling-volume-zone.ts'
import { awaitsNode, getNodes, otherwise, type Unscheduled, unscheduled } from './unscheduled.ts'

const gated = (view: View): Draft => {
  const gates = (view.pod?.spec?.schedulingGates ?? []).flatMap(({ name }) => (name ? [name] : []))
  const names = gates.map(code).join(', ')
  return {
    id: 'scheduling.gated',
    confidence: 'certain',
    summary: `The pod is held back on purpose: the scheduler does not look at it until scheduling gate${gates.length === 1 ? '' : 's'} ${names || 'it carries'} ${gates.length === 1 ? 'is' : 'are'} lifted.`,
    evidence: [
      fact('spec.schedulingGates', names || 'not empty'),
      fact('status.conditions[PodScheduled].reason', 'SchedulingGated'),
    ],
    fix: [`Whoever owns ${names || 'the gate'} must lift it: look at that controller and what it waits for.`],
    avoid: ['Removing the gate by hand: what it waits for (quota, budget, a claim) would be skipped.'],
    verify: ['The gate is gone from `spec.schedulingGates`.'],
    commands: [describePod(view)],
  }
}

/** Nobody has looked at the pod. */
const unseen = (view: View): Draft | null => {
  const scheduler = view.pod?.spec?.schedulerName
  if (view.condition('PodScheduled') || !awaitsNode(view) || view.containers.some(({ status }) => status)) return null
  if (scheduler === undefined || scheduler === 'default-scheduler') return null
  return {
    id: 'scheduling.other',
    confidence: 'likely',
    summary: `The pod has no node, and no scheduler has said a word about it: it asks for scheduler ${code(scheduler)}, which does not seem to run.`,
    evidence: [fact('spec.schedulerName', code(scheduler)), fact('events', 'none of a scheduler')],
    fix: [`Check that ${code(scheduler)} runs and logs nothing wrong, or use ${code('default-scheduler')}.`],
  }
}

const other = (pending: Unscheduled, refusal: Refusal | undefined): Draft => {
  const noNodes = /^no nodes available/.test(refusal?.text ?? '')
  const rest = refusal ? otherwise(pending, refusal) : ''
  return {
    id: 'scheduling.other',
    confidence: noNodes ? 'certain' : 'likely',
    summary: noNodes
      ? 'The pod has no node: the cluster has no nodes at all.'
      : `The pod has no node; the scheduler says ${quote(refusal?.text ?? 'nothing that could be read')}.`,
    evidence: [pending.said, ...(rest ? [fact('scheduler', rest)] : [])],
    fix: [noNodes ? 'Add a node.' : 'Change what the scheduler names, in the pod or on the nodes.'],
    verify: ['PodScheduled becomes True.'],
    commands: [getNodes],
  }
}

const DRAFTS: Readonly<Record<string, (pending: Unscheduled, refusal: Refusal) => Draft>> = {
  'scheduling.pvc-missing': pvcMissing,
  'scheduling.pvc-unbound': pvcUnbound,
  'scheduling.volume-zone-conflict': volumeZone,
  'scheduling.host-port-conflict': hostPortConflict,
  'scheduling.insufficient-resources': insufficient,
  'scheduling.too-many-pods': tooManyPods,
  'scheduling.pod-affinity-or-spread': podPlacement,
  'scheduling.node-affinity': nodeAffinity,
  'scheduling.node-cordoned': nodeCordoned,
  'scheduling.untolerated-taint': untoleratedTaint,
}

// A node is refused by the first filter that minds, so one refused late was closest to fit. Cordon and taints come before
// labels are looked at: whether such a node would be allowed by its labels only the node itself can tell.
const LATENESS: readonly string[] = [
  'scheduling.gated',
  'scheduling.pvc-missing',
  'scheduling.pvc-unbound',
  'scheduling.volume-zone-conflict',
  'scheduling.insufficient-resources',
  'scheduling.too-many-pods',
  'scheduling.host-port-conflict',
  'scheduling.pod-affinity-or-spread',
  'scheduling.other',
]

/** The refusal that binds: without it the pod would have a node. */
const binding = (pending: Unscheduled): Refusal | undefined => {
  const { words, nodes, spec } = pending
  const by = (id: string) => words.refusals.find(refusal => refusal.id === id)
  for (const id of LATENESS) {
    const found = by(id)
    if (found) return found
  }
  const cordoned = by('scheduling.node-cordoned')
  const affinity = by('scheduling.node-affinity')
  const taints = words.refusals.filter(({ id }) => id === 'scheduling.untolerated-taint')
  const taint = taints.find(({ subject }) => subject !== null && !isControlPlane(subject)) ?? taints[0]
  if (!affinity) {
    const worker = taintedNodes(pending)[0]
    const isPlain = worker?.taints.every(({ key = '' }) => !/^node\.k|^node\.c/.test(key)) ?? true
    return cordoned && isPlain ? cordoned : (taint ?? cordoned ?? words.refusals[0])
  }
  if (nodes) {
    if (cordoned && nodes.some(node => node.spec?.unschedulable && isSelected(spec, node))) return cordoned
    const selected = taintedNodes(pending).some(
      ({ node, taints: own }) => isSelected(spec, node) && !own.some(({ key = '' }) => isControlPlane(key)),
    )
    return taint && selected ? taint : affinity
  }
  if (taint?.subject && !isControlPlane(taint.subject)) return taint
  return affinity
}

/** What an autoscaler said of it. */
const withAutoscaler = (view: View, draft: Draft): Draft => {
  const said = view.events.findLast(({ reason }) => reason === 'NotTriggerScaleUp' || reason === 'TriggeredScaleUp')
  return said ? { ...draft, evidence: [...draft.evidence, eventFact(said)] } : draft
}

/** Why the pod has no node. */
export const scheduling: PodRule = view => {
  if (!awaitsNode(view)) return null
  const condition = view.condition('PodScheduled')
  if (condition?.reason === 'SchedulingGated' || (view.pod?.spec?.schedulingGates?.length ?? 0) > 0) return gated(view)
  if (condition?.status === 'True') return null
  const pending = unscheduled(view)
  if (!pending) return unseen(view) ?? (view.containers.some(({ status }) => status) ? null : pvcAwaited(view))
  const refusal = binding(pending)
  const draft = refusal && DRAFTS[refusal.id]
  return withAutoscaler(view, draft ? draft(pending, refusal) : other(pending, refusal))
}
