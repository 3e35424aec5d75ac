import type { Command } from './diagnosis.ts'
import { cronJobOf, ownerOf } from './owner.ts'
import type { Subject } from './subject.ts'
import type { View } from './view.ts'

/** Kinds that `kubectl rollout` knows. */
const ROLLED_OUT: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet'])

/** `kubectl -n NAMESPACE …`, reading only. */
export const read = (view: View, purpose: string, ...args: readonly string[]): Command => ({
  purpose,
  argv: ['kubectl', '-n', view.namespace, ...args],
  changes: false,
})

/** `kubectl -n NAMESPACE …` that changes the cluster; only ever proposed. */
export const change = (view: View, purpose: string, ...args: readonly string[]): Command => ({
  purpose,
  argv: ['kubectl', '-n', view.namespace, ...args],
  changes: true,
})

/** A read of something that lives in no namespace, such as a node. */
export const readClusterWide = (purpose: string, ...args: readonly string[]): Command => ({
  purpose,
  argv: ['kubectl', ...args],
  changes: false,
})

const podName = (view: View): string => view.pod?.metadata?.name ?? view.snapshot.target

export const describePod = (view: View): Command =>
  read(view, 'Everything the cluster says about the pod, with its events', 'describe', 'pod', podName(view))

/** The log of the very instance that is explained. */
export const readLog = (subject: Subject): Command => {
  const isPrevious = subject.log.instance === 'previous'
  const purpose = isPrevious ? `Log of the run of ${subject.name} that failed` : `Log of ${subject.name}`
  const args = ['logs', podName(subject.view), '-c', subject.name, ...(isPrevious ? ['--previous'] : []), '--tail=100']
  return read(subject.view, purpose, ...args)
}

/** Opens the spec where it is kept; none for a Job (its template is immutable) and for a pod without owner. */
export const editOwner = (view: View): readonly Command[] => {
  const owner = cronJobOf(view) ?? ownerOf(view)
  if (!owner || !(ROLLED_OUT.has(owner.kind) || owner.kind === 'CronJob')) return []
  const ref = `${owner.kind.toLowerCase()}/${owner.name}`
  return [change(view, `Change ${owner.kind} ${owner.name}`, 'edit', ref)]
}

/** How to watch a fix work. */
export const watchFix = (view: View): readonly Command[] => {
  const owner = ownerOf(view)
  if (owner && ROLLED_OUT.has(owner.kind)) {
    return [read(view, 'Watch it work', 'rollout', 'status', `${owner.kind.toLowerCase()}/${owner.name}`)]
  }
  if (owner?.kind === 'Job') return [read(view, 'Watch it work', 'get', 'job', owner.name, '--watch')]
  return view.pod ? [read(view, 'Watch it work', 'get', 'pod', podName(view), '--watch')] : []
}
