import type { Evidence } from './diagnosis.ts'
import { endpointSlice, type Service, service } from './kubernetes.ts'
import { type Pod, pod as podShape } from './kubernetes-pod.ts'
import { code, fact } from './rule.ts'
import type { View } from './view.ts'

/** What is so with a Service that somebody wants to reach; null where it could not be read. */
export type ServiceState =
  /** No Service of that name; the names that are there and close to it, the likeliest first. */
  | { readonly kind: 'absent'; readonly near: readonly string[]; readonly evidence: readonly Evidence[] }
  /** It exists, but does not offer the port; `ports` are those it offers. */
  | { readonly kind: 'wrong-port'; readonly ports: readonly number[]; readonly evidence: readonly Evidence[] }
  /** It exists, and no ready pod stands behind it; `why` says what is known of those pods. */
  | {
      readonly kind: 'no-endpoints'
      readonly why: string
      readonly isHeadless: boolean
      readonly evidence: readonly Evidence[]
    }
  /** It exists, offers the port and has ready endpoints. */
  | { readonly kind: 'serves'; readonly ready: number; readonly evidence: readonly Evidence[] }
  /** It exists and offers the port; its endpoints were not read. */
  | { readonly kind: 'exists'; readonly isHeadless: boolean; readonly evidence: readonly Evidence[] }
  /** An ExternalName Service: what stands behind it is outside the cluster. */
  | { readonly kind: 'external'; readonly name: string; readonly evidence: readonly Evidence[] }

const words = (name: string): ReadonlySet<string> => new Set(name.split(/[-.]/).filter(word => word !== ''))

/** Names that share a word with the wanted one, or offer its port; most in common first. */
const nearNames = (services: readonly Service[], wanted: string, port: number | null): readonly string[] => {
  const own = words(wanted)
  const scored = services.map(({ metadata, spec }) => {
    const shared = [...words(metadata?.name ?? '')].filter(word => own.has(word)).length
    const offers = port !== null && spec?.ports?.some(offered => offered.port === port) ? 1 : 0
    return { name: metadata?.name ?? '', score: shared * 2 + offers }
  })
  return scored
    .filter(({ name, score }) => score > 0 && name !== '' && name !== 'kubernetes')
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name)
}

const absent = (
  services: readonly Service[] | null,
  namespace: string,
  name: string,
  port: number | null,
): ServiceState => {
  const names = (services ?? []).flatMap(({ metadata }) => metadata?.name ?? []).filter(other => other !== 'kubernetes')
  const listed = names.length === 0 ? 'none' : names.slice(0, 8).map(code).join(', ')
  return {
    kind: 'absent',
    near: services ? nearNames(services, name, port) : [],
    evidence: [
      fact(`Service ${namespace}/${name}`, 'not found'),
      ...(services ? [fact(`Services in ${namespace}`, listed)] : []),
    ],
  }
}

const matches = (
  labels: Readonly<Record<string, string>> | undefined,
  selector: Readonly<Record<string, string>>,
): boolean => Object.entries(selector).every(([key, value]) => labels?.[key] === value)

const isPodReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false

/** One level deep: why the newest trouble of a backing pod says that it is not ready. */
const troubleOf = (
  view: View,
  backing: Pod,
): { readonly text: string; readonly evidence: readonly Evidence[] } | null => {
  const name = backing.metadata?.name ?? ''
  const statuses = [...(backing.status?.initContainerStatuses ?? []), ...(backing.status?.containerStatuses ?? [])]
  const waiting = statuses.find(
    ({ state }) => state?.waiting?.reason && !/^(?:PodInitializing|ContainerCreating)$/.test(state.waiting.reason),
  )
  if (waiting) {
    const reason = waiting.state?.waiting?.reason ?? ''
    return {
      text: `its container ${code(waiting.name ?? '')} is in ${code(reason)}`,
      evidence: [fact(`pod ${name} status`, `${waiting.name}: ${reason}`)],
    }
  }
  const event = view.eventsOf('Pod', name)?.findLast(({ isWarning, reason }) => isWarning && reason !== 'BackOff')
  if (!event) return null
  const said = event.message.replace(/\s+/g, ' ').trim().slice(0, 200)
  return {
    text: `${event.reason === 'Unhealthy' ? 'its probe says' : `event ${event.reason}`} ${code(said)}`,
    evidence: [
      fact(`event ${event.reason} of pod ${name}${event.lastAt === null ? '' : ` at ${event.lastAt}`}`, code(said)),
    ],
  }
}

type NothingBehind = Pick<Extract<ServiceState, { kind: 'no-endpoints' }>, 'why' | 'evidence'>

const noEndpoints = (view: View, found: Service, namespace: string, pods: readonly Pod[] | null): NothingBehind => {
  const name = found.metadata?.name ?? ''
  const selector = found.spec?.selector
  const evidence = [fact(`EndpointSlices of Service ${namespace}/${name}`, 'no ready endpoint')]
  if (!selector || Object.keys(selector).length === 0) {
    return { why: 'it selects no pods (no selector), and nobody has added endpoints', evidence }
  }
  const labels = Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
  if (!pods) return { why: `no ready pod matches its selector ${code(labels)}`, evidence }
  const backing = pods.filter(({ metadata }) => matches(metadata?.labels, selector))
  if (backing.length === 0) {
    return {
      why: `no pod matches its selector ${code(labels)}`,
      evidence: [...evidence, fact(`pods with ${labels}`, 'none')],
    }
  }
  const unready = backing.filter(candidate => !isPodReady(candidate))
  const first = unready[0]
  const trouble = first ? troubleOf(view, first) : null
  const who = first?.metadata?.name
    ? `pod ${code(first.metadata.name)} behind it is not ready`
    : 'the pods behind it are not ready'
  return {
    why: trouble ? `${who}: ${trouble.text}` : who,
    evidence: [
      ...evidence,
      fact(`pods with ${labels}`, `${unready.length} of ${backing.length} not ready`),
      ...(trouble?.evidence ?? []),
    ],
  }
}

/** Looks a Service up as a client would need it: does it exist, offer the port, have ready endpoints? */
export const serviceState = (view: View, namespace: string, name: string, port: number | null): ServiceState | null => {
  const found = view.object('Service', namespace, name, service)
  // Everything that may be needed is asked for at once: requests are answered in two rounds at most.
  const isOwn = namespace === view.namespace
  const services = isOwn ? view.list('services', service) : null
  const slices = isOwn ? view.list('endpointSlices', endpointSlice) : null
  const pods = isOwn ? view.list('pods', podShape) : null
  if (found === null) return null
  if (found === 'absent') return absent(services, namespace, name, port)
  if (found.spec?.type === 'ExternalName') {
    const external = found.spec.externalName ?? ''
    return {
      kind: 'external',
      name: external,
      evidence: [fact(`Service ${namespace}/${name}`, `ExternalName ${code(external)}`)],
    }
  }
  const ports = (found.spec?.ports ?? []).flatMap(offered => offered.port ?? [])
  const isHeadless = found.spec?.clusterIP === 'None'
  const offers = fact(`Service ${namespace}/${name} spec.ports`, ports.join(', '))
  // A headless Service leads straight to its pods: any port they listen on works.
  if (port !== null && ports.length > 0 && !ports.includes(port) && !isHeadless) {
    return { kind: 'wrong-port', ports, evidence: [offers] }
  }
  if (!slices) return { kind: 'exists', isHeadless, evidence: [offers] }
  const own = slices.filter(({ metadata }) => metadata?.labels?.['kubernetes.io/service-name'] === name)
  const ready = own
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false).length
  if (ready === 0) return { kind: 'no-endpoints', isHeadless, ...noEndpoints(view, found, namespace, pods) }
  return {
    kind: 'serves',
    ready,
    evidence: [offers, fact(`EndpointSlices of Service ${namespace}/${name}`, `${ready} ready`)],
  }
}
