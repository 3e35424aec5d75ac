import type { Volume } from './kubernetes-pod.ts'
import type { Subject } from './subject.ts'

export type VolumeKind =
  | 'persistentVolumeClaim'
  | 'hostPath'
  | 'nfs'
  | 'csi'
  | 'emptyDir'
  | 'configMap'
  | 'secret'
  | 'projected'
  | 'other'

/** The volume mount a path of a container lies in. */
export interface Mount {
  readonly volume: string
  readonly kind: VolumeKind
  readonly mountPath: string
  readonly subPath: string | null
  readonly isReadOnly: boolean
  /** The claim, ConfigMap, Secret or host directory behind it; null where it has no name. */
  readonly source: string | null
  /** `spec.containers[0].volumeMounts[1]`. */
  readonly path: string
}

const sourceOf = (volume: Volume | undefined): { readonly kind: VolumeKind; readonly source: string | null } => {
  if (volume?.persistentVolumeClaim) {
    return { kind: 'persistentVolumeClaim', source: volume.persistentVolumeClaim.claimName ?? null }
  }
  if (volume?.hostPath) return { kind: 'hostPath', source: volume.hostPath.path ?? null }
  if (volume?.nfs) return { kind: 'nfs', source: `${volume.nfs.server ?? ''}:${volume.nfs.path ?? ''}` }
  if (volume?.csi) return { kind: 'csi', source: volume.csi.driver ?? null }
  if (volume?.configMap) return { kind: 'configMap', source: volume.configMap.name ?? null }
  if (volume?.secret) return { kind: 'secret', source: volume.secret.secretName ?? null }
  if (volume?.emptyDir) return { kind: 'emptyDir', source: null }
  return { kind: volume?.projected ? 'projected' : 'other', source: null }
}

/** The deepest mount of the container that a path lies in; null: the path is the image's own. */
export const mountAt = ({ container, view }: Subject, path: string): Mount | null => {
  const mounts = (container.spec.volumeMounts ?? []).map(({ name = '', mountPath = '', subPath, readOnly }, index) => {
    const volume = view.pod?.spec?.volumes?.find(candidate => candidate.name === name)
    const at = mountPath.length > 1 ? mountPath.replace(/\/$/, '') : mountPath
    const isReadOnly = readOnly === true
    const { kind, source } = sourceOf(volume)
    return {
      volume: name,
      kind,
      source,
      mountPath: at,
      subPath: subPath ?? null,
      isReadOnly,
      path: `${container.specPath}.volumeMounts[${index}]`,
    }
  })
  const around = mounts.filter(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`))
  return around.sort((a, b) => b.mountPath.length - a.mountPath.length)[0] ?? null
}

/** The volume in the words of its kind: `PersistentVolumeClaim \`data-db-0\``. */
export const volumeWords = ({ kind, source, volume }: Mount): string => {
  const name = source ?? volume
  const words: Readonly<Record<VolumeKind, string>> = {
    persistentVolumeClaim: `PersistentVolumeClaim \`${name}\``,
    hostPath: `host directory \`${name}\` of the node`,
    nfs: `NFS export \`${name}\``,
    csi: `CSI volume \`${volume}\``,
    emptyDir: `emptyDir volume \`${volume}\``,
    configMap: `ConfigMap \`${name}\``,
    secret: `Secret \`${name}\``,
    projected: `projected volume \`${volume}\``,
    other: `volume \`${volume}\``,
  }
  return words[kind]
}

/** The user a container runs as, as far as its spec or status tells. */
export const runsAs = ({ container, view }: Subject): number | null =>
  container.status?.user?.linux?.uid ??
  container.spec.securityContext?.runAsUser ??
  view.pod?.spec?.securityContext?.runAsUser ??
  null
