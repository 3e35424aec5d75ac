import type { Labels } from './alert.ts'

/** The label that names an object, by the object's kind. */
export const labelOfKind: Readonly<Record<string, string>> = {
  Pod: 'pod',
  Deployment: 'deployment',
  StatefulSet: 'statefulset',
  DaemonSet: 'daemonset',
  Job: 'job_name',
  CronJob: 'cronjob',
  PersistentVolumeClaim: 'persistentvolumeclaim',
}

const workloads = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'] as const

/** Alerts about how full a volume is: pods go on until it is full, so that of a healthy one there is nothing to say. */
const fillings = [
  'KubePersistentVolumeFillingUp',
  'KubePersistentVolumeInodesFillingUp',
  'KubernetesVolumeOutOfDiskSpace',
  'KubernetesVolumeFullInFourDays',
] as const

/**
 * Alerts that a pod's state explains, with the kinds of object they are about, the likeliest first. Names are those of
 * the rule collections in use: github.com/kubernetes-monitoring/kubernetes-mixin, samber.github.io/awesome-prometheus-alerts.
 */
const rows: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    ['Pod'],
    [
      'KubePodCrashLooping',
      'KubePodNotReady',
      'KubeContainerWaiting',
      'KubernetesPodNotHealthy',
      'KubernetesPodCrashLooping',
      'KubernetesContainerOomKiller',
      'TargetDown',
    ],
  ],
  [
    ['Deployment'],
    [
      'KubeDeploymentReplicasMismatch',
      'KubeDeploymentRolloutStuck',
      'KubeDeploymentGenerationMismatch',
      'KubernetesDeploymentReplicasMismatch',
      'KubernetesReplicasetReplicasMismatch',
    ],
  ],
  [
    ['StatefulSet'],
    [
      'KubeStatefulSetReplicasMismatch',
      'KubeStatefulSetUpdateNotRolledOut',
      'KubeStatefulSetGenerationMismatch',
      'KubernetesStatefulsetDown',
      'KubernetesStatefulsetReplicasMismatch',
      'KubernetesStatefulsetUpdateNotRolledOut',
    ],
  ],
  [
    ['DaemonSet'],
    [
      'KubeDaemonSetRolloutStuck',
      'KubeDaemonSetNotScheduled',
      'KubeDaemonSetMisScheduled',
      'KubernetesDaemonsetRolloutStuck',
      'KubernetesDaemonsetMisscheduled',
    ],
  ],
  [
    ['Job', 'CronJob'],
    [
      'KubeJobFailed',
      'KubeJobNotCompleted',
      'KubeJobCompletion',
      'KubeCronJobRunning',
      'KubernetesJobFailed',
      'KubernetesJobSlowCompletion',
      'KubernetesJobNotStarting',
    ],
  ],
  [['PersistentVolumeClaim'], [...fillings, 'KubernetesPersistentvolumeclaimPending']],
]
const kindsByAlert = new Map(rows.flatMap(([kinds, names]) => names.map(name => [name, kinds] as const)))

/** Whether an alert of this name is one of the table's. */
export const isKnownAlert = (alertname: string): boolean => kindsByAlert.has(alertname)

/** Whether of an alert only an unhealthy pod is worth an answer. */
export const needsUnhealthy = ({ alertname = '', podwhy }: Labels): boolean =>
  podwhy !== 'true' && (!isKnownAlert(alertname) || fillings.some(name => name === alertname))

/** Whether every pod that such an alert is about is unhealthy, so that it is among those of its namespace. */
export const isAboutUnhealthy = (alertname: string): boolean =>
  alertname !== 'TargetDown' && kindsOfAlert(alertname)?.[0] === 'Pod'

/** The kinds an alert of this name is about, the likeliest first; null: not in the table. */
export const kindsOfAlert = (alertname: string): readonly string[] | null => kindsByAlert.get(alertname) ?? null

/** Whether the labels come from the exporter of object states, so that `pod` may be the exporter's own. */
const isExporters = ({ job, container, service }: Labels): boolean =>
  [job, container, service].some(value => value?.includes('kube-state-metrics'))

/** Whether podwhy is meant: the label `podwhy` (`true`, `false`) goes before the table. */
export const isForPodwhy = ({ alertname, podwhy }: Labels): boolean =>
  podwhy === 'true' || (podwhy !== 'false' && isKnownAlert(alertname ?? ''))

/**
 * The kinds to look for in an alert's labels, in order. A node is none: whose pods on it are meant, only a list of all the
 * cluster's pods would tell. Of alerts outside the table, what the exporter says about a
 * workload is about the workload, not about the pod it names.
 */
export const kindsOfLabels = (labels: Labels): readonly string[] =>
  kindsOfAlert(labels['alertname'] ?? '') ??
  (isExporters(labels)
    ? [...workloads, 'PersistentVolumeClaim', 'Pod']
    : ['Pod', ...workloads, 'PersistentVolumeClaim'])
