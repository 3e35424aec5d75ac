import { Buffer } from 'node:buffer'
import type { Logger } from 'pino'
import type { SlackClient } from './slack-client.ts'
import { isRefusal, slackErrorCode, toSlackError } from './slack-error.ts'

/** A text to be shared as a file, one part of the answer to one question. */
export type Upload = {
  question: string
  part: string
  channel: string
  threadTs: string
  /** Must tell it from every other file of the thread. */
  name: string
  title: string
  text: string
  /** What stands above it, escaped. */
  comment: string
}

/** What must be remembered across processes. */
export type UploadStore = {
  claim(key: string, value: string, ttlMs: number): Promise<string | null>
  get(key: string): Promise<string | null>
  put(key: string, value: string, ttlMs: number): Promise<void>
}

/** The app was installed without a scope. */
export class ScopeMissing extends Error {
  override name = 'ScopeMissing' as const
  readonly scope: string
  constructor(scope: string, options?: ErrorOptions) {
    super(`the Slack app lacks the scope ${scope}`, options)
    this.scope = scope
  }
}

export type UploadOptions = {
  client: SlackClient
  store: UploadStore
  log: Logger
  /** The Slack whose upload addresses are accepted beside slack.com's. */
  apiUrl?: string | undefined
  now: () => number
  delay: (ms: number) => Promise<unknown>
}

/** A file that was begun to be shared; `shared` once Slack has said so. */
type Sharing = { channel: string; start: number; shared?: true; refused?: true }

const REMEMBER_MS = 7 * 24 * 60 * 60_000
/** Slack shares a file some seconds after it has answered. */
const SECOND_LOOK_MS = 4_000
const CLOCK_SKEW_MS = 60_000
const SEND_MS = 60_000
const MAX_PAGES = 20

/** Only Slack, or the origin of the Slack that is configured, is ever sent a log. */
function checked(uploadUrl: string | undefined, apiUrl: string | undefined): URL {
  const url = URL.parse(uploadUrl ?? '')
  const isSlack = url?.protocol === 'https:' && /(^|\.)slack(-gov)?\.com$/.test(url.hostname)
  const isConfigured = apiUrl !== undefined && url !== null && url.origin === new URL(apiUrl).origin
  if (url === null || !(isSlack || isConfigured)) throw new Error(`not an upload address of Slack: ${url?.origin}`)
  return url
}

function toUploadError(error: unknown, channel: string): unknown {
  return slackErrorCode(error) === 'missing_scope'
    ? new ScopeMissing('files:write', { cause: error })
    : toSlackError(error, channel)
}

/** Shares files in threads. */
export function uploads({ client, store, log, apiUrl, now, delay }: UploadOptions) {
  /** Whether the thread shows the file. */
  async function isShown({ channel, threadTs, name }: Upload, startMs: number): Promise<boolean> {
    const range = { channel, ts: threadTs, oldest: String((startMs - CLOCK_SKEW_MS) / 1000), limit: 200 }
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const paged = cursor === undefined ? range : { ...range, cursor }
      const { messages = [], response_metadata } = await client.again.conversations.replies(paged)
      if (messages.some(({ files }) => files?.some(file => file.name === name))) return true
      cursor = response_metadata?.next_cursor || undefined
      if (cursor === undefined) return false
    }
    return false
  }

  /** Gives Slack the content; nobody sees it yet. */
  async function send({ channel, name, text }: Upload): Promise<string> {
    const content = Buffer.from(text)
    let begun: { file_id?: string; upload_url?: string }
    try {
      begun = await client.again.files.getUploadURLExternal({ filename: name, length: content.length })
    } catch (error) {
      throw toUploadError(error, channel)
    }
    if (begun.file_id === undefined) throw new Error('files.getUploadURLExternal answered without file_id')
    const response = await fetch(checked(begun.upload_url, apiUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: content,
      redirect: 'error',
      signal: AbortSignal.timeout(SEND_MS),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`Slack did not take the content of ${name}: HTTP ${response.status}`)
    return begun.file_id
  }

  /** Whether an earlier run has shared it: looked for twice. */
  async function stands(upload: Upload, startMs: number): Promise<boolean> {
    try {
      if (await isShown(upload, startMs)) return true
      await delay(SECOND_LOOK_MS)
      return await isShown(upload, startMs)
    } catch (error) {
      throw toSlackError(error, upload.channel)
    }
  }

  /**
   * Shares a file in a thread, once: a run that finds one begun looks whether the thread shows it. Errors: `ScopeMissing`,
   * and those of the poster.
   */
  return async function upload(file: Upload): Promise<void> {
    const { question, part, channel, threadTs, title, comment } = file
    const key = `post:${question}:${part}`
    const remember = (sharing: Sharing) => store.put(key, JSON.stringify(sharing), REMEMBER_MS)
    const present = await store.get(key)
    const before: Sharing | null = present === null ? null : JSON.parse(present)
    if (before?.shared) return
    if (before !== null && !before.refused && (await stands(file, before.start))) {
      log.info({ question, part }, 'found the file that an earlier run shared')
      return remember({ ...before, shared: true })
    }
    const id = await send(file)
    const sharing: Sharing = { channel, start: before !== null && !before.refused ? before.start : now() }
    // Whoever was faster shares it, or has done so.
    if (before === null && (await store.claim(key, JSON.stringify(sharing), REMEMBER_MS)) !== null) return upload(file)
    if (before !== null) await remember(sharing)
    try {
      const files: [{ id: string; title: string }] = [{ id, title }]
      const shared = { channel_id: channel, thread_ts: threadTs, files, initial_comment: comment }
      await client.once.files.completeUploadExternal(shared)
    } catch (error) {
      if (isRefusal(error)) await remember({ ...sharing, refused: true })
      throw toUploadError(error, channel)
    }
    await remember({ ...sharing, shared: true })
  }
}
