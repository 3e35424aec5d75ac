import type { ContainerSpec, PodSpec, Resources } from './kubernetes-pod.ts'
import { parseQuantity } from './quantity.ts'

/** What the scheduler looks for on a node. */
export interface EffectiveRequest {
  /** In whole units: cores, bytes, pieces. */
  readonly amount: number
  /** Which part decided: `containers`, `init container "migrate"`, `pod resources`. */
  readonly from: string
  /** The init container that alone decided; null: none. */
  readonly initContainer: string | null
}

/**
 * A pod's request for one resource: what its containers and sidecars take together, or the init container that takes more
 * beside the sidecars started before it, whichever is larger; a request on the pod itself overrides both. The overhead of
 * its RuntimeClass comes on top (component-helpers resource/helpers.go, PodRequests).
 */
export const effectiveRequest = (spec: PodSpec, resource: string): EffectiveRequest => {
  const largest = ofPod(spec, resource, ofContainers(spec, resource))
  const overhead = parseQuantity(spec.overhead?.[resource]) ?? 0
  return { ...largest, amount: exact(largest.amount + overhead) }
}

const ofContainers = (spec: PodSpec, resource: string): EffectiveRequest => {
  let sidecars = 0
  let largestInit: EffectiveRequest = { amount: 0, from: 'containers', initContainer: null }
  for (const container of spec.initContainers ?? []) {
    const request = requestOf(container, resource)
    if (container.restartPolicy === 'Always') {
      sidecars += request
      continue
    }
    const amount = exact(request + sidecars)
    const name = container.name ?? ''
    if (amount > largestInit.amount) largestInit = { amount, from: `init container "${name}"`, initContainer: name }
  }
  const apps = (spec.containers ?? []).reduce((total, container) => total + requestOf(container, resource), 0)
  const together = exact(apps + sidecars)
  return largestInit.amount > together ? largestInit : { amount: together, from: 'containers', initContainer: null }
}

const ofPod = (spec: PodSpec, resource: string, ofContainers: EffectiveRequest): EffectiveRequest => {
  // A limit on the pod stands in only where no container requests anything (core/v1 defaults.go).
  const own = spec.resources?.requests?.[resource] ?? (ofContainers.amount === 0 && spec.resources?.limits?.[resource])
  const amount = parseQuantity(own || null)
  return amount === null ? ofContainers : { amount, from: 'pod resources', initContainer: null }
}

// A missing request is the limit: the API server writes it so, a pod from a file does not have it yet.
const requestOf = ({ resources }: ContainerSpec, resource: string): number =>
  parseQuantity(stated(resources, resource)) ?? 0

const stated = (resources: Resources | undefined, resource: string): string | number | undefined =>
  resources?.requests?.[resource] ?? resources?.limits?.[resource]

/** Without the noise of binary fractions: three times 0.1 fits into 0.3. */
const exact = (amount: number): number => Number(amount.toPrecision(15))
