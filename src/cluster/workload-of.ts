import type { JsonObject } from '../diagnosis/snapshot.ts'
import { controllerOf, metadataOf } from './metadata.ts'

/** How a CronJob names its Jobs: by the minute they are due in. */
const DUE = /-\d{7,10}$/

/**
 * What all pods of one workload have in common, known from a pod alone: `Deployment/web` whatever the ReplicaSet,
 * `CronJob/nightly` whatever the Job. A name to find things by; whether there is such an object is not known. Null: nothing
 * makes this pod again.
 */
export const workloadOf = (pod: JsonObject): string | null => {
  const { kind, name } = controllerOf(pod) ?? {}
  if (!kind || !name || kind === 'Node') return null
  const hash = metadataOf(pod).labels?.['pod-template-hash']
  if (kind === 'ReplicaSet' && hash !== undefined && name.endsWith(`-${hash}`))
    return `Deployment/${name.slice(0, -hash.length - 1)}`
  if (kind === 'Job' && DUE.test(name)) return `CronJob/${name.replace(DUE, '')}`
  return `${kind}/${name}`
}
