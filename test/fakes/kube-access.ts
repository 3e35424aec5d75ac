import type { ApiPath } from './kube-recording.ts'

/** Who may what: reading is allowed but for `denied`, everything else only where `granted`. */
export interface Denial {
  readonly denied: readonly string[]
  readonly granted: readonly string[]
}

const user = 'system:serviceaccount:podwhy:podwhy'

/** The API server's words where the path may not be read; null where it may. */
export const denialOf = (path: ApiPath, { denied }: Denial): string | null => {
  const resource = path.subresource ? `${path.resource}/${path.subresource}` : path.resource
  if (!denied.includes(resource)) return null
  const verb = path.name === null ? 'list' : 'get'
  const named = path.name === null ? '' : ` "${path.name}"`
  const scope = path.namespace === '' ? 'at the cluster scope' : `in the namespace "${path.namespace}"`
  return `${path.resource}${named} is forbidden: User "${user}" cannot ${verb} resource "${resource}" in API group "${path.group}" ${scope}`
}

interface Review {
  readonly spec?: {
    readonly resourceAttributes?: { readonly verb?: string; readonly resource?: string; readonly subresource?: string }
  }
}

/** A SelfSubjectAccessReview with its status filled in. */
export const reviewOf = (review: unknown, { denied, granted }: Denial): object => {
  const { verb = '', resource = '', subresource } = (review as Review).spec?.resourceAttributes ?? {}
  const full = subresource ? `${resource}/${subresource}` : resource
  const isReading = ['get', 'list'].includes(verb) && resource !== 'secrets'
  const allowed =
    granted.includes('* *') || granted.includes(`${verb} ${full}`) || (isReading && !denied.includes(full))
  return { ...(review as object), status: { allowed } }
}
