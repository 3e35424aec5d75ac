import type { ActionsBlock, Block, InlineElement, Message, RichTextSection, UserElement } from './block-kit.ts'
import { cutLine } from './cut.ts'
import { duration } from './duration.ts'
import { bold, code, type Inline, plain, sentence, time } from './inline.ts'
import { elements, richTextBlock } from './rich-text.ts'

/** What has become of an incident since its answer was made. Times are RFC 3339. */
export interface IncidentView {
  /** The pod that the answer is about. */
  readonly pod: string | null
  /** `Deployment orders-api`; null: a pod of its own. */
  readonly owner: string | null
  /** The first is the one that the answer explains. */
  readonly causes: readonly { readonly summary: string; readonly pods: readonly string[] }[]
  /** Pods that alerts have named, and that were not looked at. */
  readonly named: readonly string[]
  readonly openedAt: string
  readonly ended: { readonly how: 'recovered' | 'gone' | 'unwatched'; readonly at: string } | null
  readonly relapses: number
  readonly muted: { readonly userId: string; readonly until: string } | null
}

const NAMED = 3
const OTHER_CAUSES = 4
const SUMMARY = 200

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`

/** `a`, `b`, `c` and 6 more. */
const names = (pods: readonly string[]): Inline[] => {
  const shown = pods.length <= NAMED + 1 ? pods : pods.slice(0, NAMED)
  const rest = pods.length - shown.length
  return [
    ...shown.flatMap((pod, at): Inline[] => (at === 0 ? [code(pod)] : [plain(', '), code(pod)])),
    ...(rest > 0 ? [plain(` and ${rest} more`)] : []),
  ]
}

const ending = ({ ended, openedAt, owner, relapses }: IncidentView): Inline[][] => {
  if (ended === null) {
    return relapses === 0
      ? []
      : [[plain(`It had recovered and came back${relapses === 1 ? '' : ` ${relapses} times`}.`)]]
  }
  const at = time(ended.at, 'clock')
  if (ended.how === 'recovered') {
    const seconds = secondsBetween(openedAt, ended.at)
    // Where it was mended while the alert was on its way, there is nothing to count.
    const after = seconds > 0 ? `, after ${duration(seconds)}` : ''
    const again = relapses === 0 ? '' : ` It came back ${count(relapses, 'time')} before.`
    return [[bold('Recovered'), plain(' at '), ...at, plain(`${after}.${again}`)]]
  }
  if (ended.how === 'gone') {
    return [[bold('Ended'), plain(' at '), ...at, plain(`: ${owner ?? 'the pod'} was deleted or scaled to zero.`)]]
  }
  return [[plain('Not recovered after 6 h; not looked at any more since '), ...at, plain('.')]]
}

const folded = ({ pod, owner, causes, named }: IncidentView): Inline[][] => {
  const [first, ...others] = causes
  const same = (first?.pods ?? []).filter(each => each !== pod)
  const more = others.filter(({ pods }) => pods.length > 0)
  const of = owner === null ? '' : ` of ${owner}`
  return [
    ...(same.length === 0
      ? []
      : [[plain(`The same in ${count(same.length, 'more pod')}${of}: `), ...names(same), plain('.')]]),
    ...more
      .slice(0, OTHER_CAUSES)
      .map(({ summary, pods }) => [
        plain(`Also, in ${count(pods.length, 'pod')} (`),
        ...names(pods),
        plain('): '),
        ...cutLine(sentence(summary), SUMMARY),
      ]),
    ...(named.length === 0
      ? []
      : [[plain(`Alerts also name ${count(named.length, 'pod')}${of}: `), ...names(named), plain('.')]]),
    ...(more.length > OTHER_CAUSES ? [[plain(`And ${count(more.length - OTHER_CAUSES, 'more cause')}.`)]] : []),
  ]
}

const mutedLine = (muted: NonNullable<IncidentView['muted']>): InlineElement[] => {
  const who: UserElement = { type: 'user', user_id: muted.userId }
  return [
    ...elements([plain('Muted by ')]),
    who,
    ...elements([plain(' until '), ...time(muted.until, 'clock'), plain('.')]),
  ]
}

const lineBreak = { type: 'text', text: '\n' } as const

/** The marks of a state, as emoji and as the character that notifications begin with. */
const marks = { recovered: ['large_green_circle', '🟢'], gone: ['white_circle', '⚪'] } as const

const mark = ({ text, blocks }: Message, how: keyof typeof marks): Message => {
  const [name, character] = marks[how]
  const marked = blocks.map((block, at): Block => {
    if (at > 0 || block.type !== 'rich_text') return block
    const [first, ...rest] = block.elements
    if (first?.type !== 'rich_text_section' || first.elements[0]?.type !== 'emoji') return block
    return {
      ...block,
      elements: [{ ...first, elements: [{ type: 'emoji', name }, ...first.elements.slice(1)] }, ...rest],
    }
  })
  const ended = how === 'recovered' ? 'Recovered: ' : 'Ended: '
  return { text: `${character} ${ended}${text.replace(/^\p{Extended_Pictographic}\uFE0F? /u, '')}`, blocks: marked }
}

/** The first message's head is its first line: what has become of it stands right below, before what to do. */
const belowHead = (blocks: readonly Block[], lines: readonly (readonly Inline[])[]): Block[] =>
  blocks.map((block, at): Block => {
    const [first, ...rest] = block.type === 'rich_text' ? block.elements : []
    if (at > 0 || block.type !== 'rich_text' || first?.type !== 'rich_text_section') return block
    const end = first.elements.findIndex(element => element.type === 'text' && element.text === lineBreak.text)
    const head = end < 0 ? first.elements : first.elements.slice(0, end)
    const below = lines.flatMap(line => [lineBreak, ...elements(line)])
    return {
      ...block,
      elements: [{ ...first, elements: [...head, ...below, ...first.elements.slice(head.length)] }, ...rest],
    }
  })

/**
 * The answer's first message with what has become of the incident: how it ended, how many pods share its cause, what else is
 * wrong with the owner's pods, who silenced it; then the buttons.
 */
export const incidentRoot = (base: Message, view: IncidentView, buttons: ActionsBlock | null): Message => {
  const lines = folded(view).map(line => elements(line))
  if (view.muted !== null) lines.push(mutedLine(view.muted))
  const how = view.ended?.how
  const { text, blocks } = how === 'recovered' || how === 'gone' ? mark(base, how) : base
  const said: RichTextSection = {
    type: 'rich_text_section',
    elements: lines.flatMap((line, at) => (at === 0 ? line : [lineBreak, ...line])),
  }
  return {
    text,
    blocks: [
      ...belowHead(
        blocks.filter(({ type }) => type !== 'actions'),
        ending(view),
      ),
      ...(lines.length === 0 ? [] : [richTextBlock(said)]),
      ...(buttons === null ? [] : [buttons]),
    ],
  }
}
