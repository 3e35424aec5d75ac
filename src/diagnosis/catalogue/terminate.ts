import type { Causes } from './cause.ts'

export const terminate: Causes = {
  'terminate.runtime-stuck': {
    what: 'The pod was deleted, and its node cannot stop it.',
    looksAt: 'FailedKillPod and similar events, a grace period that is long over, and the state of the node',
    todo: 'Look at what the kubelet cannot do on that node: a busy mount, the network, a runtime that hangs.',
  },
  'terminate.finalizer-or-grace': {
    what: 'The pod was deleted and is in its grace period, or a finalizer still holds it.',
    looksAt: '`metadata.deletionTimestamp` and `metadata.finalizers`, who deleted it, and what still runs',
    todo: 'Wait for the end of the grace period, or see that the controller behind the finalizer does its work.',
  },
  'terminate.node-gone': {
    what: 'The pod was deleted, and its node no longer reports, so nobody confirms that it has stopped.',
    looksAt: 'the deletion together with the Ready condition of the node, or that there is no such node',
    todo: 'Bring the node back; if the machine is gone for good, delete the Node object.',
  },
}
