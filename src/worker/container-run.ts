import type { Run } from '../cluster/replaced-instance.ts'
import type { Container } from '../diagnosis/containers.ts'
import type { Terminated } from '../diagnosis/kubernetes-pod.ts'

/** One run of a container whose log the kubelet can still serve. */
export interface ContainerRun {
  readonly instance: 'current' | 'previous'
  /** 0 the first one. */
  readonly restart: number
  /** How it ended; null: it runs, or the pod does not tell any more. */
  readonly terminated: Terminated | null
  /** When it ran, where that is over. */
  readonly ended: Run | undefined
}

const spanOf = (terminated: Terminated | null | undefined): Run | undefined => {
  const { startedAt, finishedAt } = terminated ?? {}
  return startedAt && finishedAt ? { startedAt, finishedAt } : undefined
}

/** The newest run that ended, else the one that runs: what explains a container's trouble. */
export const explainedRun = ({ state, restartCount }: Container): number =>
  state.running && restartCount > 0 ? restartCount - 1 : restartCount

/**
 * A run of the container as it is now; null: its log is not kept any more, or it has not begun. Of a container the kubelet
 * keeps the newest run and the one before, and counts a restart when it creates the next.
 */
export const containerRun = ({ state, status, restartCount }: Container, restart: number): ContainerRun | null => {
  const last = status?.lastState?.terminated ?? null
  const isOver = !state.running
  if (restart === restartCount) {
    const terminated = state.terminated ?? (isOver ? last : null)
    return { instance: 'current', restart, terminated, ended: spanOf(terminated) }
  }
  if (restart !== restartCount - 1 || restart < 0) return null
  // While the container waits, the last state is the end of its newest run already.
  const terminated = state.waiting ? null : last
  return { instance: 'previous', restart, terminated, ended: undefined }
}
