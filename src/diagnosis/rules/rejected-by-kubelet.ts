import { effectiveRequest } from '../effective-request.ts'
import { specHome } from '../owner.ts'
import { formatCpu, formatMemory } from '../quantity.ts'
import { code, eventFact, fact, type PodRule, quote } from '../rule.ts'
import { successor } from '../successor.ts'
import type { View } from '../view.ts'
import { describeNode } from './unscheduled.ts'

const REASONS: ReadonlySet<string> = new Set([
  'NodeAffinity',
  'NodeName',
  'NodePorts',
  'TaintToleration',
  'UnexpectedAdmissionError',
  'TopologyAffinityError',
  'SMTAlignmentError',
  'EmptyPodSharedPoolError',
  'AppArmor',
  'SysctlForbidden',
  'PodOSSelectorNodeLabelDoesNotMatch',
  'PodOSNotSupported',
  'SupplementalGroupsPolicyNotSupported',
  'InvalidNodeInfo',
  'InitContainerRestartPolicyForbidden',
  'PodLevelResourcesNotSupported',
  'PodFeatureUnsupported',
  'VolumeAttachmentLimitExceeded',
  'UnexpectedPredicateFailureType',
  'UnknownReason',
])

interface Refusal {
  readonly what: string
  readonly fix: string
}

const inUnits = (resource: string, amount: number): string => {
  if (resource === 'cpu') return `${formatCpu(amount / 1000)} CPUs`
  return /memory|storage/.test(resource) ? formatMemory(amount) : String(amount)
}

const outOf = (view: View, message: string): Refusal | null => {
  const numbers = /resource: (\S+), requested: (\d+), used: (\d+), capacity: (\d+)/.exec(message)
  if (!numbers) return null
  const [, resource = '', requested = '0', used = '0', capacity = '0'] = numbers
  if (resource === 'pods')
    return { what: `it runs as many pods as it may (${capacity})`, fix: 'Use another node or raise its maxPods' }
  const { initContainer } = view.pod?.spec ? effectiveRequest(view.pod.spec, resource) : { initContainer: null }
  return {
    what: `it has too little ${code(resource)}: ${inUnits(resource, Number(requested))} requested${initContainer ? ` (by init container ${code(initContainer)} alone)` : ''}, ${inUnits(resource, Number(used))} in use of ${inUnits(resource, Number(capacity))}`,
    fix: `Lower the ${code(resource)} request in ${specHome(view)}, or drop ${code('spec.nodeName')} and let the scheduler find a node that has room`,
  }
}

const understood = (view: View, reason: string, message: string): Refusal => {
  const short = outOf(view, message)
  if (short) return short
  const selector = Object.entries(view.pod?.spec?.nodeSelector ?? {}).map(([key, value]) => code(`${key}=${value}`))
  switch (reason) {
    case 'NodeAffinity':
      return {
        what: `its labels do not match the pod's node selector or node affinity${selector.length > 0 ? ` ${selector.join(', ')}` : ''}`,
        fix: `Drop ${code('spec.nodeName')}, or make the labels of the node and ${code('nodeSelector')}/${code('affinity')} in ${specHome(view)} agree`,
      }
    case 'NodePorts':
      return { what: 'a host port the pod asks for is taken there', fix: 'Use another port or another node' }
    case 'TaintToleration':
      return {
        what: 'it has a NoExecute taint that the pod does not tolerate',
        fix: 'Tolerate it, or let the scheduler choose a node',
      }
    case 'SysctlForbidden': {
      const name = /"([^"]+)"/.exec(message)?.[1]
      return {
        what: `sysctl ${code(name ?? 'it sets')} is forbidden there (not in the kubelet's allowlist)`,
        fix: `Drop ${code(name ?? 'it')} from ${code('securityContext.sysctls')} in ${specHome(view)}, or allow it on the node (kubelet ${code('--allowed-unsafe-sysctls')})`,
      }
    }
    case 'UnexpectedAdmissionError': {
      const device = /(?:unavailable for|unhealthy devices|unregistered device) (\S+?)[.,]?(?:\s|$)/.exec(message)?.[1]
      return {
        what: `it could not give the pod its devices or CPUs – ${quote(message, 200)}`,
        fix: device
          ? `Look at the device plugin of ${code(device)} on the node: is its pod running, are its devices healthy`
          : 'Look at the device plugins and the kubelet of that node',
      }
    }
    case 'TopologyAffinityError':
    case 'SMTAlignmentError':
    case 'EmptyPodSharedPoolError':
      return {
        what: `its CPU or topology manager cannot place the pod as its policy demands – ${quote(message, 200)}`,
        fix: "Ask for whole cores as that policy wants, use another node, or relax the node's policy",
      }
    case 'AppArmor':
      return { what: quote(message, 200), fix: 'Load the profile on the node, or name another one' }
    default:
      return { what: quote(message || reason, 240), fix: `Change what it names, in ${specHome(view)} or on the node` }
  }
}

/** A pod that its node refused: it is Failed for good, nothing of it ran. */
export const rejectedByKubelet: PodRule = view => {
  const { status, spec } = view.pod ?? {}
  const reason = status?.reason ?? ''
  if (status?.phase !== 'Failed' || reason === '' || reason === 'Evicted') return null
  const said = status.message ?? ''
  if (!reason.startsWith('OutOf') && !REASONS.has(reason) && !said.startsWith('Pod was rejected')) return null
  const message = said.replace(/^Pod (?:was rejected: )?/, '').trim()
  const node = spec?.nodeName ?? ''
  const { what, fix } = understood(view, reason, message)
  const event = view.events.findLast(event => event.reason === reason)
  const isPinned = !view.events.some(event => event.reason === 'Scheduled') && spec?.nodeName !== undefined
  return {
    id: 'admission.rejected-by-kubelet',
    confidence: 'certain',
    summary: `Node ${code(node)} refused the pod (${code(reason)}): ${what}. ${view.containers.some(({ ended }) => ended) ? 'What ran of it was ended.' : 'None of its containers ran,'} ${view.containers.some(({ ended }) => ended) ? 'The' : 'and the'} pod will not be tried again.`,
    evidence: [
      fact('status.reason', code(reason)),
      fact('status.message', quote(said, 400)),
      ...(event ? [eventFact(event)] : []),
      ...(isPinned
        ? [fact('spec.nodeName', `${code(node)}, with no Scheduled event: set by hand or by a controller`)]
        : []),
    ],
    fix: [`${fix}. ${successor(view)}`],
    avoid: ['Only creating it again: the same node refuses it for the same reason.'],
    verify: ['The new pod gets past Pending.'],
    commands: [describeNode(node)],
  }
}
