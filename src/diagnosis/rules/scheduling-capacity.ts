import { editOwner } from '../commands.ts'
import type { Evidence } from '../diagnosis.ts'
import { effectiveRequest } from '../effective-request.ts'
import { pod as podShape } from '../kubernetes-pod.ts'
import { isSelected, untoleratedTaints } from '../node-selection.ts'
import { ownerOf, specHome } from '../owner.ts'
import { formatCpu, formatMemory, parseQuantity } from '../quantity.ts'
import { code, type Draft, fact } from '../rule.ts'
import type { Refusal } from '../scheduler-words.ts'
import { describeNode, getNodes, nameOf, nodesText, otherwise, share, type Unscheduled } from './unscheduled.ts'

const amountText = (resource: string, amount: number): string => {
  if (resource === 'cpu') return formatCpu(amount)
  return /memory|storage|hugepages/.test(resource) ? formatMemory(amount) : String(amount)
}

/** Nodes that this pod may use, by taints, cordon and labels; all of them where none is left. */
const candidates = ({ nodes, spec }: Unscheduled) => {
  const usable = (nodes ?? []).filter(
    node => !node.spec?.unschedulable && untoleratedTaints(spec, node).length === 0 && isSelected(spec, node),
  )
  return usable.length > 0 ? usable : (nodes ?? [])
}

interface Shortage {
  readonly text: string
  readonly fix: string
  readonly evidence: readonly Evidence[]
}

const shortageOf = (pending: Unscheduled, resource: string): Shortage => {
  const { spec, view } = pending
  const { amount, from, initContainer } = effectiveRequest(spec, resource)
  const wants = amountText(resource, amount)
  const whose = initContainer ? ` (init container ${code(initContainer)} alone decides it)` : ''
  const request = fact('spec (effective request)', `${resource}: a ${wants} request (${from})`)
  const offersText = `allocatable ${resource}`
  const where = initContainer ? `of init container ${code(initContainer)}` : 'of its containers'
  const measured = candidates(pending).filter(({ status }) => status?.allocatable !== undefined)
  if (measured.length === 0) {
    return {
      text: `Its ${code(resource)} request is ${wants}${whose}.`,
      fix: `Lower ${code(`resources.requests["${resource}"]`)} ${where} in ${specHome(view)}, or add nodes; compare it with the allocatable ${resource} of the nodes.`,
      evidence: [request],
    }
  }
  const [largest] = measured
    .map(node => ({ node, has: parseQuantity(node.status?.allocatable?.[resource]) ?? 0 }))
    .sort((a, b) => b.has - a.has)
  const has = largest?.has ?? 0
  const offers = fact(
    `node ${largest ? nameOf(largest.node) : ''} status.allocatable["${resource}"]`,
    `${amountText(resource, has)}, the most that a usable node has`,
  )
  if (has === 0) {
    return {
      text: `It requests ${wants} ${code(resource)}${whose}, and no usable node offers any.`,
      fix: `Add a node that offers ${code(resource)} (for a device: with its device plugin running), or drop the request in ${specHome(view)}.`,
      evidence: [request, offers],
    }
  }
  return amount > has
    ? {
        text: `Its ${code(resource)} request of ${wants}${whose} is more than the ${amountText(resource, has)} ${offersText} of the largest usable node, ${code(largest ? nameOf(largest.node) : '')}: it can never fit there.`,
        fix: `Lower ${code(`resources.requests["${resource}"]`)} ${where} in ${specHome(view)} below ${amountText(resource, has)}, or add a bigger node.`,
        evidence: [request, offers],
      }
    : {
        text: `Its ${code(resource)} request of ${wants}${whose} would fit into an empty ${code(largest ? nameOf(largest.node) : '')} (${amountText(resource, has)} ${offersText}), but other pods' requests hold too much of it.`,
        fix: `Lower requests – ${code(`resources.requests["${resource}"]`)} ${where} in ${specHome(view)}, or other pods' – or add a node.`,
        evidence: [request, offers],
      }
}

/** Requests against what nodes have. */
export const insufficient = (pending: Unscheduled, refusal: Refusal): Draft => {
  const { view, words, said, nodes } = pending
  const missing = words.refusals.filter(({ id }) => id === refusal.id)
  const names = [...new Set(missing.map(({ subject }) => subject ?? ''))]
  const shortages = names.map(name => shortageOf(pending, name))
  const nominated = view.pod?.status?.nominatedNodeName
  const rest = otherwise(pending, refusal)
  const scaleUp = view.events.findLast(({ reason }) => reason === 'TriggeredScaleUp')
  return {
    id: refusal.id,
    confidence: 'certain',
    summary:
      `The pod has no node: ${share(pending, refusal)} ${words.total === 1 || refusal.nodes === 1 ? 'has' : 'have'} too little ${names.map(code).join(' and ')} left. ${shortages.map(({ text }) => text).join(' ')}` +
      (nominated
        ? ` Node ${code(nominated)} is nominated: pods of lower priority are being preempted there, and this pod waits until they have left.`
        : scaleUp
          ? ' The autoscaler is adding a node.'
          : ''),
    evidence: [
      said,
      ...shortages.flatMap(({ evidence }) => evidence),
      ...(nominated ? [fact('status.nominatedNodeName', code(nominated))] : []),
      ...(rest ? [fact('scheduler', rest)] : []),
    ],
    fix: [
      ...(nominated
        ? [
            `Wait: the preempted pods on ${code(nominated)} have their grace period to leave; then this pod starts there.`,
          ]
        : []),
      ...shortages.map(({ fix }) => fix),
    ],
    avoid: ['Deleting the pod: its replacement asks for the same.'],
    verify: ['The pod gets a node: PodScheduled becomes True.'],
    commands: [...(nodes?.[0] ? [describeNode(nameOf(nodes[0]))] : [getNodes]), ...editOwner(view)],
  }
}

/** The kubelet's own limit on pods. */
export const tooManyPods = (pending: Unscheduled, refusal: Refusal): Draft => {
  const { said, nodes } = pending
  const full = candidates(pending)
  const limits = full.map(node =>
    fact(`node ${nameOf(node)} status.allocatable.pods`, `${node.status?.allocatable?.['pods'] ?? 'not said'} pods`),
  )
  const where = nodesText(full)
  return {
    id: refusal.id,
    confidence: 'certain',
    summary: `The pod has no node: ${share(pending, refusal)} already ${pending.words.total === 1 ? 'runs' : 'run'} as many pods as allowed (too many pods${where ? `: ${where}, limit ${full[0]?.status?.allocatable?.['pods'] ?? 'not said'}` : ''}). CPU and memory are not the question.`,
    evidence: [said, ...limits.slice(0, 5)],
    fix: [
      `Add a node, free pods there, or raise the pod limit (kubelet ${code('maxPods')}; on clouds with ENI-based IPs it follows the instance type)${where ? ` of ${where}` : ''}.`,
    ],
    verify: ['The pod gets a node: PodScheduled becomes True.'],
    commands: [nodes?.[0] ? describeNode(nameOf(nodes[0])) : getNodes],
  }
}

const hostPorts = ({ spec }: Unscheduled): readonly number[] => [
  ...new Set(
    [...(spec.initContainers ?? []), ...(spec.containers ?? [])].flatMap(({ ports }) =>
      (ports ?? []).flatMap(({ hostPort, containerPort }) => {
        const port = hostPort ?? (spec.hostNetwork ? containerPort : undefined)
        return port === undefined || port === 0 ? [] : [port]
      }),
    ),
  ),
]

/** A port of the node that somebody has. */
export const hostPortConflict = (pending: Unscheduled, refusal: Refusal): Draft => {
  const { view, spec, said } = pending
  const ports = hostPorts(pending)
  const holders = (view.list('pods', podShape) ?? []).filter(
    ({ metadata, spec: other, status }) =>
      metadata?.uid !== view.pod?.metadata?.uid &&
      other?.nodeName !== undefined &&
      status?.phase !== 'Succeeded' &&
      status?.phase !== 'Failed' &&
      (other.containers ?? []).some(({ ports: theirs }) =>
        (theirs ?? []).some(({ hostPort, containerPort }) =>
          ports.includes(hostPort ?? (other.hostNetwork ? (containerPort ?? -1) : -1)),
        ),
      ),
  )
  const [holder] = holders
  const what = ports.length === 0 ? 'a host port it asks for' : `host port ${ports.map(code).join(', ')}`
  const isReplicated = ownerOf(view)?.kind === 'Deployment' || ownerOf(view)?.kind === 'ReplicaSet'
  const held = holder
    ? ` Pod ${code(holder.metadata?.name ?? '')} on ${code(holder.spec?.nodeName ?? '')} has it.`
    : isReplicated
      ? ' Often it is the old pod of the same Deployment: a rolling update starts the new pod before the old one leaves.'
      : ''
  return {
    id: refusal.id,
    confidence: 'certain',
    summary: `The pod has no node: ${share(pending, refusal)} ${pending.words.total === 1 || refusal.nodes === 1 ? 'has' : 'have'} no free ports for it – ${what} is taken.${held}`,
    evidence: [
      said,
      spec.hostNetwork
        ? fact('spec.hostNetwork', 'true: each containerPort is a port of the node')
        : fact('spec.containers[].ports[].hostPort', ports.map(code).join(', ') || 'none read'),
      ...holders.map(({ metadata, spec: other }) =>
        fact(`pod ${metadata?.name}`, `uses the port on node ${code(other?.nodeName ?? '')}`),
      ),
    ],
    fix: [
      ...(isReplicated
        ? [
            `In ${ownerOf(view)?.kind === 'Deployment' ? specHome(view) : 'its Deployment'} use the Recreate strategy (${code('strategy.type: Recreate')}), so that the old pod leaves first; deleting the old pod unblocks it now.`,
          ]
        : []),
      `Use another port${spec.hostNetwork ? ` or drop ${code('hostNetwork')}` : ` or drop ${code('hostPort')} and use a Service`} in ${specHome(view)}; a node has each port once.`,
    ],
    verify: ['The pod gets a node: PodScheduled becomes True.'],
    commands: editOwner(view),
  }
}
