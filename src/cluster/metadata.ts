import { flag, list, map, type Of, object, text } from '../diagnosis/shape.ts'

const objectMetadata = object({
  name: text,
  namespace: text,
  uid: text,
  creationTimestamp: text,
  deletionTimestamp: text,
  labels: map(text),
  annotations: map(text),
  ownerReferences: list(object({ kind: text, name: text, uid: text, controller: flag })),
})
const withMetadata = object({ metadata: objectMetadata })

/** What every Kubernetes object has; any field may be missing. */
export type Metadata = Of<typeof objectMetadata>

/** An object's metadata, `{}` where it has none. */
export const metadataOf = (value: unknown): Metadata => withMetadata(value)?.metadata ?? {}

/** The owner that manages the object: its ownerReference with `controller: true`. */
export const controllerOf = (value: unknown) =>
  metadataOf(value).ownerReferences?.find(reference => reference.controller === true)
