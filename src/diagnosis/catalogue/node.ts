import type { Causes } from './cause.ts'

export const node: Causes = {
  'node.lost': {
    what: 'The node of the pod has stopped reporting or is gone, so the status of the pod is as old as its last heartbeat.',
    looksAt:
      'condition Ready of the node and its last heartbeat, `NodeNotReady` events, or that there is no such node any more',
    todo: 'Bring the node back; nothing in the pod is to be mended. Do not force-delete while the machine may run.',
  },
  'node.unknown': {
    what: 'The pod is bound to a node that does not exist, and nobody will ever start it.',
    looksAt: '`spec.nodeName` against the nodes, and that no kubelet ever reported the pod',
    todo: 'Drop `spec.nodeName` or correct it, and create the pod again.',
  },
  'node.network-not-ready': {
    what: 'The pod network (CNI) of the node is not set up.',
    looksAt:
      'the Ready condition of the node, NetworkNotReady events and sandbox failures that say so, and the not-ready taints where the pod has no node',
    todo: 'Repair the network add-on on that node and its configuration in `/etc/cni/net.d`.',
  },
  'node.cloud-uninitialised': {
    what: 'The cloud controller manager has never initialised the node, so it still carries its start-up taint.',
    looksAt: 'the taint `node.cloudprovider.kubernetes.io/uninitialized` in the scheduler message or on the nodes',
    todo: 'Start or repair the cloud-controller-manager.',
  },
  'node.pod-cidr-missing': {
    what: 'The node was given no address range for pods.',
    looksAt: 'what the network daemon or the sandbox failure says, and `spec.podCIDR` of the node',
    todo: 'Run kube-controller-manager with `--allocate-node-cidrs` and a `--cluster-cidr` that has room.',
  },
  'node.memory-pressure': {
    what: 'The node is short of memory and takes no new pods.',
    looksAt: 'the memory-pressure taint in the scheduler message or on the nodes',
    todo: 'Give the node memory or move load away; the taint goes some minutes after the pressure.',
  },
  'node.disk-pressure': {
    what: 'The node is short of disk and takes no new pods.',
    looksAt: 'the disk-pressure taint in the scheduler message or on the nodes',
    todo: 'Free disk on the node (images, logs, emptyDirs).',
  },
  'node.shutdown': {
    what: 'The node was shut down in good order and ended or refused the pod.',
    looksAt:
      '`status.reason` and `status.message`, condition DisruptionTarget, or a node that says it is shutting down',
    todo: 'Nothing in the pod; see that its owner has made another one.',
  },
  'node.runtime-down': {
    what: 'The container runtime of the node does not answer: what runs goes on, nothing new starts.',
    looksAt: 'the Ready condition of the node, or sandbox failures that name the socket of the runtime',
    todo: 'Start or repair containerd, CRI-O or Docker on the node.',
  },
  'node.container-lost': {
    what: 'The runtime or the kubelet lost the container; its exit code is a placeholder and says nothing about the program.',
    looksAt: 'reason `ContainerStatusUnknown` or `Unknown`, or an exit just when the sandbox changed',
    todo: 'Nothing in the container; look at runtime and kubelet of the node if it happens again.',
  },
}
