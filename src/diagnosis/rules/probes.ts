import { editOwner, read, readLog } from '../commands.ts'
import { secondsBetween } from '../containers.ts'
import { humanDuration } from '../human-duration.ts'
import { specHome } from '../owner.ts'
import type { PodEvent } from '../pod-events.ts'
import { budget, type ProbeKind, probeAction, probeField, probeOf, probePort, secondsAllowed } from '../probe.ts'
import { type ContainerRule, code, type Draft, eventFact, fact, lineFact, quote } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { listeningPorts } from './listening-ports.ts'
import { probeComplaint } from './probe-complaint.ts'
import { type ProbeFailure, probeFailure } from './probe-failures.ts'

/** A failing probe and all that is known of it. */
interface Failing {
  readonly subject: Subject
  readonly kind: ProbeKind
  /** The newest `Unhealthy` event; null: none is left. */
  readonly unhealthy: PodEvent | null
  readonly failure: ProbeFailure
  /** The kill it led to; null: none. */
  readonly killing: PodEvent | null
}

const spent = ({ subject, kind }: Failing): string => {
  const { periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds } = budget(
    probeOf(subject.container.spec, kind),
  )
  const delay = initialDelaySeconds > 0 ? `first after ${initialDelaySeconds} s, then ` : ''
  return `${delay}every ${periodSeconds} s, ${timeoutSeconds} s to answer, ${failureThreshold} ${failureThreshold === 1 ? 'failure' : 'failures in a row'} allowed`
}

const exitWords = ({ subject, killing }: Failing): string => {
  const exitCode = subject.exitCode
  if (!killing || exitCode === null) return ''
  const grace = subject.view.pod?.spec?.terminationGracePeriodSeconds ?? 30
  if (exitCode === 137) {
    return ` Exit code 137 is the kubelet's SIGKILL after the grace period of ${grace} s, because the process did not end on SIGTERM; it is not an out-of-memory kill (reason ${code(subject.container.ended?.terminated.reason ?? 'Error')}).`
  }
  if (exitCode === 143) return ' Exit code 143 is the SIGTERM that the kubelet sent.'
  return exitCode === 0 ? ' Exit code 0 only says that it ended cleanly when it was asked to.' : ''
}

const facts = (failing: Failing): Draft['evidence'] => {
  const { subject, kind, unhealthy, killing } = failing
  const { specPath, ended, restartCount, statusPath } = subject.container
  return [
    ...(unhealthy ? [eventFact(unhealthy)] : []),
    ...(killing ? [eventFact(killing)] : []),
    fact(
      `${specPath}.${probeField(kind)}`,
      `${probeAction(subject.container.spec, probeOf(subject.container.spec, kind))}: ${spent(failing)}`,
    ),
    ...(ended && killing
      ? [
          fact(
            `${ended.path}.exitCode`,
            `exit code ${subject.exitCode}, after ${ended.ranSeconds === null ? 'an unknown time' : humanDuration(ended.ranSeconds)}`,
          ),
        ]
      : []),
    ...(restartCount > 0
      ? [fact(`${statusPath}.restartCount`, `${restartCount} ${restartCount === 1 ? 'restart' : 'restarts'}`)]
      : []),
  ]
}

const what = (failing: Failing): string => {
  const { subject, kind, killing } = failing
  const action = probeAction(subject.container.spec, probeOf(subject.container.spec, kind))
  const name = `${subject.noun} ${code(subject.name)}`
  if (killing) {
    const times =
      subject.container.restartCount > 1 ? ` again and again (${subject.container.restartCount} restarts)` : ''
    return `${name} is killed by its own ${kind} probe${times}: ${action}`
  }
  if (kind === 'readiness')
    return `${name} runs but is not ready, so its Services send it no traffic: its readiness probe, ${action},`
  return `${name} runs, but its ${kind} probe, ${action},`
}

const draft = (
  failing: Failing,
  id: string,
  confidence: Draft['confidence'],
  why: string,
  fix: readonly string[],
  extra: Draft['evidence'] = [],
): Draft => ({
  id,
  confidence,
  container: failing.subject.name,
  summary: `${what(failing)} ${why}.${exitWords(failing)}`,
  evidence: [...facts(failing), ...extra],
  fix,
  ...(failing.kind === 'liveness'
    ? { avoid: ['Removing the liveness probe: a process that really hangs would then hang for good.'] }
    : {}),
  verify: [
    `No new ${code('Unhealthy')} event${failing.kind === 'readiness' ? '' : ' and no new restart'} for longer than the probe allows (${secondsAllowed(probeOf(failing.subject.container.spec, failing.kind))} s).`,
  ],
  commands: [
    read(
      failing.subject.view,
      'Probe failures and kills',
      'events',
      '--for',
      `pod/${failing.subject.view.pod?.metadata?.name ?? ''}`,
    ),
    readLog(failing.subject),
    ...editOwner(failing.subject.view),
  ],
})

const home = ({ subject, kind }: Failing): string =>
  `${code(probeField(kind))} of ${code(subject.name)} in ${specHome(subject.view)}`

const wrongPort = (failing: Failing): Draft | null => {
  const { subject, kind, failure } = failing
  if (failure.kind !== 'refused') return null
  const { spec } = subject.container
  const port = probePort(spec, probeOf(spec, kind))
  const { declared, said } = listeningPorts(subject)
  if (port === null || said.includes(port)) return null
  const other = said.length > 0 ? said : declared.includes(port) ? [] : declared
  if (other.length === 0) return null
  const source = said.length > 0 ? 'as its log says' : `as its ${code('containerPort')} says`
  return draft(
    failing,
    'probe.wrong-port',
    said.length > 0 ? 'certain' : 'likely',
    `finds nothing listening there (connection refused); the container listens on ${other.join(', ')}, ${source}`,
    [`Point ${home(failing)} at port ${other[0]}.`],
    said.length > 0
      ? subject.lines
          .filter(({ text }) => new RegExp(`\\b${other[0]}\\b`).test(text))
          .slice(0, 1)
          .map(line => lineFact(subject, line))
      : [fact(`${subject.container.specPath}.ports`, declared.join(', '))],
  )
}

const slowStart = (failing: Failing): Draft | null => {
  const { subject, kind, failure, killing } = failing
  if (!killing || failure.kind !== 'refused') return null
  const { spec, ended } = subject.container
  const allowed = secondsAllowed(probeOf(spec, kind))
  const { timeoutSeconds, periodSeconds } = budget(probeOf(spec, kind))
  // Killed at the age that its budget gives it from the start on: it never answered.
  const lived = Math.min(
    secondsBetween(ended?.terminated.startedAt, killing.lastAt) ?? Number.POSITIVE_INFINITY,
    ended?.ranSeconds ?? Number.POSITIVE_INFINITY,
  )
  // A startup probe is asked no more once it has succeeded: what it kills never answered.
  const isStartup = kind === 'startup'
  if (!isStartup && Number.isFinite(lived) && lived > allowed + periodSeconds + timeoutSeconds + 5) return null
  return draft(
    failing,
    'probe.slow-start',
    'likely',
    `is refused until the kubelet gives up, ${allowed} seconds after each start, before it listens${isStartup ? '' : ` (no ${code('startupProbe')} is set)`}`,
    [
      isStartup
        ? `Raise ${code('failureThreshold')} of ${home(failing)} until it covers the slowest start (now ${allowed} s).`
        : `Add a ${code('startupProbe')} to ${code(subject.name)} in ${specHome(subject.view)} that allows for its slowest start (or raise ${code('initialDelaySeconds')}, ${code('failureThreshold')}); it has ${allowed} s now.`,
    ],
    [fact(`${subject.container.specPath}.startupProbe`, isStartup ? 'set' : 'not set')],
  )
}

const tooTight = (failing: Failing): Draft | null => {
  const { subject, kind, failure } = failing
  if (failure.kind !== 'timeout') return null
  const { timeoutSeconds } = budget(probeOf(subject.container.spec, kind))
  const cpu = subject.container.spec.resources?.limits?.['cpu']
  return draft(
    failing,
    'probe.too-tight',
    'likely',
    `does not answer within its timeout of ${timeoutSeconds} s (timed out; ${code('timeoutSeconds')} ${timeoutSeconds})`,
    [
      `Raise ${code('timeoutSeconds')} (${timeoutSeconds}) of ${home(failing)} above what the check takes, or make the check cheap.`,
      ...(cpu === undefined
        ? []
        : [`Give ${code(subject.name)} more CPU than ${code(cpu)}: a throttled process answers late.`]),
    ],
  )
}

const statusFailure = (failing: Failing): Draft | null => {
  const { subject, kind, failure, unhealthy } = failing
  if (failure.kind !== 'status') return null
  const { status } = failure
  if (status === 404 || status === 405) {
    const path = probeOf(subject.container.spec, kind)?.httpGet?.path ?? '/'
    return draft(
      failing,
      'probe.wrong-path',
      'certain',
      `gets status code ${status}: the path ${code(path)} does not exist in the application`,
      [`Set ${code('httpGet.path')} of ${home(failing)} to a path that the application serves.`],
    )
  }
  const complaint = probeComplaint(subject)
  const said = complaint ? `; its log says ${quote(complaint.line.text, 200)}` : ''
  const evidence = complaint ? [lineFact(subject, complaint.line)] : []
  if (status >= 500 && kind === 'readiness') {
    return draft(
      failing,
      'probe.readiness-dependency',
      complaint ? 'certain' : 'likely',
      `gets status code ${status} (statuscode: ${status}): the application itself says that it is not ready${said}`,
      [
        complaint?.dependency
          ? `Bring ${code(complaint.dependency)} back, on which ${code(subject.name)} waits; the pod then becomes ready by itself.`
          : `Find what the application waits for${complaint ? ' – the log line names it' : ': read its log around the probe'}; the probe only reports it.`,
      ],
      evidence,
    )
  }
  if (status >= 500 && kind === 'liveness' && complaint?.dependency) {
    return draft(
      failing,
      'probe.dependency',
      'likely',
      `gets status code ${status}, because a dependency of it fails${said}. A restart does not mend that, and every replica restarts together`,
      [
        `Take the check of ${code(complaint.dependency)} out of the liveness endpoint (it belongs into readiness), and bring ${code(complaint.dependency)} back.`,
      ],
      evidence,
    )
  }
  return draft(
    failing,
    'probe.other',
    unhealthy ? 'likely' : 'possible',
    `gets status code ${status}${said}`,
    [
      `Find why the application answers ${status} there${complaint ? ' – the log line tells' : ''}; raise ${code('failureThreshold')} of ${home(failing)} only if it recovers by itself.`,
    ],
    evidence,
  )
}

/** Refused for as long as it has run, and no other port is known: nothing listens where the probe asks. */
const nothingListens = (failing: Failing): Draft | null => {
  const { subject, kind, failure, killing } = failing
  const port = probePort(subject.container.spec, probeOf(subject.container.spec, kind))
  if (failure.kind !== 'refused' || killing || port === null) return null
  return draft(failing, 'probe.other', 'certain', `is refused: nothing listens on port ${port} (connection refused)`, [
    `Let ${code(subject.name)} listen on port ${port}, or point ${home(failing)} at the port that it does listen on.`,
  ])
}

const otherFailure = (failing: Failing): Draft => {
  const { subject, unhealthy } = failing
  const last = subject.lines.findLast(({ text }) => text.trim() !== '')
  const words = unhealthy
    ? `fails: ${quote(unhealthy.message.replace(/^\w+ probe (?:failed|errored[^:]*): /, ''), 160)}`
    : 'fails; the failing checks themselves are no longer recorded'
  const wrote = last ? `; the last thing ${code(subject.name)} wrote is ${quote(last.text, 120)}` : ''
  return draft(
    failing,
    'probe.other',
    unhealthy ? 'certain' : 'possible',
    `${words}${wrote}`,
    [
      last && unhealthy
        ? `Mend what the check and the last line of ${code(subject.name)} point at; allow more failures with ${code('failureThreshold')} of ${home(failing)} only if it recovers by itself.`
        : `Find why the check of ${code(subject.name)} fails at that moment; allow more failures with ${code('failureThreshold')} of ${home(failing)} only if it recovers by itself.`,
    ],
    last ? [lineFact(subject, last)] : [],
  )
}

const classify = (failing: Failing): Draft =>
  wrongPort(failing) ??
  slowStart(failing) ??
  tooTight(failing) ??
  statusFailure(failing) ??
  nothingListens(failing) ??
  otherFailure(failing)

const failingOf = (subject: Subject): Failing | null => {
  const kill = subject.probeKill
  if (kill && (subject.moment === 'looping' || subject.moment === 'failed')) {
    return {
      subject,
      kind: kill.probe,
      unhealthy: kill.unhealthy,
      failure: probeFailure(kill.unhealthy?.message ?? ''),
      killing: kill.killing,
    }
  }
  if (subject.moment !== 'running' || subject.container.ready) return null
  const { startedAt } = subject.container.state.running ?? {}
  const unhealthy = subject.events.findLast(
    ({ reason, lastAt }) => reason === 'Unhealthy' && (secondsBetween(startedAt, lastAt) ?? 0) >= -1,
  )
  const word = /^(Readiness|Liveness|Startup) probe/.exec(unhealthy?.message ?? '')?.[1]
  if (!unhealthy || word === undefined) return null
  return {
    subject,
    kind: word.toLowerCase() as ProbeKind,
    unhealthy,
    failure: probeFailure(unhealthy.message),
    killing: null,
  }
}

/** A probe that kills, holds back or hides the container: which one, its budget, and why it fails. */
export const probes: ContainerRule = subject => {
  const failing = failingOf(subject)
  return failing ? classify(failing) : null
}
