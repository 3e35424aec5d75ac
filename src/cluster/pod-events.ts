import { event as eventShape } from '../diagnosis/kubernetes.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'
import { metadataOf } from './metadata.ts'
import { aboutObject, type Reader } from './reader.ts'
import { resourceOfList } from './resources.ts'
import type { Part } from './snapshot-draft.ts'
import { whyUnread } from './why-unread.ts'

/** The events that carry a pod's name. */
export interface PodEvents {
  /** All of them, earlier pods of that name included; none where they could not be read. */
  readonly items: readonly JsonObject[]
  /** Those about this very pod, or why they could not be read. */
  partFor(pod: JsonObject): Part
}

/**
 * Whether an event of a pod's name is about this very pod. A static pod's events carry the value of its annotation instead
 * of its uid, the taint manager's carry none.
 */
export const isAbout = (pod: JsonObject) => {
  const { uid, annotations } = metadataOf(pod)
  const mirror = annotations?.['kubernetes.io/config.mirror']
  return (event: JsonObject): boolean => {
    const about = eventShape(event)?.involvedObject?.uid
    return about === undefined || about === '' || about === uid || about === mirror
  }
}

/**
 * Reads a pod's events by its name, which is known before its uid: they can be asked for together with the pod, and what a
 * pod that is gone left behind comes along.
 */
export const readPodEvents = async (reader: Reader, namespace: string, name: string): Promise<PodEvents> => {
  try {
    const { items } = await reader.list(resourceOfList('events'), namespace, aboutObject('Pod', name))
    return { items, partFor: pod => draft => draft.setEvents(items.filter(isAbout(pod))) }
  } catch (error) {
    const why = whyUnread(error)
    return { items: [], partFor: () => draft => draft.addUnread('events', why) }
  }
}
