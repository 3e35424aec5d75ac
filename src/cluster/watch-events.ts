import { Buffer } from 'node:buffer'
import type { JsonObject } from '../diagnosis/snapshot.ts'
import { StatusError } from './api.ts'

/** One line of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: JsonObject
}

/** No object of etcd is longer than 1.5 MiB; JSON takes some more. */
const maxLineBytes = 8 * 1024 * 1024
const newline = 0x0a

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const statusOf = (object: JsonObject): StatusError =>
  new StatusError(
    typeof object['code'] === 'number' ? object['code'] : 500,
    typeof object['message'] === 'string' ? object['message'] : 'an error in a watch',
  )

const toEvent = (line: string): WatchEvent | null => {
  const parsed: unknown = JSON.parse(line)
  const { type, object } = isRecord(parsed) ? parsed : {}
  if (!isRecord(object)) throw new Error('a line of a watch that is no event')
  if (type === 'ERROR') throw statusOf(object)
  // Types that a later release may add.
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED' && type !== 'BOOKMARK') return null
  return { type, object }
}

/**
 * The events of a watch as they come in; ends where the server ends it. Throws StatusError for an ERROR event (410: its
 * resourceVersion is too old), SyntaxError for what is no JSON, and what the stream throws. `onBytes` hears of each piece.
 */
export async function* watchEvents(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<WatchEvent> {
  let pieces: Uint8Array[] = []
  let held = 0
  for await (const chunk of body) {
    onBytes(chunk.length)
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      const line = Buffer.concat([...pieces, chunk.subarray(from, end)]).toString('utf8')
      pieces = []
      held = 0
      from = end + 1
      const event = line.trim() === '' ? null : toEvent(line)
      if (event) yield event
    }
    if (from === chunk.length) continue
    pieces.push(chunk.subarray(from))
    held += chunk.length - from
    if (held > maxLineBytes) throw new Error(`a line of a watch is longer than ${maxLineBytes} bytes`)
  }
  // An error may be a whole answer, without an end of line.
  const last = held === 0 ? null : toEvent(Buffer.concat(pieces).toString('utf8'))
  if (last) yield last
}
