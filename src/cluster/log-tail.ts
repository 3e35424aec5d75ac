import { Buffer } from 'node:buffer'

/** The newest bytes of a stream, as text. */
export interface LogTail {
  readonly text: string
  /** How many bytes before `text` were left out. */
  readonly omittedBytes: number
}

/** How far into the kept bytes a first line that lost its beginning is still dropped for being a remnant. */
const maxRemnantBytes = 64 * 1024
const newline = 0x0a
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/**
 * Keeps the last `maxBytes` of what is pushed, in at most about three times that memory however long the stream or a line
 * in it is. Bytes that are not UTF-8 become U+FFFD.
 */
export const openLogTail = (maxBytes: number) => {
  let chunks: Uint8Array[] = []
  let held = 0
  let readBytes = 0
  const newest = (): Buffer => {
    const all = Buffer.concat(chunks)
    return all.subarray(Math.max(0, all.length - maxBytes))
  }
  return {
    push(chunk: Uint8Array) {
      chunks.push(chunk)
      held += chunk.length
      readBytes += chunk.length
      if (held <= 2 * maxBytes) return
      chunks = [Buffer.from(newest())]
      held = maxBytes
    },
    /** All bytes pushed so far, kept or not. */
    get readBytes() {
      return readBytes
    },
    /** What is kept; a short remnant of a line cut at its beginning counts as omitted. */
    end(): LogTail {
      let kept = newest()
      if (kept.length < readBytes) {
        const end = kept.indexOf(newline)
        if (end !== -1 && end < Math.min(maxRemnantBytes, kept.length - 1)) kept = kept.subarray(end + 1)
        else while (isContinuation(kept[0])) kept = kept.subarray(1)
      }
      return { text: kept.toString('utf8'), omittedBytes: readBytes - kept.length }
    },
  }
}
