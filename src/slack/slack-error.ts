import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api'

/** Slack asks to wait; nothing was done. */
export class RateLimited extends Error {
  override name = 'RateLimited' as const
  readonly retryAfterMs: number
  constructor(retryAfterMs: number, options?: ErrorOptions) {
    super(`Slack asks to wait ${Math.ceil(retryAfterMs / 1000)} s (429)`, options)
    this.retryAfterMs = retryAfterMs
  }
}

/** The bot cannot write there: not a member, no such channel for it, or archived. */
export class NotInChannel extends Error {
  override name = 'NotInChannel' as const
  readonly channel: string
  /** Slack's error code. */
  readonly reason: string
  constructor(channel: string, reason: string, options?: ErrorOptions) {
    super(`podwhy cannot write to channel ${channel} (${reason}): /invite @podwhy there`, options)
    this.channel = channel
    this.reason = reason
  }
}

/** The message to edit, or to reply to, was deleted in Slack. */
export class MessageGone extends Error {
  override name = 'MessageGone' as const
}

const outside = new Set(['not_in_channel', 'channel_not_found', 'is_archived'])
const gone = new Set(['message_not_found', 'thread_not_found'])
const limited = new Set(['ratelimited', 'rate_limited'])

/** After these, Slack's reference says, some of the work may have been done. */
const unsure = new Set(['fatal_error', 'internal_error', 'service_unavailable', 'request_timeout'])

/** Slack's error code, where Slack answered with one: web-api takes what a proxy answers for a code as well. */
export function slackErrorCode(error: unknown): string | null {
  if (!(error instanceof WebAPIPlatformError)) return null
  return /^[a-z0-9_]+$/.test(String(error.data.error)) ? error.data.error : null
}

/** Whether Slack certainly did nothing. A cut connection, a timeout or a 5xx leaves that open. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof WebAPIRateLimitedError) return true
  if (error instanceof WebAPIHTTPError) return error.statusCode < 500
  const code = slackErrorCode(error)
  return code !== null && !unsure.has(code)
}

/** The typed error for what went wrong on `channel`, or the error itself. */
export function toSlackError(error: unknown, channel: string): unknown {
  if (error instanceof WebAPIRateLimitedError) return new RateLimited(error.retryAfter * 1000, { cause: error })
  const code = slackErrorCode(error)
  if (code === null) return error
  if (limited.has(code)) return new RateLimited(1000, { cause: error })
  if (outside.has(code)) return new NotInChannel(channel, code, { cause: error })
  if (gone.has(code)) return new MessageGone(`the message in ${channel} was deleted`, { cause: error })
  return error
}
