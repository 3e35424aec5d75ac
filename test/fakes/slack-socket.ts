import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** RFC 6455, as much of it as Socket Mode's client uses: short text frames, ping, close. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const TEXT = 1
const CLOSE = 8
const PING = 9
const PONG = 10

const frame = (opcode: number, payload: Buffer): Buffer => {
  const long = payload.length > 125
  const head = Buffer.alloc(long ? 4 : 2)
  head[0] = 0x80 | opcode
  head[1] = long ? 126 : payload.length
  if (long) head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}

/** The first whole frame in `bytes`, or null. A client's frames are always masked. */
const parseFrame = (bytes: Buffer): { opcode: number; payload: Buffer; size: number } | null => {
  if (bytes.length < 2) return null
  const short = bytes.readUInt8(1) & 0x7f
  const headSize = short === 126 ? 4 : 2
  if (bytes.length < headSize + 4) return null
  const length = short === 126 ? bytes.readUInt16BE(2) : short
  const size = headSize + 4 + length
  if (bytes.length < size) return null
  const mask = bytes.subarray(headSize, headSize + 4)
  const payload = Buffer.from(bytes.subarray(headSize + 4, size))
  for (const [at, byte] of payload.entries()) payload[at] = byte ^ mask.readUInt8(at % 4)
  return { opcode: bytes.readUInt8(0) & 0x0f, payload, size }
}

/** Slack's end of Socket Mode: says hello, sends envelopes, keeps the acknowledgements. */
export class SlackSocket {
  /** `payload` of each acknowledgement by envelope id. */
  readonly acknowledged = new Map<string, unknown>()
  readonly #sockets = new Set<Duplex>()

  constructor(server: Server) {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex) => this.#accept(request, socket))
  }

  get connections(): number {
    return this.#sockets.size
  }

  /** Sends an envelope on the newest connection; gives its id. Slack repeats one by the same id and a retry number. */
  send(
    type: 'slash_commands' | 'events_api' | 'interactive',
    payload: object,
    envelopeId: string = randomUUID(),
  ): string {
    const socket = [...this.#sockets].at(-1)
    if (socket === undefined) throw new Error('no Socket Mode connection')
    const envelope = { envelope_id: envelopeId, type, payload, accepts_response_payload: type === 'slash_commands' }
    socket.write(frame(TEXT, Buffer.from(JSON.stringify(envelope))))
    return envelopeId
  }

  /** Cuts every connection, as a network does. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #accept(request: IncomingMessage, socket: Duplex): void {
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${GUID}`).digest('base64')
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
    socket.write(`${[...lines, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`)
    this.#sockets.add(socket)
    let bytes = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      for (let next = parseFrame(bytes); next !== null; next = parseFrame(bytes)) {
        bytes = bytes.subarray(next.size)
        this.#receive(socket, next.opcode, next.payload)
      }
    })
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    socket.write(frame(TEXT, Buffer.from(JSON.stringify({ type: 'hello', num_connections: 1 }))))
  }

  #receive(socket: Duplex, opcode: number, payload: Buffer): void {
    if (opcode === PING) socket.write(frame(PONG, payload))
    if (opcode === CLOSE) socket.end(frame(CLOSE, payload))
    if (opcode !== TEXT) return
    const { envelope_id, payload: answer } = JSON.parse(payload.toString())
    this.acknowledged.set(envelope_id, answer)
  }
}
