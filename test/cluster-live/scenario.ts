import { readdirSync, readFileSync } from 'node:fs'
import { vi } from 'vitest'
import { z } from 'zod'
import { kubectl } from './kubectl.ts'
import type { Row } from './pod-watch.ts'
import { openTeam, type Team } from './team.ts'

/** The right answer about the pods of a manifest, and the moments at which to ask. `scenario` stands for the namespace. */
const Expected = z.strictObject({
  title: z.string(),
  /** Name of the workload, with which the pod's name begins. */
  workload: z.string(),
  moments: z.array(
    z.strictObject({
      name: z.string(),
      /** As `kubectl get pod` prints it, any of these. */
      status: z.array(z.string()),
      restarts: z.number().default(0).describe('at least so many'),
      log: z.string().optional().describe('what the log of the container must say first'),
    }),
  ),
  container: z.string(),
  containerKind: z.string(),
  causes: z.array(z.string()).describe('acceptable ids, best first'),
  exitCode: z.number().nullable(),
  mustMention: z.array(z.string()).describe('`a / b`: either'),
  mustNotClaim: z.array(z.string()),
})
export type Expected = z.infer<typeof Expected>
export type Moment = Expected['moments'][number]

const folder = new URL('manifests/', import.meta.url)
const MOMENT_MS = 180_000

/** Names of all manifests. */
export const scenarios: readonly string[] = readdirSync(folder)

/** The right answer to a manifest. */
export const expectedOf = (name: string): Expected =>
  Expected.parse(JSON.parse(readFileSync(new URL(`${name}/expected.json`, folder), 'utf8')))

/** A manifest that runs in a namespace of its own. */
export interface Scenario extends Team {
  readonly expected: Expected
  /** Waits until the pod is as the moment says; gives what kubectl prints then. */
  reach(moment: Moment): Promise<Row>
}

/** Applies a manifest. */
export const openScenario = async (name: string): Promise<Scenario> => {
  const expected = expectedOf(name)
  const team = await openTeam()
  await team.apply(readFileSync(new URL(`${name}/manifest.yaml`, folder), 'utf8'))
  return {
    ...team,
    expected,
    reach: async ({ status, restarts, log }) => {
      const row = await team.pods.until(
        row => row.pod.startsWith(expected.workload) && status.includes(row.status) && row.restarts >= restarts,
        MOMENT_MS,
      )
      if (log === undefined) return row
      const says = ['logs', '-n', team.namespace, row.pod, '-c', expected.container]
      await vi.waitUntil(async () => (await kubectl(says)).includes(log), { timeout: MOMENT_MS, interval: 500 })
      return row
    },
  }
}
