import { secondsBetween } from './containers.ts'
import { humanDuration } from './human-duration.ts'
import { wasLost } from './lost-container.ts'
import { unmetGate } from './readiness-gates.ts'
import { code, type Draft, fact } from './rule.ts'
import { Subject } from './subject.ts'
import type { View } from './view.ts'

const history = (view: View): string => {
  const restarted = view.containers.filter(
    ({ kind, restartCount, ended }) => kind !== 'init' && restartCount > 0 && ended,
  )
  const told = restarted.map(container => {
    const terminated = container.ended?.terminated ?? {}
    const ago = secondsBetween(terminated.finishedAt, view.takenAt)
    const kill = new Subject(view, container).probeKill
    const how = wasLost(view, container)
      ? 'lost by the container runtime'
      : kill
        ? `killed by its ${kill.probe} probe`
        : (terminated.reason ?? 'Error')
    const times = container.restartCount === 1 ? 'restarted once' : `restarted ${container.restartCount} times`
    return `${code(container.name)} ${times}${ago === null ? '' : `, ${container.restartCount > 1 ? 'last ' : ''}${humanDuration(ago)} ago`} (exit code ${terminated.exitCode ?? 0}, ${how}) and has run since`
  })
  return told.length === 0 ? '' : ` History: ${told.join('; ')}.`
}

/** Everything runs and is ready. */
export const healthy = (view: View): Draft => ({
  id: 'healthy',
  confidence: 'certain',
  summary: `Nothing is wrong now: all containers of ${code(view.pod?.metadata?.name ?? '')} run and are ready.${history(view)}`,
  evidence: [fact('status.conditions[Ready]', 'True')],
  fix: ['Nothing to do.'],
})

/** Everything finished as it should. */
export const completed = (view: View): Draft => ({
  id: 'completed',
  confidence: 'certain',
  summary: `${code(view.pod?.metadata?.name ?? '')} has finished its work: all its containers ended with exit code 0.`,
  evidence: [fact('status.phase', 'Succeeded')],
  fix: ['Nothing to do.'],
})

/** An owner whose pods are not there, and nothing says why. */
export const gone = (view: View): Draft => ({
  id: 'gone',
  confidence: 'certain',
  summary: `There is no pod of ${code(view.snapshot.target)} in namespace ${code(view.namespace)}, and no event says why.`,
  evidence: [fact('pods', 'none')],
  fix: [`Look at ${code(view.snapshot.target)} itself: its replicas, its conditions and its events.`],
})

/** Not healthy, and nothing that was read says why. */
export const unexplained = (view: View, subject: Subject | undefined): Draft => {
  const age = secondsBetween(view.pod?.metadata?.creationTimestamp, view.takenAt)
  const so = age === null ? '' : ` The pod is ${humanDuration(age)} old.`
  if (!subject) {
    const gate = unmetGate(view)
    if (gate) return gate
    if (view.pod?.status?.phase === 'Running') {
      return {
        id: 'probe.other',
        confidence: 'possible',
        summary: `The pod runs but is not ready, and nothing that could be read says why.${so}`,
        evidence: [fact('status.conditions[Ready]', view.condition('Ready')?.status ?? 'not set')],
        fix: ['Ask again in a minute; if nothing changes, look at the conditions of the pod and at its node.'],
      }
    }
    return {
      id: view.pod?.spec?.nodeName === undefined ? 'scheduling.other' : 'create.other',
      confidence: 'possible',
      summary: `The pod has not started, and neither its events nor its conditions say why.${so}`,
      evidence: [fact('status.phase', view.pod?.status?.phase ?? 'unknown')],
      fix: ['Ask again in a minute; if nothing changes, look at the scheduler and at the node.'],
    }
  }
  if (subject.moment === 'looping' && subject.exitCode === null) {
    const { kind, restartCount, statusPath } = subject.container
    return {
      id: kind === 'sidecar' ? 'init.sidecar-crash' : kind === 'init' ? 'init.crash' : 'app.crash',
      confidence: 'possible',
      container: subject.name,
      summary: `${subject.noun} ${code(subject.name)} ends again and again; how it ended last could not be read.${so}`,
      evidence: [fact(`${statusPath}.restartCount`, `${restartCount}`)],
      fix: [`Look at the log of ${code(subject.name)}, and at the events of the pod.`],
    }
  }
  const isRunning = subject.moment === 'running'
  return {
    id: isRunning ? (subject.isInit ? 'init.waiting' : 'probe.other') : 'create.other',
    confidence: 'possible',
    container: subject.name,
    summary: isRunning
      ? `${subject.noun} ${code(subject.name)} runs${subject.isInit ? '' : ' but is not ready'}; nothing that could be read says why.${so}`
      : `${subject.noun} ${code(subject.name)} has not started yet, and no event says why.${so}`,
    evidence: [
      fact(`${subject.container.statusPath}.state`, isRunning ? 'running' : `waiting, ${code(subject.waitingReason)}`),
    ],
    fix: ['Ask again in a minute; if nothing changes, look at the events and the node.'],
  }
}
