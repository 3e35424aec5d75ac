import { atNode } from '../at-node.ts'
import { editOwner, readLog } from '../commands.ts'
import { specHome } from '../owner.ts'
import { type ContainerRule, code, type Draft, eventFact, fact, lineFact, quote } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { execLines } from './exec-lines.ts'
import { startMessages } from './start-messages.ts'

/** What the runtime said, wherever it stands: while waiting, in the ended instance, or in the newest event. */
const said = (subject: Subject): { readonly text: string; readonly source: string } | null => {
  const { container, waitingMessage, waitingReason } = subject
  // CRI-O hands on runc's own log line, in which quotation marks are escaped.
  if (waitingReason === 'RunContainerError' || waitingReason === 'CreateContainerError') {
    return {
      text: waitingMessage.replaceAll('\\"', '"'),
      source: `${container.statusPath}.state.waiting.message`,
    }
  }
  const { reason, message } = container.ended?.terminated ?? {}
  if ((reason === 'StartError' || reason === 'ContainerCannotRun') && message !== undefined) {
    return { text: message.replaceAll('\\"', '"'), source: `${container.ended?.path}.message` }
  }
  return null
}

const filled = (template: string, groups: readonly (string | undefined)[]): string =>
  template.replace(/\$(\d)/g, (_, index) => (groups[Number(index)] ?? '').replaceAll('`', "'"))

const notStarted = (subject: Subject): Draft | null => {
  const message = said(subject)
  if (!message || subject.moment === 'done' || subject.moment === 'running') return null
  const row = startMessages.find(({ pattern }) => pattern.test(message.text))
  // Creating, as opposed to starting, has its own family for all that the OCI runtime did not say.
  const isFromRuntime = /OCI runtime|container create failed/.test(message.text)
  if (!row && subject.waitingReason === 'CreateContainerError' && !isFromRuntime) return null
  const groups = row?.pattern.exec(message.text) ?? []
  const { ended, statusPath } = subject.container
  const limit = subject.container.spec.resources?.limits?.['memory']
  const limits = row?.fix.includes('limits.memory') && limit !== undefined ? ` Its limit is ${code(limit)}.` : ''
  return {
    id: row?.id ?? 'start.runtime-error',
    confidence: 'certain',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} never started: ${row ? filled(atNode(subject.view, row.means), groups) : `the container runtime says ${quote(message.text, 300)}`}.${limits} There is no log to read.`,
    evidence: [
      fact(message.source, quote(message.text, 400)),
      ended
        ? fact(
            `${ended.path}.reason`,
            `${code(ended.terminated.reason ?? '')}, exit code ${ended.terminated.exitCode ?? 128} stands for "not started"`,
          )
        : fact(`${statusPath}.state.waiting.reason`, code(subject.waitingReason)),
    ],
    fix: [
      row
        ? `${filled(row.fix, groups)} – container ${code(subject.name)} in ${specHome(subject.view)}.`
        : `Mend what the message names, in ${specHome(subject.view)} or on node ${code(subject.view.pod?.spec?.nodeName ?? '')}.`,
    ],
    commands: editOwner(subject.view),
  }
}

const hookFailed = (subject: Subject): Draft | null => {
  const failed = subject.newest(['FailedPostStartHook'])
  const isWaiting = subject.waitingReason === 'PostStartHookError'
  if ((!failed && !isWaiting) || subject.moment === 'running' || subject.moment === 'done') return null
  const hook = subject.container.spec.lifecycle?.postStart
  const command = hook?.exec?.command?.join(' ') ?? hook?.httpGet?.path
  const output =
    isWaiting && subject.waitingMessage !== '' ? ` The kubelet says ${quote(subject.waitingMessage, 200)}.` : ''
  return {
    id: 'start.hook-failed',
    confidence: 'certain',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} started, but its postStart hook${command ? ` ${quote(command, 100)}` : ''} failed, so the kubelet killed it and tries again.${output} The exit code ${subject.exitCode ?? ''} only says that it was killed.`,
    evidence: [
      ...(failed ? [eventFact(failed, quote(failed.message))] : []),
      fact(`${subject.container.specPath}.lifecycle.postStart`, command ? quote(command) : 'set'),
      ...(subject.container.ended ? [fact(subject.container.ended.path, `exit code ${subject.exitCode}`)] : []),
    ],
    fix: [
      `Mend or remove ${code('lifecycle.postStart')} of ${code(subject.name)} in ${specHome(subject.view)}; run its command by hand in a copy of the container to see how it fails (the kubelet does not show a hook's output).`,
    ],
    commands: [readLog(subject), ...editOwner(subject.view)],
  }
}

const execFailed = (subject: Subject): Draft | null => {
  const exitCode = subject.exitCode
  if ((subject.moment !== 'looping' && subject.moment !== 'failed') || exitCode === null) return null
  for (const line of subject.lines.slice(-30).reverse()) {
    // A shell goes on after a command that is missing; only the code says that the script ended with it.
    const row = execLines.find(({ pattern, codes }) => codes.includes(exitCode) && pattern.test(line.text))
    if (!row) continue
    const groups = row.pattern.exec(line.text) ?? []
    const program =
      groups.slice(1).find(group => group !== undefined) ??
      subject.container.spec.command?.[0] ??
      subject.container.spec.image ??
      ''
    const known = [groups[0], program]
    return {
      id: row.id,
      confidence: 'certain',
      container: subject.name,
      summary: `${subject.noun} ${code(subject.name)} ends with exit code ${exitCode}: ${filled(row.means, known)}.`,
      evidence: [lineFact(subject, line), fact(`${subject.container.ended?.path}.exitCode`, String(exitCode))],
      fix: [
        `${filled(row.fix, known)} – container ${code(subject.name)}, image ${code(subject.container.spec.image ?? '')}.`,
      ],
      commands: [readLog(subject), ...editOwner(subject.view)],
    }
  }
  return null
}

/** Why a process never started: the runtime's words, a failed hook, or a program that cannot be executed. */
export const containerStart: ContainerRule = subject =>
  notStarted(subject) ?? hookFailed(subject) ?? execFailed(subject)
