import { describePod } from '../commands.ts'
import { lostEvidence, type NodeTrouble, nodeOf, nodeTrouble, readyOf, seemsLost } from '../node-trouble.ts'
import { code, type Draft, eventFact, fact, type PodRule, quote } from '../rule.ts'
import { Subject } from '../subject.ts'
import { successor } from '../successor.ts'
import type { View } from '../view.ts'
import { describeNode } from './unscheduled.ts'

const KUBELET: ReadonlySet<string> = new Set([
  'Pulling',
  'Pulled',
  'Created',
  'Started',
  'Killing',
  'FailedMount',
  'FailedCreatePodSandBox',
  'NetworkNotReady',
  'BackOff',
  'Unhealthy',
])

const SHUTDOWN = /node shutdown|node is shutting down/i

/** The container whose end tells of it: the one that was ended, not one that had finished before. */
const endedContainer = (view: View): string | null =>
  view.containers.find(({ kind, ended }) => kind === 'app' && (ended?.terminated.exitCode ?? 0) !== 0)?.name ?? null

/** A graceful node shutdown ends pods or refuses them; their controller makes new ones. */
const shutDown = (view: View): Draft | null => {
  const { status, spec } = view.pod ?? {}
  const disruption = view.condition('DisruptionTarget')
  const byCondition = disruption?.reason === 'TerminationByKubelet' && SHUTDOWN.test(disruption.message ?? '')
  const isOver = status?.phase === 'Failed' || status?.phase === 'Succeeded'
  if (!isOver || !(byCondition || status?.reason === 'NodeShutdown' || SHUTDOWN.test(status?.message ?? '')))
    return null
  const node = spec?.nodeName ?? ''
  const isRefused = status?.reason === 'NodeShutdown'
  return {
    id: 'node.shutdown',
    confidence: 'certain',
    container: isRefused ? null : endedContainer(view),
    summary: isRefused
      ? `Node ${code(node)} refused the pod because it was shutting down; nothing of the pod ran.`
      : `The pod was ended by a graceful shutdown of node ${code(node)}; nothing in the pod itself is wrong.`,
    evidence: [
      fact('status.reason', code(status?.reason ?? '')),
      ...(status?.message ? [fact('status.message', quote(status.message))] : []),
      ...(byCondition ? [fact('status.conditions[DisruptionTarget]', quote(disruption?.message ?? ''))] : []),
    ],
    fix: [`Nothing to mend in the pod. ${successor(view)}`],
    verify: ['Another pod of the same owner is Running and ready.'],
    commands: [describeNode(node)],
  }
}

const unknownNode = (view: View, name: string): Draft => {
  const hasRun = view.containers.some(({ status }) => status) || view.events.some(({ reason }) => KUBELET.has(reason))
  const isBoundByHand = !view.events.some(({ reason }) => reason === 'Scheduled')
  return {
    id: hasRun ? 'node.lost' : 'node.unknown',
    confidence: 'certain',
    summary: hasRun
      ? `Node ${code(name)}, on which the pod ran, is no longer in the cluster: what the pod's status says is its last word. The pod is garbage-collected soon.`
      : `The pod is bound to node ${code(name)}, and the cluster has no such node: nobody will ever start it. It is garbage-collected within a minute or two, without an event.`,
    evidence: [
      fact('spec.nodeName', code(name)),
      fact(`node ${name}`, 'not found'),
      ...(hasRun ? [] : [fact('status.containerStatuses', 'none: no kubelet has taken the pod')]),
    ],
    fix: hasRun
      ? [successor(view)]
      : [
          isBoundByHand
            ? `Drop ${code('spec.nodeName')} and let the scheduler choose (or use ${code('nodeSelector')}), or correct the name; then create the pod again.`
            : `Create the pod again: the node went away after it was chosen. ${successor(view)}`,
        ],
    verify: ['The new pod has a node that `kubectl get nodes` lists.'],
    commands: [
      { purpose: 'The nodes there are', argv: ['kubectl', 'get', 'nodes'], changes: false },
      describePod(view),
    ],
  }
}

/** The node could not be read; what the pod tells of it points there. */
const unseenNode = (view: View, name: string): Draft => ({
  id: 'node.lost',
  confidence: 'likely',
  summary: `Node ${code(name)} seems to have stopped reporting, so what the API shows of the pod may be old; the node itself could not be read.`,
  evidence: lostEvidence(view),
  fix: [`Look at node ${code(name)}, and bring it back if it is down; the pod then goes on by itself.`],
  avoid: ['Deleting the pod with `--force`: its process may still run on the node and hold its volumes.'],
  verify: [`${code(`kubectl get node ${name}`)} shows Ready.`],
  commands: [describeNode(name)],
})

const effect = (view: View, { id }: NodeTrouble): string => {
  const isRunning = view.containers.some(({ state }) => state.running)
  if (id === 'node.lost')
    return isRunning
      ? "What the API shows of the pod is as old as the node's last heartbeat; its containers may still run, but no Service sends them traffic."
      : "What the API shows of the pod is as old as the node's last heartbeat."
  if (id === 'node.shutdown') return 'The pod is being ended with it.'
  return isRunning ? 'The pod itself is not at fault.' : 'The pod waits until the node works again.'
}

const troubled = (view: View, trouble: NodeTrouble): Draft => {
  const { node, ready, what, fix, id, isCertain } = trouble
  const killing = id === 'node.shutdown' ? view.events.findLast(({ reason }) => reason === 'Killing') : undefined
  const notReady = view.events.findLast(({ reason }) => reason === 'NodeNotReady')
  return {
    id,
    confidence: isCertain ? 'certain' : 'likely',
    summary: `Node ${code(node)} ${what}${isCertain ? '' : ` (${quote(ready.message ?? '', 160)})`}. ${effect(view, trouble)}`,
    evidence: [
      fact(
        `node ${node} status.conditions[Ready]`,
        `${ready.status} since ${ready.lastTransitionTime ?? 'an unknown time'}, reason ${code(ready.reason ?? '')}, ${quote(ready.message ?? '')}`,
      ),
      ...(ready.lastHeartbeatTime ? [fact(`node ${node} last heartbeat`, ready.lastHeartbeatTime)] : []),
      ...(notReady ? [eventFact(notReady)] : []),
      ...(killing ? [eventFact(killing)] : []),
    ],
    fix: [
      id === 'node.shutdown'
        ? `Nothing to mend in the pod. ${successor(view)}`
        : `${fix}; the pod then goes on by itself.`,
    ],
    avoid:
      id === 'node.lost'
        ? ['Deleting the pod with `--force`: its process may still run on the node and hold its volumes.']
        : [],
    verify: [`${code(`kubectl get node ${node}`)} shows Ready.`],
    commands: [describeNode(node)],
  }
}

/** A node that is NotReady for its network says nothing about pods that run. */
const concerns = (view: View, { id, isCertain }: NodeTrouble): boolean => {
  // A node that only reports itself NotReady, for a moment perhaps, is the reason where the pod suffers.
  if (!isCertain) return view.condition('Ready')?.status !== 'True'
  if (id === 'node.lost' || id === 'node.runtime-down' || id === 'node.shutdown') {
    // A node that only reports itself NotReady is the reason where the pod itself is fine but marked not ready.
    return true
  }
  const hasSandbox = view.condition('PodReadyToStartContainers')?.status === 'True'
  return !hasSandbox && !view.containers.some(({ state }) => state.running) && view.pod?.spec?.hostNetwork !== true
}

/** The pod's node is the problem: gone, silent, shutting down, without runtime or network. */
export const node: PodRule = view => {
  const name = view.pod?.spec?.nodeName
  if (!name) return null
  const ended = shutDown(view)
  if (ended) return ended
  const phase = view.pod?.status?.phase
  if (phase === 'Failed' || phase === 'Succeeded') return null
  const found = nodeOf(view)
  if (found === 'absent') return unknownNode(view, name)
  if ((found === null || !readyOf(found)) && seemsLost(view)) return unseenNode(view, name)
  const trouble = found && nodeTrouble(found)
  return trouble && concerns(view, trouble) ? troubled(view, trouble) : null
}

/** A network daemon that was given no pod range: said in its own log. */
export const podCidr: PodRule = view => {
  for (const container of view.containers) {
    if (!container.ended) continue
    if (container.ready && container.state.running) continue
    const subject = new Subject(view, container)
    const line = subject.lines.findLast(({ text }) =>
      /pod cidr not assigned|PodCIDR not (?:assigned|available|set)/i.test(text),
    )
    if (!line) continue
    const name = view.pod?.spec?.nodeName ?? ''
    const found = nodeOf(view)
    const isMissing = found !== null && found !== 'absent' && !found.spec?.podCIDR
    return {
      id: 'node.pod-cidr-missing',
      confidence: 'certain',
      container: container.name,
      summary: `Node ${code(name)} has no pod address range: ${code(container.name)} ends with ${quote(line.text, 160)}. The controller manager hands out no podCIDR.`,
      evidence: [
        fact(`log of ${container.name}`, quote(line.text)),
        ...(isMissing ? [fact(`node ${name} spec.podCIDR`, 'not set')] : []),
      ],
      fix: [
        `Start kube-controller-manager with ${code('--allocate-node-cidrs=true')} and a ${code('--cluster-cidr')} that has room (kubeadm: ${code('--pod-network-cidr')}), the same range as in the network add-on's configuration.`,
      ],
      verify: [`${code(`kubectl get node ${name} -o jsonpath='{.spec.podCIDR}'`)} prints a range.`],
      commands: [describeNode(name)],
    }
  }
  return null
}
