import { expect, test } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import { aContainer, ago, anEvent, aPod, aSnapshot, crashLoop, current } from '../builders.ts'
import { crashed } from './crashed-app.ts'

const OOM = { reason: 'OOMKilled' }
const systemOom = (secondsAgo: number) => ({
  ...anEvent('SystemOOM', 'System OOM encountered, victim process: api, pid: 4711', { secondsAgo }),
  involvedObject: { kind: 'Node', name: 'node-a' },
})
const limited = { resources: { limits: { memory: '1Gi' } } }

test('asks for the events of the node where a container without a limit was killed for memory', () => {
  const container = aContainer({ name: 'api', ready: false, ...crashLoop(137, OOM) })
  const { diagnosis, requests } = diagnose(
    aSnapshot({ pod: aPod({ containers: [container] }), logs: { api: current('') } }),
  )
  expect(diagnosis.cause.id).toBe('oom.node')
  expect(requests).toContainEqual({ read: 'events', kind: 'Node', namespace: 'default', name: 'node-a' })
})

test('a system OOM of that moment explains a 137 whose reason was lost', () => {
  const { cause } = crashed({ log: 'working\n', exitCode: 137, snapshot: { related: { events: [systemOom(21)] } } })
  expect(cause.id).toBe('oom.node')
  expect(cause.summary).not.toContain('OOMKilled')
})

test('a system OOM of an hour ago explains nothing', () => {
  const { cause } = crashed({ log: 'working\n', exitCode: 137, snapshot: { related: { events: [systemOom(3600)] } } })
  expect(cause.id).not.toBe('oom.node')
})

test('a server known to size a table by open files, killed at once, is told apart from one that filled up', () => {
  const spec = { image: 'rabbitmq:3.13', ...limited }
  const atOnce = crashed({ log: '', exitCode: 137, ended: OOM, spec })
  expect(atOnce.cause).toMatchObject({ id: 'oom.ulimit-allocation', confidence: 'likely' })
  const later = crashed({ log: '', exitCode: 137, ended: { ...OOM, startedAt: ago(900) }, spec })
  expect(later.cause.id).toBe('oom.container-limit')
  const another = crashed({ log: '', exitCode: 137, ended: OOM, spec: limited })
  expect(another.cause.id).toBe('oom.container-limit')
})
