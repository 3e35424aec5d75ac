import { placeOf } from '../addresses.ts'
import { editOwner, read, readLog } from '../commands.ts'
import { secondsBetween } from '../containers.ts'
import { humanDuration } from '../human-duration.ts'
import { lastWords } from '../last-words.ts'
import { specHome } from '../owner.ts'
import { type ContainerRule, code, type Draft, fact, lineFact, quote } from '../rule.ts'
import { type ServiceState, serviceState } from '../service-state.ts'
import type { Subject } from '../subject.ts'
import { type WaitTarget, waitTarget } from '../wait-target.ts'

/** An init container that waits, and for what. */
interface Wait {
  readonly subject: Subject
  readonly target: WaitTarget
  /** `orders-db:5432`. */
  readonly at: string
}

const who = ({ name, container }: Subject): string =>
  `Init container ${code(name)}${container.of > 1 ? ` (${container.position} of ${container.of})` : ''}`

const NEVER = ' The loop has no limit: it will not end by itself.'
const BOUND = 'Bound the loop as well (a number of tries or a deadline), so that a wrong name fails instead of hanging.'
const AVOID = ['Removing the init container or adding `|| true`: the app would start without what it waits for.']

const since = (subject: Subject): Draft['evidence'] => {
  const { container, view } = subject
  const startedAt = container.state.running?.startedAt
  if (startedAt === undefined) {
    return container.ended
      ? [fact(`${container.ended.path}.exitCode`, `${subject.exitCode}, ${container.restartCount} restarts`)]
      : []
  }
  const age = secondsBetween(startedAt, view.takenAt)
  const ran = age === null ? '' : `, for ${humanDuration(age)}`
  return [fact(`${container.statusPath}.state.running`, `since ${startedAt}${ran}, ${container.restartCount} restarts`)]
}

const waitFacts = ({ subject, target, at }: Wait): Draft['evidence'] => {
  const said =
    subject.lines.findLast(({ text }) => text.toLowerCase().includes(target.address.host)) ?? subject.lines.at(-1)
  return [
    fact(target.source, `waits for ${code(at)}${target.tool ? ` with ${code(target.tool)}` : ''}`),
    ...since(subject),
    ...(said ? [lineFact(subject, said)] : []),
  ]
}

const draft = (
  wait: Wait,
  id: string,
  confidence: Draft['confidence'],
  text: string,
  fix: readonly string[],
  more: Draft['evidence'] = [],
): Draft => {
  const { subject, target } = wait
  return {
    id,
    confidence,
    container: subject.name,
    summary: `${who(subject)} waits for ${code(wait.at)}. ${text}${target.isUnbounded ? NEVER : ''}`,
    evidence: [...waitFacts(wait), ...more],
    fix: target.isUnbounded ? [...fix, BOUND] : fix,
    avoid: AVOID,
    commands: [
      read(subject.view, 'Services and what stands behind them', 'get', 'services,endpointslices'),
      readLog(subject),
      ...editOwner(subject.view),
    ],
  }
}

const RESOLVES_NOTHING =
  /NXDOMAIN|can't (?:find|resolve)|server can't find|No answer|bad address|Name or service not known|not known|no such host|ENOTFOUND|failed to resolve|could not resolve host/i

/** The name of a Service with an address resolves, whether or not anything stands behind it. */
const brokenCheck = (wait: Wait, service: string, namespace: string, state: ServiceState): Draft | null => {
  const { subject, target } = wait
  const unresolved = subject.lines.slice(-30).findLast(({ text }) => RESOLVES_NOTHING.test(text))
  const isThere = state.kind === 'serves' || state.kind === 'exists' || state.kind === 'no-endpoints'
  const mustResolve = isThere && (state.kind === 'serves' || !state.isHeadless)
  if (target.tool !== 'nslookup' || !unresolved || !mustResolve) return null
  const stands = state.kind === 'serves' ? 'exists and has ready endpoints' : 'exists'
  return draft(
    wait,
    'init.wait-broken-check',
    'certain',
    `Service ${code(service)} ${stands}; it is the check that fails: ${code('nslookup')} of this busybox does not use the search list for every look-up and fails where one answer is NXDOMAIN.`,
    [
      `Look up the full name ${code(`${service}.${namespace}.svc.cluster.local`)} in ${code(subject.name)}, or check with ${code('nc')} or ${code('getent hosts')} instead of ${code('nslookup')} (older images such as busybox:1.28 work, too).`,
    ],
    [...state.evidence, lineFact(subject, unresolved)],
  )
}

const ofService = (wait: Wait, service: string, namespace: string, state: ServiceState): Draft => {
  const { subject, target } = wait
  const home = specHome(subject.view)
  const { port } = target.address
  const broken = brokenCheck(wait, service, namespace, state)
  if (broken) return broken
  switch (state.kind) {
    case 'absent': {
      const [near] = state.near
      const elsewhere = namespace === subject.view.namespace ? 'in this namespace' : `in namespace ${code(namespace)}`
      return draft(
        wait,
        'init.wait-wrong-target',
        'certain',
        `There is no Service ${code(service)} ${elsewhere}.${near ? ` A Service ${code(near)} exists – likely the name that was meant.` : ''}`,
        [
          near
            ? `Change the host in ${code(target.source.split('.').at(-1) ?? 'args')} of ${code(subject.name)} in ${home} to ${code(near)}${state.near.length > 1 ? ` (or ${state.near.slice(1).map(code).join(', ')})` : ''}.`
            : `Create Service ${code(service)} ${elsewhere}, or correct the host that ${code(subject.name)} waits for in ${home}.`,
        ],
        state.evidence,
      )
    }
    case 'wrong-port':
      return draft(
        wait,
        'init.wait-wrong-port',
        'certain',
        `Service ${code(service)} exists, but offers ${state.ports.length === 1 ? 'port' : 'ports'} ${state.ports.join(', ')}, not ${port}.`,
        [
          `Use port ${state.ports[0]} in ${code(subject.name)} (${target.source}) in ${home}, or add port ${port} to Service ${code(service)}.`,
        ],
        state.evidence,
      )
    case 'no-endpoints':
      return draft(
        wait,
        'init.wait-no-endpoints',
        'certain',
        `The Service exists, but no ready pod stands behind it (no ready endpoints): ${state.why}.`,
        [`Make what stands behind Service ${code(service)} ready; ${code(subject.name)} then goes on by itself.`],
        state.evidence,
      )
    case 'external':
      return draft(
        wait,
        'init.waiting',
        'possible',
        `Service ${code(service)} leads to ${code(state.name)} outside the cluster; whether that answers cannot be seen from here.`,
        [`Check ${code(state.name)} from a pod of this namespace.`],
        state.evidence,
      )
    case 'exists':
    case 'serves':
      return served(wait, service, state)
  }
}

const ANSWERS =
  /\b(?:HTTP(?:\/[\d.]+)?(?: Error)?[ :]+|status(?:code)?[ =:]+|returned error: |code[ =:]+)(5\d\d|4\d\d)\b|starting up|not (?:yet )?ready|warming|initiali[sz]ing|is loading|recovery mode/i

/** The Service is all right: then the check is broken, or the answer itself says not ready. */
const served = (wait: Wait, service: string, state: ServiceState): Draft => {
  const { subject } = wait
  const recent = subject.lines.slice(-30)
  const unresolved = recent.findLast(({ text }) => RESOLVES_NOTHING.test(text))
  const stands = state.kind === 'serves' ? 'exists and has ready endpoints' : 'exists'
  const answer = recent.findLast(({ text }) => ANSWERS.test(text))
  if (answer) {
    return draft(
      wait,
      'init.wait-not-ready',
      'likely',
      `Service ${code(service)} ${stands}, and it answers – but the answer says that it is not ready: ${quote(answer.text, 160)}.`,
      [`Find out why ${code(service)} answers so (its own log tells); ${code(subject.name)} only reports it.`],
      [...state.evidence, lineFact(subject, answer)],
    )
  }
  const why = unresolved ? `${stands}, yet the name does not resolve in this container` : `${stands} now`
  return draft(
    wait,
    'init.waiting',
    'possible',
    `Service ${code(service)} ${why}; nothing that was read proves what is wrong.`,
    [`Run the check of ${code(subject.name)} by hand from a pod of this namespace and compare.`],
    state.evidence,
  )
}

const outside = (wait: Wait): Draft => {
  const unresolved = wait.subject.lines.slice(-30).findLast(({ text }) => RESOLVES_NOTHING.test(text))
  return draft(
    wait,
    unresolved ? 'init.wait-wrong-target' : 'init.waiting',
    unresolved ? 'likely' : 'possible',
    unresolved
      ? 'That is a name outside the cluster, and it does not resolve.'
      : 'That is outside the cluster; whether it answers cannot be seen from here.',
    [
      `Check ${code(wait.at)} from a pod of this namespace (name, firewall, NetworkPolicy), or correct it in ${specHome(wait.subject.view)}.`,
    ],
  )
}

/** The Services of that namespace were not read; what the container's own resolver says is all there is. */
const unknownName = (
  wait: Wait,
  { service, namespace }: { readonly service: string; readonly namespace: string },
  line: Subject['lines'][number],
): Draft =>
  draft(
    wait,
    'init.wait-wrong-target',
    'likely',
    `The name does not resolve: there is likely no Service ${code(service)} in namespace ${code(namespace)} (one without a clusterIP resolves only while ready pods stand behind it).`,
    [
      `Correct the host that ${code(wait.subject.name)} waits for in ${specHome(wait.subject.view)}, or create Service ${code(service)} in namespace ${code(namespace)}.`,
    ],
    [lineFact(wait.subject, line)],
  )

/** Commands whose whole purpose is to wait; a looping init container needs one of these marks, or a name that says so. */
const WAITS =
  /\b(?:until|while)\b[^\n]{0,200}\b(?:sleep|do)\b|wait[-_]?for|\bdockerize\b|\bpg_isready\b|k8s-wait-for|\bkubectl\b[^\n]{0,80}\bwait\b/
const isWaiter = ({ name, container }: Subject): boolean =>
  /(?:^|[-_])(?:wait|check|ready)(?:$|[-_])|wait/i.test(name) ||
  WAITS.test([...(container.spec.command ?? []), ...(container.spec.args ?? []), container.spec.image ?? ''].join(' '))

/** It runs, and what it waits for – if anything is known of that – could not be looked up. */
const running = (subject: Subject, wait: Wait | null): Draft => {
  const { container, view } = subject
  const words = lastWords(subject.lines)
  const age = secondsBetween(container.state.running?.startedAt, view.takenAt)
  const ran = age === null ? '' : ` for ${humanDuration(age)}`
  const wrote = words
    ? `; the last thing it wrote is ${quote(words.text, 160)}`
    : subject.log.lines?.length === 0
      ? ' and has written nothing so far'
      : ''
  return {
    id: 'init.waiting',
    confidence: 'certain',
    container: subject.name,
    summary: `${who(subject)} has been running${ran} without a failure${wrote}.${wait ? ` It waits for ${code(wait.at)}; what stands there could not be looked up.` : ''} The containers after it wait for it to end; nothing is proven wrong.`,
    evidence: wait ? waitFacts(wait) : [...since(subject), ...(words ? [lineFact(subject, words)] : [])],
    fix: [`Wait if this step may take so long; else follow its log to see what it waits for.`],
    avoid: AVOID,
    commands: [readLog(subject)],
  }
}

/** An init container that waits for something else: what for, and what is so with that. */
export const initWait: ContainerRule = subject => {
  if (!subject.isInit || (subject.moment !== 'running' && subject.moment !== 'looping' && subject.moment !== 'failed'))
    return null
  const isRunning = subject.moment === 'running'
  if (!isRunning && !isWaiter(subject)) return null
  const target = waitTarget(subject.container, subject.lines)
  if (!target) return isRunning ? running(subject, null) : null
  const { host, port } = target.address
  const wait: Wait = { subject, target, at: port === null ? host : `${host}:${port}` }
  const place = placeOf(host, subject.view.namespace)
  if (place.kind === 'service') {
    const state = serviceState(subject.view, place.namespace, place.service, port)
    if (state) return ofService(wait, place.service, place.namespace, state)
    const unresolved = subject.lines.slice(-30).findLast(({ text }) => RESOLVES_NOTHING.test(text))
    if (unresolved && target.tool !== 'nslookup' && isWaiter(subject)) return unknownName(wait, place, unresolved)
  }
  if (place.kind === 'external' && isWaiter(subject)) return outside(wait)
  return isRunning ? running(subject, isWaiter(subject) && place.kind === 'service' ? wait : null) : null
}
