import { z } from 'zod'
import type { Message } from '../answer/block-kit.ts'
import { commandAlone, foreignButton, notTaken, perhapsTaken, tooOld } from '../answer/button-notices.ts'
import { Want } from '../queue/job.ts'
import { ask, type Request } from './ask.ts'
import { ACK_BUDGET_MS, type Listening } from './listeners.ts'
import { sharedChannelRefusal, strangerRefusal } from './notices.ts'
import { type Press, pressOf } from './press.ts'
import { NotInChannel } from './slack-error.ts'
import { within } from './within.ts'
import { isMember } from './workspace.ts'

/** What a press on any button of podwhy is listened to by. */
export const PODWHY_ACTION = /^podwhy_/

const typedTarget = z.string().min(1).max(1_000)
const AnswerValue = z.object({
  t: typedTarget,
  q: z.string().regex(/^[0-9a-f]{32}$/),
  u: z.string().max(100).nullable(),
  c: z.string().max(100).nullable(),
})
const ChoiceValue = z.object({ t: typedTarget })
const CommandValue = z.object({ q: z.string().regex(/^[0-9a-f]{32}$/), i: z.int().min(0).max(100) })

/** The value where it is what this version writes, else null. */
function carried<Value>(shape: z.ZodType<Value>, { value }: Press): Value | null {
  try {
    const parsed = shape.safeParse(JSON.parse(value))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** `podwhy_choose-2` is one of several buttons for the same. */
const nameOf = ({ actionId }: Press): string => actionId.replace(PODWHY_ACTION, '').replace(/-\d+$/, '')

/** What is pressed as a question's fields; null: this version has no such button. */
function wanted(press: Press): (Pick<Request, 'want' | 'about'> & { target: string }) | null {
  const name = nameOf(press)
  if (name === 'choose') {
    const chosen = carried(ChoiceValue, press)
    return chosen && { want: 'answer', about: null, target: chosen.t }
  }
  const want = Want.exclude(['answer']).safeParse(name)
  const about = carried(AnswerValue, press)
  if (!want.success || about === null) return null
  const { channel, ts } = press
  return {
    want: want.data,
    about: { question: about.q, channel, ts, uid: about.u, container: about.c },
    target: about.t,
  }
}

/** One command for the one who chose it, from the answer's record. */
async function chosenCommand(press: Press, { own, desk, commandsOf }: Listening): Promise<Message> {
  const again = `${desk.command} NAMESPACE/POD`
  const chosen = carried(CommandValue, press)
  if (chosen === null) return foreignButton(again)
  if (!isMember({ ...press, isSharedChannel: false }, own)) return strangerRefusal()
  if (await desk.sharedChannels.has(press.channel)) return sharedChannelRefusal()
  const command = (await commandsOf(chosen.q))?.[chosen.i]
  const { userId: user, teamId: team, channel } = press
  desk.log.info({ audit: true, user, team, channel, via: 'button', question: chosen.q }, 'command shown')
  return command === undefined ? tooOld(again) : commandAlone(command)
}

/** Queues what was pressed. Gives what to tell the one who pressed; null: nothing. Throws where it could not be queued. */
async function take(press: Press, listening: Listening): Promise<Message | null> {
  const { own, desk } = listening
  if (nameOf(press) === 'commands') return chosenCommand(press, listening)
  const pressed = wanted(press)
  const foreign = () => foreignButton(`${desk.command} NAMESPACE/POD`)
  if (pressed === null) return foreign()
  const { target: text, ...what } = pressed
  const { channel: channelId, ts, threadTs, isWhisper, trigger, userId, teamId, enterpriseId, responseUrl } = press
  let targets: Request['targets']
  try {
    targets = [desk.parseTarget(text, channelId)]
  } catch {
    return foreign()
  }
  return ask(
    {
      ...{ via: 'button', text, targets, ...what, trigger, channelId, userId, teamId, enterpriseId, responseUrl },
      isSharedChannel: false,
      // A whisper is no message that one could reply to.
      threadTs: threadTs ?? (isWhisper ? null : ts),
    },
    own,
    desk,
  )
}

/** Shows a message to the one who pressed, beside what was pressed. */
async function tell({ poster }: Listening, press: Press, message: Message): Promise<void> {
  const { channel, userId: user, threadTs, responseUrl } = press
  try {
    await poster.ephemeral({ channel, user, threadTs, message })
  } catch (error) {
    if (!(error instanceof NotInChannel) || responseUrl === null) throw error
    await poster.respond(responseUrl, message)
  }
}

/** A press on a button or menu under an answer: queued first, then acknowledged; Slack sends it once and waits 3 s. */
export async function onAction(
  { body, ack }: { body: unknown; ack: () => Promise<void> },
  listening: Listening,
): Promise<void> {
  const { log } = listening.desk
  const press = pressOf(body)
  if (press === null) return ack()
  const pressing = take(press, listening).catch((err: unknown) => {
    log.error({ err, user: press.userId, channel: press.channel, action: press.actionId }, 'press not queued')
    return notTaken()
  })
  const notice = await within(ACK_BUDGET_MS, pressing, perhapsTaken())
  await ack()
  if (notice === null) return
  tell(listening, press, notice).catch((err: unknown) => log.warn({ err }, 'could not tell the one who pressed'))
}
