import type { PodEvent } from '../diagnosis/pod-events.ts'
import type { Message } from './block-kit.ts'
import { cutMiddle } from './cut.ts'
import { code, type Inline, plain, title } from './inline.ts'
import { notification } from './notification.ts'
import { printable } from './printable.ts'
import { paragraph, preformatted, richTextBlock } from './rich-text.ts'

/** What was asked about, and its events, oldest first. */
export interface EventsOf {
  /** The pod's name, or `Deployment web`. */
  readonly subject: string
  readonly events: readonly PodEvent[]
  /** Why they, or some of them, could not be read. */
  readonly unread: readonly string[]
}

const LINE = 400
/** JSON of one message's events, and how many messages there are at most. */
const MESSAGE_JSON = 8_000
const MESSAGES = 3

/** `12:03:10  Warning  BackOff ×14  Back-off restarting …`; other objects than the pod are named. */
const line = (subject: string, event: PodEvent): string => {
  const { lastAt, isWarning, reason, count, kind, name, message } = event
  const at = Number.isNaN(Date.parse(lastAt ?? '')) ? '--------' : new Date(lastAt ?? '').toISOString().slice(11, 19)
  const of = name === subject || `${kind} ${name}` === subject ? '' : `${kind}/${name}: `
  const head = `${at}  ${isWarning ? 'Warning' : 'Normal '}  ${reason}${count > 1 ? ` ×${count}` : ''}`
  return cutMiddle(printable(`${head}  ${of}${message}`), LINE)
}

/** The newest lines that fit, in as many messages as are allowed. */
const pages = (lines: readonly string[]): string[][] => {
  const found: string[][] = []
  let size = 0
  for (const each of lines.toReversed()) {
    const length = JSON.stringify(each).length
    if (found.length === 0 || size + length > MESSAGE_JSON) {
      if (found.length === MESSAGES) break
      found.unshift([])
      size = 0
    }
    found[0]?.unshift(each)
    size += length
  }
  return found
}

/** The events of a pod and its owners as messages, at least one. */
export const eventsAnswer = ({ subject, events, unread }: EventsOf): readonly [Message, ...Message[]] => {
  const shown = pages(events.map(event => line(subject, event)))
  const missing = events.length - shown.flat().length
  const empty = plain(unread.length > 0 ? 'None could be read.' : 'No events: they live an hour.')
  const about: Inline[] =
    events.length === 0
      ? [empty]
      : [plain(`Oldest first, times in UTC.${missing > 0 ? ` ${missing} older ones are left out.` : ''}`)]
  const heading = title([plain('Events of '), code(subject)])
  const why = unread.map(each => [plain(each)])
  const text = notification(plain(`Events of ${subject}`))
  const [first = [], ...rest] = shown
  const top = paragraph([heading, about, ...why])
  return [
    { text, blocks: [first.length === 0 ? richTextBlock(top) : richTextBlock(top, preformatted(first.join('\n')))] },
    ...rest.map(lines => ({ text, blocks: [richTextBlock(preformatted(lines.join('\n')))] })),
  ]
}
