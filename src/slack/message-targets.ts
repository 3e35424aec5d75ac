import { linkTarget } from '../link-target.ts'
import type { Target } from '../queue/job.ts'
import type { Desk } from './ask.ts'
import { findTarget } from './find-target.ts'
import { targetText } from './question.ts'

/** A message that may be about a pod. */
type Message = { text?: string | undefined; attachments?: unknown }

/** The target that a link in the text names, as one would type it; null: none does. */
export function targetInLinks(text: string): string | null {
  for (const [, link = ''] of text.matchAll(/<?\b((?:https?|lens):[^\s|>]+)/g)) {
    const target = linkTarget(link.replaceAll('&amp;', '&'))
    if (target !== null) return target
  }
  return null
}

/**
 * What a message is about, in order: the alert it is, else the first target written in it or in its attachments, else
 * what a link of it shows. Null: nothing.
 */
export function messageTargets(
  message: Message,
  { alertOf, parseTarget }: Pick<Desk, 'alertOf' | 'parseTarget'>,
  channelId: string,
): { text: string; targets: readonly Target[] } | null {
  const alert = alertOf(message)
  const [alerted] = alert?.asked ?? []
  // A pod of that name here would be another one.
  if (!alerted && alert && alert.otherCluster > 0) return null
  if (alerted) return { text: targetText(alerted.targets[0]), targets: alerted.targets }
  const attachments = Array.isArray(message.attachments) ? message.attachments : []
  const texts = [message.text, ...attachments.map(each => each?.text ?? each?.fallback)].join('\n')
  const text = findTarget(texts, word => parseTarget(word, channelId)) ?? targetInLinks(texts)
  return text === null ? null : { text, targets: [parseTarget(text, channelId)] }
}
