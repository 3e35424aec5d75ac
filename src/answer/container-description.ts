import type { Container } from '../diagnosis/containers.ts'
import type { ContainerState, EnvVar, Probe, Resources } from '../diagnosis/kubernetes-pod.ts'

/** A field's name and its value; '' or null: it is left out. */
export type Field = readonly [name: string, value: string | null | undefined]

const kinds = { init: 'Init container', sidecar: 'Sidecar', app: 'Container', ephemeral: 'Ephemeral container' }

/** `cpu 100m, memory 128Mi`. */
const quantities = (map: Resources['requests']): string =>
  Object.entries(map ?? {})
    .map(([name, quantity]) => `${name} ${quantity}`)
    .join(', ')

const stateText = ({ waiting, running, terminated }: ContainerState): string => {
  if (terminated) {
    const { reason = '', exitCode, startedAt, finishedAt } = terminated
    const span = startedAt === undefined ? '' : `, ${startedAt} to ${finishedAt ?? '?'}`
    return `terminated: ${reason}${reason === '' ? '' : ', '}exit code ${exitCode ?? '?'}${span}`
  }
  if (running) return `running since ${running.startedAt ?? '?'}`
  return waiting ? `waiting: ${[waiting.reason, waiting.message].filter(Boolean).join(': ')}` : ''
}

const probeText = (probe: Probe | undefined): string => {
  if (probe === undefined) return ''
  const { httpGet, tcpSocket, exec, grpc } = probe
  const how =
    (httpGet && `${(httpGet.scheme ?? 'HTTP').toLowerCase()} GET :${httpGet.port ?? '?'}${httpGet.path ?? '/'}`) ??
    (tcpSocket && `TCP :${tcpSocket.port ?? '?'}`) ??
    (grpc && `gRPC :${grpc.port ?? '?'}`) ??
    (exec && `exec ${(exec.command ?? []).join(' ')}`) ??
    '?'
  const { initialDelaySeconds: delay = 0, periodSeconds = 10, timeoutSeconds = 1, failureThreshold = 3 } = probe
  const after = delay > 0 ? `after ${delay}s ` : ''
  return `${how}, ${after}every ${periodSeconds}s, timeout ${timeoutSeconds}s, ${failureThreshold} failures allowed`
}

/** Where a variable comes from; a value of its own is not shown. */
const variable = ({ name = '', valueFrom }: EnvVar): string => {
  const { secretKeyRef: secret, configMapKeyRef: config, fieldRef: field, resourceFieldRef: resource } = valueFrom ?? {}
  const from =
    (secret && `Secret ${secret.name} key ${secret.key}`) ??
    (config && `ConfigMap ${config.name} key ${config.key}`) ??
    field?.fieldPath ??
    resource?.resource
  return from === undefined ? name : `${name} (${from})`
}

/** `Init container 2 of 3: migrate`. */
export const containerTitle = ({ kind, position, of, name }: Container): string =>
  `${kinds[kind]}${kind === 'app' && of === 1 ? '' : ` ${position} of ${of}`}: ${name}`

/** What matters of a container; values of variables are not shown. */
export const containerFields = ({ spec, status, state, restartCount, ready }: Container): Field[] => {
  const { env = [], envFrom = [], volumeMounts = [], ports = [], resources } = spec
  const sources = envFrom.map(({ secretRef, configMapRef }) =>
    secretRef ? `all of Secret ${secretRef.name}` : `all of ConfigMap ${configMapRef?.name}`,
  )
  const mounts = volumeMounts.map(
    ({ name, mountPath, subPath, readOnly }) =>
      `${mountPath} from ${name}${subPath ? `/${subPath}` : ''}${readOnly === true ? ' (read-only)' : ''}`,
  )
  return [
    ['Image', spec.image],
    ['State', stateText(state)],
    ['Last state', stateText(status?.lastState ?? {})],
    ['Ready', status === null ? null : `${ready ? 'yes' : 'no'}, ${restartCount} restarts`],
    ['Command', [...(spec.command ?? []), ...(spec.args ?? [])].join(' ')],
    ['Ports', ports.map(({ containerPort, protocol = 'TCP' }) => `${containerPort}/${protocol}`).join(', ')],
    ['Requests', quantities(resources?.requests)],
    ['Limits', quantities(resources?.limits)],
    ['Startup probe', probeText(spec.startupProbe)],
    ['Liveness probe', probeText(spec.livenessProbe)],
    ['Readiness probe', probeText(spec.readinessProbe)],
    ['Environment', [...env.map(variable), ...sources].join(', ')],
    ['Mounts', mounts.join(', ')],
  ]
}
