import type { ActionsBlock, InlineElement, Message, Option, RichTextSection } from './block-kit.ts'
import { cutLine, cutMiddle } from './cut.ts'
import { bold, code, type Inline, plain, sentence, time, visibleText } from './inline.ts'
import { notification } from './notification.ts'
import { bullets, elements, paragraph, richTextBlock } from './rich-text.ts'
import { slackLimits } from './slack-limits.ts'

/** One incident of a storm. */
export interface DigestRow {
  /** `Deployment orders-api`, or the pod's name. */
  readonly subject: string
  /** What to ask for a full answer, as one would type it. */
  readonly target: string
  readonly namespace: string
  readonly cluster: string
  readonly pods: number
  /** `gone`: deleted, or scaled to zero. Null: it goes on. */
  readonly ended: 'recovered' | 'gone' | null
  readonly cause: { readonly id: string; readonly summary: string; readonly facts: readonly string[] }
}

/** A storm in one channel, as told in one message. */
export interface DigestView {
  /** RFC 3339. */
  readonly startedAt: string
  readonly rows: readonly DigestRow[]
  /** Subjects that were answered by themselves just before. */
  readonly answered: readonly string[]
}

interface Group {
  readonly id: string
  /** What all of it has in common: `node worker-1`; null: the cause alone. */
  readonly fact: string | null
  readonly rows: readonly DigestRow[]
}

const SUMMARY = 140
const NAME = 60
/** From so many owners on, what they share is worth saying first. */
const SHARED = 3

const byNumber = <T>(rows: readonly T[], keysOf: (row: T) => readonly string[]): [string, T[]][] => {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    for (const key of keysOf(row)) groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups].sort(([a, one], [b, other]) => other.length - one.length || a.localeCompare(b))
}

/** Rows with the same cause together, the largest group first; its shared fact is one that every row of it has. */
const groupsOf = (rows: readonly DigestRow[]): Group[] =>
  byNumber(rows, row => [row.cause.id]).map(([id, same]) => {
    const shared = byNumber(same, row => row.cause.facts).find(([, having]) => having.length === same.length)
    return { id, fact: same.length >= SHARED ? (shared?.[0] ?? null) : null, rows: same }
  })

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`
const podsOf = (rows: readonly DigestRow[]): number => rows.reduce((sum, { pods }) => sum + pods, 0)

const title = (rows: readonly DigestRow[], view: DigestView): Inline[] => {
  const over = rows.filter(({ ended }) => ended !== null).length
  const isOver = over === rows.length
  const owners = `${count(rows.length, 'owner')} with ${count(podsOf(rows), 'pod')}`
  return [
    bold(`Alert storm: ${owners} ${isOver ? 'were ' : ''}not healthy`),
    plain(', since '),
    ...time(view.startedAt, 'day'),
    plain(over === 0 ? '.' : isOver ? '; all is over.' : `; ${over} of them ${over === 1 ? 'is' : 'are'} over.`),
  ]
}

/** What the first and largest group has in common; null: nothing that would explain many at once. */
const sharedCause = ([first]: readonly Group[], all: number): Inline[] | null => {
  if (first === undefined || first.rows.length < SHARED) return null
  const of = `${first.rows.length} of ${all}`
  // Nothing in common but the kind of cause is not one cause.
  return first.fact === null
    ? [plain(`${of} have the same kind of cause: `), code(first.id), plain('.')]
    : [plain(`${of} share one cause: `), code(first.id), plain(', all with '), code(first.fact), plain('.')]
}

const rowMarks = { recovered: '🟢 ', gone: '⚪ ' }

const rowLine = ({ subject, namespace, pods, ended, cause }: DigestRow): Inline[] => [
  ...(ended === null ? [] : [plain(rowMarks[ended])]),
  bold(cutMiddle(subject, NAME)),
  plain(' · '),
  code(namespace),
  plain(` · ${count(pods, 'pod')} · `),
  // In one piece: styles would fill the message.
  plain(visibleText(cutLine(sentence(cause.summary), SUMMARY))),
]

const { actions } = slackLimits
/** The menu shares the message's characters with the lines. */
const MENU_OPTIONS = 25

/** A menu of the owners, to have one of them explained; null: none can be named in it. */
const menu = (rows: readonly DigestRow[]): ActionsBlock | null => {
  const options = rows
    .map(({ subject, namespace, target }): Option => {
      const text = `${cutMiddle(subject, actions.text - namespace.length - 3)} (${namespace})`
      return { text: { type: 'plain_text', text: cutMiddle(text, actions.text) }, value: JSON.stringify({ t: target }) }
    })
    .filter(({ value }) => value.length <= actions.optionValue)
    .slice(0, MENU_OPTIONS)
  const placeholder = { type: 'plain_text' as const, text: 'Explain one …' }
  return options.length === 0
    ? null
    : { type: 'actions', elements: [{ type: 'static_select', action_id: 'podwhy_choose', placeholder, options }] }
}

const nameInList = (name: string, at: number): Inline[] =>
  at === 0 ? [code(cutMiddle(name, NAME))] : [plain(', '), code(cutMiddle(name, NAME))]

const ends = (hidden: number, { answered }: DigestView): Inline[][] => [
  ...(hidden > 0 ? [[plain(`And ${count(hidden, 'more owner')}.`)]] : []),
  ...(answered.length === 0
    ? []
    : [[plain('Answered by themselves just before: '), ...answered.flatMap(nameInList), plain('.')]]),
]

/**
 * A storm as one message: how much is wrong, what most of it shares, then a line for each owner, those with the same cause
 * together. The same view gives the same bytes.
 */
export const digest = (view: DigestView): Message => {
  const groups = groupsOf(view.rows)
  const rows = groups.flatMap(group => group.rows)
  const shared = sharedCause(groups, rows.length)
  const isOver = rows.length > 0 && rows.every(row => row.ended !== null)
  const mark: InlineElement = { type: 'emoji', name: isOver ? 'large_green_circle' : 'red_circle' }
  const head: RichTextSection = paragraph([title(rows, view), ...(shared === null ? [] : [shared])])
  head.elements.unshift(mark, ...elements([plain(' ')]))
  const choose = menu(rows)
  const blocks = (lines: readonly Inline[][]): Message['blocks'] => {
    const after = ends(rows.length - lines.length, view)
    return [
      richTextBlock(head, ...(lines.length === 0 ? [] : [bullets(lines)])),
      ...(after.length === 0 ? [] : [richTextBlock(paragraph(after))]),
      ...(choose === null ? [] : [choose]),
    ]
  }
  const lines: Inline[][] = []
  let left = slackLimits.blocksJson - JSON.stringify([...blocks([]), bullets([])]).length
  for (const row of rows) {
    const line = rowLine(row)
    left -= JSON.stringify(bullets([line]).elements).length
    if (left < 0) break
    lines.push(line)
  }
  const summary = [...title(rows, view), ...(shared === null ? [] : [plain(' '), ...shared])]
  return { text: notification(plain(isOver ? '🟢 ' : '🔴 '), ...summary), blocks: blocks(lines) }
}
