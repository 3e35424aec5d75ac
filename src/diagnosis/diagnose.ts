import { withApplying } from './applying.ts'
import { nextRestart } from './back-off.ts'
import { describePod, readLog, watchFix } from './commands.ts'
import { debugCommands } from './debug-commands.ts'
import type { BlamedContainer, Command, Diagnosis, Exit } from './diagnosis.ts'
import { exitMeaning } from './exit-meaning.ts'
import { withFirstRun } from './first-run.ts'
import { logExcerpt } from './log-excerpt.ts'
import { withNotes } from './notes.ts'
import { ownerOf } from './owner.ts'
import { templateContainer } from './pod-makers.ts'
import { podStatus } from './pod-status.ts'
import { rank } from './rank.ts'
import { epochMs } from './rfc3339.ts'
import { type Draft, findingOf } from './rule.ts'
import { partlyDone } from './rules/partly-done.ts'
import { containerRules, podRules } from './rules/registry.ts'
import { isSafeArgv } from './safe-argv.ts'
import { statusRules } from './server-version.ts'
import { sinceWhen } from './since.ts'
import type { PodSnapshot, Request } from './snapshot.ts'
import { soundSnapshot } from './sound-snapshot.ts'
import { Subject } from './subject.ts'
import { suspectsOf } from './suspects.ts'
import { completed, gone, healthy, unexplained } from './verdicts.ts'
import { View } from './view.ts'

/** A diagnosis, and what more the rules would like to see; with nothing more to see, the diagnosis is final. */
export interface Diagnosed {
  readonly diagnosis: Diagnosis
  readonly requests: readonly Request[]
}

const isReady = (view: View): boolean => {
  const ready = view.condition('Ready')?.status
  if (ready !== undefined) return ready === 'True'
  return view.pod?.status?.phase === 'Running' && view.containers.every(({ kind, ready: is }) => kind !== 'app' || is)
}

/** All findings, best first; always at least one. */
const findings = (view: View, suspects: readonly Subject[]): readonly Draft[] => {
  const ofPod = podRules.map(rule => rule(view)).find(draft => draft !== null)
  if (ofPod) return [ofPod]
  if (!view.pod) return [gone(view)]
  const ofContainers = suspects.flatMap(suspect => {
    for (const rule of containerRules) {
      const draft = rule(suspect)
      if (draft) return [draft]
    }
    return []
  })
  if (ofContainers.length > 0) return rank(ofContainers)
  if (view.pod.status?.phase === 'Succeeded') return [completed(view)]
  if (isReady(view) && suspects.length === 0) return [healthy(view)]
  const partly = suspects.length === 0 ? partlyDone(view) : null
  if (partly) return [partly]
  return [unexplained(view, suspects[0])]
}

const blamed = ({ container }: Subject): BlamedContainer => ({
  name: container.name,
  kind: container.kind,
  position: container.position,
  of: container.of,
  image: container.spec.image ?? '',
  restartCount: container.restartCount,
})

/** Without a pod its owner's template tells which container it is. */
const inTemplate = (view: View, name: string | null | undefined): BlamedContainer | null => {
  if (view.pod || !name) return null
  const found = templateContainer(view, name)
  if (!found) return { name, kind: 'app', position: 1, of: 1, image: '', restartCount: 0 }
  const { kind, position, of, spec } = found
  return { name, kind, position, of, image: spec.image ?? '', restartCount: 0 }
}

const quantityText = (quantity: string | number | undefined): string | null =>
  quantity === undefined ? null : String(quantity)

const exitOf = (subject: Subject): Exit | null => {
  const { container, view, moment } = subject
  if (!container.ended || moment === 'running' || moment === 'starting') return null
  const { exitCode = 0, reason, startedAt, finishedAt } = container.ended.terminated
  const { signal, meaning } = exitMeaning({
    code: exitCode,
    reason,
    context: {
      kind: container.kind,
      killedByProbe: subject.probeKill?.probe ?? null,
      gracePeriodSeconds: view.pod?.spec?.terminationGracePeriodSeconds ?? null,
      deleting: view.pod?.metadata?.deletionTimestamp !== undefined,
      restartPolicy: container.spec.restartPolicy ?? view.pod?.spec?.restartPolicy ?? null,
      memoryLimit: quantityText(container.spec.resources?.limits?.['memory']),
      image: container.spec.image,
      command: container.spec.command,
      args: container.spec.args,
    },
  })
  const hasStarted = (epochMs(startedAt) ?? 0) > 0
  return {
    code: exitCode,
    signal,
    reason: reason ?? '',
    meaning,
    startedAt: hasStarted ? (startedAt ?? null) : null,
    finishedAt: epochMs(finishedAt) === null ? null : (finishedAt ?? null),
  }
}

const restartOf = (subject: Subject): string | null => {
  const { container, view, moment } = subject
  if (moment !== 'looping' || container.state.running) return null
  return nextRestart({
    kind: container.kind,
    podRestartPolicy: view.pod?.spec?.restartPolicy,
    containerRestartPolicy: container.spec.restartPolicy,
    rules: container.spec.restartPolicyRules,
    state: container.state,
    lastState: container.status?.lastState,
    restartCount: container.restartCount,
    minor: view.minor,
  }).at
}

const isRest = (id: string): boolean => id === 'healthy' || id === 'completed'

/** The commands of the headline between the general ones; each once. */
const commandsFor = (view: View, headline: Draft, subject: Subject | undefined): readonly Command[] => {
  const own = headline.commands ?? []
  const reads = own.filter(({ changes }) => !changes)
  const changes = own.filter(({ changes }) => changes)
  const logs = subject && subject.lines.length > 0 ? [readLog(subject)] : []
  const wayIn = subject ? debugCommands(headline.id, subject) : []
  const ofPod = [...reads, ...logs, describePod(view), ...wayIn, ...changes, ...watchFix(view)]
  const ofOwner = [...reads, ...changes, ...(headline.id.startsWith('admission.') ? watchFix(view) : [])]
  const all = isRest(headline.id) ? [describePod(view)] : view.pod ? ofPod : ofOwner
  const seen = new Set<string>()
  const safe = all.filter(({ argv }) => isSafeArgv(argv, view.snapshot))
  return safe.filter(({ argv }) => !seen.has(argv.join(' ')) && seen.add(argv.join(' ')))
}

/** Explains one snapshot. Pure, never throws: what is missing or malformed is named, not guessed. */
export const diagnose = (raw: PodSnapshot): Diagnosed => {
  const snapshot = soundSnapshot(raw)
  const view = new View(snapshot)
  const suspects = suspectsOf(view)
  const [first = gone(view), ...others] = findings(view, suspects)
  const subject = subjectOf(view, suspects, first.container)
  const explained = withFirstRun(first, view, subject, containerRules)
  const headline = withApplying(withNotes(explained, subject), view, subject)
  const status = view.pod ? podStatus(view.pod, statusRules(view.minor), view.takenAt) : null
  const diagnosis: Diagnosis = {
    cluster: snapshot.cluster ?? null,
    namespace: snapshot.namespace,
    pod: view.pod ? (view.pod.metadata?.name ?? snapshot.target) : null,
    owner: ownerOf(view),
    uid: view.pod?.metadata?.uid ?? null,
    takenAt: view.takenAt,
    status: status?.status ?? null,
    ready: status?.ready ?? null,
    restarts: status?.restarts ?? null,
    since: sinceWhen(view, headline, subject),
    healthy: isRest(headline.id),
    container: subject ? blamed(subject) : inTemplate(view, headline.container),
    exit: subject ? exitOf(subject) : null,
    cause: findingOf(headline),
    others: others.map(findingOf),
    log: subject ? logExcerpt(subject) : null,
    nextRestart: subject ? restartOf(subject) : null,
    commands: commandsFor(view, headline, subject),
    unread: snapshot.unread,
  }
  return { diagnosis, requests: view.requests }
}

const subjectOf = (view: View, suspects: readonly Subject[], name: string | null | undefined): Subject | undefined => {
  if (name === null || name === undefined) return undefined
  const suspect = suspects.find(candidate => candidate.name === name)
  if (suspect) return suspect
  const container = view.containers.find(candidate => candidate.name === name)
  return container ? new Subject(view, container) : undefined
}
