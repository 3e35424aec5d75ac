import { describe, expect, it } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { JsonObject, PodSnapshot } from '../../../src/diagnosis/snapshot.ts'
import { aContainer, aPod, aSnapshot, crashLoop, waiting } from '../builders.ts'

const causeOf = (status: JsonObject, metadata: JsonObject, overrides: Partial<PodSnapshot> = {}) =>
  diagnose(
    aSnapshot({
      pod: aPod({ metadata, containers: [aContainer({ name: 'api', ready: false, ...status })] }),
      ...overrides,
    }),
  )

describe('a key that a ConfigMap does not have', () => {
  const status = { state: waiting('CreateContainerConfigError', "couldn't find key DB_HOST in ConfigMap shop/api-env") }

  it('stands beside the keys that it has', () => {
    const configMaps = [{ metadata: { name: 'api-env', namespace: 'shop' }, data: { db_host: '', db_port: '' } }]
    const { cause } = causeOf(status, {}, { related: { configMaps } }).diagnosis
    expect(cause.summary).toContain('It has `db_host`, `db_port`.')
    expect(cause.evidence).toContainEqual({ source: 'keys of ConfigMap shop/api-env', text: '`db_host`, `db_port`' })
  })

  it('asks for that ConfigMap, and says nothing of its keys before it was read', () => {
    const { diagnosis, requests } = causeOf(status, {})
    expect(requests).toContainEqual({ read: 'object', kind: 'ConfigMap', namespace: 'shop', name: 'api-env' })
    expect(diagnosis.cause.summary).not.toContain('It has')
  })

  it('of a Secret is never looked for', () => {
    const secret = { state: waiting('CreateContainerConfigError', "couldn't find key pw in Secret shop/api-db") }
    expect(JSON.stringify(causeOf(secret, {}).requests)).not.toContain('Secret')
  })
})

describe('a memory limit', () => {
  const killed = { ...crashLoop(137, { reason: 'OOMKilled' }), spec: { resources: { limits: { memory: '128Mi' } } } }
  const annotated = (said: string) => ({ annotations: { 'kubernetes.io/limit-ranger': said } })

  it('that a LimitRange filled in is told from one that the workload chose', () => {
    const fix = (metadata: JsonObject) => causeOf(killed, metadata).diagnosis.cause.fix.join(' ')
    expect(fix(annotated('LimitRanger plugin set: cpu, memory limit for container api'))).toContain('from a LimitRange')
    expect(fix(annotated('LimitRanger plugin set: memory limit for container web'))).not.toContain('LimitRange')
    expect(fix({})).not.toContain('LimitRange')
  })
})
