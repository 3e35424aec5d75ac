import { editOwner, readLog } from '../commands.ts'
import { specHome } from '../owner.ts'
import { probeAction, probeField, probeOf, secondsAllowed } from '../probe.ts'
import { type ContainerRule, code, type Draft, eventFact, fact, lineFact, quote } from '../rule.ts'
import type { Subject } from '../subject.ts'

/** A migration that is under way, in the words of the usual tools. */
const UNDER_WAY =
  /\b(?:applying|running|executing|starting|performing)\b[^\n]{0,60}\bmigrations?\b|\bmigrat(?:ing|ion)\b[^\n]{0,80}(?:\.\.\.|…|\d\s?%|started|in progress)|Migrating schema|Running upgrade \S{0,40} ->|Running Changeset|== \S{1,80} \w{1,80}: migrating|^\s*Applying [\w.]{1,80}\.\.\./i

/** What a tool finds after one was cut off: a dirty version, a failed entry, a lock that nobody will release. */
const CUT_OFF =
  /Dirty database version|database is dirty|failed migrations in the target database|\bP30(?:09|18)\b|(?:[Dd]etected|contains a) failed migration|Waiting for changelog lock|Could not acquire change log lock|[Mm]igration table is already locked|migration[^\n]{0,60}(?:partially applied|was interrupted|locked by)/

/** Words of a program that has got past its migrations. */
const GOT_PAST = /\b(?:done|completed?|finished|success(?:fully)?|applied|listening|serving|ready|up[- ]to[- ]date)\b/i

const killed = (subject: Subject) => subject.newest(['Killing'], /failed (?:liveness|startup) probe/)

/** The line that shows the migration: the last ones of a killed run, or the complaint of a later one. */
const migrationLine = (subject: Subject) => {
  const cutOff = subject.lines.slice(-40).findLast(({ text }) => CUT_OFF.test(text))
  if (cutOff) return { line: cutOff, isAfter: true }
  if (!subject.probeKill) return null
  const last = subject.lines.slice(-6)
  const line = last.findLast(({ text }) => UNDER_WAY.test(text))
  if (line && last.slice(last.indexOf(line)).some(({ text }) => GOT_PAST.test(text))) return null
  return line ? { line, isAfter: false } : null
}

/** A probe that restarts the container in the middle of a migration; later runs only meet what that one left. */
export const probeMigration: ContainerRule = subject => {
  const { moment, container, view } = subject
  if (subject.isInit || (moment !== 'looping' && moment !== 'failed') || !container.ended) return null
  const killing = killed(subject)
  const found = killing ? migrationLine(subject) : null
  if (!killing || !found) return null
  const probe = killing.message.includes('failed startup probe') ? 'startup' : 'liveness'
  const settings = probeOf(container.spec, probe)
  const allowed = secondsAllowed(settings)
  const { line, isAfter } = found
  const draft: Draft = {
    id: 'probe.kills-migration',
    confidence: 'likely',
    container: subject.name,
    summary: isAfter
      ? `${subject.noun} ${code(subject.name)} was killed by its own ${probe} probe while a migration ran, and each later run meets what that one left: ${quote(line.text, 180)}. The exit code ${subject.exitCode} is the after-effect.`
      : `${subject.noun} ${code(subject.name)} is killed by its own ${probe} probe in the middle of a migration: ${quote(line.text, 180)}. The probe allows ${allowed} s after the start, and the migration takes longer.`,
    evidence: [
      eventFact(killing),
      lineFact(subject, line),
      fact(
        `${container.specPath}.${probeField(probe)}`,
        `${probeAction(container.spec, settings)}, ${allowed} s allowed`,
      ),
      fact(`${container.ended.path}.exitCode`, String(subject.exitCode)),
    ],
    fix: [
      ...(isAfter
        ? [
            'See by hand how far the interrupted migration came, finish or undo it, and only then clear its mark or lock (the dirty version, the failed entry, the changelog lock).',
          ]
        : []),
      `Move the migration out of ${code(subject.name)} into a Job or an init container, which no probe restarts, or add a ${code('startupProbe')} in ${specHome(view)} that allows for the longest one (now ${allowed} s).`,
    ],
    avoid: ['Forcing the version or deleting the lock unseen: half of a migration may be missing.'],
    verify: ['The log gets past the migration, and no new `Killing` event comes.'],
    commands: [readLog(subject), ...editOwner(view)],
  }
  return draft
}
