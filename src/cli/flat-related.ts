import type { Json, JsonObject } from '../diagnosis/snapshot.ts'

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields of a flat object that belong to `spec`; the others but name, namespace and labels to `status`. */
const SPEC_FIELDS: ReadonlySet<string> = new Set([
  'ports',
  'selector',
  'clusterIP',
  'type',
  'externalName',
  'replicas',
  'nodeName',
  'hostNetwork',
  'taints',
  'unschedulable',
  'podCIDR',
  'storageClassName',
  'tolerations',
])

/** `ready: false`, or as a node's column says it: `Ready: "Unknown"` with a message. */
const withReady = (status: Record<string, Json | undefined>): JsonObject => {
  const { ready, Ready, message } = status
  const said = typeof ready === 'boolean' ? (ready ? 'True' : 'False') : Ready
  if (typeof said !== 'string' || status['conditions'] !== undefined) return status
  const words = typeof message === 'string' ? { message } : {}
  return { ...status, conditions: [{ type: 'Ready', status: said, ...words }] }
}

/** `key=value:Effect`, as kubectl writes a taint. */
const taint = (value: Json): Json => {
  const [, key, given, effect] = typeof value === 'string' ? (/^([^=:]+)(?:=([^:]*))?:(\w+)$/.exec(value) ?? []) : []
  return key === undefined || effect === undefined ? value : { key, effect, ...(given ? { value: given } : {}) }
}

/** `{ name, namespace, ports … }` as an API server would send it; what is an API object already stays as it is. */
const inflated = (flat: JsonObject, namespace: string): JsonObject | null => {
  if (isObject(flat['metadata'])) return flat
  const { name, namespace: own, labels, ...rest } = flat
  if (typeof name !== 'string') return null
  const spec: Record<string, Json | undefined> = {}
  const status: Record<string, Json | undefined> = {}
  for (const [key, value] of Object.entries(rest)) (SPEC_FIELDS.has(key) ? spec : status)[key] = value
  if (Array.isArray(spec['taints'])) spec['taints'] = spec['taints'].map(taint)
  return {
    metadata: { name, namespace: typeof own === 'string' ? own : namespace, ...(isObject(labels) ? { labels } : {}) },
    spec,
    status: withReady(status),
  }
}

/** Endpoints as the EndpointSlice that a current API server keeps of them. */
const toSlice = (flat: JsonObject, namespace: string): JsonObject | null => {
  const { name, addresses } = flat
  if (typeof name !== 'string') return null
  const ready = Array.isArray(addresses) ? addresses.filter(address => typeof address === 'string') : []
  return {
    metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
    endpoints: ready.map(address => ({ addresses: [address], conditions: { ready: true } })),
  }
}

/** Lists of a file written by hand: flat objects are filled out, Endpoints become EndpointSlices, prose is left out. */
export const flatRelated = (
  related: JsonObject,
  namespace: string,
): Readonly<Record<string, readonly JsonObject[]>> => {
  const lists: Record<string, readonly JsonObject[]> = {}
  for (const [list, value] of Object.entries(related)) {
    const items: readonly unknown[] | null = Array.isArray(value) ? value : null
    if (items === null || (items.length > 0 && !items.some(isObject))) continue
    const isEndpoints = list === 'endpoints'
    const inflate = isEndpoints ? toSlice : inflated
    const filled = items.filter(isObject).map((item): JsonObject | null => inflate(item, namespace))
    lists[isEndpoints ? 'endpointSlices' : list] = filled.filter(item => item !== null)
  }
  return lists
}

const TIME = /"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d+)?Z"/g

/** The newest time that anything in it carries: it cannot have been read before. */
export const newestTime = (...values: readonly unknown[]): string | null => {
  const newest = [...JSON.stringify(values).matchAll(TIME)]
    .map(([, time]) => time ?? '')
    .sort()
    .at(-1)
  return newest === undefined ? null : `${newest}Z`
}
