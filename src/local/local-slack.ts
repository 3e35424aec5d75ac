import type { IncomingMessage, ServerResponse } from 'node:http'
import { sameText } from './admission.ts'
import type { Arguments } from './arguments.ts'
import { type ChannelOptions, openChannel } from './channel.ts'
import { mediaType, ownOrigin, readBody, readBytes, sendJson, sendLine } from './exchange.ts'
import { fileLimit, openFiles, uploadedFile } from './files.ts'
import { asSlack } from './history.ts'
import { openHome } from './home.ts'
import { actionOf, homeOpened, type Press, pressPayload } from './interaction.ts'
import { responseUrls, showReply } from './response-urls.ts'
import { type Acknowledgement, sendSigned } from './signed-request.ts'
import { asCommand, commandForm } from './slash-command.ts'
import { callMethod, uploadPath, type Workspace } from './web-api.ts'

export interface LocalSlackOptions extends ChannelOptions {
  /** The app's signing secret: commands are signed with it. */
  readonly signingSecret: string
  /** The only bearer token that the Web API accepts. */
  readonly botToken: string
  /** Where the app receives Slack's requests; null while it does not yet. */
  readonly eventsUrl: () => string | null
  /** How long a request may take to be acknowledged; default 3 s, as with Slack. */
  readonly acknowledgeWithinMs?: number
  /** The app's slash command, with its slash. */
  readonly command: string
}

/** A stand-in for Slack: one channel, its Web API, and somebody who types commands into it and presses buttons. */
export interface LocalSlack extends Workspace {
  /** Serves the Web API under `/local/api/`, uploads and response URLs; false: some other path. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** Does what Slack does with a line typed into the channel. `origin`: where response URLs are served. */
  type(line: string, origin: string): Promise<void>
  /**
   * Does what Slack does when a button or an option of a menu is chosen: on the message of that `ts`, or (null) on the
   * Home. Gives what to say when that had no effect, else null.
   */
  press(ts: string | null, press: Press, origin: string): Promise<string | null>
  /** Tells the app that its Home was opened, so that it publishes it. */
  openHome(): Promise<void>
}

export const webApiPath = '/local/api/'
const responsePath = '/local/respond/'

/** Slack takes 40,000 characters of text and 50 blocks; that as JSON in a form, escaped. */
const bodyLimit = 4 << 20

const starting = 'podwhy is still starting; ask again in a moment.'

export function localSlack(options: LocalSlackOptions): LocalSlack {
  const workspace: Workspace = { channel: openChannel(options), files: openFiles(), home: openHome() }
  const { channel, files, home } = workspace
  const responses = responseUrls(channel, options.now)

  /** Null while the app is still starting. */
  const sendToApp = async (content: Parameters<typeof sendSigned>[1]): Promise<Acknowledgement | null> => {
    const { signingSecret, acknowledgeWithinMs = 3000 } = options
    const eventsUrl = options.eventsUrl()
    return eventsUrl ? sendSigned({ eventsUrl, signingSecret, acknowledgeWithinMs }, content) : null
  }
  const answerMethod: Answer = async (request, response, name) => {
    const bearer = request.headers.authorization?.replace(/^Bearer /i, '')
    if (!bearer) return sendJson(response, 200, { ok: false, error: 'not_authed' })
    if (!sameText(bearer, options.botToken)) return sendJson(response, 200, { ok: false, error: 'invalid_auth' })
    const given = parseArguments(request, await readBody(request, bodyLimit))
    sendJson(response, 200, callMethod(workspace, name, given, ownOrigin(request)))
  }
  const answerResponseUrl: Answer = async (request, response, id) => {
    const error = responses.take(id, await readBody(request, bodyLimit))
    if (error) sendLine(response, error === 'invalid_payload' ? 400 : 404, error)
    else sendLine(response, 200, 'ok')
  }
  const takeUpload: Answer = async (request, response, id) => {
    // A form has some bytes around the file.
    const body = await readBytes(request, fileLimit + 4096)
    const content = await uploadedFile(body, request.headers['content-type'] ?? '')
    if (content && files.take(id, content)) sendLine(response, 200, `OK - ${content.length}`)
    else sendLine(response, 400, 'No upload of this address and length is awaited.')
  }
  const answers: readonly (readonly [path: string, Answer])[] = [
    [webApiPath, answerMethod],
    [responsePath, answerResponseUrl],
    [uploadPath, takeUpload],
  ]

  return {
    ...workspace,
    async handle(request, response) {
      const path = (request.url ?? '').split('?', 1)[0] ?? ''
      const [prefix, answer] = answers.find(([served]) => path.startsWith(served)) ?? []
      if (!prefix || !answer) return false
      await answer(request, response, path.slice(prefix.length))
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
      const responseUrl = `${origin}${responsePath}${responses.issue()}`
      const reply = await sendToApp({ form: commandForm({ ...typed, responseUrl }) })
      if (!reply) tell(starting)
      else if ('error' in reply)
        tell(`${options.command} failed with the error "${reply.error}". See the log of podwhy.`)
      else if (reply.json) showReply(channel, reply.body)
      else if (reply.body.trim()) tell(reply.body)
    },
    async press(ts, press, origin) {
      const message = ts === null ? undefined : channel.find(ts)
      const action = actionOf((ts === null ? home.blocks() : message?.blocks) ?? [], press)
      if (!action) return 'This is no longer there.'
      const pressed = message
        ? { ...message, message: asSlack(channel, message, false) }
        : { home: home.blocks() ?? [] }
      const responseUrl = `${origin}${responsePath}${responses.issue(ts)}`
      const reply = await sendToApp({ form: { payload: JSON.stringify(pressPayload(pressed, action, responseUrl)) } })
      if (!reply) return starting
      return 'error' in reply ? `podwhy did not take it ("${reply.error}"). See the log of podwhy.` : null
    },
    async openHome() {
      await sendToApp({ json: homeOpened() })
    },
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse, rest: string) => Promise<void>

function parseArguments(request: IncomingMessage, body: string): Arguments {
  if (mediaType(request) !== 'application/json')
    return Object.fromEntries([
      ...new URL(request.url ?? '/', 'http://localhost').searchParams,
      ...new URLSearchParams(body),
    ])
  const parsed: unknown = body ? JSON.parse(body) : {}
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
}
