/** Where an interactive element is pressed: on a message of a channel, on a whisper, or on a user's App Home. */
export type Pressed = {
  actionId: string
  user?: string
  /** Of a menu: the value of the option that is chosen; default the first. Of buttons of one id: the value. */
  value?: string
}

type Place =
  | { kind: 'message'; channel: string; ts: string; threadTs: string | null; text: string; blocks: unknown[] }
  | { kind: 'whisper'; channel: string; ts: string; threadTs: string | null }
  | { kind: 'home'; viewId: string; view: object }

type Around = { teamId: string; botId: string; enterpriseId: string | null; responseUrl: string; blocks: unknown[] }

type Element = {
  type: string
  action_id?: string
  value?: string
  text?: object
  options?: { text: object; value: string }[]
}
type Block = { type: string; block_id?: string; elements?: Element[]; accessory?: Element }

/** The action of Slack's payload, from the element that is shown there. Throws where none is. */
function actionOf(blocks: readonly Block[], { actionId, value }: Pressed): object {
  const shown = blocks.flatMap((block, index) =>
    [...(block.type === 'actions' ? (block.elements ?? []) : []), ...(block.accessory ? [block.accessory] : [])].map(
      element => ({ element, blockId: block.block_id ?? `b${index}` }),
    ),
  )
  const found = shown.find(
    ({ element: { action_id, type, value: own } }) =>
      action_id === actionId && (type !== 'button' || value === undefined || own === value),
  )
  if (found === undefined) {
    const ids = shown.map(({ element }) => element.action_id).join(', ') || 'nothing'
    throw new Error(`no element ${actionId}${value === undefined ? '' : ` of value ${value}`} to press, but ${ids}`)
  }
  const { element, blockId } = found
  const base = { action_id: actionId, block_id: blockId, type: element.type, action_ts: `${Date.now() / 1000}` }
  if (element.type === 'button')
    return { ...base, text: element.text, ...(element.value === undefined ? {} : { value: element.value }) }
  const option = element.options?.find(each => value === undefined || each.value === value)
  if (option === undefined) throw new Error(`${actionId} has no option ${value}`)
  return { ...base, selected_option: option }
}

/** The `block_actions` payload. https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
export function pressPayload(place: Place, pressed: Pressed, around: Around): object {
  const { user = 'U1' } = pressed
  const { teamId, botId, enterpriseId, responseUrl } = around
  const common = {
    type: 'block_actions',
    user: { id: user, username: 'ada', name: 'ada', team_id: teamId },
    ...{ api_app_id: 'A1', token: 't', trigger_id: `${Date.now()}.${Math.random()}` },
    team: { id: teamId, domain: 'podwhy' },
    enterprise: enterpriseId === null ? null : { id: enterpriseId, name: 'grid' },
    ...{ is_enterprise_install: false, state: { values: {} } },
    actions: [actionOf(around.blocks as Block[], pressed)],
  }
  if (place.kind === 'home') {
    const view = { ...place.view, id: place.viewId, team_id: teamId, bot_id: botId }
    return { ...common, container: { type: 'view', view_id: place.viewId }, view }
  }
  const { channel, ts, threadTs } = place
  const thread = threadTs === null ? {} : { thread_ts: threadTs }
  return {
    ...common,
    container: {
      ...{ type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: place.kind === 'whisper', ...thread },
    },
    channel: { id: channel, name: 'on-call' },
    ...(place.kind === 'message'
      ? {
          message: {
            ...{ type: 'message', user: 'U0PODWHY', bot_id: botId, app_id: 'A1', team: teamId, ts, ...thread },
            ...{ text: place.text, blocks: place.blocks },
          },
        }
      : {}),
    response_url: responseUrl,
  }
}

/** The event of a user who opens the app's Home. https://docs.slack.dev/reference/events/app_home_opened */
export function homeOpenedPayload(teamId: string, user: string, tab: 'home' | 'messages' = 'home'): object {
  const at = Date.now() / 1000
  return {
    ...{ type: 'event_callback', team_id: teamId, api_app_id: 'A1', event_id: `Ev${at}`, event_time: Math.floor(at) },
    event: { type: 'app_home_opened', user, channel: `D${user}`, tab, event_ts: at.toFixed(6) },
  }
}
