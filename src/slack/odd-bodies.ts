import type { IncomingMessage, ServerResponse } from 'node:http'
import { HTTPModuleFunctions, type HTTPReceiver } from '@slack/bolt'
import type { Logger } from 'pino'

const { bufferIncomingMessage, isRawBodyError, parseHTTPRequestBody } = HTTPModuleFunctions

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether Bolt can look into it: an object, and in it, where there is one, an event that is an object. */
function isSound(body: Parameters<typeof parseHTTPRequestBody>[0]): boolean {
  try {
    const parsed: unknown = parseHTTPRequestBody(body)
    if (!isObject(parsed)) return false
    const { type, event }: { type?: unknown; event?: unknown } = Object(parsed)
    return isObject(event) || (event === undefined && type !== 'event_callback')
  } catch {
    return true // Bolt refuses it
  }
}

/**
 * Answers 400, and logs one line, to a body that is no object of Slack's: `null` Bolt takes for one outside of its own error
 * handling, so that the rejection would end the process; with others it waits 3 s, or fails with a stack. Only requests to
 * `path` are read; bodies over the limit are answered 413.
 */
export function refuseOddBodies(
  receiver: HTTPReceiver,
  { path, limitBytes, log }: { path: string; limitBytes: number; log: Logger },
): void {
  const listener = receiver.requestListener
  const refuse = (response: ServerResponse, status: number, reason: string): void => {
    log.warn({ status, reason }, `a request to ${path} was refused`)
    response.writeHead(status, { connection: 'close' }).end()
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const buffered = await bufferIncomingMessage(request, limitBytes)
      if (isSound(buffered)) listener(buffered as IncomingMessage, response)
      else refuse(response, 400, 'its body is none of Slack’s')
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      refuse(response, isRawBodyError(error) ? error.statusCode : 400, reason)
    }
  }
  receiver.requestListener = (request, response) => {
    const isRead = request.method === 'POST' && URL.parse(request.url ?? '', 'http://localhost')?.pathname === path
    if (isRead) void handle(request, response)
    else listener(request, response)
  }
}
