import { expect, test } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import { aContainer, ago, aPod, aSnapshot, ended, running } from '../builders.ts'

const work = (secondsAgo: number) =>
  aContainer({
    name: 'work',
    ready: false,
    state: ended(0, { startedAt: ago(secondsAgo + 100), finishedAt: ago(secondsAgo) }),
  })
const pod = (secondsAgo: number, beside: string) =>
  aPod({
    containers: [work(secondsAgo), aContainer({ name: beside, state: running(2000) })],
    spec: { restartPolicy: 'Never' },
    metadata: { ownerReferences: [{ kind: 'Job', name: 'nightly', uid: 'j1', controller: true }] },
  })
const answer = (secondsAgo: number, beside: string) => diagnose(aSnapshot({ pod: pod(secondsAgo, beside) })).diagnosis

test('a proxy that outlives the work keeps the Job from completing', () => {
  const { cause, container } = answer(1800, 'istio-proxy')
  expect(cause.id).toBe('job.sidecar-running')
  expect(cause.summary).toContain('Job `nightly` never complete')
  expect(container?.name).toBe('istio-proxy')
})

test('a helper gets a minute to end', () => {
  expect(answer(20, 'istio-proxy').cause.id).toBe('healthy')
})

test('a second piece of work that goes on is nothing wrong', () => {
  const { cause, healthy } = answer(1800, 'second-half')
  expect({ id: cause.id, healthy }).toEqual({ id: 'healthy', healthy: true })
  expect(cause.summary).toContain('`second-half` still runs')
})
