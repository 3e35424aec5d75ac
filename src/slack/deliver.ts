import type { Block, Message } from '../answer/block-kit.ts'
import { notInChannel } from '../answer/notices.ts'
import { slackLimits } from '../answer/slack-limits.ts'
import type { Question } from '../queue/job.ts'
import type { Poster } from './poster.ts'
import { MessageGone, NotInChannel } from './slack-error.ts'

/** How an answer reached the one who asked; `deleted`: somebody deleted it in Slack while it was being made. */
export type Delivered = 'thread' | 'ephemeral' | 'deleted'

type Answer = { root: Message; thread: Message[] }

/** Uses of a `response_url` that an answer may take. */
const WHISPERS = 5

/**
 * As few messages as Slack's limits allow, so that a `response_url` is enough for all. Without buttons: what they would do
 * needs a thread to do it in.
 */
function packed(messages: Message[]): Message[] {
  const packs: Message[] = []
  for (const message of messages) {
    const last = packs.at(-1)
    const own = message.blocks.filter(({ type }) => type !== 'actions')
    const blocks: Block[] = [...(last?.blocks ?? []), ...own]
    const fits = blocks.length <= slackLimits.blocks && JSON.stringify(blocks).length <= slackLimits.blocksJson
    if (last === undefined || !fits) packs.push({ ...message, blocks: own })
    else packs[packs.length - 1] = { text: last.text, blocks }
  }
  return packs
}

/** The whole answer for the one who asked alone. A run after a crash continues; the message in between may come twice. */
async function whisper(
  { id, responseUrl }: Question,
  poster: Poster,
  { what, messages, cause }: { what: string; messages: [Message, ...Message[]]; cause: NotInChannel },
): Promise<Delivered> {
  if (responseUrl === null) throw cause
  const [first, ...rest] = messages
  const packs = packed([first, notInChannel(), ...rest]).slice(0, WHISPERS)
  for (const [at, message] of packs.entries()) {
    const said = `whispered-${what}-${at}`
    if (await poster.marked(id, said)) continue
    await poster.respond(responseUrl, message)
    await poster.mark(id, said)
  }
  return 'ephemeral'
}

/**
 * Answers one question: a placeholder while the answer is being made, which then becomes the answer, and its thread. With
 * `placeholder` null nothing stands before the answer is made.
 * May run again after any crash or error: nothing is posted twice, everything standing gets the newest text. Where the
 * bot cannot write, the answer goes to the one who asked alone. Throws what `answer` throws, and the poster's errors.
 */
export async function deliverAnswer(delivery: {
  question: Question
  poster: Poster
  answer: () => Promise<Answer>
  placeholder: Message | null
  /** See `Post`. */
  isPaced?: boolean
}): Promise<Delivered> {
  const { question, poster, answer, placeholder, isPaced = false } = delivery
  const place = { question: question.id, channel: question.channelId, isPaced }
  const making = answer()
  const posting = async () => {
    const message = placeholder ?? (await making).root
    return poster.post({ ...place, part: 'root', threadTs: question.threadTs, message })
  }
  const [root, made] = await Promise.allSettled([posting(), making])
  if (made.status === 'rejected') throw made.reason
  if (root.status === 'rejected') {
    if (root.reason instanceof MessageGone) return 'deleted'
    if (!(root.reason instanceof NotInChannel)) throw root.reason
    const messages: [Message, ...Message[]] = [made.value.root, ...made.value.thread]
    return whisper(question, poster, { what: 'answer', messages, cause: root.reason })
  }
  const { channel, ts } = root.value
  try {
    if (placeholder !== null || root.value.stood) await poster.update({ channel, ts, message: made.value.root })
    await poster.mark(question.id, 'answered')
    for (const [at, message] of made.value.thread.entries()) {
      const threadTs = question.threadTs ?? ts
      const part = await poster.post({ ...place, channel, part: `thread-${at}`, threadTs, message })
      if (part.stood) await poster.update({ ...part, message }).catch(unlessGone)
    }
  } catch (error) {
    if (error instanceof MessageGone) return 'deleted'
    throw error
  }
  return 'thread'
}

/** One reply that somebody deleted keeps no other from its place. */
function unlessGone(error: unknown): void {
  if (!(error instanceof MessageGone)) throw error
}

/**
 * Says that there will be no answer, where the answer was to stand: in place of the placeholder, or, if the answer
 * itself already stands, in its thread. May run again like `deliverAnswer`.
 */
export async function deliverApology(apology: {
  question: Question
  poster: Poster
  message: Message
}): Promise<Delivered> {
  const { question, poster, message } = apology
  const root = await poster.posted(question.id, 'root')
  const isAnswered = root !== null && (await poster.marked(question.id, 'answered'))
  const part = isAnswered ? 'apology' : 'root'
  const threadTs = isAnswered ? (question.threadTs ?? root.ts) : question.threadTs
  try {
    const post = await poster.post({ question: question.id, part, channel: question.channelId, threadTs, message })
    if (post.stood) await poster.update({ ...post, message })
    return 'thread'
  } catch (error) {
    if (error instanceof MessageGone) return 'deleted'
    if (!(error instanceof NotInChannel)) throw error
    return whisper(question, poster, { what: 'apology', messages: [message], cause: error })
  }
}
