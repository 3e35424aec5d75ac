import type { Causes } from './cause.ts'

export const verdicts: Causes = {
  healthy: {
    what: 'Everything runs and is ready; earlier restarts are told as history.',
    looksAt: 'condition Ready and the state of each container',
    todo: 'Nothing.',
  },
  completed: {
    what: 'The pod has finished its work.',
    looksAt: 'phase Succeeded',
    todo: 'Nothing.',
  },
  gone: {
    what: 'There is no pod, and nothing is refused: the workload wants none, or nothing says why.',
    looksAt: 'replicas, suspension and events of the workload',
    todo: 'If pods are wanted, look at what scales or suspends the workload.',
  },
}
