import { editOwner, read } from '../commands.ts'
import { specHome } from '../owner.ts'
import { type ContainerRule, code, type Draft, eventFact, fact, quote } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { keysThereAre } from './config-map-keys.ts'
import { referencesTo } from './references.ts'

const waitingFact = (subject: Subject) =>
  fact(
    `${subject.container.statusPath}.state.waiting`,
    `${code(subject.waitingReason)}: ${quote(subject.waitingMessage, 400)}`,
  )

const KIND = { configmap: 'ConfigMap', secret: 'Secret' } as const
const kindOf = (word: string): 'ConfigMap' | 'Secret' =>
  word.toLowerCase() === 'secret' ? KIND.secret : KIND.configmap

const usedBy = (subject: Subject, kind: 'ConfigMap' | 'Secret', name: string, key?: string) => {
  const references = referencesTo(subject.container, kind, name, key)
  return {
    how: references.length > 0 ? ` (${[...new Set(references.map(({ how }) => how))].slice(0, 3).join(', ')})` : '',
    facts: references.slice(0, 3).map(({ path, how }) => fact(path, `${how} refers to ${kind} ${code(name)}`)),
  }
}

const objectMissing = (subject: Subject, kind: 'ConfigMap' | 'Secret', name: string): Draft => {
  const { namespace } = subject.view
  const { how, facts } = usedBy(subject, kind, name)
  const resource = kind.toLowerCase()
  return {
    id: 'create.object-missing',
    confidence: 'certain',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} cannot be created: ${kind} ${code(name)}, which it refers to${how}, does not exist in namespace ${code(namespace)}.`,
    evidence: [waitingFact(subject), ...facts],
    fix: [
      `Create ${kind} ${code(name)} in namespace ${code(namespace)}, or correct the name in ${specHome(subject.view)}; an object of another namespace cannot be referred to. The kubelet tries again by itself, no new pod is needed.`,
    ],
    avoid: [
      `Marking the reference ${code('optional: true')} only to get past this: the container would start without the setting.`,
    ],
    // Listing Secrets reads their values; naming one that is missing does not.
    commands: [
      kind === 'ConfigMap'
        ? read(subject.view, 'The ConfigMaps that do exist', 'get', 'configmaps')
        : read(subject.view, 'Whether the Secret exists (its name only)', 'get', resource, name, '-o', 'name'),
      ...editOwner(subject.view),
    ],
  }
}

const keyMissing = (subject: Subject, kind: 'ConfigMap' | 'Secret', key: string, name: string): Draft => {
  const { how, facts } = usedBy(subject, kind, name, key)
  const { namespace } = subject.view
  const keys = keysThereAre(subject.view, kind, name)
  return {
    id: 'create.key-missing',
    confidence: 'certain',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} cannot be created: ${kind} ${code(name)} in namespace ${code(namespace)} has no key ${code(key)}, which it asks for${how}.${keys.text}`,
    evidence: [waitingFact(subject), ...facts, ...keys.evidence],
    fix: [
      `Add key ${code(key)} to ${kind} ${code(name)} (${code(`${namespace}/${name}`)}), or correct the key in ${specHome(subject.view)}. The kubelet tries again by itself, no new pod is needed.`,
    ],
    commands: [
      read(subject.view, `The keys of ${kind} ${name} (values stay hidden)`, 'describe', kind.toLowerCase(), name),
      ...editOwner(subject.view),
    ],
  }
}

const nonRoot = (subject: Subject): Draft => {
  const user = /non-numeric user \(([^)]*)\)/.exec(subject.waitingMessage)?.[1]
  const breaks = subject.waitingMessage.includes('runAsUser breaks non-root policy')
  const why = breaks
    ? `${code('runAsUser: 0')} contradicts ${code('runAsNonRoot: true')}`
    : user === undefined
      ? `${code('runAsNonRoot: true')} is set, but its image runs as root and no ${code('runAsUser')} says otherwise`
      : `${code('runAsNonRoot: true')} is set, and the image names its user ${code(user)} instead of a number, so the kubelet cannot tell that it is not root`
  return {
    id: 'create.run-as-non-root',
    confidence: 'certain',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} cannot be created: ${why}.`,
    evidence: [waitingFact(subject)],
    fix: [
      `Set ${code('securityContext.runAsUser')} of ${code(subject.name)} to a non-zero uid that the image supports in ${specHome(subject.view)}, or build the image with a numeric ${code('USER')}.`,
    ],
    avoid: [`Dropping ${code('runAsNonRoot')}: the process would run as root.`],
    commands: editOwner(subject.view),
  }
}

const nameReserved = (subject: Subject): Draft => {
  const first = subject.newest(['Failed'], /context deadline exceeded|DeadlineExceeded/)
  return {
    id: 'create.name-reserved',
    confidence: first ? 'certain' : 'likely',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} cannot be created because an earlier attempt of the runtime is still under way and holds its name (name is reserved); the runtime on the node is too slow, ${first ? 'the first attempt ran into `context deadline exceeded`' : 'usually a slow or overloaded disk'}.`,
    evidence: [waitingFact(subject), ...(first ? [eventFact(first)] : [])],
    fix: [
      `Relieve the disk and the container runtime of node ${code(subject.view.pod?.spec?.nodeName ?? '')} (slow node disk, overloaded runtime); the loop then ends by itself.`,
    ],
    avoid: ['Removing containers by hand on the node: the name belongs to this very pod, not to another one.'],
  }
}

const other = (subject: Subject): Draft => ({
  id: 'create.other',
  confidence: subject.waitingMessage === '' ? 'possible' : 'certain',
  container: subject.name,
  summary: `${subject.noun} ${code(subject.name)} cannot be created; the ${subject.waitingReason === 'CreateContainerConfigError' ? 'kubelet' : 'container runtime'} says ${quote(subject.waitingMessage, 300)}.`,
  evidence: [waitingFact(subject)],
  fix: [
    `Mend what the message names, in ${specHome(subject.view)} or on node ${code(subject.view.pod?.spec?.nodeName ?? '')}; the kubelet tries again by itself.`,
  ],
  commands: editOwner(subject.view),
})

const OBJECT_MISSING = /^(?:.*: )?(configmap|secret) "([^"]+)" not found/i
const KEY_MISSING = /couldn't find key (\S+) in (ConfigMap|Secret) ([^/\s]+)\/(\S+)/

/** Containers that the kubelet or the runtime cannot create: what the waiting message says, and where the spec asks for it. */
export const containerCreate: ContainerRule = subject => {
  if (subject.moment !== 'blocked') return null
  const { waitingReason: reason, waitingMessage: message } = subject
  if (reason !== 'CreateContainerConfigError' && reason !== 'CreateContainerError' && reason !== 'PreCreateHookError')
    return null
  const object = OBJECT_MISSING.exec(message)
  if (object?.[1] && object[2]) return objectMissing(subject, kindOf(object[1]), object[2])
  const key = KEY_MISSING.exec(message)
  if (key?.[1] && key[2] && key[4]) return keyMissing(subject, kindOf(key[2]), key[1], key[4])
  if (/runAsNonRoot|breaks non-root policy/.test(message)) return nonRoot(subject)
  if (/failed to reserve container name|is reserved for/.test(message)) return nameReserved(subject)
  return other(subject)
}
