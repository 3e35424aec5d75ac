import { expect, test } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import { aContainer, aLog, aPod, aSnapshot, aWaitingContainer, current, running } from '../builders.ts'

/** Init container `wait-kafka` runs this script; its namespace's Services were read, those of `streams` were not. */
const waits = (script: string, lines: readonly string[]) => {
  const step = aContainer({
    name: 'wait-kafka',
    spec: { command: ['sh', '-c', script] },
    state: running(600),
    ready: false,
    started: true,
  })
  return diagnose(
    aSnapshot({
      pod: aPod({ init: [step], containers: [aWaitingContainer('api')], initialized: false }),
      logs: { 'wait-kafka': current(aLog(lines)) },
      related: { services: [] },
    }),
  ).diagnosis.cause
}
const SCRIPT = 'while ! kcat -b broker.streams.svc:9092 -L; do sleep 5; done'

test('a name of a namespace that was not read, and that does not resolve, is likely wrong', () => {
  const { id, confidence, summary } = waits(SCRIPT, [
    "%3|FAIL|rdkafka| broker.streams.svc:9092: Failed to resolve 'broker.streams.svc:9092': Name or service not known",
  ])
  expect({ id, confidence }).toEqual({ id: 'init.wait-wrong-target', confidence: 'likely' })
  expect(summary).toContain('`streams`')
})

test('a name that resolves but refuses says nothing about the name', () => {
  const { id } = waits(SCRIPT, ['%3|FAIL|rdkafka| broker.streams.svc:9092: Connect failed: Connection refused'])
  expect(id).toBe('init.waiting')
})
