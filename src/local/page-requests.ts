import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { structured } from './arguments.ts'
import { mediaType, ownOrigin, readBody, sendJson, sendLine } from './exchange.ts'
import type { LocalSlack } from './local-slack.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** `ts` null: on the Home. */
const Press = z.object({
  ts: z.string().max(30).nullable(),
  actionId: z.string().max(255),
  value: z.string().max(2000),
})
const Ask = z.object({ text: z.string().trim().min(1).max(1000) })

/** What the page sends, by method and path. */
export function pageRequests(slack: LocalSlack): Readonly<Record<string, Handler>> {
  /** A handler for JSON of one shape; another page's form cannot send such a body. */
  const taking =
    <Body>(
      schema: z.ZodType<Body>,
      example: string,
      take: (body: Body, origin: string) => Promise<string | null>,
    ): Handler =>
    async (request, response) => {
      if (mediaType(request) !== 'application/json')
        return sendLine(response, 415, `Send application/json: ${example}.`)
      const given = schema.safeParse(structured(await readBody(request, 16 << 10)))
      if (!given.success) return sendLine(response, 400, `Expected ${example}.`)
      const problem = await take(given.data, ownOrigin(request))
      if (problem === null) sendJson(response, 200, { ok: true })
      else sendLine(response, 409, problem)
    }
  return {
    'POST /local/command': taking(Ask, '{"text": "/podwhy NAMESPACE/POD"}', async ({ text }, origin) => {
      await slack.type(text, origin)
      return null
    }),
    'POST /local/press': taking(Press, '{"ts": "…", "actionId": "…", "value": "…"}', ({ ts, ...press }, origin) =>
      slack.press(ts, press, origin),
    ),
    'POST /local/home': taking(z.object({}), '{}', async () => {
      await slack.openHome()
      return null
    }),
  }
}

/** Sends a shared file as text and nothing else, whatever it says; 404 where there is none of that id. */
export function sendSharedFile(slack: LocalSlack, id: string, response: ServerResponse): void {
  const found = slack.files.read(id)
  if (!found) {
    sendLine(response, 404, 'There is no such file; the local channel forgets files when it stops.')
    return
  }
  const name = encodeURIComponent(found.file.name).replace(/['()*]/g, escape)
  response.writeHead(200, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': found.content.length,
    'content-disposition': `inline; filename*=UTF-8''${name}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  response.end(found.content)
}
