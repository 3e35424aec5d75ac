import { FORGIVEN_AFTER_SECONDS, restartsAgain } from './back-off.ts'
import { type Container, secondsBetween } from './containers.ts'
import { wasLost } from './lost-container.ts'
import { probeKillOf } from './probe-kill.ts'
import type { View } from './view.ts'

/**
 * Where a container stands. A crash loop is one failure seen at different moments: `Error`, `CrashLoopBackOff` and the
 * short run in between are all `looping` (since 1.35 the word CrashLoopBackOff is rarely shown, the loop is the same).
 */
export type Moment =
  /** Finished as it should: nothing restarts it and nothing is missing. */
  | 'done'
  /** Ended, and nothing restarts it. */
  | 'failed'
  /** Ended, and is or will be started again. */
  | 'looping'
  /** Cannot be created or started: waits with a reason of its own. */
  | 'blocked'
  /** Waits for its turn, its sandbox, its volumes or its image. */
  | 'starting'
  | 'running'

const WAITS_FOR_ITS_TURN: ReadonlySet<string> = new Set(['', 'PodInitializing', 'ContainerCreating'])

const willRestart = (view: View, { kind, spec, state }: Container, exitCode: number): boolean => {
  const phase = view.pod?.status?.phase
  if (phase === 'Succeeded' || phase === 'Failed') return false
  return restartsAgain({
    kind,
    podRestartPolicy: view.pod?.spec?.restartPolicy ?? 'Always',
    containerRestartPolicy: spec.restartPolicy ?? null,
    rules: spec.restartPolicyRules ?? [],
    exitCode,
    reason: state.terminated?.reason,
  })
}

const endedMoment = (view: View, container: Container): Moment => {
  const { exitCode = 0, reason } = container.state.terminated ?? {}
  const podIsOver = view.pod?.status?.phase === 'Succeeded'
  if (container.kind === 'sidecar') {
    // Sidecars are stopped when the app containers are done; their exit codes never count.
    return podIsOver ? 'done' : willRestart(view, container, exitCode) ? 'looping' : 'failed'
  }
  // An init container killed for memory may still exit 0; the kubelet runs it again nevertheless.
  if (container.kind === 'init' && exitCode === 0) return reason === 'OOMKilled' ? 'looping' : 'done'
  if (willRestart(view, container, exitCode)) return 'looping'
  return exitCode === 0 ? 'done' : 'failed'
}

/** Events live an hour: a probe kill that still has one is recent, and a probe that killed twice will kill again. */
const isKilledAgainAndAgain = (view: View, container: Container): boolean => {
  if (!probeKillOf(view.events, container)) return false
  const ago = secondsBetween(container.ended?.terminated.finishedAt, view.takenAt)
  return ago !== null && ago <= (container.restartCount >= 2 ? 3600 : 600)
}

/** True for the run between two crashes: it runs again, but no longer than it did before it crashed last. */
const runsBetweenCrashes = (view: View, container: Container): boolean => {
  const { ended, restartCount, ready, kind, state } = container
  if (!ended || restartCount === 0) return false
  const exitCode = ended.terminated.exitCode ?? 0
  if (kind === 'init') return exitCode !== 0 || ended.terminated.reason === 'OOMKilled'
  // What the runtime lost and the kubelet brought back is no crash.
  if (ready && wasLost(view, container)) return false
  if (isKilledAgainAndAgain(view, container)) return true
  if (exitCode === 0 && restartCount < 3) return false
  const isRepeated = restartCount >= 2 || (!ready && container.status?.started === false)
  const age = secondsBetween(state.running?.startedAt, view.takenAt)
  if (!isRepeated) return false
  if (age === null) return !ready
  const lasted = ended.ranSeconds ?? 60
  return lasted <= FORGIVEN_AFTER_SECONDS && age <= lasted * 1.5 + 15
}

/** Where a container stands at the snapshot's time. */
export const momentOf = (view: View, container: Container): Moment => {
  const { state } = container
  if (state.terminated) return endedMoment(view, container)
  if (state.running) return runsBetweenCrashes(view, container) ? 'looping' : 'running'
  const reason = state.waiting?.reason ?? ''
  if (WAITS_FOR_ITS_TURN.has(reason)) return 'starting'
  return reason === 'CrashLoopBackOff' || reason === 'RestartingAllContainers' ? 'looping' : 'blocked'
}
