import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Crash, crashed } from './crashed-app.ts'

const FOLDER = join(import.meta.dirname, '..', 'app-logs')

/** What a head may set: `### exit=127 volumes | what the answer must say`. */
const SETTINGS: Readonly<Record<string, Partial<Crash>>> = {
  'host-network': { pod: { hostNetwork: true } },
  'read-only-root': { spec: { securityContext: { readOnlyRootFilesystem: true } } },
  volumes: {
    pod: {
      securityContext: { runAsUser: 1000 },
      volumes: [
        { name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } },
        { name: 'tls', secret: { secretName: 'tls' } },
        { name: 'conf', configMap: { name: 'app-conf' } },
        { name: 'uploads', emptyDir: {} },
        { name: 'pg', hostPath: { path: '/srv/pg' } },
      ],
    },
    spec: {
      volumeMounts: [
        { name: 'data', mountPath: '/data' },
        { name: 'tls', mountPath: '/tls', readOnly: true },
        { name: 'conf', mountPath: '/conf' },
        { name: 'conf', mountPath: '/conf/app.yaml', subPath: 'app.yaml' },
        { name: 'uploads', mountPath: '/app/uploads' },
        { name: 'pg', mountPath: '/var/lib/postgresql/data' },
      ],
    },
  },
}

interface Recorded {
  readonly crash: Crash
  readonly mention: string
}

const recorded = (block: string): Recorded => {
  const [head = '', ...lines] = block.split('\n')
  const [flags = '', mention = ''] = head.split('|').map(part => part.trim())
  const log = `${lines.join('\n').trimEnd()}\n`.replaceAll('\\e', '\u001b')
  const words = flags.split(' ').filter(word => word !== '')
  const exit = words.flatMap(word => /^exit=(\d+)$/.exec(word)?.[1] ?? [])[0]
  const settings = words.flatMap(word => SETTINGS[word] ?? [])
  return {
    mention,
    crash: {
      log: log.trim() === '' ? '' : log,
      exitCode: exit === undefined ? 1 : Number(exit),
      ...Object.assign({}, ...settings),
    },
  }
}

/** One file per cause, named by its id; each block is the log of one program that ended for it. */
for (const file of readdirSync(FOLDER).sort()) {
  const id = basename(file, '.txt')
  describe(id, () => {
    const blocks = readFileSync(join(FOLDER, file), 'utf8')
      .split(/^### ?/m)
      .slice(1)
    for (const { crash, mention } of blocks.map(recorded)) {
      const firstLine = crash.log.split('\n').find(line => line.trim() !== '') ?? '(no log)'
      test(firstLine.slice(0, 100), () => {
        const { cause } = crashed(crash)
        expect(cause.id).toBe(id)
        expect(`${cause.summary}\n${cause.fix.join('\n')}`.toLowerCase()).toContain(mention.toLowerCase())
      })
    }
  })
}
