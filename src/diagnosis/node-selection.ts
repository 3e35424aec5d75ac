import type { Node } from './kubernetes.ts'
import type { NodeSelectorTerm, PodSpec, SelectorRequirement, Toleration } from './kubernetes-pod.ts'

export interface Taint {
  readonly key?: string
  readonly value?: string
  readonly effect?: string
}

const tolerates = (toleration: Toleration, taint: Taint): boolean => {
  if (toleration.effect !== undefined && toleration.effect !== '' && toleration.effect !== taint.effect) return false
  const isAnyKey = toleration.key === undefined || toleration.key === ''
  if (!isAnyKey && toleration.key !== taint.key) return false
  if (toleration.operator === 'Exists') return true
  return !isAnyKey && (toleration.value ?? '') === (taint.value ?? '')
}

/** A node's taints that keep this pod off it; a cordon's own taint is left out, because the cordon says it better. */
export const untoleratedTaints = (spec: PodSpec, node: Node): readonly Taint[] =>
  (node.spec?.taints ?? []).filter(
    taint =>
      taint.key !== undefined &&
      taint.key !== '' &&
      taint.effect !== 'PreferNoSchedule' &&
      taint.key !== 'node.kubernetes.io/unschedulable' &&
      !(spec.tolerations ?? []).some(toleration => tolerates(toleration, taint)),
  )

/** `dedicated=analytics:NoSchedule`. */
export const taintText = ({ key = '', value, effect }: Taint): string =>
  `${key}${value ? `=${value}` : ''}${effect ? `:${effect}` : ''}`

export const meets = (
  labels: Readonly<Record<string, string>>,
  { key = '', operator, values = [] }: SelectorRequirement,
) => {
  const value = labels[key]
  const [first = ''] = values
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return value !== undefined && Number(value) > Number(first)
    case 'Lt':
      return value !== undefined && Number(value) < Number(first)
    default:
      return false
  }
}

/** One thing a pod asks of a node: from which field, in words, and what to compare. */
export interface NodeDemand {
  readonly path: string
  readonly text: string
  readonly key: string
  readonly isMetBy: (node: Node) => boolean
}

/** `tier=db`, `no tier`, `tier in (a, b)`. */
export const demandText = ({ key = '', operator, values = [] }: SelectorRequirement): string => {
  if (operator === 'In' && values.length === 1) return `${key}=${values[0]}`
  if (operator === 'Exists') return key
  if (operator === 'DoesNotExist') return `no ${key}`
  return `${key} ${operator === 'NotIn' ? 'not in' : (operator ?? '').toLowerCase()} (${values.join(', ')})`
}

const AFFINITY = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'

const demandsOfTerm = (term: NodeSelectorTerm, path: string): readonly NodeDemand[] => [
  ...(term.matchExpressions ?? []).map(requirement => ({
    path: `${path}.matchExpressions`,
    text: demandText(requirement),
    key: requirement.key ?? '',
    isMetBy: (node: Node) => meets(node.metadata?.labels ?? {}, requirement),
  })),
  ...(term.matchFields ?? []).map(requirement => ({
    path: `${path}.matchFields`,
    text: demandText(requirement),
    key: requirement.key ?? '',
    isMetBy: (node: Node) => meets({ 'metadata.name': node.metadata?.name ?? '' }, requirement),
  })),
]

/** What `spec.nodeSelector` asks, and each term of the required node affinity (one term is enough). */
export const nodeDemands = (
  spec: PodSpec,
): { all: readonly NodeDemand[]; terms: readonly (readonly NodeDemand[])[] } => ({
  all: Object.entries(spec.nodeSelector ?? {}).map(([key, value]) => ({
    path: 'spec.nodeSelector',
    text: `${key}=${value}`,
    key,
    isMetBy: (node: Node) => node.metadata?.labels?.[key] === value,
  })),
  terms: (spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []).map(
    (term, index) => demandsOfTerm(term, `${AFFINITY}[${index}]`),
  ),
})

/** Whether node selector and node affinity allow this node. */
export const isSelected = (spec: PodSpec, node: Node): boolean => {
  const { all, terms } = nodeDemands(spec)
  return (
    all.every(demand => demand.isMetBy(node)) &&
    (terms.length === 0 || terms.some(term => term.every(demand => demand.isMetBy(node))))
  )
}
