import { editOwner, read } from '../commands.ts'
import type { LabelSelector, PodSpec } from '../kubernetes-pod.ts'
import { demandText, meets } from '../node-selection.ts'
import { specHome } from '../owner.ts'
import { code, type Draft, fact } from '../rule.ts'
import type { Refusal } from '../scheduler-words.ts'
import { getNodes, otherwise, share, type Unscheduled } from './unscheduled.ts'

type Kind = 'spread' | 'anti-affinity' | 'affinity'

/** One rule of the pod about other pods: which, and how near. */
interface Term {
  readonly topologyKey?: string | undefined
  readonly labelSelector?: LabelSelector | undefined
}

const FIELDS: Readonly<Record<Kind, string>> = {
  spread: 'spec.topologySpreadConstraints',
  'anti-affinity': 'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution',
  affinity: 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution',
}

const NAMES: Readonly<Record<Kind, string>> = {
  spread: 'topology spread constraint',
  'anti-affinity': 'pod anti-affinity',
  affinity: 'pod affinity',
}

/** Old schedulers say `affinity/anti-affinity` for either. */
const kindOf = ({ text }: Refusal, { affinity }: PodSpec): Kind => {
  if (text.includes('topology spread')) return 'spread'
  const isEither = text.includes('affinity/')
  return text.includes('anti-affinity') && !(isEither && affinity?.podAffinity && !affinity.podAntiAffinity)
    ? 'anti-affinity'
    : 'affinity'
}

const termsOf = (kind: Kind, { affinity, topologySpreadConstraints }: PodSpec): readonly Term[] => {
  if (kind === 'spread') {
    return (topologySpreadConstraints ?? []).filter(({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway')
  }
  const rules = kind === 'affinity' ? affinity?.podAffinity : affinity?.podAntiAffinity
  return rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []
}

const selectorText = ({ labelSelector }: Term): string =>
  [
    ...Object.entries(labelSelector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(labelSelector?.matchExpressions ?? []).map(demandText),
  ].join(',')

const selects = ({ labelSelector }: Term, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(labelSelector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
  (labelSelector?.matchExpressions ?? []).every(requirement => meets(labels, requirement))

const list = (values: readonly (string | undefined)[]): string =>
  [...new Set(values.filter(value => value !== undefined && value !== ''))].map(value => code(value ?? '')).join(', ')

const PREFERENCE = {
  spread: '`whenUnsatisfiable: ScheduleAnyway`',
  pods: '`preferredDuringSchedulingIgnoredDuringExecution`',
} as const

/** Rules between pods: affinity, anti-affinity, spread. */
export const podPlacement = (pending: Unscheduled, refusal: Refusal): Draft => {
  const { view, spec, said } = pending
  const kind = kindOf(refusal, spec)
  const isTheirs = refusal.text.includes('existing pods')
  const terms = termsOf(kind, spec)
  const per = list(terms.map(({ topologyKey }) => topologyKey))
  const wanted = list(terms.map(selectorText))
  const labels = view.pod?.metadata?.labels ?? {}
  const isOwn = terms.length === 0 || terms.some(term => selects(term, labels))
  const rest = otherwise(pending, refusal)
  const what = isTheirs
    ? `the ${NAMES[kind]} of pods that already run there keeps it off ${share(pending, refusal)}`
    : `its ${NAMES[kind]}${per ? ` (per ${per})` : ''} cannot be met on ${share(pending, refusal)}`
  const why = isTheirs
    ? ''
    : kind === 'spread'
      ? refusal.text.includes('missing required label')
        ? ` Nodes without the label ${per} do not count.`
        : ''
      : kind === 'affinity'
        ? ` It must run beside a pod with ${wanted || 'the labels it names'}, and none runs there.`
        : isOwn
          ? ' Each place allows one such pod, and all are taken – during a rollout also by the old replicas.'
          : ` Pods with ${wanted} run there, and it must not run beside them.`
  const preference = `make the rule a preference (${PREFERENCE[kind === 'spread' ? 'spread' : 'pods']}) in ${specHome(view)}`
  return {
    id: refusal.id,
    confidence: 'certain',
    summary: `The pod has no node: ${what}.${why}`,
    evidence: [
      said,
      ...(isTheirs
        ? []
        : [
            fact(
              FIELDS[kind],
              per === '' ? 'not in the spec as read' : `${per}${wanted ? ` of pods with ${wanted}` : ''}`,
            ),
          ]),
      ...(rest ? [fact('scheduler', rest)] : []),
    ],
    fix: [
      isTheirs
        ? 'Look at the anti-affinity of the pods on those nodes, or add a node.'
        : kind === 'affinity'
          ? `Start the pods with ${wanted || 'those labels'} first, on nodes that this pod may use, or ${preference}.`
          : kind === 'anti-affinity' && !isOwn
            ? `Add a node without such pods, or ${preference}.`
            : `Add a node, run fewer replicas, or ${preference}.`,
    ],
    verify: ['PodScheduled becomes True.'],
    commands: [
      read(view, 'Where the pods of this namespace run', 'get', 'pods', '-o', 'wide'),
      getNodes,
      ...editOwner(view),
    ],
  }
}
