import { pod as podShape } from '../diagnosis/kubernetes-pod.ts'
import type { JsonObject } from '../diagnosis/snapshot.ts'

/** Ready for so long, a pod is well: no crash loop lasts that long between two crashes. */
const STEADY_MS = 600_000

/** Since when a pod has been Ready, where that is ten minutes or more (RFC 3339); else null. */
export const steadySince = (json: JsonObject, nowMs: number): string | null => {
  const ready = podShape(json)?.status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready?.status !== 'True' || ready.lastTransitionTime === undefined) return null
  return nowMs - Date.parse(ready.lastTransitionTime) >= STEADY_MS ? ready.lastTransitionTime : null
}
