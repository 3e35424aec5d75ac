import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** A larger webhook is not read. */
export const LIMIT_MIB = 8
const LIMIT_BYTES = LIMIT_MIB * 1024 * 1024
/** So much of a body that is too large is read to its end, so that its sender sees the answer. */
const DRAIN_BYTES = 8 * LIMIT_BYTES

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Whether the header has the token, as bearer or as basic authentication's password. Digests are compared, in constant
 * time: neither the token's length nor how much of it was right shows.
 */
export const isAuthorized = (header: string | undefined, token: string): boolean => {
  const [, scheme = '', value = ''] = /^(\w+) +(\S+)$/.exec(header ?? '') ?? []
  const basic = () =>
    Buffer.from(value, 'base64')
      .toString()
      .replace(/^[^:]*:/, '')
  const given = /^basic$/i.test(scheme) ? basic() : /^bearer$/i.test(scheme) ? value : ''
  return timingSafeEqual(digest(given), digest(token))
}

/** The body; null: it is larger than allowed. Rejects when the sender hangs up. */
export const readBody = (request: IncomingMessage): Promise<Buffer | null> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= LIMIT_BYTES) return void chunks.push(chunk)
      chunks.length = 0
      resolve(null)
      if (bytes > DRAIN_BYTES) request.destroy()
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
    request.on('close', () => reject(new Error('the sender hung up')))
  })
