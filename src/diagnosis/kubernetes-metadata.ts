import { flag, list, map, number, type Of, object, text, values } from './shape.ts'

// What every Kubernetes object carries (apimachinery meta/v1 types.go); every field may be missing.

const ownerReference = object({ kind: text, name: text, uid: text, controller: flag })

export const metadata = object({
  name: text,
  generateName: text,
  namespace: text,
  uid: text,
  creationTimestamp: text,
  deletionTimestamp: text,
  deletionGracePeriodSeconds: number,
  generation: number,
  labels: map(text),
  annotations: map(text),
  ownerReferences: list(ownerReference),
  finalizers: values(text),
})

export const condition = object({
  type: text,
  status: text,
  reason: text,
  message: text,
  lastTransitionTime: text,
  lastHeartbeatTime: text,
})
export type Condition = Of<typeof condition>
