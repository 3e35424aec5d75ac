import { condition, metadata } from './kubernetes-metadata.ts'
import { flag, list, map, number, type Of, object, present, type Shape, text, textOrNumber, values } from './shape.ts'

// The parts of a pod that rules read (core/v1 types.go); every field may be missing.

const hasExitCode = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { exitCode?: unknown }).exitCode != null

const terminatedFields = object({
  exitCode: number,
  signal: number,
  reason: text,
  message: text,
  startedAt: text,
  finishedAt: text,
  containerID: text,
})
export type Terminated = Of<typeof terminatedFields>

/** Where the exit code is something else than a number, the end is not known: taken for 0 it would be a success. */
const terminated: Shape<Terminated> = value => {
  const read = terminatedFields(value)
  return read?.exitCode === undefined && hasExitCode(value) ? undefined : read
}

const containerState = object({
  waiting: object({ reason: text, message: text }),
  running: object({ startedAt: text }),
  terminated,
})
export type ContainerState = Of<typeof containerState>

const containerStatus = object({
  name: text,
  state: containerState,
  lastState: containerState,
  ready: flag,
  started: flag,
  restartCount: number,
  image: text,
  imageID: text,
  containerID: text,
  user: object({ linux: object({ uid: number, gid: number }) }),
})
export type ContainerStatus = Of<typeof containerStatus>

const probe = object({
  httpGet: object({ path: text, port: textOrNumber, scheme: text, host: text }),
  tcpSocket: object({ port: textOrNumber, host: text }),
  exec: object({ command: values(text) }),
  grpc: object({ port: number, service: text }),
  initialDelaySeconds: number,
  timeoutSeconds: number,
  periodSeconds: number,
  successThreshold: number,
  failureThreshold: number,
  terminationGracePeriodSeconds: number,
})
export type Probe = Of<typeof probe>

const lifecycleHandler = object({
  exec: object({ command: values(text) }),
  httpGet: object({ path: text, port: textOrNumber }),
  sleep: object({ seconds: number }),
})

const keyRef = object({ name: text, key: text, optional: flag })
const envVar = object({
  name: text,
  value: text,
  valueFrom: object({
    configMapKeyRef: keyRef,
    secretKeyRef: keyRef,
    fieldRef: object({ fieldPath: text }),
    resourceFieldRef: object({ resource: text, containerName: text }),
  }),
})
export type EnvVar = Of<typeof envVar>

const objectRef = object({ name: text, optional: flag })
const securityContext = object({
  runAsUser: number,
  runAsGroup: number,
  runAsNonRoot: flag,
  readOnlyRootFilesystem: flag,
  privileged: flag,
  allowPrivilegeEscalation: flag,
  fsGroup: number,
  capabilities: object({ add: values(text), drop: values(text) }),
  seccompProfile: object({ type: text, localhostProfile: text }),
  sysctls: list(object({ name: text, value: text })),
})

const resources = object({ requests: map(textOrNumber), limits: map(textOrNumber) })
export type Resources = Of<typeof resources>

const container = object({
  name: text,
  image: text,
  imagePullPolicy: text,
  command: values(text),
  args: values(text),
  workingDir: text,
  ports: list(object({ name: text, containerPort: number, hostPort: number, protocol: text })),
  env: list(envVar),
  envFrom: list(object({ prefix: text, configMapRef: objectRef, secretRef: objectRef })),
  resources,
  volumeMounts: list(object({ name: text, mountPath: text, subPath: text, readOnly: flag })),
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: object({ postStart: lifecycleHandler, preStop: lifecycleHandler }),
  securityContext,
  restartPolicy: text,
  restartPolicyRules: list(object({ action: text, exitCodes: object({ operator: text, values: values(number) }) })),
  terminationMessagePolicy: text,
})
export type ContainerSpec = Of<typeof container>

const keyToPath = object({ key: text, path: text })
const configMapSource = object({ name: text, items: list(keyToPath), optional: flag })
const secretSource = object({ secretName: text, items: list(keyToPath), optional: flag })
const volume = object({
  name: text,
  configMap: configMapSource,
  secret: secretSource,
  emptyDir: object({ medium: text, sizeLimit: textOrNumber }),
  hostPath: object({ path: text, type: text }),
  persistentVolumeClaim: object({ claimName: text, readOnly: flag }),
  nfs: object({ server: text, path: text }),
  csi: object({ driver: text }),
  ephemeral: present,
  projected: object({
    sources: list(
      object({
        configMap: configMapSource,
        secret: object({ name: text, items: list(keyToPath), optional: flag }),
        serviceAccountToken: present,
      }),
    ),
  }),
})
export type Volume = Of<typeof volume>

const toleration = object({ key: text, operator: text, value: text, effect: text, tolerationSeconds: number })
export type Toleration = Of<typeof toleration>

const requirement = object({ key: text, operator: text, values: values(text) })
export type SelectorRequirement = Of<typeof requirement>

const nodeSelectorTerm = object({ matchExpressions: list(requirement), matchFields: list(requirement) })
export type NodeSelectorTerm = Of<typeof nodeSelectorTerm>

const labelSelector = object({ matchLabels: map(text), matchExpressions: list(requirement) })
export type LabelSelector = Of<typeof labelSelector>
const podAffinity = object({
  requiredDuringSchedulingIgnoredDuringExecution: list(object({ topologyKey: text, labelSelector })),
})

export const podSpec = object({
  containers: list(container),
  initContainers: list(container),
  ephemeralContainers: list(container),
  volumes: list(volume),
  restartPolicy: text,
  terminationGracePeriodSeconds: number,
  activeDeadlineSeconds: number,
  nodeName: text,
  nodeSelector: map(text),
  affinity: object({
    nodeAffinity: object({
      requiredDuringSchedulingIgnoredDuringExecution: object({ nodeSelectorTerms: list(nodeSelectorTerm) }),
    }),
    podAffinity,
    podAntiAffinity: podAffinity,
  }),
  topologySpreadConstraints: list(
    object({ maxSkew: number, topologyKey: text, whenUnsatisfiable: text, labelSelector }),
  ),
  hostNetwork: flag,
  schedulerName: text,
  schedulingGates: list(object({ name: text })),
  readinessGates: list(object({ conditionType: text })),
  serviceAccountName: text,
  automountServiceAccountToken: flag,
  enableServiceLinks: flag,
  imagePullSecrets: list(object({ name: text })),
  tolerations: list(toleration),
  securityContext,
  overhead: map(textOrNumber),
  resources,
  runtimeClassName: text,
  priorityClassName: text,
})
export type PodSpec = Of<typeof podSpec>

export const pod = object({
  metadata,
  spec: podSpec,
  status: object({
    phase: text,
    reason: text,
    message: text,
    nominatedNodeName: text,
    podIP: text,
    startTime: text,
    qosClass: text,
    conditions: list(condition),
    initContainerStatuses: list(containerStatus),
    containerStatuses: list(containerStatus),
    ephemeralContainerStatuses: list(containerStatus),
  }),
})
export type Pod = Of<typeof pod>
