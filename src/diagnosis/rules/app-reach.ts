import { type Address, placeOf } from '../addresses.ts'
import { read } from '../commands.ts'
import type { Match } from '../decisive-entry.ts'
import { service } from '../kubernetes.ts'
import { momentOf } from '../moment.ts'
import { specHome } from '../owner.ts'
import { code } from '../rule.ts'
import { serviceState } from '../service-state.ts'
import type { Subject } from '../subject.ts'
import { said, type Telling } from './app-log-draft.ts'

const RESOLUTION =
  /dial (?:tcp|udp)[46]?: lookup |ENOTFOUND|EAI_AGAIN|no such host|not known|could not translate host|host not found|name resolution|UnknownHost|Unknown host|Unknown MySQL server host|getaddrinfo|resolve|nxdomain|NXDOMAIN|bad address|No address associated|failed to lookup address/i

/** True where the name did not resolve, false where it did and nobody answered. */
export const isResolution = ({ entry }: Match): boolean => RESOLUTION.test(entry.text)

/** A Service that owns a clusterIP, for clients that only log the IP. */
const serviceOfIp = (subject: Subject, ip: string): string | null =>
  subject.view.known('services', service).find(({ spec }) => spec?.clusterIP === ip)?.metadata?.name ?? null

const otherTrouble = ({ view, container }: Subject): string | null =>
  view.containers.find(
    other =>
      other.name !== container.name &&
      other.kind !== 'init' &&
      other.kind !== 'ephemeral' &&
      other.status !== null &&
      momentOf(view, other) !== 'running' &&
      momentOf(view, other) !== 'done',
  )?.name ?? null

const local = (subject: Subject, match: Match, { port }: Address): Telling => {
  const other = otherTrouble(subject)
  const what = port === null ? 'nothing in this pod answers' : `nothing in this pod listens on port ${code(port)} yet`
  return {
    because: `${what}; ${other ? `container ${code(other)} of the same pod is down as well, and ${code(subject.name)} only follows` : 'it looks for a neighbour in its own pod (127.0.0.1)'}. Its log says ${said(match)}.`,
    confidence: 'likely',
    isSymptom: other !== null,
    fix: [
      other
        ? `Mend ${code(other)} first; ${code(subject.name)} should then start.`
        : `Set the address of the dependency in ${specHome(subject.view)} (localhost is usually the default of a setting that is missing), or start the neighbour first as a sidecar (${code('restartPolicy: Always')} among the init containers).`,
    ],
  }
}

/** Why an address cannot be reached, as far as the cluster tells: what is so with the Service behind it. */
export const reach = (subject: Subject, match: Match, address: Address): Telling => {
  const { view } = subject
  const place = placeOf(address.host, view.namespace)
  if (place.kind === 'local') return local(subject, match, address)
  const { port } = address
  const label = code(port === null ? address.host : `${address.host}:${port}`)
  const home = specHome(view)
  const isName = isResolution(match)
  const log = `Its log says ${said(match)}.`
  const ofIp = place.kind === 'ip' ? serviceOfIp(subject, place.ip) : null
  if (place.kind === 'external' || (place.kind === 'ip' && ofIp === null)) {
    return {
      because: `it cannot reach ${label}${isName ? ': the name does not resolve' : ''}. ${log}`,
      fix: [
        isName
          ? `Correct the host name in the settings that ${home} gives ${code(subject.name)}, or make it resolvable from the cluster.`
          : `Check that ${label} is up and that the pod may reach it (NetworkPolicy, firewall), or correct the address in ${home}.`,
      ],
    }
  }
  const target = place.kind === 'service' ? place : { service: ofIp ?? '', namespace: view.namespace }
  const state = serviceState(view, target.namespace, target.service, port)
  const where = target.namespace === view.namespace ? 'this namespace' : `namespace ${code(target.namespace)}`
  const reads = [
    {
      ...read(view, 'The Services and what stands behind them', 'get', 'svc,endpointslices'),
      argv: ['kubectl', '-n', target.namespace, 'get', 'svc,endpointslices'],
    },
  ]
  if (!state) {
    return {
      because: `it cannot reach ${label}${isName ? ': the name does not resolve' : ''}. ${log}`,
      fix: [`Check Service ${code(target.service)} in ${where} and the address in ${home}.`],
      reads,
    }
  }
  const evidence = state.evidence
  switch (state.kind) {
    case 'absent': {
      const near = state.near[0]
      return {
        because: `it cannot reach ${label}: there is no Service ${code(target.service)} in ${where}${near ? `; ${code(near)} exists there – likely the name that was meant` : ''}. ${log}`,
        evidence,
        fix: [
          near
            ? `Change the host to ${code(near)} in ${home}, or create Service ${code(target.service)}.`
            : `Create Service ${code(target.service)} in ${where}, or correct the host name in ${home}.`,
        ],
        reads,
      }
    }
    case 'no-endpoints':
      return {
        because: `it cannot reach ${label}: Service ${code(target.service)} has no ready pod behind it – ${state.why}. ${log}`,
        evidence,
        fix: [
          `Mend the pods behind Service ${code(target.service)}; ${code(subject.name)} starts by itself once they are ready.`,
        ],
        reads,
      }
    case 'wrong-port':
      return {
        because: `it cannot reach ${label}: Service ${code(target.service)} exists but offers port ${state.ports.map(code).join(', ')}, not ${code(port ?? '')}. ${log}`,
        evidence,
        fix: [
          `Change the port to ${code(state.ports[0] ?? '')} in ${home}, or add port ${code(port ?? '')} to Service ${code(target.service)}.`,
        ],
        reads,
      }
    case 'exists':
      return {
        because: `it cannot reach ${label}. Service ${code(target.service)} exists in ${where}; whether a ready pod stands behind it could not be read. ${log}`,
        evidence,
        fix: [
          `See whether Service ${code(target.service)} has ready endpoints; if it has, correct the address in ${home}.`,
        ],
        reads,
      }
    case 'external':
      return {
        because: `it cannot reach ${label}: Service ${code(target.service)} only points at ${code(state.name)} outside the cluster. ${log}`,
        evidence,
        fix: [`Check that ${code(state.name)} is up and reachable, or correct ${code('spec.externalName')}.`],
        reads,
      }
    case 'serves':
      return {
        because: `it could not reach ${label} when it started. Service ${code(target.service)} has ${state.ready} ready ${state.ready === 1 ? 'endpoint' : 'endpoints'} now, so its next try may succeed. ${log}`,
        confidence: 'likely',
        evidence,
        fix: [
          `Let ${code(subject.name)} try again instead of ending, and see whether a NetworkPolicy or a protocol (TLS or plain) is in the way if it keeps failing.`,
        ],
        reads,
      }
  }
}
