import { event as eventShape } from '../diagnosis/kubernetes.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'
import { metadataOf } from './metadata.ts'

/**
 * Of events that carry the pod's name, those that are about this pod and not an earlier one of the same name. A static
 * pod's carry the value of its annotation instead of its uid, the taint manager's carry none.
 */
export const eventsOfPod = (events: readonly JsonObject[], pod: JsonObject): readonly JsonObject[] => {
  const { uid, annotations } = metadataOf(pod)
  const mirror = annotations?.['kubernetes.io/config.mirror']
  return events.filter(event => {
    const about = eventShape(event)?.involvedObject?.uid
    return about === undefined || about === '' || about === uid || about === mirror
  })
}
