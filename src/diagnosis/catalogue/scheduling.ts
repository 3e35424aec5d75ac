import type { Causes } from './cause.ts'

export const scheduling: Causes = {
  'scheduling.insufficient-resources': {
    what: 'No node that the pod may use has as much CPU, memory or of another resource left as it requests.',
    looksAt:
      'the scheduler message (`Insufficient …`), the effective request of the pod (init containers included) and what the nodes can allocate: a request no node could ever hold is told from one that others stand in the way of',
    todo: 'Lower the request that decides, free what other pods request, or add a node that is big enough.',
  },
  'scheduling.too-many-pods': {
    what: 'The nodes that would fit already run as many pods as their kubelet allows.',
    looksAt: 'the scheduler message (`Too many pods`) and `status.allocatable.pods` of the nodes',
    todo: 'Add a node, remove pods, or raise the pod limit of the nodes.',
  },
  'scheduling.host-port-conflict': {
    what: 'A port of the node that the pod asks for is taken on every node it could use.',
    looksAt:
      'the scheduler message (`free ports`), `hostPort` and `hostNetwork` in the spec, and which pods of the namespace hold the same port',
    todo: 'Let the old replica go first (`strategy.type: Recreate`), or use another port or a Service.',
  },
  'scheduling.untolerated-taint': {
    what: 'The nodes carry a taint that the pod does not tolerate.',
    looksAt:
      'the taints of the nodes against the tolerations of the pod; the scheduler message names the taint only on servers up to 1.33',
    todo: 'Tolerate that taint if the pod belongs there, or provide nodes without it.',
  },
  'scheduling.node-cordoned': {
    what: 'The nodes that would fit take no new pods, because someone cordoned them.',
    looksAt: 'the scheduler message (`were unschedulable`) and `spec.unschedulable` of the nodes that match the pod',
    todo: 'Uncordon the node when its maintenance is over, or add one.',
  },
  'scheduling.node-affinity': {
    what: 'No node has the labels that the node selector or the required node affinity of the pod demands.',
    looksAt:
      'the scheduler message, each demand in the spec, and which values the nodes have instead; retired label names are recognised',
    todo: 'Correct the selector or the affinity, or label or add a node.',
  },
  'scheduling.pod-affinity-or-spread': {
    what: 'A required rule between pods – affinity, anti-affinity, topology spread – allows no node.',
    looksAt: 'the scheduler message, and the rule in the spec with its topology key',
    todo: 'Run fewer replicas, add a node, or turn the rule into a preference.',
  },
  'scheduling.volume-zone-conflict': {
    what: 'A PersistentVolume of the pod can only be used in a zone or on a node where the pod cannot run.',
    looksAt:
      'the scheduler message (or the mount failure) about the node affinity of volumes, and the claims and their volumes',
    todo: 'Bring a node with room into the zone of the volume; for new volumes use `volumeBindingMode: WaitForFirstConsumer`.',
  },
  'scheduling.pvc-unbound': {
    what: 'A PersistentVolumeClaim of the pod has no volume.',
    looksAt:
      'the scheduler message, phase and storage class of the claim, and its own events: no class, a class that does not exist, a provisioner that fails or does not answer',
    todo: 'Do what the events of the claim ask for: name a class that exists, mend the provisioner, or create a matching volume.',
  },
  'scheduling.pvc-missing': {
    what: 'The pod names a PersistentVolumeClaim that does not exist in its namespace.',
    looksAt: 'the scheduler message, `claimName` in the spec, and the claims that do exist',
    todo: 'Create the claim, or correct the name.',
  },
  'scheduling.gated': {
    what: 'The pod is held back by a scheduling gate, which some controller has to lift.',
    looksAt: '`spec.schedulingGates` and condition PodScheduled with reason `SchedulingGated`',
    todo: 'Look at the controller that owns the gate and at what it waits for.',
  },
  'scheduling.other': {
    what: 'The pod has no node for a reason that no other id covers; what the scheduler says is quoted.',
    looksAt:
      'the PodScheduled condition, the FailedScheduling event, and `spec.schedulerName` where no scheduler says anything',
    todo: 'Change what the scheduler names, or see whether the scheduler the pod asks for runs.',
  },
}
