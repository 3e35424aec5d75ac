import { expect, test } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import { aContainer, aLog, anEvent, aPod, aSnapshot, current, running } from '../builders.ts'

const limited = {
  resources: { limits: { memory: '2Gi' } },
  readinessProbe: { httpGet: { path: '/ready', port: 8000 } },
}
const unready = [
  anEvent('Unhealthy', 'Readiness probe failed: Get "http://10.0.0.7:8000/ready": context deadline exceeded', {
    container: 'api',
  }),
]
const cause = (lines: readonly string[], spec: object = limited) =>
  diagnose(
    aSnapshot({
      pod: aPod({ containers: [aContainer({ name: 'api', spec: { ...spec }, state: running(900), ready: false })] }),
      events: unready,
      logs: { api: current(aLog(lines)) },
    }),
  ).diagnosis.cause

const killed = (pid: number) => `[1] [ERROR] Worker (pid:${pid}) was sent SIGKILL! Perhaps out of memory?`

test('workers killed again and again under a memory limit explain why nothing answers', () => {
  const { id, confidence, summary } = cause([killed(21), 'Booting worker with pid: 30', killed(30)])
  expect({ id, confidence }).toEqual({ id: 'oom.child-process', confidence: 'likely' })
  expect(summary).toContain('2Gi')
})

test.each([
  ['uWSGI', 'DAMN ! worker 1 (pid: 12) died, killed by signal 9 :( trying respawn ...'],
  ['Celery', "Process 'ForkPoolWorker-2' pid:31 exited with 'signal 9 (SIGKILL)'"],
  ['php-fpm', 'WARNING: [pool www] child 44 exited on signal 9 (SIGKILL) after 12.5 seconds from start'],
  ['PostgreSQL', 'LOG:  server process (PID 77) was terminated by signal 9: Killed'],
])('%s tells of a killed worker in its own words', (_, line) => {
  expect(cause([line, 'ready', line.replace(/\d+(?=\)|\s+exited|:)/, '99')]).id).toBe('oom.child-process')
})

test('a worker that its own master killed for not answering is not out of memory', () => {
  const lines = [21, 30].flatMap(pid => [`[1] [CRITICAL] WORKER TIMEOUT (pid:${pid})`, killed(pid)])
  expect(cause(lines).id).toBe('probe.too-tight')
})

test('one killed worker, or a container without a limit, proves nothing', () => {
  expect(cause([killed(21)]).id).toBe('probe.too-tight')
  const { readinessProbe } = limited
  expect(cause([killed(21), killed(30)], { readinessProbe }).id).toBe('probe.too-tight')
})
