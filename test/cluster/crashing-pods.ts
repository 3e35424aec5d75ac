import type { JsonObject } from '../../src/diagnosis/snapshot.ts'
import { testPod } from './open-test-cluster.ts'

const NOW = Date.now()

/** An RFC 3339 time so many seconds before the test began, as the kubelet writes it. */
export const secondsAgo = (seconds: number): string => `${new Date(NOW - seconds * 1000).toISOString().slice(0, 19)}Z`

export const terminated = (exitCode: number, overrides: JsonObject = {}): JsonObject => ({
  terminated: {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: secondsAgo(12),
    finishedAt: secondsAgo(2),
    ...overrides,
  },
})

export const running = (seconds = 1): JsonObject => ({ running: { startedAt: secondsAgo(seconds) } })

/** A status of container `app`. */
export const appStatus = (overrides: JsonObject): JsonObject => ({
  name: 'app',
  state: running(),
  lastState: {},
  ready: false,
  restartCount: 0,
  ...overrides,
})

/** A pod of namespace `shop` (or that of `metadata`) with one container `app`. */
export const appPod = (name: string, status: JsonObject, rest: Record<string, unknown> = {}): JsonObject =>
  testPod(name, { status: { phase: 'Running', containerStatuses: [appStatus(status)] }, ...rest })

/** One whose first run has just ended with `exitCode`. */
export const crashedPod = (name: string, exitCode = 1, overrides: JsonObject = {}): JsonObject =>
  appPod(name, { state: terminated(exitCode, overrides) })

/** Its log: a line a second, the last one when the run ended. */
export const logOf = (...lines: readonly string[]): string =>
  lines
    .map((line, index) => `${secondsAgo(2 + lines.length - 1 - index).replace('Z', '.000000000Z')} ${line}\n`)
    .join('')
