import { createHmac } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LoopbackApp {
  readonly eventsUrl: string
  /** The commands that came, signature verified, oldest first. */
  readonly commands: readonly Readonly<Record<string, string>>[]
  /** The payloads of presses, and the Events API's requests, parsed, in the same way. */
  readonly interactions: readonly Payload[]
  readonly events: readonly Payload[]
  close(): Promise<void>
}

/** JSON that Slack sends. */
export type Payload = Readonly<Record<string, unknown>>

type OnCommand = (command: Readonly<Record<string, string>>, response: ServerResponse) => void
type OnPayload = (payload: Payload, response: ServerResponse) => void

/** An app's `/slack/events`, which checks Slack's v0 signature by itself and answers 401 to a wrong one. */
export async function loopbackApp(
  signingSecret: string,
  onCommand: OnCommand = (_command, response) => response.end(),
  onPayload: OnPayload = (_payload, response) => response.end(),
): Promise<LoopbackApp> {
  const commands: Record<string, string>[] = []
  const interactions: Payload[] = []
  const events: Payload[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const at = request.headers['x-slack-request-timestamp']
    const fresh = Math.abs(Date.now() / 1000 - Number(at)) < 300
    const expected = `v0=${createHmac('sha256', signingSecret).update(`v0:${at}:${body}`).digest('hex')}`
    if (request.url !== '/slack/events' || !fresh || request.headers['x-slack-signature'] !== expected) {
      response.writeHead(401).end()
      return
    }
    if (request.headers['content-type'] === 'application/json') {
      const event: Payload = JSON.parse(body)
      events.push(event)
      return onPayload(event, response)
    }
    const command = Object.fromEntries(new URLSearchParams(body))
    if (command['payload'] !== undefined) {
      const interaction: Payload = JSON.parse(command['payload'])
      interactions.push(interaction)
      return onPayload(interaction, response)
    }
    commands.push(command)
    onCommand(command, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    eventsUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`,
    commands,
    interactions,
    events,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
