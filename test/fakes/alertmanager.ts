import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { freePort } from './redis-server.ts'

/** An Alertmanager to test with. */
export interface AlertmanagerProgram {
  readonly name: string
  /** Null: there is none here. */
  readonly path: string | null
  /** Whether its Slack receiver can edit what it posted, and reply to it. */
  readonly edits: boolean
}

const firstOf = (paths: readonly string[]): string | null =>
  paths.find(path => spawnSync(path, ['--version']).status === 0) ?? null

const newest = [process.env['PODWHY_TEST_ALERTMANAGER'] ?? '', '/var/cache/podwhy/alertmanager-0.35/alertmanager']

/** Debian's, which has another name than its project's, and a new one, where `.ci/run` has built it. */
export const alertmanagers: readonly AlertmanagerProgram[] = [
  { name: 'Alertmanager 0.25', path: firstOf(['prometheus-alertmanager', 'alertmanager']), edits: false },
  { name: 'Alertmanager 0.35', path: firstOf(newest.filter(Boolean)), edits: true },
].map(each => (each.path === null ? { ...each, name: `${each.name} (not installed)` } : each))

/** A running Alertmanager. */
export interface Alertmanager {
  /** Makes alerts fire, or resolves them with `endsAt` in the past. */
  send(alerts: readonly { labels: Record<string, string>; annotations?: object; endsAt?: string }[]): Promise<void>
  close(): Promise<void>
}

/** Starts Alertmanager on a free loopback port with this configuration. */
export const startAlertmanager = async (program: AlertmanagerProgram, configuration: object): Promise<Alertmanager> => {
  const directory = mkdtempSync(join(tmpdir(), 'podwhy-alertmanager-'))
  const file = join(directory, 'alertmanager.yml')
  // YAML can be JSON.
  writeFileSync(file, JSON.stringify(configuration))
  const url = `http://127.0.0.1:${await freePort()}`
  const options = ['--config.file', file, '--storage.path', directory, '--cluster.listen-address=']
  const child: ChildProcess = spawn(program.path ?? '', [...options, `--web.listen-address=${new URL(url).host}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const close = async (): Promise<void> => {
    if (child.exitCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    rmSync(directory, { recursive: true, force: true })
  }
  await vi
    .waitUntil(
      () => {
        if (child.exitCode !== null) throw new Error('it ended')
        return fetch(`${url}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        )
      },
      { timeout: 30_000, interval: 50 },
    )
    .catch(async () => {
      await close()
      throw new Error(`Alertmanager did not start: ${said}`)
    })
  return {
    async send(alerts) {
      const body = JSON.stringify(alerts)
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${url}/api/v2/alerts`, { method: 'POST', headers, body })
      if (!response.ok) throw new Error(`Alertmanager refuses the alerts: ${response.status} ${await response.text()}`)
    },
    close,
  }
}
