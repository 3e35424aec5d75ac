import { read, readClusterWide } from '../commands.ts'
import { isInvented, sandboxChange } from '../lost-container.ts'
import { type ContainerRule, code, eventFact, fact } from '../rule.ts'

/** The runtime or the kubelet lost the container: its exit code is a placeholder and says nothing about the program. */
export const containerLost: ContainerRule = subject => {
  const { moment, container, view } = subject
  if ((moment !== 'looping' && moment !== 'failed') || !container.ended) return null
  const reason = container.ended.terminated.reason ?? ''
  const change = sandboxChange(view, container)
  if (!isInvented(reason) && !change) return null
  const node = view.pod?.spec?.nodeName
  const again = container.state.running
    ? 'It runs again now; nothing in the pod has to be mended.'
    : 'It is started again by itself.'
  return {
    id: 'node.container-lost',
    confidence: change && !isInvented(reason) ? 'likely' : 'certain',
    container: subject.name,
    summary:
      `The container runtime${node ? ` of node ${code(node)}` : ''} lost ${subject.noun.toLowerCase()} ${code(subject.name)}; exit code ${subject.exitCode} is a placeholder and tells nothing about the program. ${moment === 'failed' ? '' : again}`.trim(),
    evidence: [
      fact(container.ended.path, `reason ${code(reason)}, exit code ${subject.exitCode}`),
      ...(change ? [eventFact(change)] : []),
    ],
    fix: [
      `Nothing to mend in ${code(subject.name)}. If it happens again, look at the container runtime and the kubelet of ${node ? `node ${code(node)}` : 'the node'} at that time.`,
    ],
    commands: node
      ? [readClusterWide('The node: conditions and events', 'describe', 'node', node)]
      : [read(view, 'The pod', 'describe', 'pod', view.pod?.metadata?.name ?? '')],
  }
}
