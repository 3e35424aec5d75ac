import { editOwner, readLog } from '../commands.ts'
import { specHome } from '../owner.ts'
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
    : [fact(`${subject.container.specPath}.resources.limits.memory`, code(limit))]
}

const raise = (subject: Subject): string => {
  const limit = limitOf(subject)
  return limit === null
    ? `Set ${code('resources.limits.memory')} and a request of ${code(subject.name)} near what it uses, or give the node more memory.`
    : `Raise ${code('resources.limits.memory')} (${limit}) of ${code(subject.name)} in ${specHome(subject.view)} above what it needs, or make it use less.`
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

const plain = (subject: Subject): Draft => {
  const limit = limitOf(subject)
  if (limit === null) {
    return {
      id: 'oom.node',
      confidence: 'likely',
      container: subject.name,
      summary: `${subject.noun} ${code(subject.name)} was killed for memory (${code('OOMKilled')}, exit code 137) without a limit of its own: the node, or the pod's cgroup, ran out.`,
      evidence: [killedFact(subject), ...limitFacts(subject)],
      fix: [raise(subject)],
      avoid: AVOID,
      commands: [readLog(subject), ...editOwner(subject.view)],
    }
  }
  return {
    id: 'oom.container-limit',
    confidence: 'certain',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} used more than its memory limit of ${code(limit)} and was killed by the kernel (${code('OOMKilled')}, exit code 137). The node itself is not said to be short of memory.`,
    evidence: [killedFact(subject), ...limitFacts(subject)],
    fix: [raise(subject)],
    avoid: AVOID,
    commands: [readLog(subject), ...editOwner(subject.view)],
  }
}

/** Killed for memory: whose limit, which process. 137 alone is not enough; the reason must say so. */
export const memory: ContainerRule = subject => {
  const { moment, container } = subject
  if (moment !== 'looping' && moment !== 'failed') return null
  if (container.ended?.terminated.reason !== 'OOMKilled') return null
  if (subject.isInit) return init(subject)
  if (subject.exitCode === 143) return misreported(subject)
  return subject.exitCode === 137 ? plain(subject) : child(subject)
}
