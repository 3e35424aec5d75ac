import type { IncomingMessage, ServerResponse } from 'node:http'

/** The body was longer than allowed. */
export class BodyTooLarge extends Error {
  override name = 'BodyTooLarge' as const
}

/** Reads a request's body; throws BodyTooLarge beyond `limit` bytes. */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw new BodyTooLarge(`The body of ${request.url} is longer than ${limit} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The same as UTF-8. */
export const readBody = async (request: IncomingMessage, limit: number): Promise<string> =>
  (await readBytes(request, limit)).toString('utf8')

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

/** Sends one line of plain text. */
export function sendLine(response: ServerResponse, status: number, line: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end(`${line}\n`)
}

/** The `content-type` without its parameters, in lower case. */
export function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** The address this request came in on: `http://127.0.0.1:3000`, whatever name the client used. */
export function ownOrigin(request: IncomingMessage): string {
  const { localAddress = '127.0.0.1', localPort } = request.socket
  const address = localAddress.replace(/^::ffff:/, '')
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`
}
