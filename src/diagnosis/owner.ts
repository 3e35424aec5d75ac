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
  return kind === 'ReplicaSet' ? (grandparentOf(view, kind, name, uid) ?? { kind, name }) : { kind, name }
}

const grandparentOf = (view: View, kind: string, name: string, uid: string | undefined): Owner | null => {
  const parent = view.object(kind, view.namespace, name, workload)
  if (parent === null || parent === 'absent' || (uid !== undefined && parent.metadata?.uid !== uid)) return null
  const grandparent = parent.metadata?.ownerReferences?.find(({ controller }) => controller)
  return grandparent?.kind && grandparent.name ? { kind: grandparent.kind, name: grandparent.name } : null
}

/** The CronJob that made the pod's Job; null where it is no such Job's pod. */
export const cronJobOf = (view: View): Owner | null => {
  const reference = view.pod?.metadata?.ownerReferences?.find(({ controller }) => controller)
  if (reference?.kind !== 'Job' || reference.name === undefined) return null
  const maker = grandparentOf(view, 'Job', reference.name, reference.uid)
  return maker?.kind === 'CronJob' ? maker : null
}

/** How a Deployment names its ReplicaSets: a hash of the template, in the letters of apimachinery's SafeEncodeString. */
const TEMPLATE_HASH = /-[bcdfghjklmnpqrstvwxz2456789]{6,10}$/

/** True for a ReplicaSet that was not read and bears the name that a Deployment gives; which one stays unknown. */
const isOfSomeDeployment = (view: View, { kind, name }: Owner): boolean =>
  kind === 'ReplicaSet' &&
  TEMPLATE_HASH.test(name) &&
  !view.known('replicaSets', workload).some(({ metadata }) => metadata?.name === name)

/** True for the mirror of a static pod: the API object can be neither edited nor deleted to any effect. */
export const isStaticPod = (view: View): boolean =>
  view.pod?.metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined

/** Where a spec is changed: `Deployment \`web\``, `the pod's manifest`. */
export const specHome = (view: View): string => {
  const owner = cronJobOf(view) ?? ownerOf(view)
  if (owner) return `${isOfSomeDeployment(view, owner) ? 'the Deployment of ' : ''}${owner.kind} \`${owner.name}\``
  const node = view.pod?.spec?.nodeName
  if (isStaticPod(view)) return `the static pod's manifest on ${node ? `node \`${node}\`` : 'its node'}`
  return "the pod's manifest"
}
