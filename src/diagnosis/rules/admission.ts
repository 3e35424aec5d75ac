import { secondsBetween } from '../containers.ts'
import type { Evidence } from '../diagnosis.ts'
import { humanDuration } from '../human-duration.ts'
import type { PodEvent } from '../pod-events.ts'
import { makerEvents, type PodMaker, podMakers, targetOf } from '../pod-makers.ts'
import { code, type Draft, eventFact, fact, type PodRule, quote } from '../rule.ts'
import type { View } from '../view.ts'
import { refusalClass } from './admission-classes.ts'

/** The API server's words, without what names the attempt. */
const refusalIn = (message: string): string =>
  message
    .replace(/^\(combined from similar events\): /, '')
    .replace(/^Error creating(?: job)?: /, '')
    .replace(/^create (?:Pod|Claim) .{1,260}? in StatefulSet \S+ failed error: /i, '')

const isRefusal = ({ reason }: PodEvent): boolean => reason === 'FailedCreate' || reason === 'ReplicaSetCreateError'

/** A condition keeps the refusal when its events are gone. */
const conditionOf = (makers: readonly PodMaker[]): { words: string; source: string } | null => {
  for (const { kind, name, object } of makers) {
    const failed = object?.status?.conditions?.find(
      ({ type, status, message }) => type === 'ReplicaFailure' && status === 'True' && message !== undefined,
    )
    if (failed?.message)
      return { words: failed.message, source: `${kind} ${name} status.conditions[ReplicaFailure].message` }
  }
  return null
}

const counts = (makers: readonly PodMaker[]): string => {
  const own = makers.at(-1)?.object
  const wanted = own?.spec?.replicas ?? own?.status?.desiredNumberScheduled
  return wanted === undefined ? 'No pod' : `0 of ${wanted} pods`
}

const refused = (view: View, makers: readonly PodMaker[]): Draft | null => {
  const events = makerEvents(view, makers)
  const event = events.findLast(isRefusal)
  const later = events.findLast(({ reason }) => reason === 'SuccessfulCreate')
  const condition = conditionOf(makers)
  if (!event && !condition) return null
  // Pods were made since: the refusal is over.
  if (event && later && Date.parse(later.lastAt ?? '') > Date.parse(event.lastAt ?? '') && !condition) return null
  const words = refusalIn(event?.message ?? condition?.words ?? '')
  const target = targetOf(view)
  const maker = event ? `${event.kind} ${event.name}` : `${makers[0]?.kind} ${makers[0]?.name}`
  const found = refusalClass(words, view)
  const same = events.filter(isRefusal)
  const times = same.reduce((sum, { count }) => sum + count, 0)
  const first = same[0]?.firstAt ?? null
  const ago = secondsBetween(first, view.takenAt)
  const evidence: readonly Evidence[] = [
    ...(event
      ? [eventFact(event, `${event.kind} event of ${code(event.name)}: ${quote(words, 500)}`)]
      : condition
        ? [fact(condition.source, quote(words, 500))]
        : []),
    ...(times > 1
      ? [fact(`events of ${maker}`, `refused ${times} times${ago === null ? '' : ` within ${humanDuration(ago)}`}`)]
      : []),
    ...(found.evidence ?? []),
  ]
  const [describe, name] = [target?.kind ?? 'Pod', target?.name ?? '']
  return {
    id: found.id,
    confidence: found.isLikely ? 'likely' : 'certain',
    container: found.container ?? null,
    summary: `${counts(makers)} of ${describe} ${code(name)} ${counts(makers) === 'No pod' ? 'can be' : 'could be'} created: ${found.what}.`,
    evidence,
    fix: found.fix,
    avoid: found.avoid ?? [],
    verify: [
      `${code(maker.split(' ')[0] ?? '')} gets a SuccessfulCreate event within a few minutes; the next try comes by itself, ever later.`,
    ],
    commands: [
      ...(event ? [describeMaker(view, event.kind, event.name)] : []),
      ...(target ? [describeMaker(view, target.kind, target.name)] : []),
      ...(found.commands ?? []),
    ],
  }
}

const describeMaker = (view: View, kind: string, name: string) => ({
  purpose: `${kind} ${name}: its conditions and events`,
  argv: ['kubectl', '-n', view.namespace, 'describe', kind.toLowerCase(), name],
  changes: false,
})

/** Nobody asks for pods. */
const notWanted = (view: View, makers: readonly PodMaker[]): Draft | null => {
  const own = makers.at(-1)
  const { kind, name, object } = own ?? {}
  const zero =
    object?.spec?.replicas === 0
      ? ['spec.replicas', '0', 'it is scaled to zero']
      : kind === 'DaemonSet' && object?.status?.desiredNumberScheduled === 0
        ? ['status.desiredNumberScheduled', '0', 'no node matches its node selector, affinity and tolerations']
        : object?.spec?.suspend === true
          ? ['spec.suspend', 'true', 'it is suspended']
          : null
  if (!zero) return null
  const [field = '', value = '', why = ''] = zero
  return {
    id: 'gone',
    confidence: 'certain',
    summary: `${kind} ${code(name ?? '')} has no pods, and wants none: ${why}.`,
    evidence: [fact(`${kind} ${name} ${field}`, value)],
    fix: [
      kind === 'DaemonSet'
        ? `Compare ${code('nodeSelector')}, affinity and tolerations of DaemonSet ${code(name ?? '')} with the nodes.`
        : `If pods are wanted, change ${code(field)} of ${kind} ${code(name ?? '')}; look also at what scales it (HPA, KEDA, a GitOps tool).`,
    ],
    commands: [describeMaker(view, kind ?? '', name ?? '')],
  }
}

/** An owner without pods: why the API server refuses each of them. */
export const admission: PodRule = view => {
  if (view.pod) return null
  const makers = podMakers(view)
  if (makers.length === 0) return null
  return notWanted(view, makers) ?? refused(view, makers)
}
