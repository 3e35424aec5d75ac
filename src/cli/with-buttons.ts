import type { ActionsBlock, Message } from '../answer/block-kit.ts'
import { answerButtons } from '../answer/buttons.ts'
import { targetText } from '../slack/question.ts'
import type { AnswerRecord } from './answer-records.ts'

/** The buttons under an answer. `mute`: null where no incident is behind it. */
export const buttonsUnder = (
  { about, commands }: Pick<AnswerRecord, 'about' | 'commands'>,
  mute: null | 'mute' | 'unmute',
): ActionsBlock => answerButtons({ ...about, target: targetText(about.target), commands, mute })

/** The first message of an answer with its buttons. */
export const withButtons = (record: AnswerRecord, mute: null | 'mute' | 'unmute' = null): Message => ({
  text: record.root.text,
  blocks: [...record.root.blocks, buttonsUnder(record, mute)],
})
