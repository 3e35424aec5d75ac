import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type KubeApiServer, startKubeApiServer } from '../fakes/kube-api-server.ts'
import { crashing, hasAnswer, target } from './crashing.ts'
import type { Service } from './service.ts'
import { openSurroundings, type Surroundings } from './surroundings.ts'

const patience = { timeout: 60_000, interval: 20 }

let around: Surroundings
let other: KubeApiServer
let service: Service
beforeAll(async () => {
  around = await openSurroundings()
  other = await startKubeApiServer({ recordings: [crashing()] })
  const first = around.kube.kubeconfig({ token: 'first-token' })
  service = await around.start({ env: { PODWHY_KUBECONFIGS: `prod-eu=${first},prod-us=${other.kubeconfig()}` } })
}, 90_000)
afterAll(async () => {
  await around?.close()
  await other?.close()
})

const channels = (name: string, count: number) => Array.from({ length: count }, (_, index) => `C${name}${index}`)
const textIn = (channel: string) => around.slack.channel(channel)[0]?.text ?? ''

describe('of two clusters', () => {
  it('each is asked by its name, the first by none, and the answer says which it was', async () => {
    await service.ask(`prod-us:${target}`, { channel_id: 'CUS' })
    await service.ask(target, { channel_id: 'CNONE' })
    await service.idle()
    expect(around.slack.channel('CUS')).toSatisfy(hasAnswer)
    expect(textIn('CUS')).toContain('prod-us')
    expect(textIn('CNONE')).toContain('prod-eu')
    expect(other.calls.some(({ path }) => path.endsWith('/log'))).toBe(true)
  })

  it('one that hangs delays nobody who asks about the other, and is soon given up with its name', async () => {
    other.fault(/./, 'hang')
    const [dead, living] = [channels('DEAD', 30), channels('LIVING', 10)]
    for (const channel of dead) await service.ask(`prod-us:${target}`, { channel_id: channel })
    const askedAt = new Map<string, number>()
    const answeredMs = new Map<string, number>()
    for (const channel of living) {
      await service.ask(`prod-eu:${target}`, { channel_id: channel })
      askedAt.set(channel, performance.now())
    }
    await vi.waitFor(() => {
      for (const channel of living) {
        if (hasAnswer(around.slack.channel(channel)) && !answeredMs.has(channel))
          answeredMs.set(channel, Math.round(performance.now() - (askedAt.get(channel) ?? 0)))
      }
      expect(answeredMs.size).toBe(living.length)
    }, patience)
    // A call to the other gives up after five seconds: none of the ten has waited for one.
    expect(service.stderr()).not.toContain('cannot be reached')
    console.info(`the living cluster's answers, ms: ${[...answeredMs.values()].toSorted((a, b) => a - b).join(' ')}`)

    const from = performance.now()
    await vi.waitFor(
      () => {
        for (const channel of dead)
          expect(textIn(channel)).toMatch(
            /^(?:Sorry, .*: c|C)luster prod-us cannot be reached since \d\d:\d\d:\d\d UTC \(timeout\)/,
          )
      },
      { timeout: 60_000, interval: 100 },
    )
    console.info(`the dead cluster's, after these: ${Math.round((performance.now() - from) / 1000)} s`)
    await service.idle()
  }, 120_000)

  it('one that is known to be away is not asked again: its name is in an answer at once', async () => {
    const calls = other.calls.filter(({ path }) => path.includes('/pods/')).length
    await service.ask(`prod-us:${target}`, { channel_id: 'CAGAIN' })
    await vi.waitFor(() => expect(textIn('CAGAIN')).toMatch(/^Cluster prod-us cannot be reached since/), patience)
    expect(other.calls.filter(({ path }) => path.includes('/pods/'))).toHaveLength(calls)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toMatch(/^podwhy_cluster_up\{cluster="prod-eu"\} 1$/m)
    expect(metrics).toMatch(/^podwhy_cluster_up\{cluster="prod-us"\} 0$/m)
  })

  it('one that is back is asked again', async () => {
    other.reset()
    await vi.waitFor(
      async () => {
        await service.ask(`prod-us:${target}`, { channel_id: `CBACK${performance.now()}` })
        expect(service.stderr()).toContain('cluster prod-us can be reached again')
      },
      { timeout: 30_000, interval: 500 },
    )
    await service.ask(`prod-us:${target}`, { channel_id: 'CBACK' })
    await service.idle()
    expect(around.slack.channel('CBACK')).toSatisfy(hasAnswer)
  }, 60_000)
})

it('a cluster that hangs does not keep podwhy from starting', async () => {
  other.fault(/./, 'hang')
  const second = await openSurroundings()
  try {
    const first = second.kube.kubeconfig({ token: 'first-token' })
    const env = { PODWHY_KUBECONFIGS: `prod-us=${other.kubeconfig()},prod-eu=${first}` }
    const started = await second.start({ env })
    expect(started.stderr()).toContain('cluster prod-eu, all namespaces')
    await started.ask(`prod-eu:${target}`, { channel_id: 'CSTART' })
    await vi.waitFor(() => expect(second.slack.channel('CSTART')).toSatisfy(hasAnswer), patience)
    await vi.waitFor(() => expect(started.stderr()).toMatch(/prod-us: its rights could not be found out/), patience)
  } finally {
    await second.close()
  }
}, 90_000)
