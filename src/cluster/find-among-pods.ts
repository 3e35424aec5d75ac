import { persistentVolumeClaim as claimShape } from '../diagnosis/kubernetes.ts'
import { pod as podShape } from '../diagnosis/kubernetes-pod.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'
import type { Api } from './api.ts'
import { findUnwell } from './find-unwell.ts'
import type { Found } from './find-workload.ts'
import { metadataOf } from './metadata.ts'
import { nearNames } from './near-names.ts'
import { noSuchNamespace } from './no-such-namespace.ts'
import { didYouMean, NoSuchPod } from './no-such-pod.ts'
import type { ReadTarget } from './read-target.ts'
import type { Reader } from './reader.ts'
import { resourceOfList } from './resources.ts'
import { isNotFound, whyUnread } from './why-unread.ts'
import { worstPod } from './worst-pod.ts'

/**
 * Kinds of target that are found by looking at all pods of their namespace: those that use a claim, and of the unhealthy
 * ones those with a container of a name, or all.
 */
const kinds = ['PersistentVolumeClaim', 'Container', 'Namespace'] as const
export type KindAmongPods = (typeof kinds)[number]

export const isAmongPods = (kind: string | null): kind is KindAmongPods => kinds.some(known => known === kind)

/** An ephemeral volume's claim is named after its pod and itself. */
const usesClaim = (claim: string) => (pod: JsonObject) =>
  podShape(pod)?.spec?.volumes?.some(
    ({ name, persistentVolumeClaim, ephemeral }) =>
      persistentVolumeClaim?.claimName === claim || (ephemeral && `${metadataOf(pod).name}-${name}` === claim),
  ) ?? false

const hasContainer = (name: string) => (pod: JsonObject) => {
  const { initContainers = [], containers = [] } = podShape(pod)?.spec ?? {}
  return [...initContainers, ...containers].some(container => container.name === name)
}

/** What there is to say of a claim that no pod uses. Throws NoSuchPod. */
const unusedClaim = async (reader: Reader, { label }: Api, { namespace, name }: ReadTarget): Promise<never> => {
  const claims = resourceOfList('persistentVolumeClaims')
  const claim = await reader.get(claims, namespace, name).catch((error: unknown) => {
    if (isNotFound(error)) return null
    whyUnread(error)
    return undefined
  })
  if (claim !== null) {
    const phase = claim && claimShape(claim.body)?.status?.phase
    throw new NoSuchPod(
      `no pod in namespace "${namespace}" of ${label} uses PersistentVolumeClaim "${name}"${phase ? `, which is ${phase}` : ''}`,
    )
  }
  const listed = await reader.list(claims, namespace).catch((error: unknown) => void whyUnread(error))
  const near = nearNames(name, listed?.items.map(item => metadataOf(item).name ?? '') ?? [])
  const choices = near.map(each => ({ namespace, kind: 'PersistentVolumeClaim', name: each }))
  throw new NoSuchPod(`no PersistentVolumeClaim ${namespace}/${name} in ${label}${didYouMean(near)}`, choices)
}

/**
 * The worst pod that a target of these kinds means. Throws NoSuchPod where there is none, and as Reader where pods cannot
 * be listed.
 */
export const findAmongPods = async (reader: Reader, api: Api, target: ReadTarget): Promise<Found> => {
  const { namespace, kind, name } = target
  const { items, at } = await reader.listAll(resourceOfList('pods'), namespace)
  const unwell = () => findUnwell(items, [], { namespace, takenAt: at ?? new Date().toISOString(), server: null })
  const matching =
    kind === 'PersistentVolumeClaim'
      ? items.filter(usesClaim(name))
      : kind === 'Container'
        ? unwell().filter(hasContainer(name))
        : unwell()
  const pod = worstPod(matching)
  if (pod !== null) {
    const full = { apiVersion: 'v1', kind: 'Pod', ...pod }
    return { pod: full, target: metadataOf(pod).name ?? '', at, events: null, parts: [] }
  }
  if (items.length === 0) await noSuchNamespace(reader, api, namespace)
  if (kind === 'PersistentVolumeClaim') return unusedClaim(reader, api, target)
  const which = kind === 'Container' ? `no unhealthy pod with a container "${name}"` : 'no unhealthy pod'
  throw new NoSuchPod(`${which} in namespace "${namespace}" of ${api.label}`)
}
