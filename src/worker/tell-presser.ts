import type { Message } from '../answer/block-kit.ts'
import type { Question } from '../queue/job.ts'
import type { Poster } from '../slack/poster.ts'
import { NotInChannel } from '../slack/slack-error.ts'

/** Shows a message to the one who pressed a button, beside the button. */
export const tellPresser = async (
  poster: Pick<Poster, 'ephemeral' | 'respond'>,
  { channelId: channel, userId: user, threadTs, about, responseUrl }: Question,
  message: Message,
): Promise<void> => {
  // A thread that nobody has open shows no such message: under a channel's own message it belongs into the channel.
  const isInThread = threadTs !== null && about?.ts !== threadTs
  try {
    await poster.ephemeral({ channel, user, threadTs: isInThread ? threadTs : null, message })
  } catch (error) {
    if (!(error instanceof NotInChannel) || responseUrl === null) throw error
    await poster.respond(responseUrl, message)
  }
}
