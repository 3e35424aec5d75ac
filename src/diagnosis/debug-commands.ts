import { change } from './commands.ts'
import type { Command } from './diagnosis.ts'
import { hasShell } from './image-shell.ts'
import { namespace } from './kubernetes.ts'
import { isStaticPod } from './owner.ts'
import type { Subject } from './subject.ts'
import type { View } from './view.ts'

/** Causes where the container itself has to be looked into, started by hand. */
const NEEDS_ITS_OWN_SHELL: ReadonlySet<string> = new Set([
  'app.crash',
  'app.silent-exit',
  'app.segfault',
  'app.missing-module',
  'app.missing-library',
  'app.permission',
  'app.exec-not-runnable',
  'volume.permission',
  'init.crash',
  'init.sidecar-crash',
  'init.silent-failure',
  'start.command-not-found',
  'start.hook-failed',
])

/** Causes where asking from beside the process is enough: a probe, or what a step waits for. */
const NEEDS_A_NEIGHBOUR =
  /^(?:probe\.(?:other|slow-start|too-tight|dependency|readiness-dependency|wrong-path)|init\.(?:waiting|wait-not-ready|wait-broken-check))$/

const SMALL_IMAGE = 'busybox:1.36'
/** Its user is not root, as PodSecurity `restricted` asks for. */
const SMALL_NON_ROOT_IMAGE = 'cgr.dev/chainguard/busybox'

/** The longest name that is also a valid label value and host name. */
const LONGEST_NAME = 63

/** `web-5d4f-x2x9k-debug`, cut in the pod's own part. */
export const copyName = (pod: string): string =>
  `${pod.slice(0, LONGEST_NAME - '-debug'.length).replace(/[^a-z0-9]+$/i, '')}-debug`

type Profile = 'restricted' | 'baseline' | 'general'

/** The profile that the namespace's PodSecurity level lets through; null where the namespace was not read. */
const profileOf = (view: View): Profile | null => {
  const found = view.object('Namespace', '', view.namespace, namespace)
  if (found === null || found === 'absent') return null
  const level = found.metadata?.labels?.['pod-security.kubernetes.io/enforce']
  return level === 'restricted' || level === 'baseline' ? level : 'general'
}

/** What a foreign image must be: under `restricted` it may not run as root, unless the pod itself sets another user. */
const foreignImage = ({ view }: Subject, profile: Profile | null): string =>
  profile === 'restricted' && (view.pod?.spec?.securityContext?.runAsUser ?? 0) === 0
    ? SMALL_NON_ROOT_IMAGE
    : SMALL_IMAGE

/** A claim that only one node can use, and a host's own directory, are of use to a copy on the same node alone. */
const sameNode = ({ view }: Subject): readonly string[] =>
  view.pod?.spec?.volumes?.some(({ persistentVolumeClaim, hostPath }) => persistentVolumeClaim || hostPath)
    ? ['--same-node']
    : []

const profileFlag = (profile: Profile | null): readonly string[] => (profile === null ? [] : [`--profile=${profile}`])

const debug = (subject: Subject, purpose: string, ...args: readonly string[]): Command =>
  change(subject.view, purpose, 'debug', subject.view.pod?.metadata?.name ?? '', ...args)

/** A debug container beside the running process: the same network, its processes in sight. */
const beside = (subject: Subject): Command => {
  const profile = profileOf(subject.view)
  return debug(
    subject,
    `A shell beside ${subject.name}, in a debug container that stays in the pod until it is deleted`,
    '-it',
    `--image=${foreignImage(subject, profile)}`,
    `--target=${subject.name}`,
    ...profileFlag(profile),
  )
}

const alsoRuns = ({ view, container }: Subject): string => {
  const earlier = view.containers.filter(({ kind }) => kind === 'init').length
  const before = container.kind === 'init' ? container.position - 1 : earlier
  return before > 0 ? '; the init containers run again in it' : ''
}

/** A copy in which a shell stands in the container's place: its settings and mounts, and where it has one its image. */
const inACopy = (subject: Subject): Command => {
  const { view, name, container } = subject
  const profile = profileOf(view)
  const shell = hasShell(subject)
  // Profile `restricted` drops the container's own runAsUser; its image's user is then what counts.
  const mayBeRoot = profile === 'restricted' && container.spec.securityContext?.runAsUser !== undefined
  const other = foreignImage(subject, profile)
  const isForeign = shell === false || (mayBeRoot && other === SMALL_NON_ROOT_IMAGE)
  const how = isForeign
    ? `A shell in place of ${name}, in a copy of the pod: its settings, mounts and network, without its image`
    : `A shell in the image of ${name}${shell === null ? ` (if that has none, add --image=${other})` : ''}, in a copy of the pod, to start its command by hand`
  const copy = copyName(view.pod?.metadata?.name ?? '')
  return debug(
    subject,
    `${how}; delete pod ${copy} afterwards${alsoRuns(subject)}`,
    '-it',
    `--copy-to=${copy}`,
    `--container=${name}`,
    ...(isForeign ? [`--image=${other}`] : []),
    ...profileFlag(profile),
    ...sameNode(subject),
    '--',
    'sh',
  )
}

/** A copy whose process is left alone, with a shell beside it. */
const besideACopy = (subject: Subject): Command => {
  const { view } = subject
  const profile = profileOf(view)
  const copy = copyName(view.pod?.metadata?.name ?? '')
  return debug(
    subject,
    `A shell beside ${subject.name} in a copy of the pod${profile === null ? '' : ', which has no probes'}; delete pod ${copy} afterwards${alsoRuns(subject)}`,
    '-it',
    `--copy-to=${copy}`,
    `--image=${foreignImage(subject, profile)}`,
    '--share-processes',
    ...profileFlag(profile),
    ...sameNode(subject),
  )
}

/** True where the API server would take neither a debug container nor a copy of any use. */
const isOutOfReach = ({ view }: Subject): boolean =>
  view.pod?.spec?.nodeName === undefined ||
  view.pod.metadata?.deletionTimestamp !== undefined ||
  view.pod.spec.nodeSelector?.['kubernetes.io/os'] === 'windows' ||
  isStaticPod(view)

/** The way into a container that its state, its image and the namespace's PodSecurity level allow; only ever proposed. */
export const debugCommands = (id: string, subject: Subject): readonly Command[] => {
  const isNeighbour = NEEDS_A_NEIGHBOUR.test(id)
  if ((!isNeighbour && !NEEDS_ITS_OWN_SHELL.has(id)) || isOutOfReach(subject)) return []
  const { container, moment } = subject
  if (container.kind === 'ephemeral') return []
  if (container.state.running && (isNeighbour || moment === 'running')) return [beside(subject)]
  return [isNeighbour ? besideACopy(subject) : inACopy(subject)]
}
