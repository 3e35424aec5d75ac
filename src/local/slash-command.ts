import { createHmac, randomBytes } from 'node:crypto'
import { identity } from './identity.ts'

export interface SlashCommand {
  /** With its slash: `/podwhy`. */
  readonly command: string
  /** What follows the command. */
  readonly text: string
  readonly responseUrl: string
}

export interface Receiver {
  /** Where the app receives Slack's requests: `http://127.0.0.1:3001/slack/events`. */
  readonly eventsUrl: string
  readonly signingSecret: string
  /** How long to wait for a command's acknowledgement; Slack waits 3 s. */
  readonly acknowledgeWithinMs: number
}

/** The acknowledgement's body, to be shown to the one who asked; or why there was none, in Slack's words. */
export type Acknowledgement =
  | { readonly body: string; readonly json: boolean }
  | { readonly error: 'operation_timeout' | 'http_service_error' | 'http_client_error' }

/**
 * Sends a slash command as Slack does: form-encoded, signed with the v0 scheme.
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export async function sendCommand(
  { eventsUrl, signingSecret, acknowledgeWithinMs }: Receiver,
  asked: SlashCommand,
): Promise<Acknowledgement> {
  const body = new URLSearchParams({
    token: 'unused',
    team_id: identity.team.id,
    team_domain: identity.team.domain,
    channel_id: identity.channel.id,
    channel_name: identity.channel.name,
    user_id: identity.you.id,
    user_name: identity.you.name,
    command: asked.command,
    text: asked.text,
    api_app_id: identity.bot.appId,
    is_enterprise_install: 'false',
    response_url: asked.responseUrl,
    trigger_id: `${Date.now()}.${randomBytes(8).toString('hex')}`,
  }).toString()
  const at = Math.floor(Date.now() / 1000)
  try {
    const response = await fetch(eventsUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': String(at),
        'x-slack-signature': signature(signingSecret, at, body),
      },
      body,
      signal: AbortSignal.timeout(acknowledgeWithinMs),
    })
    const text = await response.text()
    if (!response.ok) return { error: 'http_service_error' }
    return { body: text, json: response.headers.get('content-type')?.includes('json') ?? false }
  } catch (error) {
    return { error: (error as Error).name === 'TimeoutError' ? 'operation_timeout' : 'http_client_error' }
  }
}

function signature(secret: string, at: number, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')}`
}
