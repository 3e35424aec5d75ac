import { workload } from './kubernetes.ts'
import type { View } from './view.ts'

/** The workload whose pod this is, as a user would name it. */
export interface Owner {
  readonly kind: string
  readonly name: string
}

const TARGET = /^([A-Z][A-Za-z]+)\/(.+)$/

/**
 * The pod's owner. A ReplicaSet's Deployment is named only where the ReplicaSet's own ownerReference names it; where the
 * ReplicaSet could not be read, the ReplicaSet is the owner.
 */
export const ownerOf = (view: View): Owner | null => {
  if (!view.pod) {
    const [, kind, name] = TARGET.exec(view.snapshot.target) ?? []
    return kind !== undefined && name !== undefined ? { kind, name } : null
  }
  const references = view.pod.metadata?.ownerReferences ?? []
  const reference = references.find(({ controller }) => controller) ?? references[0]
  const { kind, name, uid } = reference ?? {}
  if (kind === undefined || name === undefined) return null
  // A static pod's mirror is owned by its Node; nobody edits a Node to mend a pod.
  if (kind === 'Node') return null
  if (kind !== 'ReplicaSet' && kind !== 'Job') return { kind, name }
  const parent = view.object(kind, view.namespace, name, workload)
  if (parent === null || parent === 'absent' || (uid !== undefined && parent.metadata?.uid !== uid))
    return { kind, name }
  const grandparent = parent.metadata?.ownerReferences?.find(({ controller }) => controller)
  return kind === 'ReplicaSet' && grandparent?.kind && grandparent.name
    ? { kind: grandparent.kind, name: grandparent.name }
    : { kind, name }
}

/** True for the mirror of a static pod: the API object can be neither edited nor deleted to any effect. */
export const isStaticPod = (view: View): boolean =>
  view.pod?.metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined

/** Where a spec is changed: `Deployment \`web\``, `the pod's manifest`. */
export const specHome = (view: View): string => {
  const owner = ownerOf(view)
  if (owner) return `${owner.kind} \`${owner.name}\``
  const node = view.pod?.spec?.nodeName
  if (isStaticPod(view)) return `the static pod's manifest on ${node ? `node \`${node}\`` : 'its node'}`
  return "the pod's manifest"
}
