import { read } from '../commands.ts'
import type { Command, Evidence } from '../diagnosis.ts'
import { type PersistentVolumeClaim, persistentVolumeClaim } from '../kubernetes.ts'
import { ownerOf, specHome } from '../owner.ts'
import type { PodEvent } from '../pod-events.ts'
import { code, type Draft, eventFact, fact, quote } from '../rule.ts'
import type { Refusal } from '../scheduler-words.ts'
import type { View } from '../view.ts'
import { otherwise, type Unscheduled } from './unscheduled.ts'

/** The names of the claims that the pod's volumes use. */
export const claimNames = (view: View): readonly string[] => [
  ...new Set(
    (view.pod?.spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim: claim, ephemeral }) => {
      if (claim?.claimName !== undefined) return [claim.claimName]
      // A generic ephemeral volume's claim is called after pod and volume.
      return ephemeral ? [`${view.pod?.metadata?.name ?? ''}-${name ?? ''}`] : []
    }),
  ),
]

/** A claim as far as it was read; null: not read. */
export const claimOf = (view: View, name: string): PersistentVolumeClaim | 'absent' | null =>
  view.object('PersistentVolumeClaim', view.namespace, name, persistentVolumeClaim)

const getClaims = (view: View): Command => read(view, 'The claims and their storage classes', 'get', 'pvc')
const describeClaim = (view: View, name: string): Command =>
  read(view, 'The claim and its events', 'describe', 'pvc', name)

const SAYS_WHY: readonly string[] = [
  'ProvisioningFailed',
  'FailedBinding',
  'ExternalProvisioning',
  'WaitForFirstConsumer',
  'VolumeMismatch',
  'Provisioning',
]

/** A warning says more than the waiting that follows it. */
const tellingEvent = (view: View, claim: string): PodEvent | undefined => {
  const events = (view.eventsOf('PersistentVolumeClaim', claim) ?? []).filter(({ reason }) => SAYS_WHY.includes(reason))
  return (
    events.findLast(({ reason }) => reason === 'ProvisioningFailed' || reason === 'VolumeMismatch') ??
    events.findLast(({ reason }) => reason === 'FailedBinding') ??
    events.at(-1)
  )
}

const missing = (view: View, name: string, said: readonly Evidence[]): Draft => {
  const known = (view.list('persistentVolumeClaims', persistentVolumeClaim) ?? []).flatMap(({ metadata }) =>
    metadata?.name ? [metadata.name] : [],
  )
  const volume = view.pod?.spec?.volumes?.find(({ persistentVolumeClaim: claim }) => claim?.claimName === name)
  const others = known.slice(0, 4).map(code).join(', ')
  return {
    id: 'scheduling.pvc-missing',
    confidence: 'certain',
    summary: `The pod has no node because PersistentVolumeClaim ${code(name)} does not exist in namespace ${code(view.namespace)}${volume?.name ? ` (volume ${code(volume.name)})` : ''}.${others ? ` There ${known.length === 1 ? 'is' : 'are'} ${others}.` : ''}`,
    evidence: [
      ...said,
      fact('spec.volumes[].persistentVolumeClaim.claimName', code(name)),
      ...(others ? [fact('persistentvolumeclaims', others)] : []),
    ],
    fix: [
      `Create PersistentVolumeClaim ${code(name)} in ${code(view.namespace)}, or correct ${code('claimName')} in ${specHome(view)}.`,
    ],
    verify: [`${code(`kubectl -n ${view.namespace} get pvc ${name}`)} shows it Bound (or waiting for the pod).`],
    commands: [getClaims(view)],
  }
}

/** A claim the scheduler did not find. */
export const pvcMissing = (pending: Unscheduled, refusal: Refusal): Draft =>
  missing(pending.view, refusal.subject ?? claimNames(pending.view)[0] ?? '', [pending.said])

const causeOf = (claim: PersistentVolumeClaim | null, event: PodEvent | undefined): { why: string; fix: string } => {
  const storageClass = claim?.spec?.storageClassName
  const said = event?.message ?? ''
  if (/no storage class is set/.test(said) || (claim && !storageClass && !event))
    return {
      why: 'it names no storage class, and no PersistentVolume matches it',
      fix: 'Name a StorageClass in the claim (a claim without one cannot be changed: make it anew), mark one as default, or create a matching PersistentVolume',
    }
  if (/storageclass[a-z0-9./]{0,40} "?[^"\s]{1,253}"? not found/i.test(said))
    return {
      why: `its storage class ${storageClass ? code(storageClass) : ''} does not exist`.replace('  ', ' '),
      fix: 'Name a StorageClass that exists (`kubectl get storageclass`); a claim cannot be changed: make it anew',
    }
  if (event?.reason === 'ExternalProvisioning')
    return {
      why: `it waits for its provisioner (${/provisioner '([^']+)'/.exec(said)?.[1] ?? `of storage class ${storageClass ?? ''}`}), which has made no volume so far`,
      fix: "Check that the provisioner's (CSI controller's) pod runs and what it logs",
    }
  if (event?.reason === 'ProvisioningFailed')
    return {
      why: 'its volume could not be provisioned',
      fix: 'Mend what the provisioner says: quota, permissions, zone or parameters of the storage class',
    }
  if (event?.reason === 'FailedBinding')
    return { why: 'no PersistentVolume matches it', fix: 'Create a matching PersistentVolume or name a StorageClass' }
  if (event?.reason === 'WaitForFirstConsumer')
    return {
      why: 'its volume is only made once a node is found for the pod',
      fix: 'Look at what else keeps the pod off the nodes',
    }
  return {
    why: storageClass
      ? `no volume of storage class ${code(storageClass)} has been bound to it`
      : 'no volume has been bound to it',
    fix: 'Look at the claim, its storage class and the provisioner behind it',
  }
}

/** A claim without a volume, and why by its own events. */
export const pvcUnbound = (pending: Unscheduled, refusal: Refusal): Draft =>
  unbound(pending.view, pending.said, /is being deleted/.test(refusal.text), otherwise(pending, refusal))

/** While the scheduler waits for a volume it has found a node for, it says nothing; the claim's events do. */
export const pvcAwaited = (view: View): Draft | null => {
  const waiting = claimNames(view).find(name => {
    const claim = claimOf(view, name)
    if (claim === null || claim === 'absent' || claim.status?.phase === 'Bound') return false
    const reason = tellingEvent(view, name)?.reason
    return reason === 'ProvisioningFailed' || reason === 'ExternalProvisioning' || reason === 'FailedBinding'
  })
  if (waiting === undefined) return null
  return unbound(view, fact('status.phase', 'Pending, no node so far'), false, '')
}

const unbound = (view: View, said: Evidence, deleting: boolean, rest: string): Draft => {
  const claims = claimNames(view).map(name => ({ name, claim: claimOf(view, name) }))
  const gone = claims.find(({ claim }) => claim === 'absent')
  if (gone) return missing(view, gone.name, [said])
  const pendingClaims = claims.filter(
    ({ claim }) => claim !== null && claim !== 'absent' && claim.status?.phase !== 'Bound',
  )
  const chosen = pendingClaims[0] ?? (claims.length === 1 ? claims[0] : undefined)
  const claim = chosen && chosen.claim !== 'absent' ? chosen.claim : null
  const event = chosen ? tellingEvent(view, chosen.name) : undefined
  const { why, fix } = causeOf(claim, event)
  const names = (pendingClaims.length > 0 ? pendingClaims : claims).map(({ name }) => code(name)).join(', ')
  const isClaimOfSet = ownerOf(view)?.kind === 'StatefulSet'
  return {
    id: 'scheduling.pvc-unbound',
    confidence: claim || event ? 'certain' : 'likely',
    summary: deleting
      ? `The pod has no node because PersistentVolumeClaim ${names} is being deleted.`
      : `The pod has no node because PersistentVolumeClaim ${names || 'it uses'} is not bound to a volume${claim || event ? `: ${why}` : ''}.`,
    evidence: [
      said,
      ...(claim
        ? [
            fact(
              `persistentvolumeclaim ${chosen?.name} status.phase`,
              `${claim.status?.phase ?? 'unknown'}, storage class ${claim.spec?.storageClassName ? code(claim.spec.storageClassName) : 'none'}`,
            ),
          ]
        : []),
      ...(event ? [eventFact(event, quote(event.message, 400))] : []),
      ...(rest ? [fact('scheduler', rest)] : []),
    ],
    fix: [
      deleting
        ? 'Wait until the claim is gone and create it anew; a pod that still uses it holds it.'
        : `${fix}${isClaimOfSet ? ` – in ${code('volumeClaimTemplates')} of ${specHome(view)} for later replicas (it is immutable: ${code('kubectl delete --cascade=orphan')} the StatefulSet and create it anew)` : ''}.`,
    ],
    verify: ['The claim becomes Bound, then PodScheduled becomes True.'],
    commands: [
      ...(chosen ? [describeClaim(view, chosen.name)] : [getClaims(view)]),
      { purpose: 'The storage classes', argv: ['kubectl', 'get', 'storageclass'], changes: false },
    ],
  }
}
