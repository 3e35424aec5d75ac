import { cutLine, cutMiddle } from './cut.ts'
import { cause, remedy, type State, withoutProof } from './headline.ts'
import { bold, code, type Inline, plain } from './inline.ts'
import type { Triage, TriageGroup, TriageRow } from './triage.ts'

const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`
const longestName = 80

/** `node node-1` with its name in code style. */
const named = (name: string): Inline[] => {
  const at = name.lastIndexOf(' ') + 1
  return [plain(name.slice(0, at)), code(cutMiddle(name.slice(at), longestName))]
}

/** How many pods of how many are not well, and what most of them have in common. */
export const triageHead = (triage: Triage): Inline[] => {
  const { namespace, cluster, pods, unwell, podless, groups, shared } = triage
  const where = [code(namespace), ...(cluster === null ? [] : [plain(` · ${cutMiddle(cluster, longestName)}`)])]
  if (groups.length === 0 && unwell === 0) {
    return pods === 0
      ? [bold('No pods'), plain(' in '), ...where, plain(', and no workload that wants any.')]
      : [
          plain(pods === 1 ? 'The only pod in ' : `All ${pods} pods in `),
          ...where,
          plain(pods === 1 ? ' is well.' : ' are well: ready, or done.'),
        ]
  }
  const lacking = podless === 0 ? '' : `${count(podless, 'workload')} ${podless === 1 ? 'has' : 'have'} no pods`
  const said =
    unwell === 0
      ? [bold(lacking), plain(' in '), ...where]
      : [
          bold(`${unwell} of ${count(pods, 'pod')}`),
          plain(' in '),
          ...where,
          plain(unwell === 1 ? ' is not healthy' : ' are not healthy'),
          ...(lacking === '' ? [] : [plain(`, and ${lacking}`)]),
        ]
  const [most] = shared
  if (most === undefined) return [...said, plain('.')]
  const what = most.name === null ? [] : [plain(', '), ...named(most.name)]
  return [...said, plain(`: ${most.pods} pods of ${most.owners} owners share one cause`), ...what, plain('.')]
}

/** Groups that are told in one line: of one shared cause, or one alone. */
export const entriesOf = ({ groups }: Triage): readonly (readonly TriageGroup[])[] => {
  const entries: TriageGroup[][] = []
  for (const group of groups) {
    const last = entries.at(-1)?.[0]
    const isSame = group.shared !== null && group.shared === last?.shared && group.cause.id === last.cause.id
    if (isSame) entries.at(-1)?.push(group)
    else entries.push([group])
  }
  return entries
}

const ownersShown = 4

const nameOf = ({ owner, rows }: TriageGroup): { readonly kind: string; readonly name: string } =>
  owner ?? { kind: 'Pod', name: rows[0]?.name ?? '' }

/** What the groups of a line are called: their owners, and how many pods. */
export const entryName = (entry: readonly TriageGroup[]): Inline[] => {
  const shown = entry.slice(0, ownersShown).map(nameOf)
  const [first, ...others] = shown
  const isOneKind = others.length > 0 && others.every(({ kind }) => kind === first?.kind)
  const names = shown.flatMap(({ kind, name }, index): Inline[] => {
    const before = isOneKind ? (index === 0 ? `${kind}s ` : '') : `${kind} `
    return [plain(`${index === 0 ? '' : ', '}${before}`), bold(cutMiddle(name, longestName))]
  })
  const more = entry.length > ownersShown ? [plain(` and ${entry.length - ownersShown} more`)] : []
  const pods = entry.flatMap(({ rows, diagnosis }) => (diagnosis.pod === null ? [] : rows)).length
  const isOnePod = entry.length === 1 && entry[0]?.owner === null
  return [...names, ...more, ...(isOnePod ? [] : [plain(` (${pods === 0 ? 'no pods' : count(pods, 'pod')})`)])]
}

/** The cause of a line, within `length` characters, without what the answer about one pod proves it with. */
export const entryCause = ([first]: readonly TriageGroup[], length: number): readonly Inline[] => {
  if (first === undefined) return []
  return cutLine(withoutProof(cause(first.diagnosis), first.diagnosis), length)
}

/** The one thing to do about a line, where there is one. */
export const entryRemedy = ([first]: readonly TriageGroup[], length: number): readonly (readonly Inline[])[] => {
  const toDo = first === undefined ? null : remedy(first.diagnosis)
  return toDo === null ? [] : [[bold(toDo.label), plain(' '), ...cutLine(toDo.line, length)]]
}

/** Whether anything is broken, or only degraded. */
export const triageState = ({ groups }: Triage): State =>
  groups.length === 0 ? 'fine' : groups.some(group => group.state === 'broken') ? 'broken' : 'degraded'

/** A row's name where the table has pods and owners. */
export const rowName = ({ kind, name }: TriageRow): string => (kind === 'Pod' ? name : `${kind}/${name}`)

/** `4` of `4 (65s ago)`. */
export const restartCount = ({ restarts }: TriageRow): string => /^\d+/.exec(restarts)?.[0] ?? ''

/** What could not be read or was not looked into, at most five things; null: nothing. */
export const unreadLine = ({ unread }: Triage): Inline[] | null => {
  if (unread.length === 0) return null
  const some = unread
    .slice(0, 5)
    .flatMap(({ what, why }, index) => [
      plain(`${index === 0 ? '' : '; '}${cutMiddle(what, longestName)} (${cutMiddle(why, 120)})`),
    ])
  const more = unread.length > 5 ? [plain(`; and ${unread.length - 5} more`)] : []
  return [plain('Not read: '), ...some, ...more, plain('.')]
}
