import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Another process works on the same data directory; two would lose each other's jobs. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse' as const
  readonly directory: string

  constructor(directory: string) {
    super(
      `Another podwhy is running on the data directory ${directory}. ` +
        'Stop it, set PODWHY_DATA_DIR to another directory, or set PODWHY_QUEUE_URL to share one queue on Redis.',
    )
    this.directory = directory
  }
}

// sun_path holds 104 bytes on macOS, 108 on Linux.
const MAX_PATH_BYTES = 100

/** Where the sockets of one directory stand: `<folder>/<prefix><number>`. */
interface Place {
  readonly folder: string
  readonly prefix: string
}

const placeOf = (directory: string): Place => {
  if (Buffer.byteLength(join(directory, 'lock.123456')) <= MAX_PATH_BYTES) return { folder: directory, prefix: 'lock.' }
  const hash = createHash('sha256').update(directory).digest('hex').slice(0, 16)
  return { folder: tmpdir(), prefix: `podwhy-${hash}.` }
}

const listen = (path: string): Promise<Server | null> =>
  new Promise((resolve, reject) => {
    const server = createServer(socket => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    )
    server.listen(path, () => resolve(server.unref()))
  })

const isAlive = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const probe = connect(path)
    probe.once('connect', () => resolve(probe.destroy() !== undefined))
    probe.once('error', () => resolve(false))
  })

/** The sockets that stand there, but for `own`: whether one has a listener, and the highest number. */
const look = async ({ folder, prefix }: Place, own?: string) => {
  const names = readdirSync(folder).filter(name => name.startsWith(prefix) && name !== own)
  const paths = names.map(name => join(folder, name))
  const alive = await Promise.all(paths.map(isAlive))
  const highest = Math.max(0, ...names.map(name => Number(name.slice(prefix.length)) || 0))
  return { paths, highest, isTaken: alive.includes(true) }
}

const close = (server: Server): Promise<void> => new Promise(resolve => server.close(() => resolve()))

/**
 * Locks a directory (made where missing) for this process and gives the function that unlocks it. Throws
 * `DirectoryInUse`.
 *
 * The lock is a Unix socket: the kernel stops its listener with the process, however it dies. Each contender first
 * listens, then looks for others that do, and gives way if there is one: of two, the one who looks last sees the other.
 * Contenders take the number after the highest they see, so that of many at once one gets it.
 */
export const lockDirectory = async (directory: string): Promise<() => Promise<void>> => {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const place = placeOf(realpathSync(directory))
  const before = await look(place)
  if (before.isTaken) throw new DirectoryInUse(directory)

  const own = `${place.prefix}${before.highest + 1}`
  const server = await listen(join(place.folder, own))
  if (server === null) throw new DirectoryInUse(directory)
  const others = await look(place, own)
  if (others.isTaken) {
    await close(server)
    throw new DirectoryInUse(directory)
  }
  for (const path of others.paths) rmSync(path, { force: true })
  return () => close(server)
}
