import { editOwner } from '../commands.ts'
import type { Node } from '../kubernetes.ts'
import { isSelected, type NodeDemand, nodeDemands } from '../node-selection.ts'
import { specHome } from '../owner.ts'
import { code, type Draft, fact } from '../rule.ts'
import type { Refusal } from '../scheduler-words.ts'
import { describeNode, getNodes, nameOf, nodesText, otherwise, share, type Unscheduled } from './unscheduled.ts'

/** Labels that Kubernetes has renamed; nodes carry the new ones only. */
const RENAMED: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'node-role.kubernetes.io/master': 'node-role.kubernetes.io/control-plane',
}

/** The demands that no node meets; all of them where each is met by some node, or nodes were not read. */
const unmet = (demands: readonly NodeDemand[], nodes: readonly Node[] | null): readonly NodeDemand[] => {
  if (!nodes || nodes.length === 0) return demands
  const hopeless = demands.filter(demand => !nodes.some(demand.isMetBy))
  return hopeless.length > 0 ? hopeless : demands
}

const haveInstead = (demand: NodeDemand, nodes: readonly Node[] | null): string => {
  const held = [...new Set((nodes ?? []).map(({ metadata }) => metadata?.labels?.[demand.key]))]
  if (held.length === 0) return ''
  const known = held.filter(value => value !== undefined).slice(0, 4)
  return known.length === 0 ? 'no node has that label' : `nodes have ${known.map(code).join(', ')}`
}

/** Node selector and required node affinity. */
export const nodeAffinity = (pending: Unscheduled, refusal: Refusal): Draft => {
  const { view, spec, nodes, said } = pending
  const { all, terms } = nodeDemands(spec)
  const flat = [...unmet(all, nodes), ...terms.flatMap(term => unmet(term, nodes))]
  const demands = flat.filter(({ text }, index) => flat.findIndex(other => other.text === text) === index)
  const renamed = demands.find(({ key }) => RENAMED[key] !== undefined)
  const asks = demands.map(({ text }) => code(text)).join(', ')
  const instead = demands
    .map(demand => haveInstead(demand, nodes))
    .filter(Boolean)
    .slice(0, 2)
    .join('; ')
  const rest = otherwise(pending, refusal)
  const wants =
    all.length > 0 && terms.length === 0
      ? 'node selector'
      : all.length === 0
        ? 'node affinity'
        : 'node selector and affinity'
  return {
    id: refusal.id,
    confidence: 'certain',
    summary:
      `The pod has no node: ${share(pending, refusal)} ${pending.words.total === 1 || refusal.nodes === 1 ? 'does' : 'do'} not match its ${wants}${asks ? ` ${asks}` : ''}${instead ? ` – ${instead}` : ''}.` +
      (renamed ? ` The label ${code(renamed.key)} is retired; nodes carry ${code(RENAMED[renamed.key] ?? '')}.` : ''),
    evidence: [
      said,
      ...demands.slice(0, 6).map(demand => fact(demand.path, code(demand.text))),
      ...(rest ? [fact('scheduler', rest)] : []),
    ],
    fix: [
      renamed
        ? `In ${specHome(view)} change the ${wants} from ${code(renamed.key)} to ${code(RENAMED[renamed.key] ?? '')}.`
        : `Change ${code(demands[0]?.path.split('.matchExpressions')[0] ?? 'spec.nodeSelector')} in ${specHome(view)}, or add or label a node that has ${asks || 'what it asks for'}.`,
    ],
    verify: ['PodScheduled becomes True.'],
    commands: [getNodes, ...editOwner(view)],
  }
}

/** Cordoned nodes. */
export const nodeCordoned = (pending: Unscheduled, refusal: Refusal): Draft => {
  const { nodes, spec, said } = pending
  const cordoned = (nodes ?? []).filter(node => node.spec?.unschedulable)
  const fitting = cordoned.filter(node => isSelected(spec, node))
  const shown = fitting.length > 0 ? fitting : cordoned
  const names = nodesText(shown)
  const rest = otherwise(pending, refusal)
  return {
    id: refusal.id,
    confidence: nodes || pending.words.refusals.length === 1 ? 'certain' : 'likely',
    summary: `The pod has no node: ${share(pending, refusal)} ${pending.words.total === 1 || refusal.nodes === 1 ? 'is' : 'are'} cordoned (unschedulable)${names ? ` – ${names}` : ''}${rest ? ', and the others do not fit' : ''}. What already runs there goes on running.`,
    evidence: [
      said,
      ...shown.slice(0, 5).map(node => fact(`node ${nameOf(node)} spec.unschedulable`, 'true')),
      ...(rest ? [fact('scheduler', rest)] : []),
    ],
    fix: [
      `When its maintenance is over, uncordon ${names || 'the node'} (${code(`kubectl uncordon ${shown[0] ? nameOf(shown[0]) : 'NODE'}`)}), or add a node.`,
    ],
    verify: ['PodScheduled becomes True.'],
    commands: shown[0]
      ? [
          describeNode(nameOf(shown[0])),
          { purpose: 'Take pods again', argv: ['kubectl', 'uncordon', nameOf(shown[0])], changes: true },
        ]
      : [getNodes],
  }
}
