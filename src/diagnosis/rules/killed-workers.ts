import { readLog } from '../commands.ts'
import { specHome } from '../owner.ts'
import { type ContainerRule, code, fact, lineFact } from '../rule.ts'

/** How the master of a pool of workers tells that one of them was killed: gunicorn, uWSGI, Celery, php-fpm, nginx, PostgreSQL. */
const KILLED_WORKER =
  /Worker \(pid:(\d+)\) was sent SIGKILL|worker \d+ \(pid: (\d+)\) died, killed by signal 9|pid:(\d+) exited with 'signal 9|child (\d+) exited on signal 9|worker process (\d+) exited on signal 9|process \(PID (\d+)\) was terminated by signal 9/i

/** gunicorn itself kills a worker that does not answer, and then says the same words. */
const TIMED_OUT = /WORKER TIMEOUT \(pid:(\d+)\)/

const pidOf = (pattern: RegExp, text: string): string | null =>
  pattern
    .exec(text)
    ?.slice(1)
    .find(pid => pid !== undefined) ?? null

/**
 * A container that lives on while its workers are killed for memory again and again. No state and no event tells; the
 * failing probe is the after-effect.
 */
export const killedWorkers: ContainerRule = subject => {
  const { container, moment } = subject
  const limit = container.spec.resources?.limits?.['memory']
  if (moment !== 'running' || container.ready || limit === undefined) return null
  const timedOut = new Set(subject.lines.map(({ text }) => pidOf(TIMED_OUT, text)))
  const killed = subject.lines.slice(-200).filter(({ text }) => {
    const pid = pidOf(KILLED_WORKER, text)
    return pid !== null && !timedOut.has(pid)
  })
  const line = killed.at(-1)
  if (!line || killed.length < 2) return null
  return {
    id: 'oom.child-process',
    confidence: 'likely',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} runs, but its workers are killed with SIGKILL again and again (${killed.length} times in its log), likely at its memory limit of ${code(String(limit))}. The main process starts new ones, so nothing restarts, and it is not ready.`,
    evidence: [
      lineFact(subject, line),
      fact(`${container.specPath}.resources.limits.memory`, code(String(limit))),
      fact(`${container.statusPath}.ready`, 'false'),
    ],
    fix: [
      `Raise ${code('resources.limits.memory')} (${String(limit)}) of ${code(subject.name)} in ${specHome(subject.view)}, or run fewer workers.`,
      `Lower what one worker of ${code(subject.name)} takes.`,
    ],
    avoid: ['Making its probes more patient: the workers are killed all the same.'],
    commands: [readLog(subject)],
  }
}
