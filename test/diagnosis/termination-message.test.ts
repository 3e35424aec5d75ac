import { describe, expect, it } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { aContainer, aPod, aSnapshot, crashLoop, current } from './builders.ts'

const message = 'FATAL: password authentication failed for user "orders"\n'
const crashed = (overrides: Partial<PodSnapshot>) =>
  diagnose(
    aSnapshot({
      pod: aPod({ containers: [aContainer({ ready: false, ...crashLoop(1, { message }) })] }),
      ...overrides,
    }),
  ).diagnosis

const gone = { api: { current: 'unable to retrieve container logs for containerd://4f1d', previous: null } }

// The termination message stands in the status and needs no log (kuberuntime, FallbackToLogsOnError).
describe('the termination message', () => {
  it('tells the cause where the log is gone, and is cited as what it is', () => {
    const { cause, log } = crashed({ logs: gone })
    expect(cause.id).toBe('app.dependency-auth')
    expect(cause.evidence.map(({ source }) => source)).toContain(
      'status.containerStatuses[0].lastState.terminated.message',
    )
    expect(log).toMatchObject({ lines: [], missing: 'the runtime has already removed the log of this instance' })
  })

  it('stands back where there is a log', () => {
    const { cause } = crashed({ logs: { api: current('panic: runtime error: index out of range\n') } })
    expect(cause.id).toBe('app.crash')
    expect(JSON.stringify(cause)).not.toContain('password')
  })
})
