import type { Evidence } from './diagnosis.ts'
import { type Node, node as nodeShape } from './kubernetes.ts'
import type { Condition } from './kubernetes-metadata.ts'
import { eventFact, fact } from './rule.ts'
import type { View } from './view.ts'

/** What is wrong with a node as a whole. */
export interface NodeTrouble {
  readonly id:
    | 'node.lost'
    | 'node.shutdown'
    | 'node.runtime-down'
    | 'node.network-not-ready'
    | 'node.cloud-uninitialised'
  readonly node: string
  /** Sentence part after the node's name: `has stopped reporting`. */
  readonly what: string
  readonly fix: string
  /** The condition that says so. */
  readonly ready: Condition
  readonly isCertain: boolean
}

export const readyOf = (node: Node): Condition | undefined =>
  node.status?.conditions?.find(({ type }) => type === 'Ready')

const RUNTIME = /container runtime is down|PLEG is not healthy|runtime service|container runtime not responding/i
const NETWORK = /NetworkPluginNotReady|NetworkReady=false|network plugin is not ready|cni (?:config|plugin)/i

/** The Ready condition of a node, understood; null: the node is ready, or says nothing. */
export const nodeTrouble = (node: Node): NodeTrouble | null => {
  const ready = readyOf(node)
  const name = node.metadata?.name ?? ''
  if (ready?.status !== 'Unknown' && ready?.status !== 'False') return null
  const said = ready.message ?? ''
  const of = (id: NodeTrouble['id'], what: string, fix: string, isCertain = true): NodeTrouble => ({
    id,
    node: name,
    what,
    fix,
    ready,
    isCertain,
  })
  if (ready.status === 'Unknown')
    return of(
      'node.lost',
      'has stopped reporting: its kubelet or machine is off, or the network to it is cut',
      `Bring \`${name}\` back (machine, kubelet, network to the API server)`,
    )
  if (/shutting down/i.test(said))
    return of('node.shutdown', 'is shutting down and accepts no pods', `Let \`${name}\` come back`)
  if (RUNTIME.test(said))
    return of(
      'node.runtime-down',
      'is NotReady because its container runtime does not answer: what runs goes on running, nothing new starts',
      `Start or repair the container runtime on \`${name}\``,
    )
  if (NETWORK.test(said))
    return of(
      'node.network-not-ready',
      'is NotReady because its pod network (CNI) is not set up',
      `Restore the CNI configuration of \`${name}\`: repair the network add-on's pod there`,
    )
  return of('node.lost', 'reports itself NotReady', `Mend what \`${name}\` reports`, false)
}

/** The pod's own node; `absent`: there is no such node; null: no node yet, or not read. */
export const nodeOf = (view: View): Node | 'absent' | null => {
  const name = view.pod?.spec?.nodeName
  return name === undefined || name === '' ? null : view.object('Node', '', name, nodeShape)
}

const notReadyEvent = (view: View) => view.events.findLast(({ reason }) => reason === 'NodeNotReady')

/** What the pod itself tells of a node that stopped reporting, where the node could not be read. */
export const seemsLost = (view: View): boolean => {
  const { status } = view.pod ?? {}
  if (status?.reason === 'NodeLost' || status?.phase === 'Unknown') return true
  // The node controller marks the pod, not its containers: they all still count as running.
  return (
    notReadyEvent(view) !== undefined &&
    view.condition('Ready')?.status !== 'True' &&
    view.containers.every(({ kind, state }) => kind === 'init' || state.running)
  )
}

export const lostEvidence = (view: View): readonly Evidence[] => {
  const event = notReadyEvent(view)
  const { reason, phase } = view.pod?.status ?? {}
  return [
    fact('status', `phase ${phase ?? 'not said'}${reason ? `, reason ${reason}` : ''}`),
    ...(event ? [eventFact(event)] : []),
  ]
}
