import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Pod, pod as readPod } from '../../src/diagnosis/kubernetes-pod.ts'
import { type PodStatus, podStatus } from '../../src/diagnosis/pod-status.ts'
import { type StatusRules, statusRules } from '../../src/diagnosis/server-version.ts'

interface OraclePod {
  readonly id: string
  readonly takenAt: string
  readonly pod: unknown
  /** What the printers of these releases gave. */
  readonly expect: Readonly<Record<string, PodStatus>>
}

interface Vectors {
  readonly now: string
  readonly vectors: readonly {
    readonly id: string
    readonly why: string
    readonly pod: unknown
    readonly expected: Readonly<Record<StatusRules, PodStatus>>
  }[]
}

const file = (name: string): Buffer => readFileSync(new URL(`oracle/${name}`, import.meta.url))
const asPod = (value: unknown): Pod => readPod(value) ?? {}
const cells = ({ status, ready, restarts }: PodStatus): string => `${status} | ${ready} | ${restarts}`

describe('STATUS, READY and RESTARTS are what the API server prints', () => {
  test('on 6,000 generated pods by the printers of 1.27, 1.30, 1.34 and 1.36', () => {
    const pods = gunzipSync(file('status-oracle.jsonl.gz')).toString().trimEnd().split('\n')
    const mismatches: string[] = []
    let rows = 0
    for (const line of pods) {
      const { id, takenAt, pod, expect: printed } = JSON.parse(line) as OraclePod
      for (const [release, cellsOfRelease] of Object.entries(printed)) {
        rows++
        const got = cells(podStatus(asPod(pod), statusRules(Number(release.slice(2))), takenAt))
        if (got !== cells(cellsOfRelease)) mismatches.push(`${id} ${release}: ${got}, not ${cells(cellsOfRelease)}`)
      }
    }
    expect({ pods: pods.length, rows }).toEqual({ pods: 6_000, rows: 24_000 })
    expect(mismatches).toEqual([])
  })

  const { now, vectors } = JSON.parse(file('status-vectors.json').toString()) as Vectors
  test('on 50 vectors', () => expect(vectors).toHaveLength(50))
  test.each(vectors)('$id: $why', ({ pod, expected }) => {
    for (const rules of ['a', 'b', 'c', 'd'] as const)
      expect(`${rules}: ${cells(podStatus(asPod(pod), rules, now))}`).toBe(`${rules}: ${cells(expected[rules])}`)
  })
})

describe('without a full picture', () => {
  const restarted = (finishedAt: unknown): Pod =>
    asPod({
      spec: { containers: [{ name: 'api' }] },
      status: {
        phase: 'Running',
        containerStatuses: [
          {
            name: 'api',
            restartCount: 2,
            ready: true,
            state: { running: {} },
            lastState: { terminated: { finishedAt } },
          },
        ],
      },
    })

  test('RESTARTS has no age where the time of reading is unknown', () => {
    expect(podStatus(restarted('2026-05-04T12:00:00Z'), 'd', null).restarts).toBe('2')
  })

  test.each([null, 'yesterday', '2026-05-04 12:00', '0001-01-01T00:00:00Z', 7])(
    'RESTARTS has no age where the last instance finished at %j',
    finishedAt => {
      expect(podStatus(restarted(finishedAt), 'd', '2026-05-04T12:01:00Z').restarts).toBe('2')
    },
  )

  test('the age counts from a time of any zone and precision', () => {
    expect(podStatus(restarted('2026-05-04T14:00:00.5+02:00'), 'd', '2026-05-04T12:01:00.123456789Z').restarts).toBe(
      '2 (59s ago)',
    )
  })

  test('a pod of which nothing is known has empty columns', () => {
    expect(podStatus({}, 'd', null)).toEqual({ status: '', ready: '0/0', restarts: '0' })
  })

  test('a list entry that is no object keeps its place', () => {
    const pod = asPod({
      spec: { initContainers: [{}, {}], containers: [{}] },
      status: { phase: 'Pending', initContainerStatuses: [{ state: { terminated: {} } }, null] },
    })
    expect(podStatus(pod, 'd', null).status).toBe('Init:1/2')
  })
})
