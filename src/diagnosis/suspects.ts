import type { Container } from './containers.ts'
import { Subject } from './subject.ts'
import type { View } from './view.ts'

const isUnfinishedStep = (subject: Subject): boolean => {
  const { container, moment } = subject
  if (moment === 'done') return false
  return container.kind === 'sidecar' ? container.status?.started !== true || moment !== 'running' : true
}

/** True once every init container has finished, as the kubelet judges it: later trouble is no start-up trouble. */
export const isInitialised = (view: View): boolean =>
  view.condition('Initialized')?.status === 'True' ||
  view.containers.every(({ kind }) => kind !== 'init' && kind !== 'sidecar') ||
  view.containers.some(
    ({ kind, state }) => kind === 'app' && (state.running !== undefined || state.terminated !== undefined),
  )

const isTroubled = ({ moment, container }: Subject): boolean =>
  moment === 'looping' ||
  moment === 'failed' ||
  moment === 'blocked' ||
  moment === 'starting' ||
  (moment === 'running' && !container.ready)

const hasStatus = ({ status }: Container): boolean => status !== null

/**
 * The containers that may be to blame, most likely first. While the pod initialises that is the first unfinished init
 * container alone: later ones and the app containers only wait for it.
 */
export const suspectsOf = (view: View): readonly Subject[] => {
  if (view.pod?.status?.phase === 'Succeeded') return []
  const subjects = view.containers
    .filter(({ kind }) => kind !== 'ephemeral')
    .filter(hasStatus)
    .map(container => new Subject(view, container))
  if (!isInitialised(view)) {
    const step = subjects.find(
      subject => (subject.isInit || subject.container.kind === 'sidecar') && isUnfinishedStep(subject),
    )
    if (step) return [step]
  }
  // On an initialised pod a plain init container is over; one that was killed for memory is run again nevertheless.
  const troubled = subjects.filter(subject => (subject.isInit ? subject.moment === 'looping' : isTroubled(subject)))
  return [...troubled].sort((a, b) => urgency(a) - urgency(b))
}

/** What fails comes before what only is not ready yet. */
const urgency = ({ moment }: Subject): number => (moment === 'running' ? 2 : moment === 'starting' ? 1 : 0)
