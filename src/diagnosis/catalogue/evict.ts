import type { Causes } from './cause.ts'

export const evict: Causes = {
  'evict.node-memory': {
    what: 'The node ran low on memory, and the kubelet ended (or refused) the pod.',
    looksAt: '`status.message`: resource, threshold, and who used how much above which request',
    todo: 'Set a memory request near what it uses, or give the node more.',
  },
  'evict.node-disk': {
    what: 'The disk of the node ran full, and the kubelet ended (or refused) the pod, which is often only the victim.',
    looksAt: '`status.message`: resource, threshold, and how much the pod itself used',
    todo: 'Free disk on the node, and set an ephemeral-storage request.',
  },
  'evict.pod-storage-limit': {
    what: 'The pod wrote more than a storage limit of its own allows.',
    looksAt: '`status.message`: the container, the emptyDir or the sum of the limits',
    todo: 'Write less or elsewhere, or raise that limit; memory has no part in it.',
  },
  'evict.other': {
    what: 'The pod was evicted, preempted or deleted for a taint.',
    looksAt: '`status.reason`, condition DisruptionTarget, and Preempted or TaintManagerEviction events',
    todo: 'Add capacity, or give the workload a PriorityClass if it must not be the one to go.',
  },
}
