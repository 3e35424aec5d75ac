import type { PodEvent } from './pod-events.ts'
import { epochMs } from './rfc3339.ts'
import type { View } from './view.ts'

const PROGRESS: ReadonlySet<string> = new Set(['Pulling', 'Pulled', 'Created', 'Started'])
const WAITS_FOR_ITS_TURN: ReadonlySet<string> = new Set(['', 'PodInitializing', 'ContainerCreating'])

/** When the pod last got as far as a container, in ms since 1970; 0: it never did. */
const lastProgress = (view: View): number => {
  const events = view.events.filter(({ reason }) => PROGRESS.has(reason)).map(({ lastAt }) => epochMs(lastAt) ?? 0)
  const states = view.containers.flatMap(({ state, ended }) => [
    epochMs(state.running?.startedAt) ?? 0,
    epochMs(ended?.terminated.finishedAt) ?? 0,
  ])
  return Math.max(0, ...events, ...states)
}

/**
 * Whether something that stands before every container – volumes, sandbox – can still hold the pod up: nothing runs in its
 * sandbox, and it does not have one that works. Kubelets remount volumes of running pods, so old and even new mount
 * failures there mean nothing.
 */
export const isBeforeContainers = (view: View): boolean => {
  const phase = view.pod?.status?.phase
  if (!view.pod?.spec?.nodeName || phase === 'Succeeded' || phase === 'Failed') return false
  if (view.containers.some(({ state }) => state.running)) return false
  const sandbox = view.condition('PodReadyToStartContainers')?.status
  if (sandbox !== undefined) return sandbox !== 'True'
  return view.containers.every(({ state }) => state.terminated || WAITS_FOR_ITS_TURN.has(state.waiting?.reason ?? ''))
}

/** The newest of these events, unless the pod has got further since. */
export const unresolved = (view: View, events: readonly PodEvent[]): PodEvent | null => {
  const newest = events.at(-1)
  if (!newest || !isBeforeContainers(view)) return null
  const at = epochMs(newest.lastAt)
  return at !== null && at < lastProgress(view) ? null : newest
}
