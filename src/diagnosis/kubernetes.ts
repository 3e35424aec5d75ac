import { condition, metadata } from './kubernetes-metadata.ts'
import { podSpec } from './kubernetes-pod.ts'
import { flag, list, map, number, type Of, object, text, textOrNumber, values } from './shape.ts'

// The parts of other objects that rules read (core/v1, apps/v1, batch/v1, discovery/v1); every field may be missing.

export const event = object({
  metadata,
  involvedObject: object({ kind: text, name: text, namespace: text, uid: text, fieldPath: text }),
  reason: text,
  message: text,
  type: text,
  count: number,
  firstTimestamp: text,
  lastTimestamp: text,
  eventTime: text,
  series: object({ count: number, lastObservedTime: text }),
})
export type KubernetesEvent = Of<typeof event>

export const service = object({
  metadata,
  spec: object({
    type: text,
    clusterIP: text,
    externalName: text,
    selector: map(text),
    ports: list(object({ name: text, port: number, targetPort: textOrNumber, protocol: text, nodePort: number })),
  }),
})
export type Service = Of<typeof service>

export const endpointSlice = object({
  metadata,
  endpoints: list(
    object({
      addresses: values(text),
      conditions: object({ ready: flag, serving: flag, terminating: flag }),
      targetRef: object({ kind: text, name: text }),
    }),
  ),
  ports: list(object({ name: text, port: number, protocol: text })),
})
export type EndpointSlice = Of<typeof endpointSlice>

export const node = object({
  metadata,
  spec: object({
    unschedulable: flag,
    podCIDR: text,
    taints: list(object({ key: text, value: text, effect: text })),
  }),
  status: object({
    conditions: list(condition),
    allocatable: map(textOrNumber),
    capacity: map(textOrNumber),
    nodeInfo: object({
      architecture: text,
      operatingSystem: text,
      kubeletVersion: text,
      containerRuntimeVersion: text,
    }),
  }),
})
export type Node = Of<typeof node>

export const persistentVolumeClaim = object({
  metadata,
  spec: object({ storageClassName: text, volumeName: text, accessModes: values(text) }),
  status: object({ phase: text }),
})
export type PersistentVolumeClaim = Of<typeof persistentVolumeClaim>

const podTemplate = object({ spec: podSpec })
/** ReplicaSet, Deployment, StatefulSet, DaemonSet: what they have in common. */
export const workload = object({
  kind: text,
  metadata,
  spec: object({ replicas: number, suspend: flag, template: podTemplate }),
  status: object({
    replicas: number,
    readyReplicas: number,
    availableReplicas: number,
    conditions: list(condition),
    desiredNumberScheduled: number,
    numberReady: number,
  }),
})
export type Workload = Of<typeof workload>

export const job = object({
  metadata,
  spec: object({
    backoffLimit: number,
    activeDeadlineSeconds: number,
    completions: number,
    suspend: flag,
    template: podTemplate,
  }),
  status: object({ active: number, succeeded: number, failed: number, conditions: list(condition) }),
})
export type KubernetesJob = Of<typeof job>

export const cronJob = object({
  metadata,
  spec: object({
    suspend: flag,
    schedule: text,
    jobTemplate: object({ spec: object({ template: podTemplate }) }),
  }),
  status: object({ lastScheduleTime: text }),
})

export const configMap = object({ metadata, data: map(text), binaryData: map(text) })
export const namespace = object({ metadata, status: object({ phase: text }) })
export const resourceQuota = object({
  metadata,
  status: object({ hard: map(textOrNumber), used: map(textOrNumber) }),
})
export const limitRange = object({
  metadata,
  spec: object({
    limits: list(
      object({ type: text, max: map(textOrNumber), default: map(textOrNumber), defaultRequest: map(textOrNumber) }),
    ),
  }),
})
export const serviceAccount = object({ metadata, imagePullSecrets: list(object({ name: text })) })
