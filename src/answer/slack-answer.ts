import type { Diagnosis } from '../diagnosis/diagnosis.ts'
import type { Block, EmojiElement, Message } from './block-kit.ts'
import { cutLine, cutMiddle } from './cut.ts'
import { details, type Section } from './details.ts'
import { cause, head, nextTry, remedy, type State, state, subject, withoutProof } from './headline.ts'
import { bold, type Inline, plain, title, visibleText } from './inline.ts'
import { notification } from './notification.ts'
import { paragraph, richTextBlock } from './rich-text.ts'
import { sectionBlocks } from './section-blocks.ts'
import { answerBudget, slackLimits } from './slack-limits.ts'

/** The message that is enough to act on, and the replies below it that prove it and equip. */
export interface SlackAnswer {
  readonly root: Message
  readonly thread: Message[]
}

const emoji: Record<State, { readonly name: string; readonly text: string }> = {
  broken: { name: 'red_circle', text: '🔴' },
  degraded: { name: 'large_orange_circle', text: '🟠' },
  fine: { name: 'white_circle', text: '⚪' },
}

/** The first message's lines, shortened to its budget, and those whose rest belongs into the thread. */
interface Headline {
  readonly lines: Inline[][]
  readonly inFull: (readonly Inline[])[]
}

/** A pod's or cluster's name may have 253 characters; the headline keeps both ends. */
const longestName = 80

/** For the emoji's name, the label and the line breaks. */
const reserved = 40

const headline = (diagnosis: Diagnosis): Headline => {
  const first = head(diagnosis).map(piece =>
    piece.style === 'time' ? piece : { ...piece, text: cutMiddle(piece.text, longestName) },
  )
  const said = cause(diagnosis)
  const toDo = diagnosis.healthy ? null : remedy(diagnosis)
  const next = diagnosis.healthy ? [] : nextTry(diagnosis)
  const room = answerBudget.root - visibleText([...first, ...next]).length - reserved
  const needed = toDo === null ? 0 : visibleText(toDo.line).length
  // What to do gets a third at least; what one of the two does not need, the other may use.
  const whatRoom = Math.max(room - needed, Math.floor((room * 2) / 3))
  const what = visibleText(said).length > whatRoom ? withoutProof(said, diagnosis) : said
  const shortWhat = cutLine(what, whatRoom)
  const shortToDo = toDo === null ? [] : cutLine(toDo.line, room - visibleText(shortWhat).length)
  const act = [
    ...(toDo === null ? [] : [bold(toDo.label), plain(' '), ...shortToDo]),
    ...(next.length === 0 ? [] : [plain(toDo === null ? '' : ' '), ...next]),
  ]
  const isCut = shortWhat !== what || (toDo !== null && shortToDo !== toDo.line)
  return {
    lines: diagnosis.healthy
      ? [[...first, plain('. '), ...shortWhat]]
      : [first, [...shortWhat], act].filter(l => l.length > 0),
    inFull: isCut ? [what, ...(toDo === null ? [] : [[bold(toDo.label), plain(' '), ...toDo.line]])] : [],
  }
}

const root = (diagnosis: Diagnosis, lines: readonly Inline[][]): Message => {
  const { name, text } = emoji[state(diagnosis)]
  const mark: EmojiElement = { type: 'emoji', name }
  const said = paragraph(lines)
  said.elements.unshift(mark, { type: 'text', text: ' ' })
  const where = [diagnosis.namespace, diagnosis.cluster].filter(part => part !== null).join(', ')
  const status = diagnosis.status === null ? '' : ` ${diagnosis.status}`
  return {
    text: notification(plain(`${text} ${subject(diagnosis)} (${where})${status}: `), ...cause(diagnosis)),
    blocks: [richTextBlock(said)],
  }
}

const partName = ({ kind, title }: Section): string => {
  const name = visibleText(title)
  return kind === 'commands' ? 'commands' : name.charAt(0).toLowerCase() + name.slice(1)
}

/** Blocks in order, as few messages as Slack's limits allow. */
const pack = (parts: readonly { readonly name: string; readonly blocks: Block[] }[], about: string): Message[] => {
  const messages: { names: Set<string>; blocks: Block[] }[] = []
  for (const { name, blocks } of parts) {
    for (const block of blocks) {
      const last = messages.at(-1)
      const together = [...(last?.blocks ?? []), block]
      const fits = together.length <= slackLimits.blocks && JSON.stringify(together).length <= slackLimits.blocksJson
      if (last === undefined || !fits) messages.push({ names: new Set([name]), blocks: [block] })
      else {
        last.names.add(name)
        last.blocks.push(block)
      }
    }
  }
  return messages.map(({ names, blocks }) => ({
    text: notification(plain(`More about ${about}: ${[...names].join(', ')}`)),
    blocks,
  }))
}

/**
 * The diagnosis for Slack. The same diagnosis gives the same bytes; every message is within Slack's limits; nothing in
 * it can mention anybody or become a link.
 */
export const slackAnswer = (diagnosis: Diagnosis): SlackAnswer => {
  const { lines, inFull } = headline(diagnosis)
  const sections = details(diagnosis, {
    lines: answerBudget.logLines,
    characters: answerBudget.logCharacters,
    lineCharacters: answerBudget.logLine,
  })
  const whole = inFull.map(line => cutLine(line, 3 * answerBudget.listItem))
  const parts = [
    ...(whole.length === 0
      ? []
      : [{ name: 'in full', blocks: [richTextBlock(paragraph([title([plain('In full')]), ...whole]))] }]),
    ...sections.map(part => ({ name: partName(part), blocks: sectionBlocks(part) })),
  ]
  return { root: root(diagnosis, lines), thread: pack(parts, subject(diagnosis)) }
}
