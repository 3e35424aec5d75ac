import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Access, openAccess } from './access.ts'
import { WARN } from './serve-process.ts'
import { type Service, startService } from './service.ts'
import { openTeam, type Team } from './team.ts'
import { shownText, threadText } from './thread-text.ts'

const manifest = readFileSync(new URL('first-crash.yaml', import.meta.url), 'utf8')
let access: Access
let team: Team
let service: Service

beforeAll(async () => {
  ;[access, team] = await Promise.all([openAccess('podwhy'), openTeam()])
  const env = { PODWHY_WATCH: 'true', PODWHY_NAMESPACES: team.namespace }
  service = await startService(access.kubeconfig, env)
  await service.worker.line(({ msg }) => msg.startsWith('watching for first crashes in '))
  await team.apply(manifest)
})

afterAll(async () => {
  await service?.stop()
  await Promise.allSettled([team?.remove(), access?.remove()])
})

const metrics = async () => (await fetch(`http://127.0.0.1:${service.worker.port}/metrics`)).text()

test('steps that fail on their own leftovers are explained by the run that broke', async () => {
  const { pods, namespace } = team
  const fails = (workload: string) =>
    pods.until(
      ({ pod, restarts, status }) => pod.startsWith(workload) && restarts >= 1 && /Error|CrashLoop/.test(status),
      60_000,
    )
  await Promise.all(['orders-db', 'assets'].map(fails))
  await vi.waitFor(async () => expect(await metrics()).toMatch(/^podwhy_watch_kept_total\{.*\} 2$/m), {
    timeout: 10_000,
  })

  const killed = await service.ask(`${namespace}/deploy/orders-db`)
  expect(killed.line).toMatchObject({ cause: 'init.oom' })
  expect(shownText(killed.root)).toMatch(
    /first run of init container init-db .* is what broke: it was killed for memory/,
  )
  expect(shownText(killed.root)).toContain('File exists')
  expect(threadText(killed.root)).toMatch(/state of init-db \(first run, ended \S+; remembered\)/)

  const unpacked = await service.ask(`${namespace}/deploy/assets`)
  expect(unpacked.line).toMatchObject({ cause: 'init.not-idempotent' })
  expect(shownText(unpacked.root)).toContain("tar: can't open '/releases/2026.11.3.tar.gz': No such file or directory")
  expect(threadText(unpacked.root)).toMatch(/log of unpack \(first run, ended \S+; remembered\)/)
  if (process.env['SHOW']) console.log(`${threadText(killed.root)}\n\n${threadText(unpacked.root)}\n${await metrics()}`)

  expect(JSON.stringify([killed.root, unpacked.root])).not.toContain('S3cret')
  expect(service.worker.log.filter(({ level }) => level >= WARN)).toEqual([])
}, 120_000)
