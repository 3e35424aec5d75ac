import { Buffer } from 'node:buffer'
import { fetch, type Response } from 'undici'
import type { JsonObject } from '../diagnosis/snapshot.ts'
import { ClusterError, oneLine } from './cluster-error.ts'
import type { Access, Credentials } from './credentials.ts'

/** The API server cannot be reached, does not answer in time, or does not answer as one. */
export class ClusterUnreachable extends ClusterError {
  override name = 'ClusterUnreachable'
  override readonly temporary = true
  /** `timeout`, or what went wrong in a few words, without the cluster's name. */
  readonly why: string
  /** @param said what follows the label in the message */
  constructor(label: string, said: string, options: { readonly why?: string; readonly cause?: unknown } = {}) {
    super(`${label} ${said}`, { cause: options.cause })
    this.why = options.why ?? said
  }
}

/** An answer other than 2xx, or a Status object in one; `message` is the server's own. */
export class StatusError extends Error {
  override name = 'StatusError'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A call that was not answered within its deadline. */
export class DeadlineExceeded extends Error {
  override name = 'DeadlineExceeded'
}

/** A JSON answer and the server's clock when it gave it (RFC 3339; null without a Date header). */
export interface Answer {
  readonly body: JsonObject
  readonly at: string | null
}

/** One API server. Every method throws StatusError, DeadlineExceeded, ClusterUnreachable, or the signal's own reason. */
export interface Api {
  /** `cluster "prod" (https://…)`, for messages. */
  readonly label: string
  get(path: string, signal: AbortSignal): Promise<Answer>
  post(path: string, body: JsonObject, signal: AbortSignal): Promise<Answer>
  /** The answer as it comes in, for logs; the status is already checked. */
  stream(path: string, signal: AbortSignal): Promise<Response>
  close(): Promise<void>
}

interface Call {
  readonly method: 'GET' | 'POST'
  readonly body?: string
  readonly accept: string
}

/** A kept connection that the server has closed meanwhile; the same call on a new one works. */
const isStaleConnection = (code: string | undefined) =>
  code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET' || code === 'UND_ERR_CLOSED'

const causeOf = (error: unknown): { code: string | undefined; message: string } => {
  const cause = (error instanceof Error && error.cause) || error
  const first = cause instanceof AggregateError ? cause.errors[0] : cause
  return { code: first?.code, message: oneLine(first?.message || String(first?.code ?? first), 200) }
}

/** The deadline's reason as DeadlineExceeded, the caller's as it is. */
export const reasonOf = (signal: AbortSignal): unknown =>
  signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    ? new DeadlineExceeded('timeout', { cause: signal.reason })
    : signal.reason

const statusErrorOf = async (response: Response): Promise<StatusError> => {
  const text = await response.text().catch(() => '')
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    if (typeof message === 'string') return new StatusError(response.status, oneLine(message))
  } catch {
    // Not a Status object: a proxy's page, or the kubelet's plain text.
  }
  return new StatusError(response.status, oneLine(text) || `HTTP ${response.status}`)
}

const jsonObject = (text: string): JsonObject | null => {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as JsonObject) : null
  } catch {
    return null
  }
}

const refusedIn = ({ code, message }: JsonObject): StatusError =>
  new StatusError(
    typeof code === 'number' ? code : 500,
    typeof message === 'string' && message !== '' ? oneLine(message) : 'a Status object instead of what was asked for',
  )

/** No list of 500 objects that helps to explain one pod is longer. */
const maxJsonBytes = 64 * 1024 * 1024

const boundedText = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk as Uint8Array)
    size += (chunk as Uint8Array).length
    if (size > maxJsonBytes) throw new ClusterError(`the answer is longer than ${maxJsonBytes} bytes`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const settled = async <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> => {
  signal.throwIfAborted()
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

/** Opens the API server that the credentials are for, under the cluster's name; connections are kept between calls. */
export const openApi = (credentials: Credentials, name: string): Api => {
  // An address may carry a password.
  const label = `cluster "${name}" (${credentials.server.replace(/\/\/[^/]*@/, '//')})`
  const unreachable = (said: string, cause?: unknown, why = said) => new ClusterUnreachable(label, said, { why, cause })

  const send = async (path: string, call: Call, signal: AbortSignal, mayRetry = true): Promise<Response> => {
    let access: Access
    let response: Response
    try {
      // An exec plugin may wait for somebody to log in.
      access = await settled(credentials.access(), signal)
      response = await fetch(access.server + path, {
        method: call.method,
        headers: { accept: call.accept, 'content-type': 'application/json', ...access.headers },
        body: call.body ?? null,
        dispatcher: access.dispatcher,
        signal,
        redirect: 'error',
      })
    } catch (error) {
      if (signal.aborted) throw reasonOf(signal)
      if (error instanceof ClusterError) throw error
      const { code, message } = causeOf(error)
      if (mayRetry && call.method === 'GET' && isStaleConnection(code)) return send(path, call, signal, false)
      throw unreachable(`cannot be reached: ${message}`, error, message)
    }
    if (response.ok) return response
    if (response.status === 401 && mayRetry && (await credentials.renew(access))) {
      await response.body?.cancel()
      return send(path, call, signal, false)
    }
    throw await statusErrorOf(response)
  }

  const json = async (path: string, call: Call, signal: AbortSignal): Promise<Answer> => {
    const response = await send(path, call, signal)
    let text: string
    try {
      text = await boundedText(response)
    } catch (error) {
      if (error instanceof ClusterError) throw error
      if (signal.aborted) throw reasonOf(signal)
      throw unreachable(`broke off its answer: ${causeOf(error).message}`, error)
    }
    const date = Date.parse(response.headers.get('date') ?? '')
    const at = Number.isNaN(date) ? null : `${new Date(date).toISOString().slice(0, 19)}Z`
    const body = jsonObject(text)
    // Some proxies answer 200 with the server's refusal in the body.
    if (body?.['kind'] === 'Status') throw refusedIn(body)
    if (body) return { body, at }
    throw unreachable(`does not answer like an API server: "${oneLine(text, 80)}"`)
  }

  return {
    label,
    get: (path, signal) => json(path, { method: 'GET', accept: 'application/json' }, signal),
    post: (path, body, signal) =>
      json(path, { method: 'POST', accept: 'application/json', body: JSON.stringify(body) }, signal),
    stream: (path, signal) => send(path, { method: 'GET', accept: '*/*' }, signal),
    close: () => credentials.close(),
  }
}
