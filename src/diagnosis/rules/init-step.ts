import { editOwner, readLog } from '../commands.ts'
import { secondsBetween } from '../containers.ts'
import { LEFTOVER } from '../leftovers.ts'
import { ownerOf, specHome } from '../owner.ts'
import { type ContainerRule, code, type Draft, fact, lineFact, quote } from '../rule.ts'
import type { Subject } from '../subject.ts'

const LOCKED =
  /could not (?:obtain|acquire) lock|Waiting for changelog lock|lock[_ ]?timeout|Lock wait timeout|database is locked|deadlock detected|migration[^\n]{0,40}(?:locked|lock(?:ed)? by)|tuple concurrently updated|pg_type_typname_nsp_index|duplicate key value violates unique constraint "[^"]*(?:version|migration|schema|pg_)[^"]*"|ConcurrentMigrationError|relation "[^"]*" already exists/i
/** A lock that only a live session holds: another run is under way at this moment, whether or not its pod was read. */
const RUNS_ELSEWHERE =
  /ConcurrentMigrationError|another migration (?:process |run )?is (?:currently |already )?(?:running|in progress)|[Mm]igration (?:is )?already (?:running|in progress)/
const MIGRATES = /migrat|schema|flyway|liquibase|alembic|prisma|\bpsql\b|db-?init|create table|ERROR:\s+relation/i

/** Other pods of the same owner that initialise at about the same time. */
const racers = (subject: Subject): number => {
  const created = subject.view.pod?.metadata?.creationTimestamp
  return subject.view.siblings().filter(({ metadata }) => {
    const apart = secondsBetween(created, metadata?.creationTimestamp)
    return apart === null || Math.abs(apart) < 120
  }).length
}

const race = (subject: Subject, line: Subject['lines'][number], others: number): Draft => ({
  id: 'init.migration-race',
  confidence: 'likely',
  container: subject.name,
  summary: `Init container ${code(subject.name)} fails because ${others > 0 ? `${subject.view.hasMoreSiblings ? 'at least ' : ''}${others + 1} replicas run` : 'another process runs'} the same migration at once: ${quote(line.text, 180)}. One of them was first; the others meet what it made or the lock it holds.`,
  evidence: [
    lineFact(subject, line),
    fact(`${subject.container.ended?.path}.exitCode`, `exit code ${subject.exitCode}`),
    ...(others > 0
      ? [
          fact(
            'pods of the same owner',
            `${subject.view.hasMoreSiblings ? 'at least ' : ''}${others} more, created within two minutes of this one`,
          ),
        ]
      : []),
  ],
  fix: [
    'Run the migration once, as a Job before the rollout, instead of in every replica.',
    'Make it safe to run twice: a version table, `IF NOT EXISTS`, or a tool that takes a lock.',
  ],
  avoid: ['Scaling to one replica only to get past it: the next rollout races again.'],
  commands: [readLog(subject), ...editOwner(subject.view)],
})

const leftover = (subject: Subject, line: Subject['lines'][number]): Draft => {
  const runs = subject.container.restartCount
  return {
    id: 'init.not-idempotent',
    confidence: 'likely',
    container: subject.name,
    summary: `Init container ${code(subject.name)} was run again and trips over what an earlier run left: ${quote(line.text, 180)}. This is an after-effect${runs > 0 ? ` (run ${runs + 1})` : ''}; why the first run did not finish is no longer in the log.${mayHaveBeenKilled(subject)}${runningApps(subject)}`,
    evidence: [
      lineFact(subject, line),
      fact(`${subject.container.statusPath}.restartCount`, `${runs} ${runs === 1 ? 'restart' : 'restarts'}`),
      fact(`${subject.container.ended?.path}.exitCode`, `exit code ${subject.exitCode}`),
    ],
    fix: [
      `Make the step of ${code(subject.name)} safe to repeat (${code('mkdir -p')}, ${code('IF NOT EXISTS')}, a clean target first) in ${specHome(subject.view)}: what it writes to a volume outlives the failed run.`,
      `Delete the pod to start with empty emptyDir volumes and see the first failure again in its log${ownerOf(subject.view) ? '' : '; nothing makes it again, so keep its manifest'}; what lies on a PersistentVolumeClaim stays.`,
    ],
    avoid: ['Adding `|| true`: the app would start on a half-finished step.'],
    commands: [readLog(subject), ...editOwner(subject.view)],
  }
}

/** A killed run leaves its work half done, and its reason is overwritten by that of the next run. */
const mayHaveBeenKilled = ({ container }: Subject): string => {
  const limit = container.spec.resources?.limits?.['memory']
  return limit === undefined ? '' : ` Possibly it was killed for memory: the limit is ${code(limit)}.`
}

const runningApps = (subject: Subject): string => {
  const running = subject.view.containers.filter(({ kind, state }) => kind === 'app' && state.running)
  return running.length > 0 ? ` The app containers are still running.` : ''
}

const DENIED =
  /Operation not permitted|Permission denied|permission denied|must be root|Read-only file system|EPERM|EACCES/
const PRIVILEGED =
  /\b(?:sysctl|chown|chmod|setcap|iptables|ip6tables|nft|mount|modprobe|ip rule|ip route|RTNETLINK|\/proc\/sys)\b/

const forbidden = (subject: Subject, line: Subject['lines'][number]): Draft => {
  const isOwnership = /chown|chmod/.test(line.text)
  return {
    id: 'init.permission',
    confidence: 'likely',
    container: subject.name,
    summary: `Init container ${code(subject.name)} lacks the privilege for its step: ${quote(line.text, 180)}.`,
    evidence: [
      lineFact(subject, line),
      fact(`${subject.container.ended?.path}.exitCode`, `exit code ${subject.exitCode}`),
      fact(
        `${subject.container.specPath}.securityContext`,
        quote(JSON.stringify(subject.container.spec.securityContext ?? 'not set')),
      ),
    ],
    fix: isOwnership
      ? [
          `Set ${code('securityContext.fsGroup')} on the pod in ${specHome(subject.view)} and drop the chown: the kubelet then gives the volume to that group.`,
          `Where the volume ignores fsGroup (hostPath, NFS), run ${code(subject.name)} as root – if PodSecurity of the namespace allows it – or prepare the directory on the server.`,
        ]
      : [
          `Give ${code(subject.name)} what the step needs (${code('runAsUser: 0')}, ${code('privileged: true')} or the capability) in ${specHome(subject.view)}, if PodSecurity allows it – or set it on the node instead.`,
        ],
    avoid: ['Removing the step: the app fails later on what it should have set.'],
    commands: [readLog(subject), ...editOwner(subject.view)],
  }
}

/** A step that fails on its own leftovers, on its replicas, or for want of a privilege. */
export const initStep: ContainerRule = subject => {
  if (!subject.isInit || (subject.moment !== 'looping' && subject.moment !== 'failed')) return null
  if (subject.exitCode === 0 || subject.exitCode === null) return null
  const recent = subject.lines.slice(-60)
  const others = racers(subject)
  const locked = recent.findLast(({ text }) => LOCKED.test(text))
  const isMigration = recent.some(({ text }) => MIGRATES.test(text)) || MIGRATES.test(subject.name)
  if (locked && isMigration && others > 0) return race(subject, locked, others)
  const elsewhere = recent.findLast(({ text }) => RUNS_ELSEWHERE.test(text))
  if (elsewhere) return race(subject, elsewhere, others)
  const left = recent.findLast(({ text }) => LEFTOVER.test(text))
  if (left) return leftover(subject, left)
  const denied = recent.findLast(({ text }) => DENIED.test(text) && PRIVILEGED.test(text))
  return denied ? forbidden(subject, denied) : null
}
