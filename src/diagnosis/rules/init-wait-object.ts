import { editOwner, read, readLog } from '../commands.ts'
import { job } from '../kubernetes.ts'
import { specHome } from '../owner.ts'
import { type ContainerRule, code, type Draft, fact, lineFact, quote } from '../rule.ts'
import type { Subject } from '../subject.ts'

const NOT_FOUND =
  /\(NotFound\): (\w+)(?:\.[\w.]+)? "([^"]+)" not found|Error from server[^\n]{0,40}: (\w+)(?:\.[\w.]+)? "([^"]+)" not found/
const WAITED_JOB =
  /(?:k8s-wait-for|wait[-_]?for)[^\n]{0,80}\bjob(?:s|\.batch)?[ /]+([a-z0-9][a-z0-9.-]{0,252})|\bjob[ /]([a-z0-9][a-z0-9.-]{0,252})|--for=condition=complete[^\n]{0,80}\bjob\/([a-z0-9][a-z0-9.-]{0,252})/

interface Waited {
  readonly name: string
  readonly line: Subject['lines'][number] | null
}

const waitedJob = (subject: Subject): Waited | null => {
  const line = subject.lines.findLast(({ text }) => NOT_FOUND.test(text)) ?? null
  const [, kind, name, otherKind, otherName] = NOT_FOUND.exec(line?.text ?? '') ?? []
  if (/^jobs?$/i.test(kind ?? otherKind ?? '')) return { name: name ?? otherName ?? '', line }
  const { image, command, args } = subject.container.spec
  const script = [image, ...(command ?? []), ...(args ?? [])].join(' ')
  const found = WAITED_JOB.exec(script)
  const said = found?.[1] ?? found?.[2] ?? found?.[3]
  return said === undefined ? null : { name: said, line }
}

const shared = (a: string, b: string): number => {
  const own = new Set(a.split('-'))
  return b.split('-').filter(word => own.has(word)).length
}

const isHelm = (subject: Subject): boolean => {
  const { labels, annotations } = subject.view.pod?.metadata ?? {}
  return (
    labels?.['app.kubernetes.io/managed-by'] === 'Helm' ||
    labels?.['helm.sh/chart'] !== undefined ||
    annotations?.['meta.helm.sh/release-name'] !== undefined
  )
}

/** A tool that only waits says that the schema is not there yet: the database answers, and another process has to migrate it. */
const UNMIGRATED =
  /unapplied migrations? after|[Ww]aiting for (?:database )?migrations\b|migrations? (?:are|is) (?:still )?pending|database is not (?:yet )?(?:migrated|initiali[sz]ed)/
const WAITS_FOR_MIGRATIONS = /check-migrations|wait[-_ ]?for[-_\w]*migrat|migrat\w*[-_ ](?:wait|check)/i

const migrationsWait = (subject: Subject): Draft | null => {
  const { spec, name } = subject.container
  if (!WAITS_FOR_MIGRATIONS.test([name, ...(spec.command ?? []), ...(spec.args ?? [])].join(' '))) return null
  const line = subject.lines.findLast(({ text }) => UNMIGRATED.test(text))
  if (!line) return null
  const { view } = subject
  const migrator = (view.list('jobs', job) ?? []).find(({ metadata }) => /migrat/i.test(metadata?.name ?? ''))?.metadata
    ?.name
  const isDeadlock = migrator === undefined && isHelm(subject)
  return {
    id: isDeadlock ? 'init.wait-deadlock' : 'init.wait-not-ready',
    confidence: 'likely',
    container: subject.name,
    summary: `Init container ${code(subject.name)} waits for the migrations of its database: the database answers, but they have not been run (${quote(line.text, 140)}). ${
      migrator === undefined
        ? `No Job that runs them was seen; where that Job is a Helm hook after the install and the release is installed with ${code('--wait')}, each waits for the other.`
        : `Job ${code(migrator)} is likely to run them.`
    }`,
    evidence: [lineFact(subject, line), ...(migrator ? [fact(`Jobs in ${view.namespace}`, code(migrator))] : [])],
    fix: [
      migrator === undefined
        ? `Run the migrations before the pods (an ordinary Job or a pre-install hook), or install without ${code('--wait')}.`
        : `See why Job ${code(migrator)} has not finished; ${code(subject.name)} then goes on by itself.`,
    ],
    avoid: ['Removing the init container: the app would start before the migration has run.'],
    commands: [read(view, 'The Jobs that do exist', 'get', 'jobs'), readLog(subject), ...editOwner(view)],
  }
}

/** An init container that waits for a Job: by a name that exists, by one that does not, or for one that comes only later. */
export const initWaitObject: ContainerRule = subject => {
  if (!subject.isInit || subject.moment === 'starting' || subject.moment === 'blocked' || subject.moment === 'done')
    return null
  const waited = waitedJob(subject)
  if (!waited) return migrationsWait(subject)
  const { view } = subject
  const found = view.object('Job', view.namespace, waited.name, job)
  if (found !== 'absent' && waited.line === null) return null
  const jobs = view.list('jobs', job) ?? []
  const near = jobs
    .map(({ metadata }) => metadata?.name ?? '')
    .filter(name => name !== waited.name && shared(name, waited.name) > 0)
    .sort((a, b) => shared(b, waited.name) - shared(a, waited.name) || (a < b ? -1 : 1))[0]
  const isDeadlock = near === undefined && isHelm(subject)
  const evidence: Draft['evidence'] = [
    ...(waited.line ? [lineFact(subject, waited.line)] : []),
    fact(`Job ${view.namespace}/${waited.name}`, found === 'absent' ? 'not found' : 'not found by the container'),
    ...(near ? [fact(`Jobs in ${view.namespace}`, code(near))] : []),
  ]
  const commands = [read(view, 'The Jobs that do exist', 'get', 'jobs'), readLog(subject), ...editOwner(view)]
  if (isDeadlock) {
    return {
      id: 'init.wait-deadlock',
      confidence: 'likely',
      container: subject.name,
      summary: `Init container ${code(subject.name)} waits for Job ${code(waited.name)}, which does not exist. The pod belongs to a Helm release: if that Job is a post-install or post-upgrade hook and the release is installed with ${code('--wait')}, each waits for the other.`,
      evidence,
      fix: [
        `Run the Job before the pods (a pre-install/pre-upgrade hook or an ordinary Job), or install without ${code('--wait')}.`,
      ],
      commands,
    }
  }
  return {
    id: 'init.wait-wrong-target',
    confidence: 'certain',
    container: subject.name,
    summary: `Init container ${code(subject.name)} waits for Job ${code(waited.name)}, which was not found in namespace ${code(view.namespace)}.${near ? ` A Job ${code(near)} exists – likely the name that was meant.` : ''}`,
    evidence,
    fix: [
      `Correct the Job's name in the arguments of ${code(subject.name)} in ${specHome(view)}${near ? ` to ${code(near)}` : ', or create that Job'}.`,
    ],
    avoid: ['Removing the init container: the app would start before the migration has run.'],
    commands,
  }
}
