import { editOwner, read, readLog } from '../commands.ts'
import type { Container } from '../containers.ts'
import { lastWords } from '../last-words.ts'
import { logLines } from '../log-lines.ts'
import { specHome } from '../owner.ts'
import { type ContainerRule, code, fact, lineFact, quote } from '../rule.ts'

/** Names that a command and a complaint can share: `vm.max_map_count`, `/data/index`, `APP_SECRET`. */
const NAMES = /[A-Za-z_][\w-]*(?:\.[\w-]+)+|(?:\/[\w.-]+){2,}|[A-Z][A-Z0-9]*_[A-Z0-9_]+/g
const PROBLEM = /permission denied|not permitted|read-only file system|ignoring|failed|error|cannot|can't|no such/i

const namesIn = (text: string): ReadonlySet<string> =>
  new Set((text.match(NAMES) ?? []).filter(name => name.length >= 6))

const commandOf = ({ spec }: Container): string => [...(spec.command ?? []), ...(spec.args ?? [])].join(' ')

/** The app fails on just what an init container should have set – and did not, although it ended with code 0. */
export const initSilent: ContainerRule = subject => {
  if (subject.container.kind !== 'app' || subject.moment !== 'looping') return null
  const complaint = lastWords(subject.lines)
  if (!complaint?.isError) return null
  const wanted = namesIn(complaint.text)
  const step = subject.view.containers.find(candidate => {
    if (candidate.kind !== 'init' || candidate.state.terminated?.exitCode !== 0) return false
    return [...namesIn(commandOf(candidate))].some(name => wanted.has(name))
  })
  if (!step) return null
  const log = subject.view.log(step.name, 'current')
  const confession = (log.lines ?? logLines('')).findLast(({ text }) => PROBLEM.test(text))
  if (!confession) return null
  const name = [...namesIn(commandOf(step))].find(candidate => wanted.has(candidate)) ?? ''
  const asRoot = step.spec.securityContext?.runAsUser === 0
  return {
    id: 'init.silent-failure',
    confidence: 'likely',
    container: subject.name,
    summary: `Container ${code(subject.name)} fails on ${code(name)} (exit code ${subject.exitCode}): ${quote(complaint.text, 160)}. Init container ${code(step.name)} exited 0 but did not set the value; its log says ${quote(confession.text, 120)}.`,
    evidence: [
      lineFact(subject, complaint),
      fact(`${step.statusPath}.state.terminated.exitCode`, '0'),
      fact(`log of ${step.name} (current)`, quote(confession.text)),
      fact(`${step.specPath}.command`, quote(commandOf(step), 160)),
    ],
    fix: [
      asRoot
        ? `Make init container ${code(step.name)} fail when it cannot do its step, and give it the privilege it lacks, in ${specHome(subject.view)}.`
        : `Set ${code('securityContext.runAsUser: 0')} (with ${code('privileged: true')}) on init container ${code(step.name)} in ${specHome(subject.view)}, or set ${code(name)} on the nodes.`,
    ],
    commands: [
      read(
        subject.view,
        `Log of init container ${step.name}`,
        'logs',
        subject.view.pod?.metadata?.name ?? '',
        '-c',
        step.name,
      ),
      readLog(subject),
      ...editOwner(subject.view),
    ],
  }
}
