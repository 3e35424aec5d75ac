import type { ActionsBlock, ButtonElement, Option, OverflowElement } from './block-kit.ts'
import { cutMiddle, start } from './cut.ts'
import { isShowable } from './details.ts'
import { plain, visibleText } from './inline.ts'
import { slackLimits } from './slack-limits.ts'

/** The answer that buttons stand under. */
export interface ButtonsOf {
  /** Id of the question it answers. */
  readonly question: string
  /** Its pod, or the owner where there is none, as one types it. */
  readonly target: string
  /** The pod's; null: there is none. */
  readonly uid: string | null
  /** The container to blame; null: none. */
  readonly container: string | null
  /** Whether that container has a run before the one that is explained. */
  readonly hasEarlier: boolean
  readonly isHealthy: boolean
  /** Whether it has written a log that can be read. */
  readonly hasLog: boolean
  readonly commands: readonly { readonly purpose: string; readonly command: string; readonly changes: boolean }[]
  /** Null: no incident is behind it. */
  readonly mute: null | 'mute' | 'unmute'
}

const { actions } = slackLimits

const shown = (text: string) => ({
  type: 'plain_text' as const,
  text: cutMiddle(visibleText([plain(text)]), actions.text),
})

/** A command's purpose, of which the beginning says most; with a word where it changes the cluster. */
const optionText = (purpose: string, changes: boolean): string => {
  const mark = changes ? ' – changes the cluster' : ''
  const text = visibleText([plain(purpose.replaceAll('`', ''))])
  const room = actions.text - mark.length
  return `${text.length > room ? `${start(text, room - 1)}…` : text}${mark}`
}

/** The first five commands that can be shown; `i` is the command's place among all. */
const overflow = ({ question, commands }: ButtonsOf): OverflowElement[] => {
  const options = commands
    .map((command, i) => ({ ...command, value: JSON.stringify({ q: question, i }) }))
    .filter(({ purpose, command }) => purpose !== '' && isShowable(command))
    .slice(0, actions.overflowOptions)
    .map(({ purpose, changes, value }): Option => ({ text: shown(optionText(purpose, changes)), value }))
  return options.length === 0 ? [] : [{ type: 'overflow', action_id: 'podwhy_commands', options }]
}

/** What can be done about an answer, under its first message. Each button carries what it is about. */
export const answerButtons = (about: ButtonsOf): ActionsBlock => {
  const { question, target, uid, container, hasLog, hasEarlier, isHealthy, mute } = about
  const value = JSON.stringify({ t: target, q: question, u: uid, c: container })
  const button = (action: string, text: string, isThere = true): ButtonElement[] =>
    isThere && value.length <= actions.buttonValue
      ? [{ type: 'button', action_id: `podwhy_${action}`, text: shown(text), value }]
      : []
  const isAboutContainer = container !== null && uid !== null && !isHealthy
  return {
    type: 'actions',
    elements: [
      ...button('refresh', 'Refresh'),
      ...button('log', 'Full log', isAboutContainer && hasLog),
      ...button('earlier', 'Earlier instance', isAboutContainer && hasEarlier),
      ...button('events', 'Events'),
      ...button('describe', 'Describe'),
      ...button('mute', 'Mute 1 h', mute === 'mute' && !isHealthy),
      ...button('unmute', 'Unmute', mute === 'unmute'),
      ...(isHealthy ? [] : overflow(about)),
    ],
  }
}
