import { expect, it } from 'vitest'
import { ClusterDown } from '../../src/cluster/breaker.ts'
import { openMetrics } from '../../src/metrics.ts'
import type { Question } from '../../src/queue/job.ts'
import { RetryLater } from '../../src/queue/retry-later.ts'
import { explaining } from '../../src/worker/explaining.ts'
import { aQuestion } from '../slack/a-question.ts'
import { logLines } from '../slack/log-lines.ts'

const { log } = logLines()
const down = async (): Promise<never> => {
  throw new ClusterDown('cluster prod-us cannot be reached since 12:03:10 UTC (timeout)', false)
}
const { explain } = explaining({
  clusters: {
    names: ['prod-us'],
    of: () => ({ name: 'prod-us', read: down, triage: down, about: down, log: down }),
    close: async () => {},
  },
  metrics: openMetrics(),
  log,
})
const ask = (fields: Partial<Question>) => explain(aQuestion(fields), new AbortController().signal)

it('whoever asks about a cluster that is down is told so', async () => {
  const { answer, read } = await ask({ via: 'mention' })
  expect(answer.root.text).toBe('Cluster prod-us cannot be reached since 12:03:10 UTC (timeout).')
  expect(read).toBeNull()
})

it('an alert waits for the cluster for ten minutes, then is given up', async () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  await expect(ask({ via: 'alert', askedAt: minutesAgo(9) })).rejects.toThrow(RetryLater)
  await expect(ask({ via: 'alert', askedAt: minutesAgo(11) })).rejects.toThrow(ClusterDown)
})
