import { type Container, secondsBetween } from './containers.ts'
import type { PodEvent } from './pod-events.ts'
import type { View } from './view.ts'

/** Reasons under which the kubelet or the runtime made the exit code up. */
export const isInvented = (reason: string): boolean => reason === 'Unknown' || reason === 'ContainerStatusUnknown'

/** A dead shim takes the sandbox with it: the kubelet reports 255 and makes the sandbox anew within seconds. */
export const sandboxChange = (view: View, { ended }: Container): PodEvent | undefined => {
  const { exitCode, finishedAt } = ended?.terminated ?? {}
  if (exitCode !== 255) return undefined
  return view.events.findLast(({ reason, lastAt }) => {
    const after = secondsBetween(finishedAt, lastAt)
    return reason === 'SandboxChanged' && after !== null && after >= -5 && after <= 60
  })
}

/** True where the newest ended instance was lost by the runtime: it says nothing about the program. */
export const wasLost = (view: View, container: Container): boolean =>
  isInvented(container.ended?.terminated.reason ?? '') || sandboxChange(view, container) !== undefined
