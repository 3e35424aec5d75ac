import { type App, SocketModeReceiver, type SocketModeReceiverOptions } from '@slack/bolt'
import { within } from './within.ts'

/** Longer than Slack waits for an acknowledgement. */
export const STOP_GRACE_MS = 3_500

/**
 * Socket Mode that acknowledges when the listeners have ended without an error, not when they begin: what could not be
 * queued is not acknowledged, and Slack sends it again. The twin of the HTTP receiver's `processBeforeResponse`.
 */
export class AckAfterReceiver extends SocketModeReceiver {
  readonly #running = new Set<Promise<void>>()
  #isConnected = false

  constructor(options: SocketModeReceiverOptions) {
    super(options)
    this.client.on('connected', () => {
      this.#isConnected = true
    })
    this.client.on('close', () => {
      this.#isConnected = false
    })
  }

  /** Whether the WebSocket stands. */
  isConnected(): boolean {
    return this.#isConnected
  }

  override init(app: App): void {
    const after: App = Object.create(app)
    after.processEvent = event => {
      const running = this.#process(app, event)
      const settled = running.catch(() => {}).finally(() => this.#running.delete(settled))
      this.#running.add(settled)
      return running
    }
    super.init(after)
  }

  async #process(app: App, event: Parameters<App['processEvent']>[0]): Promise<void> {
    let acknowledge: (() => Promise<void>) | undefined
    await app.processEvent({
      ...event,
      ack: async response => {
        acknowledge = () => event.ack(response)
      },
    })
    await acknowledge?.()
  }

  /** Ends when what was being handled is acknowledged, which it is soon or never, and the connection is closed. */
  override async stop(): Promise<void> {
    await within(STOP_GRACE_MS, Promise.all(this.#running), null)
    // While it is reconnecting the client does not end on its own.
    await within(STOP_GRACE_MS, this.client.disconnect(), null)
  }
}
