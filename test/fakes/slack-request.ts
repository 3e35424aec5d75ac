import { createHmac } from 'node:crypto'
import { SlackServer } from './slack-server.ts'

export const SIGNING_SECRET = 'a-signing-secret'

/** The payload of `/podwhy TEXT`, as Slack documents it. */
export function commandPayload(text: string, fields: Record<string, string> = {}): Record<string, string> {
  return {
    command: '/podwhy',
    text,
    team_id: SlackServer.teamId,
    team_domain: 'podwhy',
    channel_id: 'C1',
    channel_name: 'on-call',
    user_id: 'U1',
    user_name: 'ada',
    api_app_id: 'A1',
    is_enterprise_install: 'false',
    trigger_id: `${Date.now()}.${Math.random()}`,
    response_url: 'https://hooks.slack.com/commands/none',
    ...fields,
  }
}

/** The payload of a mention, as the Events API sends it. */
export function mentionPayload(text: string, event: object = {}, envelope: object = {}): object {
  const ts = '1714824000.000100'
  return {
    type: 'event_callback',
    team_id: SlackServer.teamId,
    api_app_id: 'A1',
    event_id: 'Ev1',
    event_time: 1714824000,
    is_ext_shared_channel: false,
    event: {
      ...{ type: 'app_mention', user: 'U1', team: SlackServer.teamId, channel: 'C1', ts, event_ts: ts },
      text: `<@${SlackServer.botUserId}> ${text}`,
      ...event,
    },
    ...envelope,
  }
}

/** The payload of a message in a channel where the bot is. Without other fields it is a person's. */
export function messagePayload(event: object, envelope: object = {}): object {
  const { event: mention, ...around } = mentionPayload('', {}, envelope) as { event: { channel: string; ts: string } }
  const { channel, ts } = mention
  return { ...around, event: { type: 'message', channel_type: 'channel', channel, ts, event_ts: ts, ...event } }
}

/** The payload of the message shortcut "Why?". */
export function shortcutPayload(message: object, fields: object = {}): object {
  return {
    ...{ type: 'message_action', callback_id: 'why', trigger_id: '1.2.3', message_ts: '1714824000.000100', token: 't' },
    ...{ action_ts: '1714824001.0', is_enterprise_install: false, enterprise: null },
    team: { id: SlackServer.teamId, domain: 'podwhy' },
    user: { id: 'U1', name: 'ada', team_id: SlackServer.teamId },
    channel: { id: 'C1', name: 'on-call' },
    message: { type: 'message', ts: '1714824000.000100', ...message },
    response_url: 'https://hooks.slack.com/actions/none',
    ...fields,
  }
}

/** What Slack posts: the body, and its content type. */
export const asForm = (payload: Record<string, string>): [string, string] => [
  new URLSearchParams(payload).toString(),
  'application/x-www-form-urlencoded',
]
export const asEvent = (payload: object): [string, string] => [JSON.stringify(payload), 'application/json']
export const asInteraction = (payload: object): [string, string] => asForm({ payload: JSON.stringify(payload) })

/** Posts to `url` as Slack does, signed. https://docs.slack.dev/authentication/verifying-requests-from-slack */
export async function postSigned(
  url: string,
  [body, contentType]: [string, string],
  { secret = SIGNING_SECRET, ageSeconds = 0, headers = {} as Record<string, string> } = {},
): Promise<{ status: number; body: string; ms: number }> {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds)
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
  const started = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': contentType,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature,
      ...headers,
    },
    body,
  })
  return { status: response.status, body: await response.text(), ms: performance.now() - started }
}
