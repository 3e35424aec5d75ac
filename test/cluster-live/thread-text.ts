import type { Message } from '../../src/answer/block-kit.ts'
import { messageText } from '../answer/message-text.ts'
import type { Shown } from '../fakes/slack-server.ts'

/** A message that arrived in Slack, with podwhy's own types of blocks. */
export const asMessage = ({ text, blocks }: Shown): Message => ({ text, blocks: blocks as Message['blocks'] })

/** What a reader sees of a message that arrived in Slack. */
export const shownText = (message: Shown): string => messageText(asMessage(message))

/** What a reader sees of a message and all of its thread. */
export const threadText = (root: Shown): string => [root, ...root.thread].map(shownText).join('\n\n')

/** Whether a text has one of the alternatives of `a / b`, whatever their case. */
export const mentions = (text: string, wanted: string): boolean =>
  wanted.split(' / ').some(either => text.toLowerCase().includes(either.toLowerCase()))
