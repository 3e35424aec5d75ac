import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'

/** Whether a redis-server is installed; tests that need one are skipped visibly where it is not. */
export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0

/** A port of the loopback that nobody listens on. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

const answers = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.once('data', data => {
      socket.destroy()
      resolve(data.toString().startsWith('+PONG'))
    })
    socket.once('error', () => resolve(false))
  })

/** A redis-server of its own, on a spare port, that writes everything to a temporary directory at once. */
export interface RedisServer {
  readonly url: string
  /** Stops it in its tracks; its connections stay open and silent. */
  freeze(): void
  thaw(): void
  /** Ends it at once. */
  kill(): Promise<void>
  /** Starts it again with what it had. */
  start(): Promise<void>
  /** Ends it and removes its data. */
  remove(): Promise<void>
}

/** Starts a redis-server, on a given port or a spare one. */
export const startRedis = async (givenPort?: number): Promise<RedisServer> => {
  const port = givenPort ?? (await freePort())
  const directory = mkdtempSync(join(tmpdir(), 'redis-'))
  const where = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory]
  const how = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction']
  let server: ChildProcess | null = null

  const start = async () => {
    server = spawn('redis-server', [...where, ...how], { stdio: 'ignore' })
    await vi.waitUntil(() => answers(port), { timeout: 5000, interval: 20 })
  }
  const kill = async () => {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  }
  await start()

  return {
    url: `redis://127.0.0.1:${port}`,
    freeze: () => server?.kill('SIGSTOP'),
    thaw: () => server?.kill('SIGCONT'),
    start,
    kill,
    remove: async () => {
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
