import type { Message } from './block-kit.ts'
import { cutLine } from './cut.ts'
import { isShowable } from './details.ts'
import { code, type Inline, plain, sentence, title } from './inline.ts'
import { notice } from './notices.ts'
import { notification } from './notification.ts'
import { preformatted, richTextBlock, section } from './rich-text.ts'
import { answerBudget } from './slack-limits.ts'

// What the one who pressed a button is told, and nobody else. `ask` is what to type, with the command in front.

/** The same was pressed within the last minute. */
export const onItsWay = (): Message =>
  notice(plain('That is already on its way, or has just come. Press again in a minute for a fresh look.'))

/** A value that this version does not write. */
export const foreignButton = (ask: string): Message =>
  notice(plain('This button is of another version of podwhy. Ask again with '), code(ask), plain('.'))

/** What buttons need of their answer is not remembered any more. */
export const tooOld = (ask: string): Message =>
  notice(plain('This answer is too old for its buttons; ask again with '), code(ask), plain('.'))

/** The pod of the answer is no more. `successor`: the pod of the same owner to look at now; null: none is there. */
export const podIsGone = (gone: { pod: string; successor: string | null; ask: string }): Message => {
  const next: Inline[] =
    gone.successor === null
      ? [plain('; ask again with ')]
      : [plain('; its successor is '), code(gone.successor), plain(': ')]
  return notice(
    plain('These buttons are about pod '),
    code(gone.pod),
    plain(', which is gone'),
    ...next,
    code(gone.ask),
  )
}

/** The answer was made anew about another pod than the one whose button was pressed. `ask`: about the former. */
export const aboutAnother = ({ now, ask }: { now: string; ask: string }): Message =>
  notice(
    plain('This answer has meanwhile become one about '),
    code(now),
    plain('; press again for that, or ask with '),
    code(ask),
    plain('.'),
  )

/** There is no incident behind the answer. */
export const nothingToMute = (): Message =>
  notice(plain('There is no alert behind this answer that could be muted, or not any more.'))

/** The queue did not take what was pressed, and will not do it later. */
export const notTaken = (): Message =>
  notice(plain('Sorry, I cannot do that right now: my queue does not answer. Please press again in a minute.'))

/** Whether it was queued is not known. */
export const perhapsTaken = (): Message =>
  notice(plain('My queue is slow right now. If nothing comes within a minute, please press again.'))

/** Slack lets no file be uploaded. */
export const noFiles = (scope: string): Message =>
  notice(
    plain('I may not upload files here: the app lacks the scope '),
    code(scope),
    plain('. Add it on the app’s page "OAuth & Permissions" and install the app again.'),
  )

/** A command alone, so that it can be copied whole. */
export const commandAlone = ({ purpose, command }: { purpose: string; command: string }): Message => {
  const line = cutLine(sentence(purpose), answerBudget.listItem)
  if (!isShowable(command) || command === '' || command.length > answerBudget.command)
    return notice(plain('This command cannot be shown here; '), code('podwhy explain'), plain(' prints it.'))
  return { text: notification(...line), blocks: [richTextBlock(section(title(line)), preformatted(command))] }
}
