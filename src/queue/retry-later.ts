/**
 * Thrown by a handler that knows when to try again (Slack's 429 with its Retry-After): the job is delayed by `delayMs`
 * without using up one of its attempts.
 */
export class RetryLater extends Error {
  override readonly name = 'RetryLater' as const
  readonly delayMs: number

  constructor(delayMs: number, options?: ErrorOptions) {
    super(`to be tried again in ${delayMs} ms`, options)
    this.delayMs = delayMs
  }
}
