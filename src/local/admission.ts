import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** May this request have an answer? If not, the status and the one line to refuse it with. */
export type Admission =
  | { readonly admitted: true /** A `set-cookie` value to send along. */; readonly cookie: string | null }
  | { readonly admitted: false; readonly status: 401 | 403; readonly line: string }

/**
 * Keeps other web pages out: a request must name this machine's loopback and this very port as its Host (a rebound DNS
 * name does not), and if a page sent it, that page must be this one.
 */
export function sameSite(request: IncomingMessage): Admission {
  const port = request.socket.localPort
  const { host = '', origin } = request.headers
  const expected = ['localhost', '127.0.0.1', '[::1]'].flatMap(name =>
    port === 80 ? [name, `${name}:80`] : [`${name}:${port}`],
  )
  if (!expected.includes(host))
    return refuse(403, `Not served under the host name ${quote(host)}; open http://localhost:${port}/ instead.`)
  if (origin !== undefined && origin !== `http://${host}`)
    return refuse(403, `Not answered to a page of ${quote(origin)}; open http://${host}/ instead.`)
  return { admitted: true, cookie: null }
}

/**
 * Admits who brings the token: once in the address, as it was printed at start, then in a cookie of this port.
 * The cookie is SameSite=Strict and HttpOnly. Without a token (`null`) everyone of this machine is admitted.
 */
export function bearsToken(request: IncomingMessage, token: string | null): Admission {
  if (token === null) return { admitted: true, cookie: null }
  const name = `podwhy_${request.socket.localPort}`
  const inAddress = new URL(request.url ?? '/', 'http://localhost').searchParams.get('token')
  if (inAddress !== null && sameText(inAddress, token))
    return { admitted: true, cookie: `${name}=${token}; Path=/; HttpOnly; SameSite=Strict` }
  const inCookie = cookie(request, name)
  if (inCookie !== undefined && sameText(inCookie, token)) return { admitted: true, cookie: null }
  return refuse(401, 'This page reads a cluster: open it with the address that podwhy printed at start (?token=…).')
}

/** Compares in a time that tells nothing about where the two differ. */
export function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const refuse = (status: 401 | 403, line: string): Admission => ({ admitted: false, status, line })

/** A header's value made safe to repeat: short, printable, quoted. */
const quote = (value: string): string => JSON.stringify(value.slice(0, 100))

function cookie(request: IncomingMessage, name: string): string | undefined {
  const pair = (request.headers.cookie ?? '').split(/;\s*/).find(entry => entry.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}
