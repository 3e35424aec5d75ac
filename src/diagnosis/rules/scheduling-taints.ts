import { editOwner } from '../commands.ts'
import type { Node } from '../kubernetes.ts'
import { isSelected, type Taint, taintText, untoleratedTaints } from '../node-selection.ts'
import { nodeTrouble } from '../node-trouble.ts'
import { specHome } from '../owner.ts'
import { code, type Draft, fact, quote } from '../rule.ts'
import type { Refusal } from '../scheduler-words.ts'
import { describeNode, getNodes, nameOf, nodesText, otherwise, share, type Unscheduled } from './unscheduled.ts'

const CONTROL_PLANE: ReadonlySet<string> = new Set([
  'node-role.kubernetes.io/control-plane',
  'node-role.kubernetes.io/master',
  'node-role.kubernetes.io/etcd',
])

export const isControlPlane = (key: string): boolean => CONTROL_PLANE.has(key)

/** Taints that the cluster itself puts on nodes that are not well, and what they say. */
const CONDITIONS: Readonly<Record<string, readonly [id: string, says: string, fix: string]>> = {
  'node.kubernetes.io/memory-pressure': [
    'node.memory-pressure',
    'is under memory pressure (MemoryPressure) and takes no new pods',
    'Give it memory or move load away; the taint goes about 5 minutes after the pressure',
  ],
  'node.kubernetes.io/disk-pressure': [
    'node.disk-pressure',
    'is under disk pressure (DiskPressure) and takes no new pods',
    'Free disk there (images, logs, emptyDirs); the taint goes about 5 minutes after the pressure',
  ],
  'node.kubernetes.io/pid-pressure': [
    'scheduling.untolerated-taint',
    'is short of process ids (PIDPressure) and takes no new pods',
    'Find what makes so many processes there',
  ],
  'node.kubernetes.io/network-unavailable': [
    'node.network-not-ready',
    'has no pod network yet',
    "Repair the network add-on's (or the cloud route controller's) work on it",
  ],
  'node.cilium.io/agent-not-ready': [
    'node.network-not-ready',
    'has no pod network yet: its Cilium agent is not ready',
    "Look at the cilium agent's pod there",
  ],
  'node.cloudprovider.kubernetes.io/uninitialized': [
    'node.cloud-uninitialised',
    'was never initialised by the cloud controller manager',
    'Start or repair the cloud-controller-manager: it clears this taint',
  ],
  'node.kubernetes.io/unreachable': ['node.lost', 'is unreachable: it stopped reporting', 'Bring it back'],
  'node.kubernetes.io/not-ready': [
    'node.network-not-ready',
    'is NotReady, most often because its pod network (CNI) is not up',
    'Look at its Ready condition',
  ],
}

export const isCondition = (key: string): boolean => CONDITIONS[key] !== undefined

/** Nodes kept off by taints, the most telling first: unwell ones, then pools, the control plane last. */
export const taintedNodes = ({ nodes, spec }: Unscheduled): readonly { node: Node; taints: readonly Taint[] }[] => {
  const rank = ({ node, taints }: { node: Node; taints: readonly Taint[] }): number => {
    const keys = taints.map(({ key = '' }) => key)
    if (keys.some(isControlPlane)) return 4
    const isUsable = isSelected(spec, node) ? 0 : 2
    return isUsable + (keys.every(isCondition) ? 0 : 1)
  }
  return (nodes ?? [])
    .filter(node => !node.spec?.unschedulable)
    .map(node => ({ node, taints: untoleratedTaints(spec, node) }))
    .filter(({ taints }) => taints.length > 0)
    .sort((a, b) => rank(a) - rank(b))
}

const unwell = (pending: Unscheduled, refusal: Refusal, key: string, node: Node | undefined): Draft => {
  const [id, says, fix] = CONDITIONS[key] ?? ['scheduling.untolerated-taint', 'is not well', 'Look at it']
  const trouble = node && /not-ready|unreachable/.test(key) ? nodeTrouble(node) : null
  const name = node ? nameOf(node) : ''
  const isReadyAgain = node !== undefined && trouble === null && /not-ready|unreachable/.test(key)
  const rest = otherwise(pending, refusal)
  return {
    id: isReadyAgain ? 'scheduling.untolerated-taint' : (trouble?.id ?? id),
    confidence: node && (trouble?.isCertain ?? true) ? 'certain' : 'likely',
    summary:
      `The pod has no node: ${name ? `node ${code(name)}` : share(pending, refusal)} ${
        isReadyAgain ? `still carries taint ${code(key)} although it is Ready` : (trouble?.what ?? says)
      }${trouble && !trouble.isCertain ? ` (${quote(trouble.ready.message ?? '', 160)})` : ''}; its ${code(key.split('/').at(-1) ?? key)} taint keeps the pod off, and no other node fits. ` +
      'The pod is placed by itself as soon as one does.',
    evidence: [
      pending.said,
      ...(node
        ? [fact(`node ${name} spec.taints`, untoleratedTaints(pending.spec, node).map(taintText).map(code).join(', '))]
        : [fact('scheduler', `the message names taint ${code(key)}`)]),
      ...(trouble
        ? [
            fact(
              `node ${name} status.conditions[Ready]`,
              `${trouble.ready.status}, ${quote(trouble.ready.message ?? '')}${trouble.ready.lastTransitionTime ? `, since ${trouble.ready.lastTransitionTime}` : ''}`,
            ),
          ]
        : []),
      ...(rest ? [fact('scheduler', rest)] : []),
    ],
    fix: [`${trouble?.fix ?? `${fix}${name ? ` (node ${code(name)})` : ''}`}, or add a node.`],
    avoid: [`Tolerating ${code(key)}: the pod would start on a node that is not well.`],
    verify: ['The taint is gone and PodScheduled becomes True.'],
    commands: [name ? describeNode(name) : getNodes],
  }
}

/** Which taint it is: since 1.34 the scheduler does not say, then the nodes do. */
export const untoleratedTaint = (pending: Unscheduled, refusal: Refusal): Draft => {
  const { view, spec, said, words } = pending
  const named = [
    ...new Set(
      words.refusals.flatMap(({ id, subject }) => (id === 'scheduling.untolerated-taint' && subject ? [subject] : [])),
    ),
  ]
  const tainted = taintedNodes(pending)
  const [first] = tainted
  const namedKey = named.find(key => !isControlPlane(key)) ?? named[0]
  const keys = first?.taints.map(({ key = '' }) => key) ?? (namedKey === undefined ? [] : [namedKey])
  const condition = keys.find(isCondition)
  if (condition !== undefined && keys.every(isCondition)) return unwell(pending, refusal, condition, first?.node)
  const taints = first?.taints ?? (namedKey === undefined ? [] : [{ key: namedKey }])
  const list = taints.map(taintText).map(code).join(', ')
  const rest = otherwise(pending, refusal)
  const mine = (spec.tolerations ?? []).filter(({ key }) => !key?.startsWith('node.kubernetes.io/'))
  const onNodes = nodesText(tainted.map(({ node }) => node))
  const owns = mine.map(({ key = '(any)', value }) => code(value ? `${key}=${value}` : key)).join(', ')
  return {
    id: refusal.id,
    confidence: taints.length > 0 ? 'certain' : 'likely',
    summary: `The pod has no node: ${share(pending, refusal)} ${words.total === 1 || refusal.nodes === 1 ? 'has' : 'have'} a taint it does not tolerate${list ? ` – ${list}${onNodes ? ` on ${onNodes}` : ''}` : ', which one the scheduler does not say and the nodes could not be read'}.${owns ? ` It tolerates ${owns}.` : ''}`,
    evidence: [
      said,
      ...tainted
        .slice(0, 5)
        .map(({ node, taints: own }) =>
          fact(`node ${nameOf(node)} spec.taints`, own.map(taintText).map(code).join(', ')),
        ),
      fact('spec.tolerations', owns === '' ? 'none of its own' : owns),
      ...(rest ? [fact('scheduler', rest)] : []),
    ],
    fix: [
      keys.some(isControlPlane)
        ? `Add a worker node, or – if the control plane is meant to run workloads – tolerate ${list} in ${specHome(view)}.`
        : `Tolerate ${list || 'the taint'} in ${specHome(view)} if the pod belongs on that pool; else use or add nodes without it${first ? `, or remove the taint from ${code(nameOf(first.node))} if it is a left-over` : ''}.`,
    ],
    avoid: [
      `Tolerating everything (${code('operator: Exists')} without a key): the pod would also go to broken nodes.`,
    ],
    verify: ['PodScheduled becomes True.'],
    commands: [first ? describeNode(nameOf(first.node)) : getNodes, ...editOwner(view)],
  }
}
