import type { ContainerSpec, Probe } from './kubernetes-pod.ts'
import { code } from './rule.ts'

export type ProbeKind = 'liveness' | 'readiness' | 'startup'

const FIELD = { liveness: 'livenessProbe', readiness: 'readinessProbe', startup: 'startupProbe' } as const

/** The probe's field in the container's spec. */
export const probeField = (kind: ProbeKind): string => FIELD[kind]

export const probeOf = (spec: ContainerSpec, kind: ProbeKind): Probe | undefined => spec[FIELD[kind]]

/** Kubernetes' defaults: every 10 s, 1 s to answer, 3 failures in a row. */
export const budget = (probe: Probe | undefined) => ({
  periodSeconds: probe?.periodSeconds ?? 10,
  timeoutSeconds: probe?.timeoutSeconds ?? 1,
  failureThreshold: probe?.failureThreshold ?? 3,
  initialDelaySeconds: probe?.initialDelaySeconds ?? 0,
})

/** `initial delay + period × failures`: how long a container may fail from its start on before the kubelet kills it. */
export const secondsAllowed = (probe: Probe | undefined): number => {
  const { initialDelaySeconds, periodSeconds, failureThreshold } = budget(probe)
  return initialDelaySeconds + periodSeconds * failureThreshold
}

/** The port a probe asks, a named one resolved; null: it asks none, or the name is no port of the container. */
export const probePort = (spec: ContainerSpec, probe: Probe | undefined): number | null => {
  const port = probe?.httpGet?.port ?? probe?.tcpSocket?.port ?? probe?.grpc?.port
  if (typeof port === 'number') return port
  return spec.ports?.find(({ name }) => name === port)?.containerPort ?? null
}

/** The probe in words: `GET /healthz on port 8080`, `cat /tmp/heartbeat`. */
export const probeAction = (spec: ContainerSpec, probe: Probe | undefined): string => {
  if (probe?.exec) return code((probe.exec.command ?? []).join(' '))
  const port = probePort(spec, probe)
  if (probe?.httpGet) return `${code(`GET ${probe.httpGet.path ?? '/'}`)} on port ${port ?? probe.httpGet.port}`
  if (probe?.grpc) return `gRPC health on port ${port}`
  return probe?.tcpSocket ? `a TCP connection to port ${port ?? probe.tcpSocket.port}` : 'its check'
}
