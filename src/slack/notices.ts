import type { Message } from '../answer/block-kit.ts'
import { sentence } from '../answer/inline.ts'
import { refused, usageHint } from '../answer/notices.ts'
import { notification } from '../answer/notification.ts'
import { richTextBlock, section } from '../answer/rich-text.ts'

/** What was typed, in code style and short enough to repeat. */
function asTyped(command: string, typed: string): string {
  const line = `${command} ${typed}`.replace(/`/g, "'").replace(/\s+/g, ' ').trim()
  return `\`${line.length > 120 ? `${line.slice(0, 119).toWellFormed()}…` : line}\``
}

function notice(text: string): Message {
  const line = [...sentence(text)]
  return { text: notification(...line), blocks: [richTextBlock(section(line))] }
}

/** What can be asked. `problem`: what was wrong with what was typed, a sentence; null: nothing, help was asked for. */
export function usageNotice(command: string, typed: string, problem: string | null): Message {
  return usageHint(
    problem === null
      ? 'podwhy says why a pod is not healthy.'
      : `${asTyped(command, typed)}: ${problem.replace(/[^.!?]$/, '$&.')}`,
  )
}

/** A namespace outside `PODWHY_NAMESPACES`. */
export function namespaceRefusal(namespace: string): Message {
  const name = namespace.replace(/`/g, "'").slice(0, 80)
  return refused(`Namespace \`${name}\` is not among those that may be asked about (\`PODWHY_NAMESPACES\`).`)
}

/** Somebody of another workspace asked. */
export function strangerRefusal(): Message {
  return refused('I answer only members of the workspace I am installed in.')
}

/** The channel is shared with another organisation, which would read the answer too. */
export function sharedChannelRefusal(): Message {
  return refused(
    'This channel is shared with another organisation, which would read the logs too. Ask in an internal one.',
  )
}

/** The queue did not take the question, and will not run it later. */
export function unavailableNotice(command: string, typed: string): Message {
  return notice(
    `Sorry, I cannot take questions right now: my queue does not answer. Please ask ${asTyped(command, typed)} again in a minute.`,
  )
}

/** Whether the question was queued is not known. */
export function slowNotice(command: string, typed: string): Message {
  return notice(
    `My queue is slow right now. If no answer appears within a minute, please ask ${asTyped(command, typed)} again.`,
  )
}

/** No target in the message that the shortcut was used on. */
export function noTargetNotice(command: string): Message {
  return notice(`I found no pod in this message. Ask for one with \`${command} NAMESPACE/POD\`.`)
}
