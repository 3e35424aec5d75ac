import { createHash } from 'node:crypto'
import type { Message } from '../answer/block-kit.ts'

/** Used up, or too old: nothing more can be said through it. */
export class ResponseUrlSpent extends Error {
  override name = 'ResponseUrlSpent' as const
}

/** A store's `claim`: null when the key is now ours, else the value it has. */
export type Claims = { claim(key: string, value: string, ttlMs: number): Promise<string | null> }

/** Five uses within thirty minutes. https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
const USES = 5
const LIFETIME_MS = 30 * 60_000
const slackHosts = new Set(['hooks.slack.com', 'hooks.slack-gov.com'])

/** Only Slack, or the origin of the Slack that is configured, is ever written to. */
function checked(responseUrl: string, apiUrl: string | undefined): URL {
  const url = URL.parse(responseUrl)
  const isSlack = url?.protocol === 'https:' && slackHosts.has(url.hostname)
  const isConfigured = apiUrl !== undefined && url !== null && url.origin === new URL(apiUrl).origin
  if (url === null || !(isSlack || isConfigured))
    throw new Error(`not a response_url of Slack: ${url?.origin ?? 'no URL'}`)
  return url
}

/**
 * Shows a message to the one who asked, and to nobody else. Throws `ResponseUrlSpent` after five uses, counted across
 * processes, or when Slack says that the URL is used up or expired.
 */
export async function respond(
  responseUrl: string,
  message: Message,
  { store, apiUrl, timeoutMs = 5_000 }: { store: Claims; apiUrl?: string | undefined; timeoutMs?: number },
): Promise<void> {
  const url = checked(responseUrl, apiUrl)
  const id = createHash('sha256').update(responseUrl).digest('hex').slice(0, 32)
  let use = 0
  while (use < USES && (await store.claim(`response:${id}:${use}`, '1', LIFETIME_MS)) !== null) use++
  if (use === USES) throw new ResponseUrlSpent('the response_url was used five times')
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ response_type: 'ephemeral', replace_original: false, ...message }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const body = await response.text()
  if (response.status === 404 || /used_url|expired_url/.test(body)) {
    throw new ResponseUrlSpent(`Slack no longer takes the response_url (${response.status} ${body.slice(0, 100)})`)
  }
  if (!response.ok) throw new Error(`the response_url answered ${response.status} ${body.slice(0, 100)}`)
}
