import { start } from './cut.ts'
import { type Inline, visibleText } from './inline.ts'
import { escapeSlack } from './rich-text.ts'
import { answerBudget } from './slack-limits.ts'

/** The `text` of a message, for notifications and screen readers: plain, short, escaped. */
export const notification = (...line: readonly Inline[]): string => {
  const text = visibleText(line)
  const limit = answerBudget.notification
  return escapeSlack(text.length <= limit ? text : `${start(text, limit - 1)}…`)
}
