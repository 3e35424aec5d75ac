import type { Command, Evidence } from '../diagnosis.ts'
import { type Node, node as nodeShape } from '../kubernetes.ts'
import type { PodSpec } from '../kubernetes-pod.ts'
import { code, eventFact, fact, quote } from '../rule.ts'
import { type Refusal, type SchedulerWords, schedulerWords } from '../scheduler-words.ts'
import type { View } from '../view.ts'

/** A pod without a node: what the scheduler says, and the nodes as far as they were read. */
export interface Unscheduled {
  readonly view: View
  readonly spec: PodSpec
  readonly words: SchedulerWords
  /** Null: not read. */
  readonly nodes: readonly Node[] | null
  /** The scheduler's message as evidence. */
  readonly said: Evidence
}

/** Null: the pod has a node, is over or being deleted, or no scheduler has said anything. */
export const unscheduled = (view: View): Unscheduled | null => {
  const spec = view.pod?.spec
  if (!spec || !awaitsNode(view)) return null
  const condition = view.condition('PodScheduled')
  const event = view.events.findLast(({ reason }) => reason === 'FailedScheduling')
  const message = (condition?.status === 'False' ? condition.message : undefined) ?? event?.message
  if (message === undefined) return null
  const said =
    condition?.message === message
      ? fact('status.conditions[PodScheduled].message', quote(message, 600))
      : event
        ? eventFact(event, quote(message, 600))
        : fact('status', quote(message, 600))
  return { view, spec, words: schedulerWords(message), nodes: view.list('nodes', nodeShape), said }
}

/** True for a pod that no node has been found for yet. */
export const awaitsNode = (view: View): boolean => {
  const { metadata, spec, status } = view.pod ?? {}
  if (metadata?.deletionTimestamp !== undefined || spec?.nodeName) return false
  return status?.phase === 'Pending' || status?.phase === undefined
}

export const nameOf = (node: Node): string => node.metadata?.name ?? ''

/** `node `a``, `nodes `a`, `b` and 3 more`; '' where none is known. */
export const nodesText = (nodes: readonly Node[]): string => {
  const names = nodes.map(nameOf).filter(name => name !== '')
  const shown = names.slice(0, 3).map(code).join(', ')
  const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
  return names.length === 0 ? '' : `node${names.length === 1 ? '' : 's'} ${shown}${more}`
}

/** `the only node`, `2 of 5 nodes`, `no node`: how many nodes a refusal is about. */
export const share = ({ words }: Unscheduled, refusal: Refusal): string => {
  if (refusal.nodes === null || words.total === null) return 'every node'
  if (words.total === 1) return 'the only node'
  return refusal.nodes === words.total ? `all ${words.total} nodes` : `${refusal.nodes} of ${words.total} nodes`
}

/** What the scheduler said of the other nodes; '' where there are none. */
export const otherwise = ({ words }: Unscheduled, refusal: Refusal): string => {
  const others = words.refusals.filter(other => other !== refusal && other.id !== refusal.id)
  return others.length === 0
    ? ''
    : `the other nodes: ${others.map(({ nodes, text }) => `${nodes ?? ''} ${text}`.trim()).join('; ')}`
}

export const getNodes: Command = {
  purpose: 'The nodes, their labels and whether they take pods',
  argv: ['kubectl', 'get', 'nodes', '--show-labels'],
  changes: false,
}

/** Without a name, all nodes. */
export const describeNode = (name: string): Command =>
  name === ''
    ? getNodes
    : {
        purpose: `Conditions, taints and requests on ${name}`,
        argv: ['kubectl', 'describe', 'node', name],
        changes: false,
      }
