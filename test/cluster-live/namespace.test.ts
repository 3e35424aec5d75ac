import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openCluster } from '../../src/cluster/cluster.ts'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import { type Access, openAccess } from './access.ts'
import { type CountingProxy, startCountingProxy } from './counting-proxy.ts'
import { openScenario, type Scenario } from './scenario.ts'

let access: Access
let proxy: CountingProxy
let scenario: Scenario

beforeAll(async () => {
  access = await openAccess('podwhy')
  proxy = await startCountingProxy(access)
  scenario = await openScenario('orders-wait-postgres')
  const [moment] = scenario.expected.moments
  if (!moment) throw new Error('the scenario has no moment')
  // Its log cannot be read before its container runs.
  await vi.waitFor(() => scenario.reach(moment), { timeout: 120_000, interval: 1_000 })
}, 240_000)

afterAll(async () => {
  await scenario?.remove()
  await proxy?.close()
  await access?.remove()
})

test('a namespace is explained with podwhy’s own role, in few calls, as its pods are alone', async () => {
  const cluster = await openCluster({ kubeconfig: proxy.kubeconfig })
  try {
    const { cases, unread, pods } = await cluster.triage(scenario.namespace)
    expect({ unread, cases: cases.length, hasPods: pods > 0 }).toEqual({ unread: [], cases: 1, hasPods: true })
    expect(proxy.calls.length).toBeLessThanOrEqual(16)
    for (const { snapshot } of cases) {
      const alone = await cluster.read({ namespace: scenario.namespace, kind: 'Pod', name: snapshot.target })
      expect(diagnose(snapshot).diagnosis.cause.id).toBe(diagnose(alone).diagnosis.cause.id)
      expect(scenario.expected.causes).toContain(diagnose(snapshot).diagnosis.cause.id)
    }
  } finally {
    await cluster.close()
  }
})

test('a namespace that is not there is said to be none, without naming others', async () => {
  const cluster = await openCluster({ kubeconfig: access.kubeconfig })
  try {
    await expect(cluster.triage('team-of-nobody')).rejects.toMatchObject({
      message: expect.stringMatching(/^there is no namespace "team-of-nobody" in cluster /),
      choices: [],
    })
  } finally {
    await cluster.close()
  }
})
