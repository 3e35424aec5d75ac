import type { Container } from '../diagnosis/containers.ts'
import type { Workload } from '../diagnosis/kubernetes.ts'
import type { Pod, Toleration, Volume } from '../diagnosis/kubernetes-pod.ts'
import { containerFields, containerTitle, type Field } from './container-description.ts'
import { printable } from './printable.ts'

/** What is described: a pod, or the owner where there is none. */
export interface Described {
  readonly cluster: string
  readonly namespace: string
  readonly owner: { readonly kind: string; readonly name: string } | null
  readonly pod: Pod | null
  readonly containers: readonly Container[]
  /** Null: there is a pod, or it was not read. */
  readonly workload: Workload | null
}

const LABEL = 16
const VALUE = 1_000

const cut = (text: string): string => (text.length > VALUE ? `${text.slice(0, VALUE - 1).toWellFormed()}…` : text)

/** Aligned lines; fields without a value are left out. */
const lines = (fields: readonly Field[], indent = ''): string[] =>
  fields.flatMap(([name, value]) => (value ? [`${indent}${name.padEnd(LABEL)} ${cut(printable(value))}`] : []))

const conditions = (all: NonNullable<Pod['status']>['conditions']): string =>
  (all ?? [])
    .map(({ type, status, reason, message }) => {
      const why = status === 'True' ? '' : [reason, message].filter(Boolean).join(': ')
      return `${type}=${status}${why === '' ? '' : ` (${why})`}`
    })
    .join(', ')

/** Those that every pod gets say nothing. */
const isOwn = ({ key }: Toleration): boolean =>
  key !== 'node.kubernetes.io/not-ready' && key !== 'node.kubernetes.io/unreachable'

const toleration = ({ key = 'everything', value, effect }: Toleration): string =>
  `${key}${value ? `=${value}` : ''}${effect ? `:${effect}` : ''}`

const source = (volume: Volume): string => {
  if (volume.persistentVolumeClaim) return `PersistentVolumeClaim ${volume.persistentVolumeClaim.claimName}`
  if (volume.configMap) return `ConfigMap ${volume.configMap.name}`
  if (volume.secret) return `Secret ${volume.secret.secretName}`
  if (volume.hostPath) return `host path ${volume.hostPath.path}`
  if (volume.nfs) return `NFS ${volume.nfs.server}:${volume.nfs.path}`
  if (volume.csi) return `CSI ${volume.csi.driver}`
  if (volume.emptyDir) return `emptyDir${volume.emptyDir.medium ? ` in ${volume.emptyDir.medium}` : ''}`
  const parts = (volume.projected?.sources ?? []).flatMap(({ configMap, secret, serviceAccountToken }) => [
    ...(configMap ? [`ConfigMap ${configMap.name}`] : []),
    ...(secret ? [`Secret ${secret.name}`] : []),
    ...(serviceAccountToken ? ['service account token'] : []),
  ])
  return parts.length > 0 ? `projected: ${parts.join(', ')}` : volume.ephemeral ? 'ephemeral volume' : 'other'
}

const podLines = ({ metadata, spec, status }: Pod, { cluster, namespace, owner }: Described): string[] => [
  `Pod ${namespace}/${metadata?.name ?? ''}`,
  ...lines([
    ['Cluster', cluster],
    ['Owner', owner && `${owner.kind} ${owner.name}`],
    ['Node', spec?.nodeName ?? 'none yet'],
    ['Phase', [status?.phase, status?.reason, status?.message].filter(Boolean).join(', ')],
    ['QoS class', status?.qosClass],
    ['Created', metadata?.creationTimestamp],
    ['Being deleted', metadata?.deletionTimestamp],
    ['IP', status?.podIP],
    ['Service account', spec?.serviceAccountName],
    ['Priority class', spec?.priorityClassName],
    ['Conditions', conditions(status?.conditions)],
    [
      'Node selector',
      Object.entries(spec?.nodeSelector ?? {})
        .map(([key, value]) => `${key}=${value}`)
        .join(', '),
    ],
    // Only of a pod that looks for a node they matter.
    [
      'Tolerations',
      spec?.nodeName === undefined ? (spec?.tolerations ?? []).filter(isOwn).map(toleration).join(', ') : '',
    ],
  ]),
]

const workloadLines = ({ spec, status }: Workload, { cluster, namespace, owner }: Described): string[] => [
  `${owner?.kind ?? ''} ${namespace}/${owner?.name ?? ''}, which has no pod`,
  ...lines([
    ['Cluster', cluster],
    ['Replicas', spec?.replicas === undefined ? null : `${spec.replicas} wanted, ${status?.readyReplicas ?? 0} ready`],
    ['Suspended', spec?.suspend === true ? 'yes' : null],
    ['Conditions', conditions(status?.conditions)],
  ]),
]

/**
 * A pod – or, where there is none, its owner – in plain text for people, one fact a line. Values of variables are left out;
 * Secrets are named, never shown.
 */
export const description = (described: Described): string => {
  const { pod, workload, owner, namespace, containers } = described
  const head =
    pod !== null
      ? podLines(pod, described)
      : workload !== null
        ? workloadLines(workload, described)
        : [`${owner?.kind ?? ''} ${namespace}/${owner?.name ?? ''}: there is no pod`]
  const volumes = pod?.spec?.volumes ?? workload?.spec?.template?.spec?.volumes ?? []
  return [
    ...head,
    ...containers.flatMap(each => ['', containerTitle(each), ...lines(containerFields(each), '  ')]),
    ...(volumes.length === 0
      ? []
      : [
          '',
          'Volumes',
          ...lines(
            volumes.map(volume => [volume.name ?? '', source(volume)]),
            '  ',
          ),
        ]),
  ].join('\n')
}
