import { code, type Draft, fact } from '../rule.ts'
import type { Refusal } from '../scheduler-words.ts'
import { claimNames, claimOf } from './scheduling-claims.ts'
import { otherwise, share, type Unscheduled } from './unscheduled.ts'

/** Volumes that can only be used elsewhere. */
export const volumeZone = (pending: Unscheduled, refusal: Refusal): Draft => {
  const { view, said } = pending
  const claims = claimNames(view).map(name => ({ name, claim: claimOf(view, name) }))
  const volumes = claims.flatMap(({ name, claim }) =>
    claim && claim !== 'absent' && claim.spec?.volumeName ? [{ name, volume: claim.spec.volumeName }] : [],
  )
  const names = claims.map(({ name }) => code(name)).join(', ')
  const rest = otherwise(pending, refusal)
  const several = claims.length > 1
  return {
    id: refusal.id,
    confidence: 'certain',
    summary:
      `The pod has no node: the PersistentVolume${several ? 's' : ''} behind ${names || 'its claims'} can only be used in another zone or on another node (volume node affinity conflict on ${share(pending, refusal)}).` +
      (several ? ' Several volumes must allow the same node; they may have been made in different zones.' : ''),
    evidence: [
      said,
      ...volumes.map(({ name, volume }) => fact(`persistentvolumeclaim ${name} spec.volumeName`, code(volume))),
      ...(rest ? [fact('scheduler', rest)] : []),
    ],
    fix: [
      `Run the pod where its volume${several ? 's are' : ' is'}: compare the node affinity of the PersistentVolume with the zones of nodes that have room, and add a node there.`,
      `For new volumes use a StorageClass with ${code('volumeBindingMode: WaitForFirstConsumer')}; existing claims must be made anew and their data restored.`,
    ],
    avoid: ['Deleting the claim before its data is safe: with reclaim policy Delete the volume goes too.'],
    verify: ['PodScheduled becomes True.'],
    commands: [
      {
        purpose: 'Where the volume can be used (Node Affinity)',
        argv: ['kubectl', 'describe', 'pv', ...volumes.slice(0, 4).map(({ volume }) => volume)],
        changes: false,
      },
      {
        purpose: 'The zones of the nodes',
        argv: ['kubectl', 'get', 'nodes', '-L', 'topology.kubernetes.io/zone'],
        changes: false,
      },
    ],
  }
}
