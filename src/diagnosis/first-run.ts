import type { Confidence, Evidence } from './diagnosis.ts'
import { speaksOfLeftovers } from './leftovers.ts'
import { logLines } from './log-lines.ts'
import { memoryView } from './memory-view.ts'
import { mountAt, volumeWords } from './mounts.ts'
import { specHome } from './owner.ts'
import { epochMs } from './rfc3339.ts'
import { type ContainerRule, code, type Draft, fact, quote } from './rule.ts'
import type { RememberedCrash } from './snapshot.ts'
import { Subject } from './subject.ts'
import type { View } from './view.ts'

/** What a remembered run died of. */
interface Remembered {
  readonly crash: RememberedCrash
  readonly draft: Draft
}

/** Causes that only repeat the exit and the last line. */
const GENERIC = /\.(?:crash|silent-exit|sidecar-crash)$/
/** Findings that blame what an earlier run left, or may do so. */
const AFTER_EFFECT: ReadonlySet<string> = new Set(['init.not-idempotent', 'init.migration-race'])

const PATH = /(?:^|[\s'"`:=(])(\/[\w.@+~/-]{2,250})/

const firstRun = ({ restart }: RememberedCrash): string => (restart === 0 ? 'first run' : `run ${restart + 1}`)

/** Which run of the container is explained: 0 the first. */
const runNumber = ({ restartCount, state }: Subject['container']): number =>
  restartCount - (state.running === undefined ? 0 : 1)

/** The crashes of a container that came before the one to explain: its own pod's first, then those of earlier pods. */
const earlierCrashes = ({ view, container }: Subject): readonly RememberedCrash[] => {
  const uid = view.pod?.metadata?.uid
  const now = epochMs(container.ended?.terminated.finishedAt)
  if (now === null) return []
  const isOwn = (crash: RememberedCrash) => crash.uid === uid
  return (
    (view.snapshot.remembered ?? [])
      // Times are in whole seconds, in which two runs may end.
      .filter(crash => crash.container === container.name && (epochMs(crash.finishedAt) ?? now) <= now)
      .filter(crash => !isOwn(crash) || crash.restart < runNumber(container))
      .toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)) || a.finishedAt.localeCompare(b.finishedAt))
  )
}

const firstLine = ({ evidence }: Draft): string | undefined =>
  evidence.find(({ source }) => source.startsWith('log of '))?.text

/** The path that its complaint is about; null: it names none. */
const leftAt = (draft: Draft): string | null => PATH.exec(firstLine(draft) ?? '')?.[1]?.replace(/[.:]+$/, '') ?? null

/** What an earlier pod wrote to its emptyDir, or to a file system of its own, went with it. */
const mayHaveLeft = (subject: Subject, draft: Draft, crash: RememberedCrash): boolean => {
  if (crash.uid === subject.view.pod?.metadata?.uid) return true
  const path = leftAt(draft)
  if (path === null) return true
  const mount = mountAt(subject, path)
  return mount !== null && mount.kind !== 'emptyDir'
}

/** The remembered crash that tells most, as the same rules explain it; null: none says anything. */
const explained = (subject: Subject, now: Draft, rules: readonly ContainerRule[]): Remembered | null => {
  for (const crash of earlierCrashes(subject)) {
    const view = memoryView(subject.view, crash)
    const container = view.containers.find(({ name }) => name === subject.name)
    if (!container) continue
    const past = new Subject(view, container)
    const draft = rules.map(rule => rule(past)).find(found => found !== null)
    if (!draft || draft.confidence === 'possible' || draft.isSymptom) continue
    if (AFTER_EFFECT.has(draft.id) || speaksOfLeftovers(draft) || isSame(draft, now)) continue
    if (mayHaveLeft(subject, now, crash)) return { crash, draft }
  }
  return null
}

/** The same failure each time explains itself. */
const isSame = (past: Draft, now: Draft): boolean => past.id === now.id && firstLine(past) === firstLine(now)

/** The last thing that run wrote. */
const lastLine = ({ log }: RememberedCrash): { readonly at: string | null; readonly text: string } | null => {
  const line = logLines(log ?? '').findLast(({ text }) => text.trim() !== '')
  return line ? { at: line.at === null ? null : `${line.at.slice(0, 19)}Z`, text: quote(line.text, 300) } : null
}

/** The evidence of that run, with sources that say so. */
const evidenceOf = ({ crash, draft }: Remembered, { container, view, name }: Subject): readonly Evidence[] => {
  const where = crash.uid === view.pod?.metadata?.uid ? '' : ` of pod ${crash.pod}`
  const run = `${firstRun(crash)}${where}, ended ${crash.finishedAt}; remembered`
  const told = draft.evidence.map(({ source, text }) => {
    if (source.startsWith(`log of ${name} (`)) return fact(source.replace(/\([^)]*\)/, `(${run})`), text)
    if (!source.startsWith(container.statusPath)) return { source, text }
    return fact(`state of ${name} (${run})`, text)
  })
  const last = lastLine(crash)
  const isQuoted = told.some(({ text }) => text === last?.text)
  if (last && !isQuoted)
    told.push(
      fact(`log of ${name} (${run})${last.at === null ? '' : ` at ${last.at}`}`, `at the end it wrote ${last.text}`),
    )
  const isTold = told.some(({ source }) => source.startsWith('state of '))
  const exit = `exit code ${crash.exitCode}${crash.reason === '' ? '' : `, reason ${code(crash.reason)}`}`
  return isTold ? told : [...told, fact(`state of ${name} (${run})`, exit)]
}

/** What the finding says, as the end of a sentence about that run: `it was killed for memory …`. */
const asClause = ({ draft }: Remembered, subject: Subject): string => {
  const opening = `${subject.noun} ${code(subject.name)} `
  return draft.summary.startsWith(opening) ? `it ${draft.summary.slice(opening.length)}` : draft.summary
}

/** `at 09:50 UTC`, with its day where that is another. */
const endOf = ({ finishedAt }: RememberedCrash, { view }: Subject): string => {
  const isSameDay = view.takenAt?.slice(0, 10) === finishedAt.slice(0, 10)
  return `at ${isSameDay ? '' : `${finishedAt.slice(0, 10)} `}${finishedAt.slice(11, 16)} UTC`
}

const runOf = ({ crash }: Remembered, subject: Subject): string => {
  const inPod = crash.uid === subject.view.pod?.metadata?.uid ? '' : ` in pod ${code(crash.pod)}`
  return `${firstRun(crash)} of ${subject.noun.toLowerCase()} ${code(subject.name)}${inPod}`
}

const isLogCommand = ({ argv }: { readonly argv: readonly string[] }): boolean => argv.includes('logs')

const both = (past: Draft, now: Draft): Pick<Draft, 'avoid' | 'verify' | 'commands'> => ({
  avoid: [...(past.avoid ?? []), ...(now.avoid ?? [])],
  verify: [...(past.verify ?? []), ...(now.verify ?? [])],
  commands: [...(past.commands ?? []).filter(command => !isLogCommand(command)), ...(now.commands ?? [])],
})

const idOf = (past: Draft, now: Draft): string => (GENERIC.test(past.id) ? now.id : past.id)

const cleanUp = (now: Draft, subject: Subject): string => {
  const path = leftAt(now)
  const mount = path === null ? null : mountAt(subject, path)
  if (mount?.kind === 'emptyDir')
    return `Then start with a new pod: ${code(path ?? '')} lies in ${volumeWords(mount)}, which goes with the pod.`
  const what = mount ? `${code(path ?? '')} from ${volumeWords(mount)}` : 'by hand what that run left half done'
  return `Then remove ${what}, or each further run meets it again.`
}

const repeatable = ({ name, view }: Subject): string =>
  `Make what ${code(name)} does at its start safe to repeat (${code('mkdir -p')}, ${code('IF NOT EXISTS')}) in ${specHome(view)}.`

/** It fails on its own leftovers: what the run that left them died of is the cause. */
const afterEffect = (found: Remembered, now: Draft, subject: Subject): Draft => {
  const { crash, draft: past } = found
  const isOwnFirst = crash.restart === 0 && crash.uid === subject.view.pod?.metadata?.uid
  const confidence: Confidence = isOwnFirst && !GENERIC.test(past.id) ? past.confidence : 'likely'
  const [mend = '', ...more] = past.fix
  const line = firstLine(past)
  return {
    id: idOf(past, now),
    confidence,
    container: subject.name,
    summary: `The ${runOf(found, subject)}, which ended ${endOf(crash, subject)}, is what broke: ${asClause(found, subject)} ${firstLine(now) ?? 'What it says now'} is only the after-effect of what that run left.`,
    evidence: [...evidenceOf(found, subject), ...now.evidence],
    fix: [
      line === undefined ? mend : mend.replace('what that line names', `what ${line} names`),
      cleanUp(now, subject),
      ...(AFTER_EFFECT.has(now.id) ? now.fix.slice(0, 1) : [repeatable(subject)]),
      ...more,
    ],
    ...both(past, now),
  }
}

/** It says little now, and the first time it said more. */
const saidMore = (found: Remembered, now: Draft, subject: Subject): Draft => {
  const { crash, draft: past } = found
  const { exitCode = 0, reason = '' } = subject.container.ended?.terminated ?? {}
  const endsAlike = exitCode === crash.exitCode && reason === crash.reason
  return {
    id: idOf(past, now),
    confidence: endsAlike ? 'likely' : 'possible',
    container: subject.name,
    summary: `${now.summary} The ${runOf(found, subject)}, which ended ${endOf(crash, subject)}${endsAlike ? ' in the same way' : ` with exit code ${crash.exitCode}`}, said more: ${asClause(found, subject)}`,
    evidence: [...now.evidence, ...evidenceOf(found, subject)],
    fix: [...past.fix, ...now.fix],
    ...both(past, now),
  }
}

/**
 * A headline with what the first run of the container died of, where that was remembered and explains more than the run
 * that is there now: behind a step that fails on its own leftovers, and behind a crash that says little.
 */
export const withFirstRun = (
  now: Draft,
  view: View,
  subject: Subject | undefined,
  rules: readonly ContainerRule[],
): Draft => {
  if (!subject?.container.ended || (view.snapshot.remembered ?? []).length === 0) return now
  const isAfterEffect = AFTER_EFFECT.has(now.id) || (GENERIC.test(now.id) && speaksOfLeftovers(now))
  const saysLittle = GENERIC.test(now.id) && now.confidence === 'possible'
  if (!isAfterEffect && !saysLittle) return now
  const found = explained(subject, now, rules)
  if (!found) return now
  return isAfterEffect ? afterEffect(found, now, subject) : saidMore(found, now, subject)
}
