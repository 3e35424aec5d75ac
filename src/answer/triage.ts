import type { Diagnosis, Finding } from '../diagnosis/diagnosis.ts'
import type { AlikePod, NamespaceSnapshot } from '../diagnosis/namespace-snapshot.ts'
import type { Unread } from '../diagnosis/snapshot.ts'
import { type State, state } from './headline.ts'
import { suspectedAs, suspectName, suspectsOf } from './shared-cause.ts'

/** One pod, or one owner without pods, in the table. */
export interface TriageRow {
  readonly kind: string
  readonly name: string
  readonly status: string
  readonly ready: string
  readonly restarts: string
  /** Null: it was not looked into, but looks like the group's first. */
  readonly diagnosis: Diagnosis | null
}

/** Pods of one owner with one cause. */
export interface TriageGroup {
  /** Null: a pod of its own. */
  readonly owner: { readonly kind: string; readonly name: string } | null
  readonly state: State
  readonly cause: Finding
  /** Of its first row. */
  readonly diagnosis: Diagnosis
  readonly rows: readonly TriageRow[]
  /** What other owners' groups have in common with it; null: nothing. */
  readonly shared: string | null
}

/** What several owners have in common. */
export interface SharedCause {
  /** `orders-db`, `node node-1`; null: only the cause. */
  readonly name: string | null
  readonly pods: number
  readonly owners: number
}

/** All that is not well in a namespace, grouped by cause and owner: what is shared first, then the worst. */
export interface Triage {
  readonly cluster: string | null
  readonly namespace: string
  readonly takenAt: string | null
  readonly pods: number
  /** Pods that are neither ready nor done; owners without pods are not counted. */
  readonly unwell: number
  /** Owners whose pods never appeared. */
  readonly podless: number
  readonly groups: readonly TriageGroup[]
  /** The causes behind several owners, the most pods first. */
  readonly shared: readonly SharedCause[]
  readonly unread: readonly Unread[]
}

/** A case of the namespace, diagnosed. */
export interface DiagnosedCase {
  readonly diagnosis: Diagnosis
  readonly alike: readonly AlikePod[]
}

const rowsOf = ({ diagnosis, alike }: DiagnosedCase): TriageRow[] => [
  {
    kind: diagnosis.pod === null ? (diagnosis.owner?.kind ?? '') : 'Pod',
    name: diagnosis.pod ?? diagnosis.owner?.name ?? '',
    status: diagnosis.status ?? 'no pod',
    ready: diagnosis.ready ?? '',
    restarts: diagnosis.restarts ?? '',
    diagnosis,
  },
  ...alike.map(row => ({ kind: 'Pod', ...row, diagnosis: null })),
]

const badness: Record<State, number> = { broken: 0, degraded: 1, fine: 2 }

/** What an eviction or a finished Job left behind has been replaced: it comes after what is wrong now. */
const isLeftOver = ({ cause, diagnosis }: TriageGroup): boolean =>
  cause.id.startsWith('evict.') || (cause.id.startsWith('admission.rejected') && diagnosis.owner !== null)

const groupsOf = (cases: readonly DiagnosedCase[]): TriageGroup[] => {
  const groups = new Map<string, DiagnosedCase[]>()
  for (const each of cases) {
    const { owner, pod, cause } = each.diagnosis
    const key = JSON.stringify([owner ?? pod, cause.id, cause.container])
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return [...groups.values()].flatMap(own => {
    const [first] = own
    if (first === undefined) return []
    const { diagnosis } = first
    const rows = own.flatMap(rowsOf)
    return [{ owner: diagnosis.owner, state: state(diagnosis), cause: diagnosis.cause, diagnosis, rows, shared: null }]
  })
}

const podsOf = (groups: readonly TriageGroup[]): number => groups.reduce((sum, { rows }) => sum + rows.length, 0)

/** As which an owner stands behind the trouble of those that wait for it. */
const itself = ({ owner, rows }: TriageGroup): string[] =>
  [...(owner === null ? [] : [owner.name]), ...rows.map(({ name }) => name)].map(suspectedAs)

/** Whether a group is what the others of its bundle wait for. */
const isBehind = (group: TriageGroup): boolean => group.shared !== null && itself(group).includes(group.shared)

/** The suspect behind most pods among groups of at least two owners. */
const commonest = (groups: readonly TriageGroup[], namespace: string): [string, TriageGroup[]] | null => {
  const bySuspect = new Map<string, TriageGroup[]>()
  for (const group of groups)
    for (const suspect of new Set([...suspectsOf(group.cause, namespace), ...itself(group)]))
      bySuspect.set(suspect, [...(bySuspect.get(suspect) ?? []), group])
  const several = [...bySuspect].filter(([, own]) => new Set(own.map(ownerName)).size > 1)
  return several.toSorted(([, a], [, b]) => podsOf(b) - podsOf(a))[0] ?? null
}

/** What the others wait for, then those of one cause together, the cause of most pods first. */
const inOrder = (groups: readonly TriageGroup[]): TriageGroup[] => {
  const podsWith = (id: string): number => podsOf(groups.filter(({ cause }) => cause.id === id))
  return groups.toSorted(
    (a, b) =>
      Number(isBehind(b)) - Number(isBehind(a)) ||
      podsWith(b.cause.id) - podsWith(a.cause.id) ||
      a.cause.id.localeCompare(b.cause.id) ||
      b.rows.length - a.rows.length,
  )
}

const ownerName = ({ owner, rows }: TriageGroup): string =>
  owner === null ? `Pod/${rows[0]?.name}` : `${owner.kind}/${owner.name}`

/** Groups what was found in a namespace. The same findings give the same groups. */
export const triageOf = (
  read: Pick<NamespaceSnapshot, 'cluster' | 'namespace' | 'takenAt' | 'pods' | 'fine' | 'unread'>,
  cases: readonly DiagnosedCase[],
): Triage => {
  const { cluster, namespace, takenAt, pods, unread } = read
  const well = cases.filter(({ diagnosis }) => diagnosis.healthy)
  const unwell = cases.filter(({ diagnosis }) => !diagnosis.healthy)
  let left = groupsOf(unwell)
  const bundles: { name: string | null; groups: TriageGroup[] }[] = []
  for (let found = commonest(left, namespace); found !== null; found = commonest(left, namespace)) {
    const [suspect, own] = found
    left = left.filter(group => !own.includes(group))
    bundles.push({ name: suspectName(suspect), groups: own.map(group => ({ ...group, shared: suspect })) })
  }
  const alone = left.map(group => ({ name: null, groups: [group] }))
  const rank = ({ groups }: { groups: readonly TriageGroup[] }): number => {
    const worst = Math.min(...groups.map(group => (isLeftOver(group) ? 3 : badness[group.state])))
    return groups.length > 1 && worst < 3 ? -1 : worst
  }
  const ordered = [...bundles, ...alone].toSorted((a, b) => rank(a) - rank(b) || podsOf(b.groups) - podsOf(a.groups))
  const healthyRows = well.reduce((sum, { alike }) => sum + 1 + alike.length, 0)
  return {
    ...{ cluster, namespace, takenAt, pods },
    unwell: pods - read.fine - healthyRows,
    podless: unwell.filter(({ diagnosis }) => diagnosis.pod === null).length,
    groups: ordered.flatMap(({ groups }) => inOrder(groups)),
    shared: bundles
      .map(({ name, groups }) => ({ name, pods: podsOf(groups), owners: new Set(groups.map(ownerName)).size }))
      .toSorted((a, b) => b.pods - a.pods),
    unread: [...unread, ...unreadOf(unwell)],
  }
}

/** What several cases could not read, once, with what one alone could not. */
const unreadOf = (cases: readonly DiagnosedCase[]): Unread[] => [
  ...new Map(
    cases.flatMap(({ diagnosis }) => diagnosis.unread.map(each => [`${each.what} ${each.why}`, each] as const)),
  ).values(),
]
