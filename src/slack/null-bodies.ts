import type { IncomingMessage, ServerResponse } from 'node:http'
import { HTTPModuleFunctions, type HTTPReceiver } from '@slack/bolt'
import type { Logger } from 'pino'

const { bufferIncomingMessage, isRawBodyError, parseHTTPRequestBody } = HTTPModuleFunctions

function isNull(body: Parameters<typeof parseHTTPRequestBody>[0]): boolean {
  try {
    return parseHTTPRequestBody(body) === null
  } catch {
    return false // Bolt refuses it
  }
}

/**
 * Answers 400 to a body of JSON `null`, which Bolt takes for an object outside of its own error handling: the rejection
 * would end the process. Only requests to `path` are read; bodies over the limit are answered 413.
 */
export function refuseNullBodies(
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
      if (isNull(buffered)) refuse(response, 400, 'its body is null')
      else listener(buffered as IncomingMessage, response)
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
