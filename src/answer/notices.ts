import type { LinkElement, Message } from './block-kit.ts'
import { cutLine } from './cut.ts'
import { code, type Inline, plain, sentence } from './inline.ts'
import { notification } from './notification.ts'
import { richTextBlock, section } from './rich-text.ts'

const maxQuoted = 400

/** One line as a message of its own. */
export const notice = (...line: readonly Inline[]): Message => {
  const short = cutLine(line, 2 * maxQuoted)
  return { text: notification(...short), blocks: [richTextBlock(section(short))] }
}

const quoted = (text: string): readonly Inline[] => cutLine(sentence(text), maxQuoted)

/** Stands where the answer will stand, while the cluster is read. `target`: `shop/web-5d4f`. */
export const placeholder = (target: string): Message => notice(plain('Looking at '), code(target), plain(' …'))

/** After the last attempt failed. `why`: one line without a stack trace; `id`: the question's, also in the log. */
export const apology = (why: string, id: string): Message =>
  notice(
    plain('Sorry, this could not be answered: '),
    ...quoted(/[.!?…]$/.test(why) ? why : `${why}.`),
    plain(' Please ask again; if it stays so, the log of podwhy has more under '),
    code(id),
    plain('.'),
  )

/** `problem`: what was wrong with what was typed, as a sentence; names in back-ticks. */
export const usageHint = (problem: string): Message =>
  notice(
    ...quoted(problem),
    plain(' Ask with '),
    code('/podwhy NAMESPACE/POD'),
    plain(' or '),
    code('/podwhy NAMESPACE/deploy/NAME'),
    plain(', about all pods of a namespace with '),
    code('/podwhy NAMESPACE/'),
    plain('; about another cluster with '),
    code('/podwhy CLUSTER:NAMESPACE/POD'),
    plain('.'),
  )

/** The same was asked within the last minute. `permalink`: of its answer, an https address; null where not known yet. */
export const alreadyAsked = (target: string, permalink: string | null): Message => {
  const message = notice(code(target), plain(' has just been asked about. Ask again in a minute for a fresh look.'))
  if (permalink === null || !/^https:\/\//.test(permalink)) return message
  const link: LinkElement = { type: 'link', url: permalink, text: 'See the answer' }
  return { ...message, blocks: [...message.blocks, richTextBlock({ type: 'rich_text_section', elements: [link] })] }
}

/** In an answer's thread, once: what is wrong now is something else. Both are summaries of causes. */
export const causeChanged = (before: string, now: string): Message =>
  notice(
    plain('The cause has changed. Now: '),
    ...cutLine(sentence(now), maxQuoted),
    plain(' Before: '),
    ...cutLine(sentence(before), maxQuoted / 2),
  )

/** In the thread of an alert whose incident is told of elsewhere. `summary`: of its cause; `permalink` as above. */
export const answeredElsewhere = (summary: string, permalink: string | null, isDigest: boolean): Message => {
  const message = notice(plain('Part of an incident that is answered already: '), ...quoted(summary))
  if (permalink === null || !/^https?:\/\//.test(permalink)) return message
  const link: LinkElement = { type: 'link', url: permalink, text: isDigest ? 'See the digest' : 'See the answer' }
  return { ...message, blocks: [...message.blocks, richTextBlock({ type: 'rich_text_section', elements: [link] })] }
}

/** Below an answer that only the asker sees. `botName` without `@`. */
export const notInChannel = (botName = 'podwhy'): Message =>
  notice(
    plain('Only you see this, because I am not in this channel. Invite me with '),
    code(`/invite @${botName}`),
    plain('.'),
  )

/** The pod that an alert names is no more, and the answer is about its owner's pods. Both as `shop/Pod/web-5d4f`. */
export const aboutSuccessor = (gone: string, target: string): Message =>
  notice(code(gone), plain(' of the alert is gone; this is about '), code(target), plain('.'))

/** Not allowed here. `why`: a sentence; names in back-ticks. */
export const refused = (why: string): Message => notice(plain('Sorry, I may not answer this. '), ...quoted(why))

/** Why there is nothing to explain – no such pod, no rights –, in place of an answer. `why`: one line without markup. */
export const unanswerable = (why: string): Message => {
  const line = why.charAt(0).toUpperCase() + why.slice(1)
  return notice(...quoted(/[.?!]$/.test(line) ? line : `${line}.`))
}
