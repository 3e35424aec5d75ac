import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Admission, bearsToken, sameSite } from './admission.ts'
import type { ChannelMessage } from './channel.ts'
import { openEventStream } from './event-stream.ts'
import { BodyTooLarge, sendLine } from './exchange.ts'
import { identity } from './identity.ts'
import { type LocalSlack, type LocalSlackOptions, localSlack } from './local-slack.ts'
import { pageFiles } from './page-files.ts'
import { pageHeaders, pageHtml } from './page-html.ts'
import { pageRequests, sendSharedFile } from './page-requests.ts'

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

/** The first event of a stream; each later one is a `Change` or a `HomeChange`. */
export interface Hello extends About {
  readonly command: string
  readonly channel: string
  readonly messages: readonly ChannelMessage[]
  /** The app's Home; null: nothing was published yet. */
  readonly home: readonly object[] | null
}

/** The Home was published anew. */
export interface HomeChange {
  readonly home: readonly object[]
}

export interface Station {
  readonly slack: LocalSlack
  /** The paths served, for a server that routes by path; those that end in `/` are prefixes. */
  readonly paths: readonly string[]
  /** Answers a request for one of the paths; false: it is for another handler. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

/** The local channel as a request handler: the page, its live events, and the stand-in for Slack behind it. */
export function station(options: StationOptions): Station {
  const slack = localSlack(options)
  // Bundled once, and not before somebody looks.
  let files: ReturnType<typeof pageFiles> | undefined
  const builtFiles = () => {
    files ??= pageFiles()
    return files
  }

  const events: Handler = (request, response) => {
    const subscriptions = [
      slack.channel.subscribe(change => stream.send(change)),
      slack.home.subscribe(home => stream.send({ home } satisfies HomeChange)),
    ]
    const stream = openEventStream(request, response, () => {
      for (const unsubscribe of subscriptions) unsubscribe()
    })
    const { cluster, examples, command } = options
    stream.send({
      cluster,
      examples,
      command,
      channel: identity.channel.name,
      messages: slack.channel.messages(),
      home: slack.home.blocks(),
    } satisfies Hello)
  }
  const routes: Readonly<Record<string, Handler>> = {
    'GET /': (_request, response) => void response.writeHead(200, pageHeaders).end(pageHtml),
    'GET /local/page.js': async (_request, response) =>
      sendFile(response, 'text/javascript; charset=utf-8', (await builtFiles()).script),
    'GET /local/page.css': async (_request, response) =>
      sendFile(response, 'text/css; charset=utf-8', (await builtFiles()).style),
    'GET /local/events': events,
    ...pageRequests(slack),
  }

  const answer: Handler = async (request, response) => {
    const here = sameSite(request)
    if (!here.admitted) return sendRefusal(response, here)
    if (await slack.handle(request, response)) return
    const admission = bearsToken(request, options.accessToken)
    if (!admission.admitted) return sendRefusal(response, admission)
    if (admission.cookie) response.setHeader('set-cookie', admission.cookie)
    const path = pathOf(request)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    if (method === 'GET' && path.startsWith(filesPath))
      return sendSharedFile(slack, path.slice(filesPath.length), response)
    const route = routes[`${method} ${path}`]
    if (!route) return sendLine(response, 404, `Nothing is served at ${request.method} ${path}.`)
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
/** Followed by a file's id. */
const filesPath = '/local/files/'

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0] ?? '/'

function sendRefusal(response: ServerResponse, refusal: Admission): void {
  if (!refusal.admitted) sendLine(response, refusal.status, refusal.line)
}

function sendFile(response: ServerResponse, type: string, content: string): void {
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
  response.end(content)
}
