import type { PodEvent } from '../pod-events.ts'

const REASONS: ReadonlySet<string> = new Set(['FailedMount', 'FailedAttachVolume', 'FailedMapVolume'])

// Seen at every start of pods whose ConfigMaps the kubelet has not cached yet, and on pods that are over.
const HEALS_BY_ITSELF = /failed to sync (?:configmap|secret) cache|not registered/

/** A failure to mount or attach that does not heal by itself. */
export const isMountFailure = ({ reason, message }: PodEvent): boolean =>
  REASONS.has(reason) && !HEALS_BY_ITSELF.test(message)

/** A line that sums up and names only volumes, not what is wrong with them. */
export const isSummary = (message: string): boolean =>
  /^Unable to (?:attach or )?mount volumes/.test(message) &&
  /timed out waiting for the condition|timeout expired waiting/.test(message)

/** The volume a failure is about: a PersistentVolume's name for claims, else the volume's in the pod. */
export const volumeIn = (message: string): string | null =>
  /(?:failed|error) for volume "([^"]+)"/.exec(message)?.[1] ??
  /unmounted volumes=\[([^\]\s]+)/.exec(message)?.[1] ??
  null

/** What a mount failure means. */
export interface MountClass {
  readonly id: string
  /** The kind and name of an object it names. */
  readonly object?: { readonly kind: string; readonly name: string }
  readonly key?: string
}

const KINDS: Readonly<Record<string, string>> = { configmap: 'ConfigMap', secret: 'Secret', secrets: 'Secret' }

/** Reads a mount or attach failure (kubelet volumemanager, attach-detach controller, CSI). */
export const mountClass = (message: string): MountClass => {
  const object = /\b(configmaps?|secrets?) "([^"]+)" not found/i.exec(message)
  if (object) {
    const kind = KINDS[(object[1] ?? '').toLowerCase()] ?? 'ConfigMap'
    return { id: 'volume.object-missing', object: { kind, name: object[2] ?? '' } }
  }
  const provider = /secretproviderclass[a-z0-9./-]{0,60} "([^"]+)" not found/i.exec(message)?.[1]
  if (provider) return { id: 'volume.object-missing', object: { kind: 'SecretProviderClass', name: provider } }
  const key = /references non-existent (?:config|secret) key: ([^\s,\]]+)/.exec(message)?.[1]
  if (key) return { id: 'volume.key-missing', key }
  const claim = /persistentvolumeclaims? "([^"]+)" not found/.exec(message)?.[1]
  if (claim) return { id: 'scheduling.pvc-missing', object: { kind: 'PersistentVolumeClaim', name: claim } }
  if (/PVC is not bound|claim is not bound/i.test(message)) return { id: 'scheduling.pvc-unbound' }
  if (/Multi-Attach error|already exclusively attached|RESOURCE_IN_USE_BY_ANOTHER/.test(message))
    return { id: 'volume.multi-attach' }
  if (/hostPath type check failed/.test(message)) return { id: 'volume.host-path-type' }
  if (/NodeAffinity check failed/.test(message)) return { id: 'scheduling.volume-zone-conflict' }
  if (
    /mount\.<?[a-z0-9]+>? helper|unknown filesystem type|(?:mount\.\w+|iscsiadm|rbd|glusterfs|mkfs\.\w+)"?: (?:command not found|executable file not found|not found)|exec: "[^"]+": executable file not found/.test(
      message,
    )
  )
    return { id: 'volume.mount-helper-missing' }
  if (
    /list of registered CSI drivers|does not contain driver|newCsiDriverClient|csi\.sock|waiting for external-attacher|AttachVolume\.|WaitForAttach/.test(
      message,
    )
  )
    return { id: 'volume.driver-or-attach-failure' }
  if (
    /applyFSGroup|l?chown .{1,200}: (?:operation not permitted|permission denied|read-only file system)/i.test(message)
  )
    return { id: 'volume.permission' }
  return { id: 'volume.other' }
}
