import { describePod, editOwner } from '../commands.ts'
import { job } from '../kubernetes.ts'
import { specHome } from '../owner.ts'
import type { PodEvent } from '../pod-events.ts'
import { unresolved } from '../pod-progress.ts'
import { code, type Draft, eventFact, fact, type PodRule, quote } from '../rule.ts'
import { onlyContainer } from '../successor.ts'
import type { View } from '../view.ts'
import { keysThereAre } from './config-map-keys.ts'
import { claimOf } from './scheduling-claims.ts'
import { describeNode } from './unscheduled.ts'
import { mountAdvice } from './volume-mount-advice.ts'
import { isMountFailure, isSummary, mountClass, volumeIn } from './volume-mount-classes.ts'

/** The pod's own name for a volume that an event calls by its own or by its PersistentVolume's name. */
const podVolume = (view: View, said: string | null): string | null => {
  const volumes = view.pod?.spec?.volumes ?? []
  if (said !== null && volumes.some(({ name }) => name === said)) return said
  const claims = volumes.filter(({ persistentVolumeClaim: claim }) => claim?.claimName !== undefined)
  if (claims.length === 1) return claims[0]?.name ?? null
  const match = claims.find(({ persistentVolumeClaim: claim }) => {
    const found = claimOf(view, claim?.claimName ?? '')
    return found && found !== 'absent' && (found.spec?.volumeName === said || `pvc-${found.metadata?.uid}` === said)
  })
  return match?.name ?? null
}

/** The first container, in start order, that mounts the volume: the one that is held up by it. */
const mounter = (view: View, volume: string | null): string | null =>
  view.containers.find(({ spec }) => spec.volumeMounts?.some(({ name }) => name === volume))?.name ??
  onlyContainer(view)

/** The newest failure that says what is wrong; one that only sums up where there is no other. */
const newestFailure = (view: View): PodEvent | null => {
  const failures = view.events.filter(isMountFailure)
  const newest = unresolved(view, failures)
  if (!newest || !isSummary(newest.message)) return newest
  return failures.findLast(({ message }) => !isSummary(message)) ?? newest
}

const sourceOf = (view: View, volume: string | null): { kind: string; name: string } | null => {
  const found = view.pod?.spec?.volumes?.find(({ name }) => name === volume)
  if (found?.configMap?.name) return { kind: 'ConfigMap', name: found.configMap.name }
  if (found?.secret?.secretName) return { kind: 'Secret', name: found.secret.secretName }
  return null
}

/** Hooks make objects that are called after them: `NAME-create` makes Secret `NAME`. */
const jobCalledLike = (view: View, name: string): string | null =>
  (view.list('jobs', job) ?? view.known('jobs', job)).find(({ metadata }) => metadata?.name?.startsWith(`${name}-`))
    ?.metadata?.name ?? null

/** A volume that cannot be attached or mounted; no container starts before all volumes are there. */
export const volumeMount: PodRule = view => {
  const event = newestFailure(view)
  if (!event) return null
  const said = volumeIn(event.message)
  const volume = podVolume(view, said)
  const found = mountClass(event.message)
  const source = found.object ?? sourceOf(view, volume)
  const node = view.pod?.spec?.nodeName ?? ''
  const isMissing = found.id === 'volume.object-missing'
  const advice = mountAdvice(found, {
    message: event.message,
    volume: volume ?? said ?? '',
    source,
    node,
    namespace: view.namespace,
    home: specHome(view),
    job: isMissing && source ? jobCalledLike(view, source.name) : null,
    hostPath: view.pod?.spec?.volumes?.find(({ name }) => name === volume)?.hostPath?.path ?? null,
  })
  const keys = found.id === 'volume.key-missing' && source ? keysThereAre(view, source.kind, source.name) : null
  const claim = view.pod?.spec?.volumes?.find(({ name }) => name === volume)?.persistentVolumeClaim?.claimName
  const draft: Draft = {
    id: found.id,
    confidence: found.id === 'volume.other' && isSummary(event.message) ? 'likely' : 'certain',
    container: mounter(view, volume),
    summary: `No container has started: ${advice.what}.${keys?.text ?? ''}`,
    evidence: [
      eventFact(event, quote(event.message, 500)),
      ...(volume ? [fact('spec.volumes', `volume ${code(volume)}${claim ? ` of claim ${code(claim)}` : ''}`)] : []),
      ...(keys?.evidence ?? []),
    ],
    fix: advice.fix,
    avoid: advice.avoid ?? [],
    verify: ['The kubelet tries again by itself, within about two minutes; then the containers start.'],
    commands: [
      ...advice.commands,
      ...(found.id === 'volume.object-missing' || found.id === 'volume.key-missing' ? [] : [describeNode(node)]),
      describePod(view),
      ...(found.id === 'volume.key-missing' || found.id === 'volume.host-path-type' ? editOwner(view) : []),
    ],
  }
  return draft
}
