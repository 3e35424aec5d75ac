import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { freePort } from './redis-server.ts'

/** The program's name: Debian has its own. */
const program = ['prometheus-alertmanager', 'alertmanager'].find(name => spawnSync(name, ['--version']).status === 0)

/** Whether a real Alertmanager can be run here. */
export const hasAlertmanager = program !== undefined

/** A running Alertmanager. */
export interface Alertmanager {
  /** Makes alerts fire, or resolves them with `endsAt` in the past. */
  send(alerts: readonly { labels: Record<string, string>; annotations?: object; endsAt?: string }[]): Promise<void>
  close(): Promise<void>
}

/** Starts Alertmanager on a free loopback port with this configuration, which is YAML or JSON. */
export const startAlertmanager = async (configuration: object): Promise<Alertmanager> => {
  const directory = mkdtempSync(join(tmpdir(), 'podwhy-alertmanager-'))
  const file = join(directory, 'alertmanager.yml')
  writeFileSync(file, JSON.stringify(configuration))
  const url = `http://127.0.0.1:${await freePort()}`
  const options = ['--config.file', file, '--storage.path', directory, '--cluster.listen-address=']
  const child: ChildProcess = spawn(program ?? '', [...options, `--web.listen-address=${new URL(url).host}`], {
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
