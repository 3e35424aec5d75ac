import type { JsonObject } from '../../src/diagnosis/snapshot.ts'

/** A pod of one container, serving. */
export const servingPod = (name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: '2026-05-04T11:00:00Z' },
  spec: { containers: [{ name: 'web', image: 'shop/web:1' }], restartPolicy: 'Always' },
  status: {
    phase: 'Running',
    startTime: '2026-05-04T11:00:00Z',
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(type => ({ type, status: 'True' })),
    containerStatuses: [
      {
        name: 'web',
        image: 'shop/web:1',
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: '2026-05-04T11:00:05Z' } },
      },
    ],
  },
})

/** A pod whose only container exits with 1 again and again. */
export const crashingPod = (name: string): JsonObject => ({
  ...servingPod(name),
  status: {
    phase: 'Running',
    startTime: '2026-05-04T11:00:00Z',
    conditions: ['Ready', 'ContainersReady'].map(type => ({ type, status: 'False' })),
    containerStatuses: [
      {
        name: 'web',
        image: 'shop/web:1',
        ready: false,
        started: false,
        restartCount: 4,
        state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 1m20s restarting failed container' } },
        lastState: {
          terminated: {
            exitCode: 1,
            reason: 'Error',
            startedAt: '2026-05-04T11:58:00Z',
            finishedAt: '2026-05-04T11:58:02Z',
          },
        },
      },
    ],
  },
})
