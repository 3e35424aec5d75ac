import type { ActionsBlock, Message, Option } from './block-kit.ts'
import { cutMiddle } from './cut.ts'
import { plain } from './inline.ts'
import { unanswerable } from './notices.ts'
import { printable } from './printable.ts'
import { richTextBlock, section } from './rich-text.ts'
import { slackLimits } from './slack-limits.ts'

/** Something that can be asked about at a click. */
export interface Choice {
  /** What the menu shows. */
  readonly label: string
  /** The target as one types it. */
  readonly target: string
}

/** `action_id` of a menu of targets; several buttons of one block have `-0`, `-1` … behind it. */
const actionId = 'podwhy_choose'
/** More than these are a menu instead of buttons. */
const maxButtons = 5

const payload = ({ target }: Choice): string => JSON.stringify({ t: target })
const shown = (label: string) => ({
  type: 'plain_text' as const,
  text: cutMiddle(printable(label), slackLimits.actions.text),
})

const select = (choices: readonly Choice[], placeholder: string): ActionsBlock => ({
  type: 'actions',
  elements: [
    {
      type: 'static_select',
      action_id: actionId,
      placeholder: shown(placeholder),
      options: choices.map((choice): Option => ({ text: shown(choice.label), value: payload(choice) })),
    },
  ],
})

/** A menu, and how many choices are not in it. */
export interface Menu {
  /** Null: nothing fits. */
  readonly block: ActionsBlock | null
  readonly omitted: number
}

/**
 * Choices as a menu, in order, as many as fit: Slack allows 100 of at most 150 characters, and `room` is what may be used of
 * a message's JSON.
 */
export const menuOf = (choices: readonly Choice[], placeholder: string, room: number): Menu => {
  const { optionValue, selectOptions } = slackLimits.actions
  const fitting = choices.filter(choice => payload(choice).length <= optionValue).slice(0, selectOptions)
  let count = 0
  let size = JSON.stringify(select([], placeholder)).length
  for (const choice of fitting) {
    size += JSON.stringify({ text: shown(choice.label), value: payload(choice) }).length + 1
    if (size > room) break
    count++
  }
  return {
    block: count === 0 ? null : select(fitting.slice(0, count), placeholder),
    omitted: choices.length - count,
  }
}

const buttons = (choices: readonly Choice[]): ActionsBlock => ({
  type: 'actions',
  elements: choices.map((choice, index) => ({
    type: 'button',
    action_id: `${actionId}-${index}`,
    text: shown(choice.label),
    value: payload(choice),
  })),
})

/**
 * Asks back which of several targets is meant, or offers those that may have been. `why`: one line without markup, as
 * `unanswerable` takes it. Up to five choices are buttons, more are a menu; without any it is the notice alone.
 */
export const choice = (why: string, choices: readonly Choice[]): Message => {
  const { text, blocks } = unanswerable(why)
  const room = slackLimits.blocksJson - JSON.stringify(blocks).length - 200
  const clickable = choices.filter(each => payload(each).length <= slackLimits.actions.buttonValue)
  const { block, omitted } =
    choices.length <= maxButtons
      ? { block: clickable.length === 0 ? null : buttons(clickable), omitted: choices.length - clickable.length }
      : menuOf(choices, 'Choose one …', room)
  const note = omitted === 0 ? [] : [richTextBlock(section([plain(`${omitted} more: name one in full.`)]))]
  return { text, blocks: [...blocks, ...(block === null ? [] : [block]), ...note] }
}
