import type { JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'

const HOUR_MS = 60 * 60_000

interface Pod {
  readonly metadata: { readonly name: string }
  readonly spec: { readonly initContainers?: { name: string }[]; readonly containers: { name: string }[] } & JsonObject
  readonly status: JsonObject
}

/** The same pod an hour after it was mended: all its containers run, it is Ready and has no trouble any more. */
const mended = (recording: PodSnapshot): PodSnapshot => {
  const pod = recording.pod as unknown as Pod
  const since = new Date(Date.parse(recording.takenAt ?? '') - HOUR_MS).toISOString().replace(/\.\d+Z$/, 'Z')
  const status = ({ name }: { name: string }, state: JsonObject): JsonObject => ({
    ...{ name, state, lastState: {}, ready: true, started: true, restartCount: 0, image: '', imageID: '' },
    containerID: `containerd://${name}`,
  })
  const done = { terminated: { exitCode: 0, reason: 'Completed', startedAt: since, finishedAt: since } }
  const types = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']
  const healthy = {
    ...pod.status,
    phase: 'Running',
    startTime: since,
    conditions: types.map(type => ({ type, status: 'True', lastTransitionTime: since })),
    initContainerStatuses: (pod.spec.initContainers ?? []).map(container => status(container, done)),
    containerStatuses: pod.spec.containers.map(container => status(container, { running: { startedAt: since } })),
  }
  const related = Object.fromEntries(
    Object.entries(recording.related).map(([list, objects]) => [
      list,
      list === 'deployments' || list === 'replicaSets' ? objects.map(withAllReady) : objects,
    ]),
  )
  return { ...recording, pod: { ...pod, status: healthy } as JsonObject, events: [], logs: {}, related }
}

/** Mends these pods, and what counts them, in the recordings a server shows. */
export const mend = (recordings: PodSnapshot[], pods: readonly string[]): void => {
  for (const [index, recording] of recordings.entries()) {
    const pod = recording.pod as unknown as Pod | null
    if (pod !== null && pods.includes(pod.metadata.name)) recordings[index] = mended(recording)
  }
}

const withAllReady = (object: JsonObject): JsonObject => {
  const { replicas } = object['spec'] as { replicas: number }
  const { unavailableReplicas: _none, ...status } = object['status'] as JsonObject
  return { ...object, status: { ...status, readyReplicas: replicas, availableReplicas: replicas } }
}
