import { identity } from './identity.ts'
import { triggerId } from './slash-command.ts'

/** What was pressed: an element by its `action_id`, and the value of the button or of the chosen option. */
export interface Press {
  readonly actionId: string
  readonly value: string
}

/** Where: on a message, in the shape that Slack sends, or on the app's Home. */
export type Pressed =
  | { readonly message: object; readonly ts: string; readonly threadTs: string | null; readonly onlyYou: boolean }
  | { readonly home: readonly object[] }

interface Option {
  readonly text?: object
  readonly value?: string
}
interface Element extends Option {
  readonly type?: string
  readonly action_id?: string
  readonly options?: readonly Option[]
}
interface Block {
  readonly block_id?: string
  readonly elements?: readonly Element[]
  readonly accessory?: Element
}

/** The action of an element that the blocks have; null if they have none with that id and value. */
export function actionOf(blocks: readonly object[], { actionId, value }: Press): object | null {
  for (const [index, block] of (blocks as readonly Block[]).entries()) {
    for (const element of [...(block.elements ?? []), ...(block.accessory ? [block.accessory] : [])]) {
      if (element.action_id !== actionId) continue
      const { type, text } = element
      const action = { action_id: actionId, block_id: block.block_id ?? `b${index}`, type, action_ts: secondsNow() }
      if (type === 'button') {
        if ((element.value ?? '') === value) return { ...action, text, value }
        continue
      }
      const option = element.options?.find(each => each.value === value)
      if (option) return { ...action, selected_option: option }
    }
  }
  return null
}

/** The payload of a press. https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
export function pressPayload(pressed: Pressed, action: object, responseUrl: string): object {
  const { team, you, bot, channel } = identity
  const common = {
    type: 'block_actions',
    user: { id: you.id, username: you.name, name: you.name, team_id: team.id },
    api_app_id: bot.appId,
    token: 'unused',
    trigger_id: triggerId(),
    team,
    enterprise: null,
    is_enterprise_install: false,
    state: { values: {} },
    actions: [action],
  }
  if ('home' in pressed) {
    const view = { id: bot.homeId, team_id: team.id, bot_id: bot.id, type: 'home', blocks: pressed.home }
    return { ...common, container: { type: 'view', view_id: bot.homeId }, view }
  }
  const { message, ts, threadTs, onlyYou } = pressed
  return {
    ...common,
    container: {
      type: 'message',
      message_ts: ts,
      channel_id: channel.id,
      is_ephemeral: onlyYou,
      ...(threadTs && { thread_ts: threadTs }),
    },
    channel,
    ...(!onlyYou && { message }),
    response_url: responseUrl,
  }
}

/** The event of somebody who opens the Home. https://docs.slack.dev/reference/events/app_home_opened */
export function homeOpened(): object {
  const { team, you, bot } = identity
  const at = secondsNow()
  return {
    type: 'event_callback',
    token: 'unused',
    team_id: team.id,
    api_app_id: bot.appId,
    event_id: `Ev${triggerId()}`,
    event_time: Math.floor(Number(at)),
    event: { type: 'app_home_opened', user: you.id, channel: identity.directMessages.id, tab: 'home', event_ts: at },
  }
}

const secondsNow = (): string => (Date.now() / 1000).toFixed(6)
