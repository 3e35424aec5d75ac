import { type Container, containersOf } from './containers.ts'
import { type Workload, workload } from './kubernetes.ts'
import type { Subject } from './subject.ts'
import { type Difference, templateDifference } from './template-difference.ts'
import type { View } from './view.ts'

/** What the newest revision of a Deployment changed of one container. */
export interface RevisionChange {
  readonly deployment: string
  readonly revision: number
  /** The ReplicaSet of that revision. */
  readonly replicaSet: string
  /** When it came, RFC 3339; null where a roll-back brought an old ReplicaSet up again. */
  readonly at: string | null
  readonly before: number
  readonly beforeReplicaSet: string
  /** How many pods of the revision before are ready. */
  readonly beforeReady: number
  /** Where the container stands in the template: `spec.template.spec.containers[0]`. */
  readonly path: string
  /** Null: the revision before has no container of that name. */
  readonly differences: readonly Difference[] | null
}

const revisionOf = ({ metadata }: Workload): number => {
  const written = metadata?.annotations?.['deployment.kubernetes.io/revision'] ?? ''
  return /^\d{1,9}$/.test(written) ? Number(written) : 0
}

const controllerOf = ({ metadata }: Workload) => metadata?.ownerReferences?.find(({ controller }) => controller)

const inTemplate = ({ spec }: Workload, name: string): Container | undefined => {
  const template = spec?.template?.spec
  return template && containersOf({ spec: template }).find(container => container.name === name)
}

/** The ReplicaSet whose pod this is. */
const ownReplicaSet = (view: View): Workload | null => {
  const reference = view.pod?.metadata?.ownerReferences?.find(({ controller }) => controller)
  if (reference?.kind !== 'ReplicaSet' || reference.name === undefined) return null
  const found = view.object('ReplicaSet', view.namespace, reference.name, workload)
  return found === null || found === 'absent' || found.metadata?.uid !== reference.uid ? null : found
}

/**
 * What the revision of this pod changed of the container, where that is the Deployment's newest and there is one before
 * it. Null where it is the first, was replaced already, changed nothing of the container, or could not be read.
 */
export const revisionChange = ({ view, name }: Subject): RevisionChange | null => {
  const own = ownReplicaSet(view)
  const deployment = own ? controllerOf(own) : undefined
  const revision = own ? revisionOf(own) : 0
  if (!own || deployment?.kind !== 'Deployment' || deployment.uid === undefined || revision <= 1) return null
  const all = (view.list('replicaSets', workload) ?? []).filter(set => controllerOf(set)?.uid === deployment.uid)
  const earlier = all.filter(set => set.metadata?.uid !== own.metadata?.uid)
  if (earlier.some(set => revisionOf(set) > revision)) return null
  const before = earlier.filter(set => revisionOf(set) > 0).toSorted((a, b) => revisionOf(b) - revisionOf(a))[0]
  const now = inTemplate(own, name)
  if (!before || !now) return null
  const was = inTemplate(before, name)
  const differences = was ? templateDifference(was.spec, now.spec) : null
  if (differences?.length === 0) return null
  const [createdAt = '', beforeAt = ''] = [own, before].map(({ metadata }) => metadata?.creationTimestamp ?? '')
  return {
    deployment: deployment.name ?? '',
    revision,
    replicaSet: own.metadata?.name ?? '',
    at: createdAt > beforeAt ? createdAt : null,
    before: revisionOf(before),
    beforeReplicaSet: before.metadata?.name ?? '',
    beforeReady: before.status?.readyReplicas ?? 0,
    path: `spec.template.${now.specPath}`,
    differences,
  }
}
