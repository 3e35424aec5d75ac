import { editOwner, readLog } from '../commands.ts'
import { secondsBetween } from '../containers.ts'
import { specHome } from '../owner.ts'
import type { PodEvent } from '../pod-events.ts'
import { type ContainerRule, code, type Draft, eventFact, fact, lineFact } from '../rule.ts'
import type { Subject } from '../subject.ts'

/** How a program reports that a child of it was killed with SIGKILL. */
const KILLED_CHILD =
  /\b(?:exit(?:ed)?|terminated|killed|died|returned)\b[^\n]{0,60}(?:-9\b|signal 9|SIGKILL|\b137\b)|was (?:killed|sent SIGKILL)|Killed$|signal: killed|Perhaps out of memory/i

const limitOf = (subject: Subject): string | null => {
  const limit = subject.container.spec.resources?.limits?.['memory']
  return limit === undefined ? null : String(limit)
}

const killedFact = (subject: Subject) =>
  fact(`${subject.container.ended?.path}`, `reason ${code('OOMKilled')}, exit code ${subject.exitCode}`)

const limitFacts = (subject: Subject) => {
  const limit = limitOf(subject)
  return limit === null
    ? [fact(`${subject.container.specPath}.resources.limits.memory`, 'not set')]
    : [
        fact(`${subject.container.specPath}.resources.limits.memory`, code(limit)),
        ...(isDefaulted(subject) ? [fact(`metadata.annotations[${LIMIT_RANGER}]`, 'set the memory limit')] : []),
      ]
}

const LIMIT_RANGER = 'kubernetes.io/limit-ranger'

/** True where the limit is no choice of the workload's: a LimitRange of the namespace filled it in, and says so. */
const isDefaulted = ({ view, container }: Subject): boolean =>
  (view.pod?.metadata?.annotations?.[LIMIT_RANGER] ?? '')
    .split(';')
    .some(part => /memory.* limit for/.test(part) && part.trim().endsWith(`container ${container.name}`))

const raise = (subject: Subject): string => {
  const limit = limitOf(subject)
  return limit === null
    ? `Set ${code('resources.limits.memory')} and a request of ${code(subject.name)} near what it uses, or give the node more memory.`
    : `Raise ${code('resources.limits.memory')} (${limit}) of ${code(subject.name)} in ${specHome(subject.view)} above what it needs, or make it use less.${isDefaulted(subject) ? ' The limit comes from a LimitRange of the namespace: one of its own goes before it.' : ''}`
}

const AVOID = ['Dropping the limit altogether: the next victim is then another pod of the node.']

const init = (subject: Subject): Draft => {
  const limit = limitOf(subject)
  const exitedZero = subject.exitCode === 0
  return {
    id: 'init.oom',
    confidence: 'certain',
    container: subject.name,
    summary: `Init container ${code(subject.name)} was killed for memory (${code('OOMKilled')})${limit === null ? '' : ` at its own limit of ${code(limit)}`}${exitedZero ? ', although its exit code is 0: a process in it was killed, so its step may be incomplete' : ''}. The limits of the app containers do not help it.`,
    evidence: [killedFact(subject), ...limitFacts(subject)],
    fix: [
      raise(subject),
      ...(exitedZero
        ? [
            `Make the script of ${code(subject.name)} fail when a child dies (${code('set -e')}), and check what it left behind.`,
          ]
        : []),
    ],
    avoid: AVOID,
    commands: [readLog(subject), ...editOwner(subject.view)],
  }
}

const misreported = (subject: Subject): Draft => {
  const kill = subject.probeKill
  return {
    id: 'oom.misreported',
    confidence: kill ? 'certain' : 'likely',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} was asked to stop with SIGTERM (exit code 143)${kill ? ` because its ${kill.probe} probe failed` : ', as by a probe, a drain or a deletion'}. The reason ${code('OOMKilled')} is misleading here: a process in it met the limit at some time, but that is not what ended it.`,
    evidence: [
      killedFact(subject),
      ...(kill ? [eventFact(kill.killing)] : []),
      ...(kill?.unhealthy ? [eventFact(kill.unhealthy)] : []),
    ],
    fix: [
      kill
        ? `Find why the ${kill.probe} probe of ${code(subject.name)} fails; the memory limit is not the cause.`
        : `Look for who stopped ${code(subject.name)} (probe kills, drains) before touching its memory limit.`,
    ],
    commands: [readLog(subject), ...editOwner(subject.view)],
  }
}

const child = (subject: Subject): Draft => {
  const limit = limitOf(subject)
  const line = subject.lines.findLast(({ text }) => KILLED_CHILD.test(text))
  return {
    id: 'oom.child-process',
    confidence: 'certain',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} ran out of ${limit === null ? 'memory' : `its memory limit of ${code(limit)}`}: the kernel killed a child process of it, and the main process then ended with exit code ${subject.exitCode} of its own. Hence ${code('OOMKilled')} with a code other than 137.`,
    evidence: [killedFact(subject), ...limitFacts(subject), ...(line ? [lineFact(subject, line)] : [])],
    fix: [raise(subject), `Lower what one worker of ${code(subject.name)} takes, or run fewer of them.`],
    avoid: AVOID,
    commands: [readLog(subject), ...editOwner(subject.view)],
  }
}

/** The kubelet's word that the node itself ran out of memory when this container was killed. */
const systemOom = ({ view, container }: Subject): PodEvent | undefined =>
  (view.eventsOf('Node', view.pod?.spec?.nodeName ?? '', 'default') ?? []).findLast(({ reason, lastAt }) => {
    const apart = secondsBetween(container.ended?.terminated.finishedAt, lastAt)
    return reason === 'SystemOOM' && apart !== null && Math.abs(apart) <= 60
  })

const byNode = (subject: Subject, event: PodEvent | undefined): Draft => {
  const node = subject.view.pod?.spec?.nodeName ?? ''
  const { reason } = subject.container.ended?.terminated ?? {}
  const what =
    reason === 'OOMKilled' ? `killed for memory (${code('OOMKilled')}, exit code 137)` : 'killed (exit code 137)'
  return {
    id: 'oom.node',
    confidence: 'likely',
    container: subject.name,
    summary: event
      ? `${subject.noun} ${code(subject.name)} was ${what} because node ${code(node)} ran out of memory: the kubelet reported a system OOM there at that moment. ${limitOf(subject) === null ? 'It has no memory limit of its own' : 'Its own limit was not what it met'}.`
      : `${subject.noun} ${code(subject.name)} was ${what} without a limit of its own: the node, or the pod's cgroup, ran out.`,
    evidence: [
      fact(`${subject.container.ended?.path}`, `reason ${code(reason ?? '')}, exit code ${subject.exitCode}`),
      ...(event ? [eventFact(event)] : []),
      ...limitFacts(subject),
    ],
    fix: [
      raise(subject),
      ...(event ? [`Find who uses the memory of ${code(node)}, and give its pods requests near what they use.`] : []),
    ],
    avoid: AVOID,
    commands: [readLog(subject), ...editOwner(subject.view)],
  }
}

/**
 * Servers that size a table by the limit on open files when they start (MySQL and Percona 5, OpenLDAP, HAProxy, and what
 * runs on Erlang): where a container runtime sets no limit, that alone takes gigabytes.
 */
const SIZED_BY_FILES =
  /(?:^|\/)(?:mysql(?:-server)?:5|percona(?:-server)?:5|openldap|slapd|haproxy|rabbitmq|ejabberd|xinetd)/

const byOpenFiles = (subject: Subject): Draft | null => {
  const seconds = subject.container.ended?.ranSeconds ?? null
  const image = subject.container.spec.image ?? ''
  const limit = limitOf(subject)
  if (seconds === null || seconds > 20 || limit === null || !SIZED_BY_FILES.test(image)) return null
  return {
    id: 'oom.ulimit-allocation',
    confidence: 'likely',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} was killed for memory (${code('OOMKilled')}) ${Math.round(seconds)} s after its start, at its limit of ${code(limit)} and before it did any work. ${code(image)} sizes a table by the limit on open files, which the container runtime likely leaves unlimited.`,
    evidence: [
      killedFact(subject),
      fact(`${subject.container.ended?.path}`, `ended ${Math.round(seconds)} s after its start`),
      fact(`${subject.container.specPath}.image`, code(image)),
      ...limitFacts(subject),
    ],
    fix: [
      `Lower the limit on open files for ${code(subject.name)} (${code('ulimit -n 65536')} at the start of its command), or ${code('LimitNOFILE')} in the container runtime's service on the nodes; a newer release of the program may bound it by itself.`,
    ],
    avoid: ['Raising the memory limit: the table grows with the limit on open files, not with the load.'],
    commands: [readLog(subject), ...editOwner(subject.view)],
  }
}

const plain = (subject: Subject): Draft => {
  const limit = limitOf(subject)
  if (limit === null) return byNode(subject, systemOom(subject))
  const openFiles = byOpenFiles(subject)
  if (openFiles) return openFiles
  return {
    id: 'oom.container-limit',
    confidence: 'certain',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} used more than its memory limit of ${code(limit)} and was killed by the kernel (${code('OOMKilled')}, exit code 137).`,
    evidence: [killedFact(subject), ...limitFacts(subject)],
    fix: [raise(subject)],
    avoid: AVOID,
    commands: [readLog(subject), ...editOwner(subject.view)],
  }
}

/** The runtime may lose the reason of a kill that the node's memory, not the container's, was the cause of. */
const unnamed = (subject: Subject): Draft | null => {
  if (subject.exitCode !== 137 || subject.container.ended?.terminated.reason !== 'Error' || subject.probeKill)
    return null
  if (subject.view.pod?.metadata?.deletionTimestamp !== undefined) return null
  const event = systemOom(subject)
  return event ? byNode(subject, event) : null
}

/** Killed for memory: whose limit, which process. 137 alone is not enough; the reason, or the node, must say so. */
export const memory: ContainerRule = subject => {
  const { moment, container } = subject
  if (moment !== 'looping' && moment !== 'failed') return null
  if (container.ended?.terminated.reason !== 'OOMKilled') return unnamed(subject)
  if (subject.isInit) return init(subject)
  if (subject.exitCode === 143) return misreported(subject)
  return subject.exitCode === 137 ? plain(subject) : child(subject)
}
