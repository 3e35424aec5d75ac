import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { type Admission, bearsToken, sameSite } from './admission.ts'
import type { ChannelMessage } from './channel.ts'
import { openEventStream } from './event-stream.ts'
import { BodyTooLarge, mediaType, ownOrigin, readBody, sendJson, sendLine } from './exchange.ts'
import { identity } from './identity.ts'
import { type LocalSlack, type LocalSlackOptions, localSlack } from './local-slack.ts'
import { pageFiles } from './page-files.ts'
import { pageHeaders, pageHtml } from './page-html.ts'

/** A question that the page offers to ask. */
export interface Example {
  /** What the button says: `orders-api · Init:0/1`. */
  readonly label: string
  /** What it types: `/podwhy shop/orders-api-664c9d84c7-q84wv`. */
  readonly text: string
}

/** What the page says about itself. */
export interface About {
  /** Whom it asks: a demo made of recordings, or a real cluster by its name. */
  readonly cluster: { readonly name: string; readonly demo: boolean }
  readonly examples: readonly Example[]
}

export interface StationOptions extends LocalSlackOptions, About {
  /** Who opens the page must bring it (letters, digits, `-`, `_`); null: the page is open to everyone of this machine. */
  readonly accessToken: string | null
}

/** The first event of a stream; each later one is a `Change`. */
export interface Hello extends About {
  readonly command: string
  readonly channel: string
  readonly messages: readonly ChannelMessage[]
}

export interface Station {
  readonly slack: LocalSlack
  /** The paths served, for a server that routes by path; those that end in `/` are prefixes. */
  readonly paths: readonly string[]
  /** Answers a request for one of the paths; false: it is for another handler. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

const Ask = z.object({ text: z.string().trim().min(1).max(1000) })

/** The local channel as a request handler: the page, its live events, and the stand-in for Slack behind it. */
export function station(options: StationOptions): Station {
  const slack = localSlack(options)
  // Bundled once, and not before somebody looks.
  let files: ReturnType<typeof pageFiles> | undefined
  const builtFiles = () => {
    files ??= pageFiles()
    return files
  }

  const ask: Handler = async (request, response) => {
    if (mediaType(request) !== 'application/json')
      return sendLine(response, 415, 'Send application/json: {"text": "/podwhy NAMESPACE/POD"}.')
    const asked = Ask.safeParse(parseJson(await readBody(request, 16 << 10)))
    if (!asked.success) return sendLine(response, 400, 'Expected {"text": "/podwhy NAMESPACE/POD"}.')
    await slack.type(asked.data.text, ownOrigin(request))
    sendJson(response, 200, { ok: true })
  }
  const events: Handler = (request, response) => {
    const unsubscribe = slack.channel.subscribe(change => stream.send(change))
    const stream = openEventStream(request, response, unsubscribe)
    const { cluster, examples, command } = options
    stream.send({
      cluster,
      examples,
      command,
      channel: identity.channel.name,
      messages: slack.channel.messages(),
    } satisfies Hello)
  }
  const routes: Readonly<Record<string, Handler>> = {
    'GET /': (_request, response) => void response.writeHead(200, pageHeaders).end(pageHtml),
    'GET /local/page.js': async (_request, response) =>
      sendFile(response, 'text/javascript; charset=utf-8', (await builtFiles()).script),
    'GET /local/page.css': async (_request, response) =>
      sendFile(response, 'text/css; charset=utf-8', (await builtFiles()).style),
    'GET /local/events': events,
    'POST /local/command': ask,
  }

  const answer: Handler = async (request, response) => {
    const here = sameSite(request)
    if (!here.admitted) return sendRefusal(response, here)
    if (await slack.handle(request, response)) return
    const admission = bearsToken(request, options.accessToken)
    if (!admission.admitted) return sendRefusal(response, admission)
    if (admission.cookie) response.setHeader('set-cookie', admission.cookie)
    const route = routes[`${request.method === 'HEAD' ? 'GET' : request.method} ${pathOf(request)}`]
    if (!route) return sendLine(response, 404, `Nothing is served at ${request.method} ${pathOf(request)}.`)
    await route(request, response)
  }

  return {
    slack,
    paths,
    async handle(request, response) {
      const path = pathOf(request)
      if (!paths.some(served => path === served || (served !== '/' && served.endsWith('/') && path.startsWith(served))))
        return false
      try {
        await answer(request, response)
      } catch (error) {
        if (response.headersSent) response.destroy()
        else if (error instanceof BodyTooLarge) sendLine(response, 413, error.message)
        else if (error instanceof SyntaxError) sendLine(response, 400, 'The body is not the JSON it says it is.')
        else sendLine(response, 500, `The local channel failed: ${(error as Error).message}`)
      }
      return true
    },
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

const paths = ['/', '/local/'] as const

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0] ?? '/'

function sendRefusal(response: ServerResponse, refusal: Admission): void {
  if (!refusal.admitted) sendLine(response, refusal.status, refusal.line)
}

function sendFile(response: ServerResponse, type: string, content: string): void {
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
  response.end(content)
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
