/** Why one group of nodes was refused, or the whole pod before any node was looked at. */
export interface Refusal {
  readonly id: string
  /** How many nodes; null: the reason is about the pod. */
  readonly nodes: number | null
  /** The scheduler's words. */
  readonly text: string
  /** What they name: a resource, a taint's key, a claim. */
  readonly subject: string | null
}

/** The scheduler's message taken apart. */
export interface SchedulerWords {
  readonly refusals: readonly Refusal[]
  /** How many nodes the cluster has; null: not said. */
  readonly total: number | null
  /** What preemption found, without its own node counts. */
  readonly preemption: string
}

// In the order of a scheduler's profile, latest filter first: a node refused late was closest to fit
// (scheduler/apis/config/v1/default_plugins.go).
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/waiting for scheduling gates/, 'scheduling.gated'],
  [/persistentvolumeclaim "([^"]+)" not found/, 'scheduling.pvc-missing'],
  [
    /volume node affinity conflict|PersistentVolume's node affinity|no available volume zone|NoVolumeZoneConflict/,
    'scheduling.volume-zone-conflict',
  ],
  [
    /unbound (?:immediate )?PersistentVolumeClaims|persistent volumes to bind|non-existent (?:pv|persistentvolume)|persistentvolumeclaim "([^"]+)" is being deleted|ephemeral volume controller|binding volumes|enough free storage|provisioning failed/i,
    'scheduling.pvc-unbound',
  ],
  [/free ports|PodFitsHostPorts/, 'scheduling.host-port-conflict'],
  [/^(?:Too many|Insufficient) pods/, 'scheduling.too-many-pods'],
  [/^Insufficient (\S+)/, 'scheduling.insufficient-resources'],
  [
    /pod (?:anti-)?affinity|pods anti-affinity|topology spread|MatchInterPodAffinity/,
    'scheduling.pod-affinity-or-spread',
  ],
  [
    /node affinity|node selector|requested node name|required features|MatchNodeSelector|node\(s\) didn't match node/i,
    'scheduling.node-affinity',
  ],
  [/were unschedulable/, 'scheduling.node-cordoned'],
  [/PodToleratesNodeTaints|taint(?:s|\(s\))? ?(?:\{([^:}]*))?/, 'scheduling.untolerated-taint'],
]

const refusalOf = (entry: string): Refusal => {
  const [, count, rest] = /^(\d+) (.*)$/s.exec(entry) ?? []
  const text = (rest ?? entry).trim()
  for (const [words, id] of CLASSES) {
    const match = words.exec(text)
    if (match) return { id, nodes: count === undefined ? null : Number(count), text, subject: match[1]?.trim() ?? null }
  }
  return { id: 'scheduling.other', nodes: count === undefined ? null : Number(count), text, subject: null }
}

/** Takes a FailedScheduling message apart (framework/types.go, FitError): `0/6 nodes are available: 3 …, 2 …. preemption: …`. */
export const schedulerWords = (message: string): SchedulerWords => {
  const [, total, rest] = /^\d+\/(\d+) nodes are available: (.*)$/s.exec(message.trim()) ?? []
  const [body = '', ...tail] = (rest ?? message).split(/\.? (?=no new claims to deallocate|preemption: )/)
  const preemption = /preemption: (?:\d+\/\d+ nodes are available: )?(.*)$/s.exec(tail.join(' '))?.[1] ?? ''
  const entries = body
    .split(/, (?=\d+ [A-Za-z(])/)
    .map(entry => entry.trim().replace(/\.$/, ''))
    .filter(entry => entry !== '')
  return { refusals: entries.map(refusalOf), total: total === undefined ? null : Number(total), preemption }
}
