import { inlineElements } from '../answer/message-text.ts'
import type { Shown } from '../fakes/slack-server.ts'
import { run } from './kubectl.ts'
import { asMessage } from './thread-text.ts'

const COMMAND_MS = 30_000
/** Long enough for a refusal to arrive. */
const ENDLESS_MS = 3_000

/** The kubectl commands of a thread, as they stand there to be copied. */
export const commandsOf = (root: Shown): string[] =>
  root.thread
    .flatMap(message => inlineElements(asMessage(message)))
    .flatMap(element => (element.type === 'text' && element.text.startsWith('kubectl ') ? [element.text] : []))

/** Whether a command only reads. */
export const isReadOnly = (command: string): boolean =>
  / (?:get|describe|logs|events|top|rollout (?:status|history)|auth can-i|explain)\b/.test(command)

/** Runs a command in a shell as it is printed; gives what was wrong. One that waits for something is ended after a while. */
export const troubleWith = async (command: string): Promise<string[]> => {
  const isEndless = / (?:-f|-w|--follow|--watch|rollout status)\b/.test(command)
  const { status, err } = await run('sh', ['-c', `exec ${command}`], {
    deadlineMs: isEndless ? ENDLESS_MS : COMMAND_MS,
  })
  return status === 0 || (isEndless && status === null) ? [] : [`${command}: ${status ?? 'not over'}: ${err.trim()}`]
}
