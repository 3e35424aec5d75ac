import { editOwner, readLog } from '../commands.ts'
import { lastWords } from '../last-words.ts'
import { specHome } from '../owner.ts'
import { type ContainerRule, code, type Draft, fact, lineFact, quote } from '../rule.ts'
import type { Subject } from '../subject.ts'

const ended = (subject: Subject): { code: number; reason: string; path: string; fast: boolean } => {
  const { container } = subject
  const seconds = container.ended?.ranSeconds ?? null
  return {
    code: container.ended?.terminated.exitCode ?? 0,
    reason: container.ended?.terminated.reason ?? 'Error',
    path: container.ended?.path ?? container.statusPath,
    fast: seconds !== null && seconds < 2,
  }
}

const exitFact = (subject: Subject) => {
  const { code: exitCode, reason, path } = ended(subject)
  return fact(`${path}.exitCode`, `exit code ${exitCode}, reason ${code(reason)}`)
}

/** `crash-loops`, `failed`: what it does, by its moment. */
const doing = ({ moment, container }: Subject): string =>
  moment === 'failed' ? 'failed' : container.restartCount > 0 ? 'crash-loops' : 'failed and is being restarted'

/** ` \`nginx -c …\``, where the spec names it. */
const commandOf = ({ container: { spec } }: Subject): string => {
  // A script's lines stay apart on the one line they are quoted on.
  const words = [...(spec.command ?? []), ...(spec.args ?? [])]
    .join(' ')
    .trim()
    .replaceAll(/\s*\n\s*/g, '; ')
  return words === '' ? '' : ` ${quote(words, 60)}`
}

const oneShot = (subject: Subject): Draft => ({
  id: 'app.one-shot',
  confidence: 'certain',
  container: subject.name,
  summary:
    `${subject.noun} ${code(subject.name)} ends by itself with exit code 0${ended(subject).fast ? ' right after it starts' : ''}: ` +
    `its command${commandOf(subject)} finishes or goes to the background, and ${code('restartPolicy: Always')} starts it again each time.`,
  evidence: [exitFact(subject), fact('spec.restartPolicy', 'Always: an end is a reason to restart, also with code 0')],
  fix: [
    `Keep the main process of ${code(subject.name)} in the foreground (for nginx: ${code('nginx -g "daemon off;"')}) – or, if it is meant to end, run it as a Job; change it in ${specHome(subject.view)}.`,
  ],
  commands: [readLog(subject), ...editOwner(subject.view)],
})

const silent = (subject: Subject): Draft => ({
  id: subject.isInit ? 'init.crash' : subject.container.kind === 'sidecar' ? 'init.sidecar-crash' : 'app.silent-exit',
  confidence: 'possible',
  container: subject.name,
  summary: `${subject.noun} ${code(subject.name)} ${doing(subject)} with exit code ${ended(subject).code} and wrote nothing. Why is not visible from the cluster.`,
  evidence: [exitFact(subject), fact(`log of ${subject.name} (${subject.log.instance})`, 'empty')],
  fix: [
    `Start the command of ${code(subject.name)} by hand in a copy of the pod (${code('kubectl debug --copy-to')}) to see where it ends, or raise its log level in ${specHome(subject.view)}.`,
  ],
  commands: editOwner(subject.view),
})

const unread = (subject: Subject): Draft => ({
  id: subject.isInit ? 'init.crash' : subject.container.kind === 'sidecar' ? 'init.sidecar-crash' : 'app.crash',
  confidence: 'possible',
  container: subject.name,
  summary: `${subject.noun} ${code(subject.name)} ${doing(subject)} with exit code ${ended(subject).code}. Its log could not be read, so why is not known.`,
  evidence: [
    exitFact(subject),
    fact(`log of ${subject.name} (${subject.log.instance})`, subject.log.missing ?? 'not read'),
  ],
  fix: [`Read the log of the next run of ${code(subject.name)}.`],
  commands: [readLog(subject), ...editOwner(subject.view)],
})

const crash = (subject: Subject): Draft => {
  const line = lastWords(subject.lines)
  if (!line) return silent(subject)
  return {
    id: subject.isInit ? 'init.crash' : subject.container.kind === 'sidecar' ? 'init.sidecar-crash' : 'app.crash',
    confidence: line.isError ? 'likely' : 'possible',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} ${doing(subject)} with exit code ${ended(subject).code}; ${line.isError ? 'its log says' : 'the last thing it wrote is'} ${quote(line.text)}.`,
    evidence: [exitFact(subject), lineFact(subject, line)],
    fix: [
      `Mend what that line names, in the image or in the settings that ${specHome(subject.view)} gives ${code(subject.name)}.`,
    ],
    commands: [readLog(subject), ...editOwner(subject.view)],
  }
}

/** What is left when no rule knows more: the exit and the last words, and no invented cause. */
export const exits: ContainerRule = subject => {
  const { moment, container, log } = subject
  if (!container.ended || (moment !== 'looping' && moment !== 'failed')) return null
  if (ended(subject).code === 0) return subject.isInit ? null : oneShot(subject)
  if (log.lines === null && subject.lines.length === 0) return unread(subject)
  return crash(subject)
}
