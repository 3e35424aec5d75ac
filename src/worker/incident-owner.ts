import { workload } from '../diagnosis/kubernetes.ts'
import { pod as podShape } from '../diagnosis/kubernetes-pod.ts'
import type { Owner } from '../diagnosis/owner.ts'
import type { Read } from './explaining.ts'

/** Owners that can be read again by their name. */
const workloads = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'CronJob'])

type References = readonly { readonly kind?: string; readonly name?: string; readonly controller?: boolean }[]

const controllerIn = (references: References | undefined): Owner | null => {
  const { kind, name } = references?.find(({ controller }) => controller) ?? {}
  return kind !== undefined && name !== undefined && workloads.has(kind) ? { kind, name } : null
}

/**
 * Whose incident it is, and what can be read again: a CronJob rather than one of its Jobs, which each of its runs makes
 * anew, and a ReplicaSet where what made it is of an unknown kind. Null: the pod's own.
 */
export const incidentOwner = ({
  diagnosis: { owner },
  snapshot,
}: Pick<Read, 'diagnosis' | 'snapshot'>): Owner | null => {
  if (owner !== null && !workloads.has(owner.kind)) {
    return controllerIn(podShape(snapshot.pod)?.metadata?.ownerReferences)
  }
  if (owner?.kind !== 'Job') return owner
  const job = snapshot.related.jobs?.map(each => workload(each)).find(each => each?.metadata?.name === owner.name)
  const maker = controllerIn(job?.metadata?.ownerReferences)
  return maker?.kind === 'CronJob' ? maker : owner
}
