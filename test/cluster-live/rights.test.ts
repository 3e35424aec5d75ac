import { afterAll, beforeAll, expect, test } from 'vitest'
import { usedRights } from '../../src/cluster/resources.ts'
import { type RedisServer, startRedis } from '../fakes/redis-server.ts'
import { type Grant, openAccess } from './access.ts'
import { startServe, WARN } from './serve-process.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis?.remove())

/** What a worker logs until it serves, with credentials that may do what `grant` says. */
const logAtStart = async (grant: Grant) => {
  const access = await openAccess(grant)
  try {
    const env = { KUBECONFIG: access.kubeconfig, PODWHY_QUEUE_URL: redis.url, SLACK_BOT_TOKEN: 'xoxb-of-a-test' }
    const worker = await startServe(['--role', 'worker'], env)
    await worker.stop()
    return worker.log
  } finally {
    await access.remove()
  }
}

const all = usedRights.length

test("with podwhy's own role nothing is missing and nothing is too much", async () => {
  const log = await logAtStart('podwhy')
  expect(log.map(({ msg }) => msg)).toContain(
    `cluster test, all namespaces: ${all} of the ${all} rights that podwhy uses`,
  )
  expect(log.filter(({ level }) => level >= WARN)).toEqual([])
})

test('a cluster-admin is warned about', async () => {
  const warnings = (await logAtStart('cluster-admin')).filter(({ level }) => level === WARN).map(({ msg }) => msg)
  expect(warnings.join('\n')).toMatch(/warning: podwhy may do everything .*give it a role that can only read/)
})

test('without rights every missing one is named', async () => {
  const missing = (await logAtStart('nothing')).filter(({ msg }) => msg.startsWith('missing: '))
  expect(missing.length).toBe(all)
})
