import type { IncomingMessage, ServerResponse } from 'node:http'
import { sameText } from './admission.ts'
import { type Channel, type ChannelOptions, openChannel } from './channel.ts'
import { mediaType, ownOrigin, readBody, sendJson, sendLine } from './exchange.ts'
import { responseUrls, showReply } from './response-urls.ts'
import { sendCommand } from './slash-command.ts'
import { type Arguments, callMethod } from './web-api.ts'

export interface LocalSlackOptions extends ChannelOptions {
  /** The app's signing secret: commands are signed with it. */
  readonly signingSecret: string
  /** The only bearer token that the Web API accepts. */
  readonly botToken: string
  /** Where the app receives Slack's requests; null while it does not yet. */
  readonly eventsUrl: () => string | null
  /** How long a command may take to be acknowledged; default 3 s, as with Slack. */
  readonly acknowledgeWithinMs?: number
  /** The app's slash command, with its slash. */
  readonly command: string
}

/** A stand-in for Slack: one channel, its Web API, and somebody who types commands into it. */
export interface LocalSlack {
  readonly channel: Channel
  /** Serves the Web API under `/local/api/` and response URLs under `/local/respond/`; false: some other path. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** Does what Slack does with a line typed into the channel. `origin`: where response URLs are served. */
  type(line: string, origin: string): Promise<void>
}

export const webApiPath = '/local/api/'
const responsePath = '/local/respond/'

/** Slack takes 40,000 characters of text and 50 blocks; that as JSON in a form, escaped. */
const bodyLimit = 4 << 20

export function localSlack(options: LocalSlackOptions): LocalSlack {
  const channel = openChannel(options)
  const responses = responseUrls(channel, options.now)

  const answerMethod = async (request: IncomingMessage, response: ServerResponse, name: string) => {
    const bearer = request.headers.authorization?.replace(/^Bearer /i, '')
    if (!bearer) return sendJson(response, 200, { ok: false, error: 'not_authed' })
    if (!sameText(bearer, options.botToken)) return sendJson(response, 200, { ok: false, error: 'invalid_auth' })
    const given = parseArguments(request, await readBody(request, bodyLimit))
    sendJson(response, 200, callMethod(channel, name, given, ownOrigin(request)))
  }
  const answerResponseUrl = async (request: IncomingMessage, response: ServerResponse, id: string) => {
    const error = responses.take(id, await readBody(request, bodyLimit))
    if (error) sendLine(response, error === 'invalid_payload' ? 400 : 404, error)
    else sendLine(response, 200, 'ok')
  }

  return {
    channel,
    async handle(request, response) {
      const path = (request.url ?? '').split('?', 1)[0] ?? ''
      if (path.startsWith(webApiPath)) await answerMethod(request, response, path.slice(webApiPath.length))
      else if (path.startsWith(responsePath))
        await answerResponseUrl(request, response, path.slice(responsePath.length))
      else return false
      return true
    },
    async type(line, origin) {
      const tell = (text: string) => channel.add({ from: 'podwhy', onlyYou: true, text })
      const typed = asCommand(line, options.command)
      channel.add({ from: 'you', onlyYou: true, text: `${typed.command} ${typed.text}`.trim() })
      if (typed.command !== options.command) {
        tell(`${typed.command} is not a valid command here; ${options.command} is.`)
        return
      }
      const eventsUrl = options.eventsUrl()
      if (!eventsUrl) {
        tell('podwhy is still starting; ask again in a moment.')
        return
      }
      const responseUrl = `${origin}${responsePath}${responses.issue()}`
      const { signingSecret, acknowledgeWithinMs = 3000 } = options
      const receiver = { eventsUrl, signingSecret, acknowledgeWithinMs }
      const reply = await sendCommand(receiver, { ...typed, responseUrl })
      if ('error' in reply) tell(`${options.command} failed with the error "${reply.error}". See the log of podwhy.`)
      else if (reply.json) showReply(channel, reply.body)
      else if (reply.body.trim()) tell(reply.body)
    },
  }
}

/** Splits a typed line into command and text; without a slash it is all text of `command`. */
function asCommand(line: string, command: string): { command: string; text: string } {
  const typed = line.trim()
  if (!typed.startsWith('/')) return { command, text: typed }
  const [name = '', text = ''] = /^(\S+)\s*(.*)$/s.exec(typed)?.slice(1) ?? []
  return { command: name, text }
}

function parseArguments(request: IncomingMessage, body: string): Arguments {
  if (mediaType(request) !== 'application/json')
    return Object.fromEntries([
      ...new URL(request.url ?? '/', 'http://localhost').searchParams,
      ...new URLSearchParams(body),
    ])
  const parsed: unknown = body ? JSON.parse(body) : {}
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
}
