import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'

const recording = (name: string): PodSnapshot =>
  JSON.parse(readFileSync(new URL(`../recordings/${name}.json`, import.meta.url), 'utf8'))

const causeOf = (name: string) => diagnose(recording(name)).diagnosis.cause

const running = { source: 'status.initContainerStatuses[0].state.running', text: expect.any(String) }

test('between two crashes the answer says that the container runs again, and since when', () => {
  const text = expect.stringMatching(/^runs again since \d{4}-.*Z, for the \d+(?:st|nd|rd|th) time$/)
  expect(causeOf('billing-api-schema/in-between').evidence).toContainEqual({ ...running, text })
})

test('while a container waits for its next start nothing is said of a run', () => {
  expect(causeOf('billing-api-schema/crash-loop').evidence).not.toContainEqual(running)
})

test('that the app still serves stands before the quoted line, which a short message may cut', () => {
  const { summary } = causeOf('web-with-metrics-agent/sidecar-down')
  expect(summary.indexOf('still runs')).toBeGreaterThan(0)
  expect(summary.indexOf('Its log says')).toBeGreaterThan(summary.indexOf('still runs'))
})

test('every fact can be read without its source', () => {
  const texts = causeOf('web-with-metrics-agent/sidecar-down').evidence.map(({ text }) => text)
  expect(texts).toContain('exit code 1')
  expect(texts).toContain('initialisation is over')
})

test('of replicas that were not all read, it is not said that all fail', () => {
  const recorded = recording('billing-api-schema/crash-loop')
  const pod = recorded.pod as { metadata: { ownerReferences?: object[] } }
  const ownerReferences = pod.metadata.ownerReferences ?? [
    { kind: 'ReplicaSet', name: 'x', uid: 'x', controller: true },
  ]
  const own = { ...pod, metadata: { ...pod.metadata, ownerReferences } }
  const pods = ['a', 'b'].map(uid => ({ ...own, metadata: { ...own.metadata, name: uid, uid } }))
  const told = (partial: string) => {
    const snapshot = { ...recorded, pod: own, related: { ...recorded.related, pods }, partial: { pods: partial } }
    return diagnose(snapshot as unknown as PodSnapshot).diagnosis.cause.summary
  }
  expect(told('app=web')).toContain('All 3 replicas fail alike.')
  expect(told('app=web, the first 500')).toContain('At least 2 other replicas fail alike.')
})
