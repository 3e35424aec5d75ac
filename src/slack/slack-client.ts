import { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import { boltLogger } from './bolt-logger.ts'

/** Slack's Web API twice: for what may happen only once, and for what may be repeated. */
export type SlackClient = {
  /** Posts: never retried, because a post whose connection was cut may have been accepted. */
  once: WebClient
  /** Reads and `chat.update`: three retries within about 2 s. */
  again: WebClient
}

export type SlackClientOptions = {
  /** Bot token, `xoxb-…`. */
  token: string
  /** Another Slack than slack.com, ending in `/api/`. */
  apiUrl?: string | undefined
  log: Logger
  /** For one request. Default 10 s. */
  timeoutMs?: number
}

/** A 429 is never waited for inside the process: it is thrown, so that the queue can delay the job. */
export function slackClient({ token, apiUrl, log, timeoutMs = 10_000 }: SlackClientOptions): SlackClient {
  const client = (retryConfig: { retries: number; factor?: number; minTimeout?: number }): WebClient =>
    new WebClient(token, {
      logger: boltLogger(log),
      timeout: timeoutMs,
      rejectRateLimitedCalls: true,
      retryConfig,
      ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
    })
  return { once: client({ retries: 0 }), again: client({ retries: 3, factor: 2, minTimeout: 250 }) }
}
