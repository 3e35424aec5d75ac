import type { Causes } from './cause.ts'

export const admission: Causes = {
  'admission.pod-security': {
    what: 'The namespace enforces a PodSecurity level (or a PSP, an SCC) that the pod breaks.',
    looksAt:
      'the refusal in the events or the ReplicaFailure condition of what makes the pods; each violation and its container',
    todo: 'Change the fields of `securityContext` that the refusal lists.',
  },
  'admission.quota': {
    what: 'A ResourceQuota is used up or demands values that are missing, or a LimitRange does not allow the resources.',
    looksAt: 'the refusal: which quota, asked for, used and allowed; the LimitRanges of the namespace',
    todo: 'Set or lower requests and limits, free some of the quota, or raise it.',
  },
  'admission.webhook-or-serviceaccount': {
    what: 'An admission webhook or policy denies the pod or cannot be asked, or its ServiceAccount does not exist.',
    looksAt: 'the refusal: name of the webhook, policy or account, and why a webhook could not be reached',
    todo: 'Bring back what stands behind the webhook, meet what it asks for, or create the ServiceAccount.',
  },
  'admission.rejected-by-kubelet': {
    what: 'The node refused the pod that was bound to it; such a pod is Failed for good.',
    looksAt:
      '`status.reason` and `status.message` (OutOf…, NodeAffinity, UnexpectedAdmissionError, SysctlForbidden …), and whether the scheduler or somebody else chose the node',
    todo: 'Mend what the refusal names, or let the scheduler choose the node; another pod is needed.',
  },
  'admission.invalid-spec': {
    what: 'The API server refuses the pod as invalid, or the template names a PriorityClass or RuntimeClass that does not exist.',
    looksAt:
      'the refusal (`is invalid:`), the field it names, and the container of the template that the field belongs to',
    todo: 'Correct that field; it may have been set by a default of a LimitRange or a webhook.',
  },
  'admission.other': {
    what: 'The API server refuses the pod for a reason that no other id covers, such as a namespace that is being deleted.',
    looksAt: 'the refusal, which is quoted',
    todo: 'Change what it names; the controller tries again by itself.',
  },
}
