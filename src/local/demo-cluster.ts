import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoPods } from './demo-pods.ts'
import type { Example } from './station.ts'

/** JSON as an API server sent it. */
type Json = null | boolean | number | string | readonly Json[] | JsonObject
interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** All that was read about one pod at one moment: a recording, in the shape of a snapshot. */
export interface Recording {
  readonly kind: 'PodSnapshot'
  readonly takenAt: string
  readonly server: { readonly major: string; readonly minor: string; readonly gitVersion: string }
  readonly cluster: string
  readonly namespace: string
  /** The pod's name, or `Kind/name` of an owner without pods. */
  readonly target: string
  readonly pod: JsonObject | null
  readonly events: readonly JsonObject[]
  readonly logs: Readonly<Record<string, InstanceTexts>>
  readonly logErrors: Readonly<Record<string, InstanceTexts>>
  readonly related: Readonly<Record<string, readonly JsonObject[]>>
  readonly unread: readonly { readonly what: string; readonly why: string }[]
}
interface InstanceTexts {
  readonly current: string | null
  readonly previous: string | null
}

/** What to explain. */
interface DemoTarget {
  readonly namespace: string
  /** Kubernetes kind in its own spelling; null: not said, then a pod is meant first. */
  readonly kind: string | null
  readonly name: string
}

export interface DemoCluster {
  readonly name: string
  /** Its pods, as questions to ask. */
  readonly examples: readonly Example[]
  /** The recording of the pod that a target means: by name, by its workload's name, by a beginning that only it has. Throws NoSuchPod. */
  read(target: DemoTarget): Promise<Recording>
  /** The recordings of a namespace: all its pods, each by itself. Throws NoSuchPod. */
  triage(namespace: string): Promise<DemoNamespace>
  /** The same recording as `read`, without logs. */
  about(target: DemoTarget): Promise<Recording>
  /** A log as it was recorded. */
  log(of: DemoLog): Promise<{ text: string; omittedBytes: number; cut: null; missing: string | null }>
}

interface DemoLog {
  readonly namespace: string
  readonly pod: string
  readonly container: string
  readonly instance: 'current' | 'previous'
}

/** All pods of a namespace, in the shape of what is read of one. */
export interface DemoNamespace {
  readonly kind: 'NamespaceSnapshot'
  readonly cluster: string
  readonly namespace: string
  readonly takenAt: string | null
  readonly pods: number
  readonly fine: number
  readonly cases: readonly { readonly snapshot: Recording; readonly alike: readonly [] }[]
  readonly unread: readonly []
}

/** Nothing of that name was recorded. */
export class NoSuchPod extends Error {
  override name = 'NoSuchPod' as const
  /** What may have been meant. */
  readonly choices: readonly DemoTarget[]
  constructor({ namespace, kind, name }: DemoTarget, choices: readonly DemoTarget[]) {
    const near = choices.slice(0, 3).map(each => `"${each.namespace}/${each.kind === 'Namespace' ? '' : each.name}"`)
    const hint = near.length > 0 ? `; did you mean ${near.join(', ')}?` : ''
    const what =
      kind === 'Namespace'
        ? `no namespace "${name}"`
        : `no ${kind ?? 'pod or workload'} "${name}" in namespace "${namespace}"`
    super(`${what} of the demo cluster${hint}`)
    this.choices = choices
  }
}

type DemoPod = (typeof demoPods)[number]

/** A cluster made of recordings, for when there is none to ask. Each pod is as it was when it was recorded. */
export function demoCluster(): DemoCluster {
  return {
    name: 'demo',
    examples: demoPods.map(({ namespace, workload, pod, status }) => ({
      label: `${workload.name} · ${status}`,
      text: `/podwhy ${namespace}/${pod ?? `${workload.kind}/${workload.name}`}`,
    })),
    async read(target) {
      const found = find(target)
      if (!found) throw new NoSuchPod(target, nearTo(target))
      return recordingOf(found)
    },
    async about(target) {
      const found = find(target)
      if (!found) throw new NoSuchPod(target, nearTo(target))
      return { ...(await recordingOf(found)), logs: {}, logErrors: {} }
    },
    async log({ namespace, pod, container, instance }) {
      const found = find({ namespace, kind: 'Pod', name: pod })
      const recorded = found && (await recordingOf(found))
      const text = recorded?.logs[container]?.[instance] ?? null
      const why = recorded?.logErrors[container]?.[instance] ?? 'this log was not recorded'
      return { text: text ?? '', omittedBytes: 0, cut: null, missing: text === null ? why : null }
    },
    async triage(namespace) {
      const here = demoPods.filter(each => each.namespace === namespace)
      if (here.length === 0) throw new NoSuchPod({ namespace, kind: 'Namespace', name: namespace }, namespaces)
      const fine = here.filter(({ status }) => status === 'Running' || status === 'Completed')
      const unwell = here.filter(each => !fine.includes(each))
      const snapshots = await Promise.all(unwell.map(recordingOf))
      return {
        ...{ kind: 'NamespaceSnapshot', cluster: 'demo', namespace, takenAt: snapshots[0]?.takenAt ?? null },
        ...{ pods: here.filter(({ pod }) => pod !== null).length, fine: fine.length, unread: [] },
        cases: snapshots.map(snapshot => ({ snapshot, alike: [] as const })),
      }
    },
  }
}

const recordingOf = async ({ file }: DemoPod): Promise<Recording> => {
  const recorded = await readFile(join(import.meta.dirname, 'demo', file), 'utf8')
  return { ...(JSON.parse(recorded) as Recording), cluster: 'demo' }
}

/** All of the demo cluster, to choose from. */
const namespaces: readonly DemoTarget[] = [...new Set(demoPods.map(({ namespace }) => namespace))].map(namespace => ({
  namespace,
  kind: 'Namespace',
  name: namespace,
}))

function find({ namespace, kind, name }: DemoTarget): DemoPod | undefined {
  const here = demoPods.filter(each => each.namespace === namespace)
  const byPod = kind === null || kind === 'Pod' ? here.find(({ pod }) => pod === name) : undefined
  const byWorkload = here.find(({ workload }) => workload.name === name && (kind ?? workload.kind) === workload.kind)
  if (byPod || byWorkload || kind !== null) return byPod ?? byWorkload
  const beginning = here.filter(({ pod }) => pod?.startsWith(name))
  return beginning.length === 1 ? beginning[0] : undefined
}

/** At most three: those whose names share a part with the one asked for, else those of its namespace. */
function nearTo({ namespace, name }: DemoTarget): readonly DemoTarget[] {
  const parts = name.split('-').filter(part => part.length > 2)
  const alike = demoPods.filter(({ workload }) => parts.some(part => workload.name.includes(part)))
  const near = alike.length > 0 ? alike : demoPods.filter(each => each.namespace === namespace)
  const byName = new Map(near.map(each => [`${each.namespace}/${each.workload.name}`, each]))
  return [...byName.values()].slice(0, 3).map(({ namespace, workload }) => ({ namespace, ...workload }))
}
