import { type Container, containersOf } from './containers.ts'
import { cronJob, job, type Workload, workload } from './kubernetes.ts'
import type { PodSpec } from './kubernetes-pod.ts'
import type { PodEvent } from './pod-events.ts'
import type { RelatedList } from './snapshot.ts'
import type { View } from './view.ts'

/** An object that makes pods: the target itself, or a Deployment's ReplicaSet, a CronJob's Job. */
export interface PodMaker {
  readonly kind: string
  readonly name: string
  /** Null: not read. */
  readonly object: Workload | null
}

const LISTS: Readonly<Record<string, RelatedList>> = {
  ReplicaSet: 'replicaSets',
  Deployment: 'deployments',
  StatefulSet: 'statefulSets',
  DaemonSet: 'daemonSets',
  Job: 'jobs',
  CronJob: 'cronJobs',
}

/** The target of a snapshot without a pod. */
export const targetOf = (view: View): { kind: string; name: string } | null => {
  const [, kind, name] = /^([A-Z][A-Za-z]+)\/(.+)$/.exec(view.snapshot.target) ?? []
  return kind === undefined || name === undefined ? null : { kind, name }
}

const known = (view: View, kind: string): readonly Workload[] => {
  const list = LISTS[kind]
  return list === undefined ? [] : view.known(list, workload)
}

const between: Readonly<Record<string, string>> = { Deployment: 'ReplicaSet', CronJob: 'Job' }

/** What makes the target's pods, the newest first; the target itself last. */
export const podMakers = (view: View): readonly PodMaker[] => {
  const target = targetOf(view)
  if (!target) return []
  const own = known(view, target.kind).find(({ metadata }) => metadata?.name === target.name) ?? null
  const childKind = between[target.kind]
  const children = childKind === undefined ? [] : known(view, childKind)
  const owned = children
    .filter(({ metadata }) =>
      metadata?.ownerReferences?.some(({ kind, name }) => kind === target.kind && name === target.name),
    )
    .toSorted((a, b) => (b.metadata?.creationTimestamp ?? '').localeCompare(a.metadata?.creationTimestamp ?? ''))
    .map(object => ({ kind: childKind ?? '', name: object.metadata?.name ?? '', object }))
  return [...owned, { ...target, object: own }]
}

/** The events of what makes the pods, oldest first. */
export const makerEvents = (view: View, makers: readonly PodMaker[]): readonly PodEvent[] =>
  makers
    .filter((maker, index) => index === 0 || maker === makers.at(-1))
    .flatMap(({ kind, name }) => view.eventsOf(kind, name) ?? [])

/** The pod template of the target; null: not read. */
export const templateOf = (view: View): PodSpec | null => {
  for (const { object } of podMakers(view)) if (object?.spec?.template?.spec) return object.spec.template.spec
  const target = targetOf(view)
  const own = view
    .known('cronJobs', cronJob)
    .find(({ metadata }) => target?.kind === 'CronJob' && metadata?.name === target.name)
  return own?.spec?.jobTemplate?.spec?.template?.spec ?? null
}

/** A container of the template. */
export const templateContainer = (view: View, name: string): Container | undefined => {
  const spec = templateOf(view)
  return spec ? containersOf({ spec }).find(container => container.name === name) : undefined
}

/** The Job that is the target. */
export const targetJob = (view: View) => {
  const target = targetOf(view)
  return target?.kind === 'Job'
    ? view.known('jobs', job).find(({ metadata }) => metadata?.name === target.name)
    : undefined
}
