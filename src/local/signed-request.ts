import { createHmac } from 'node:crypto'

export interface Receiver {
  /** Where the app receives Slack's requests: `http://127.0.0.1:3001/slack/events`. */
  readonly eventsUrl: string
  readonly signingSecret: string
  /** How long to wait for an acknowledgement; Slack waits 3 s. */
  readonly acknowledgeWithinMs: number
}

/** The acknowledgement's body; or why there was none, in Slack's words. */
export type Acknowledgement =
  | { readonly body: string; readonly json: boolean }
  | { readonly error: 'operation_timeout' | 'http_service_error' | 'http_client_error' }

/**
 * Sends what Slack sends, signed with the v0 scheme: a form, or an event as JSON.
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export async function sendSigned(
  { eventsUrl, signingSecret, acknowledgeWithinMs }: Receiver,
  content: { readonly form: Readonly<Record<string, string>> } | { readonly json: object },
): Promise<Acknowledgement> {
  const [contentType, body] =
    'form' in content
      ? ['application/x-www-form-urlencoded', new URLSearchParams(content.form).toString()]
      : ['application/json', JSON.stringify(content.json)]
  const at = Math.floor(Date.now() / 1000)
  try {
    const response = await fetch(eventsUrl, {
      method: 'POST',
      headers: {
        'content-type': contentType,
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
