import type { Block, LinkElement, RichTextSection } from './block-kit.ts'
import { cutLine, cutMiddle } from './cut.ts'
import { bold, code, type Inline, italic, plain, sentence, time } from './inline.ts'
import { elements, paragraph, richTextBlock } from './rich-text.ts'

/** An incident that goes on. Times are RFC 3339. */
export interface HomeRow {
  /** `Deployment orders-api`, or the pod's name. */
  readonly subject: string
  readonly namespace: string
  readonly cluster: string
  readonly cause: { readonly summary: string }
  readonly pods: number
  readonly since: string
  /** Of its answer; null: not known. */
  readonly permalink: string | null
  /** Null: it is not muted. */
  readonly mutedUntil: string | null
}

/** What `views.publish` takes. */
export interface HomeView {
  readonly type: 'home'
  readonly blocks: Block[]
}

/** Slack allows 100 blocks in a view. https://docs.slack.dev/surfaces/app-home */
const ROWS = 80
const SUMMARY = 300
const NAME = 80

/** Those with most pods first, then the newest; muted ones last. */
const inOrder = (rows: readonly HomeRow[]): HomeRow[] =>
  rows.toSorted(
    (a, b) =>
      Number(a.mutedUntil !== null) - Number(b.mutedUntil !== null) ||
      b.pods - a.pods ||
      b.since.localeCompare(a.since),
  )

const rowBlock = ({ subject, namespace, cluster, cause, pods, since, permalink, mutedUntil }: HomeRow): Block => {
  const head: Inline[] = [
    bold(cutMiddle(subject, NAME)),
    plain(' · '),
    code(namespace),
    plain(` · ${cutMiddle(cluster, NAME)} · ${pods} ${pods === 1 ? 'pod' : 'pods'}, since `),
    ...time(since, 'day', true),
    ...(mutedUntil === null ? [] : [plain('. '), italic('Muted until '), ...time(mutedUntil, 'clock')]),
  ]
  const said: RichTextSection = paragraph([head, cutLine(sentence(cause.summary), SUMMARY)])
  if (permalink === null || !/^https?:\/\//.test(permalink)) return richTextBlock(said)
  const link: LinkElement = { type: 'link', url: permalink, text: 'See the answer' }
  return richTextBlock({ ...said, elements: [...said.elements, ...elements([plain(' ')]), link] })
}

const howToAsk = (command: string): Inline[] => [
  plain('Ask with '),
  code(`${command} NAMESPACE/POD`),
  plain(', about a whole namespace with '),
  code(`${command} NAMESPACE/`),
  plain(', in an alert’s thread with '),
  code('@podwhy'),
  plain(', or with “Why?” in a message’s menu.'),
]

/** What is open now, the worst first, and how to ask. `at`: when that was, RFC 3339; `command`: the slash command. */
export const homeView = (rows: readonly HomeRow[], { at, command }: { at: string; command: string }): HomeView => {
  const shown = inOrder(rows).slice(0, ROWS)
  const more = rows.length - shown.length
  const head: Inline[] =
    rows.length === 0
      ? [bold('Nothing is open.'), plain(' No alert that podwhy has answered is still about an unhealthy pod.')]
      : [bold(rows.length === 1 ? '1 incident is open' : `${rows.length} incidents are open`), plain('.')]
  return {
    type: 'home',
    blocks: [
      richTextBlock(paragraph([[...head, plain(' As of '), ...time(at, 'clock'), plain('.')]])),
      ...shown.map(rowBlock),
      ...(more > 0 ? [richTextBlock(paragraph([[plain(`And ${more} more.`)]]))] : []),
      richTextBlock(paragraph([howToAsk(command)])),
    ],
  }
}
